import type { Knex } from 'knex';

/** For administrators, jobs have a version, which changes with their state, and an order. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table jobs add column version integer not null default 1;
create index jobs_created on jobs (created_at, id);
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop index jobs_created;
alter table jobs drop column version;
`);
}
