import type { Knex } from 'knex';

/** An index to count events that only one user may see, because the audit trail of other users excludes them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`create index events_personal on events ((data->>'user_id')) where subject_kind = 'notification'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index events_personal');
}
