import type { Knex } from 'knex';

const OWN = `format in ('csv', 'ndjson', 'archimate')`;

/** Imports of formats that modules read. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table imports drop constraint imports_format_check,
    add constraint imports_format_check check (format ~ '^[a-z][a-z0-9_]{0,60}$')`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from imports where not (${OWN});
alter table imports drop constraint imports_format_check, add constraint imports_format_check check (${OWN});`);
}
