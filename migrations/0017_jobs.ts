import type { Knex } from 'knex';

/** Jobs keep why their attempts failed, and go after a while; a clock knows since when a recurring job is known. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- The last ones, the oldest first: [{attempt, at, error}]
alter table jobs add column failures jsonb not null default '[]';
create index jobs_ended on jobs (state, finished_at) include (type) where state in ('done', 'failed', 'cancelled');
-- False for the slot since which a job is known, which did not run.
alter table cron_slots add column ran boolean not null default true;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
delete from cron_slots where not ran;
alter table cron_slots drop column ran;
drop index jobs_ended;
alter table jobs drop column failures;
`);
}
