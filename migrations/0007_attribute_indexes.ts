import type { Knex } from 'knex';

/**
 * Indexes of attributes come and go with the metamodel, at run time: there are none to make here. Going back drops
 * them, because nothing keeps them up to date any more and they hold on to functions that earlier migrations made.
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
