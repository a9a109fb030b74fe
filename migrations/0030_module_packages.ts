import type { Knex } from 'knex';

/** The packages that administrators have installed as modules while the service was running, besides those that its environment names. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table module_packages (
  name text primary key check (length(name) <= 214),
  added_at timestamptz(3) not null default clock_timestamp()
);
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table module_packages');
}
