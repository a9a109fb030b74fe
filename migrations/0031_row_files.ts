import type { Knex } from 'knex';

/**
 * Deletes the stored file of a deleted row of a module's table, in whatever way the row is deleted: also by the cascade of
 * a card, and while the module is disabled.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create function delete_file_of_row() returns trigger language plpgsql security definer set search_path from current as $$
begin
  delete from files where id = old.file_id and module is not null;
  return null;
end $$;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function delete_file_of_row()');
}
