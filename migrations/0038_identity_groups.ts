import type { Knex } from 'knex';

/**
 * The groups that a provider of single sign-on named at the last sign-in of an identity, so that a changed group map applies
 * without another sign-in. Null: not known. Earlier versions of the service neither read nor write it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table user_identities add column groups text[]');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table user_identities drop column groups');
}
