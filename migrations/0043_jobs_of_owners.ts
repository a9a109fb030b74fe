import type { Knex } from 'knex';

/** The queue of a type is divided by users: the first due job of each user is found without reading those of others. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
drop index jobs_due;
-- Running jobs are included, because their leases may expire. Jobs of the system have the lowest id.
create index jobs_due on jobs (type, coalesce(created_by, '00000000-0000-0000-0000-000000000000'), run_at, id) where state in ('queued', 'running');
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop index jobs_due;
create index jobs_due on jobs (type, run_at, id) where state in ('queued', 'running');
`);
}
