import type { Knex } from 'knex';

/** What users may still write where writes are limited. Unlogged: after a crash everybody begins anew. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create unlogged table write_budgets (
  user_id uuid primary key references users(id) on delete cascade,
  -- operations that are left, as of \`at\`
  available double precision not null,
  was_allowed boolean not null,
  at timestamptz not null
)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table write_budgets');
}
