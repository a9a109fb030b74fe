import type { Knex } from 'knex';

/**
 * Indexes of attributes are created and dropped at run time with changes of the metamodel, so `up` creates none. `down` drops
 * them, because an earlier release does not maintain them, and they depend on functions of earlier migrations.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `comment on column cards.attributes is 'Indexes of single attributes are named cards_attr_… and made by the service.'`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
do $$ declare name text; begin
  for name in select indexrelid::regclass::text from pg_index join pg_class c on c.oid = indexrelid
    where indrelid = 'cards'::regclass and c.relname like 'cards\\_attr\\_%' loop
    execute 'drop index ' || name;
  end loop;
end $$;
comment on column cards.attributes is null;
`);
}
