import type { Knex } from 'knex';

/** Events that one user alone sees are counted without being read: the audit trail of others is without them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`create index events_personal on events ((data->>'user_id')) where subject_kind = 'notification'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index events_personal');
}
