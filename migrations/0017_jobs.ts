import type { Knex } from 'knex';

/** The errors of failed attempts, the deletion of old jobs, and the time since which a recurring job exists. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- The last failed attempts, the oldest first: [{attempt, at, error}]
alter table jobs add column failures jsonb not null default '[]';
create index jobs_ended on jobs (state, finished_at) include (type) where state in ('done', 'failed', 'cancelled');
-- False for the first slot of a job, which only marks since when the job exists.
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
