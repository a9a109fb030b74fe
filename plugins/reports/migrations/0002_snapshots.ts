import type { Knex } from 'knex';

/** The figures of each card type at the end of each day, for trends. Derived: without events, versions and history. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table reports_snapshots (
  day date not null,
  type text not null,
  total integer not null,
  approved integer not null,
  -- sums of the scores, with the fields that are costs and without them
  quality numeric not null,
  open_quality numeric not null,
  -- sums by the key of the field
  costs jsonb not null default '{}',
  primary key (day, type)
);`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table reports_snapshots');
}
