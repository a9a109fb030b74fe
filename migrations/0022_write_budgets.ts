import type { Knex } from 'knex';

/** The remaining writes of users, if writes are limited. Unlogged: after a crash all users have their full budget. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create unlogged table write_budgets (
  user_id uuid primary key references users(id) on delete cascade,
  -- remaining operations at the time \`at\`
  available double precision not null,
  was_allowed boolean not null,
  at timestamptz not null
)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table write_budgets');
}
