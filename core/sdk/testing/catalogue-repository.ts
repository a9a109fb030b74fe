import type { Knex } from '../knex.js';

/** Every named object in the schema `public`, one line each, as described by PostgreSQL. */
const CATALOGUE = `
select line from (
  select format('%s %s', case c.relkind when 'r' then 'table' when 'p' then 'table' when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else c.relkind::text end, c.relname) as line
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
  union all
  select format('column %s.%s %s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), case when a.attnotnull then ' not null' else '' end,
      coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), ''))
    from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f') and a.attnum > 0 and not a.attisdropped
  union all
  select format('constraint %s.%s %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) from pg_constraint k join pg_class c on c.oid = k.conrelid where k.connamespace = 'public'::regnamespace
  union all
  select format('index %s.%s %s', tablename, indexname, indexdef) from pg_indexes where schemaname = 'public'
  union all
  select format('trigger %s.%s %s', c.relname, g.tgname, pg_get_triggerdef(g.oid)) from pg_trigger g join pg_class c on c.oid = g.tgrelid
    where c.relnamespace = 'public'::regnamespace and not g.tgisinternal
  union all
  select format('function %s %s', p.proname, md5(coalesce(p.prosrc, ''))) from pg_proc p where p.pronamespace = 'public'::regnamespace
  union all
  select format('type %s', y.typname) from pg_type y where y.typnamespace = 'public'::regnamespace and y.typtype in ('e', 'd')
) as catalogue order by line`;

/** The roles of modules in databases that were dropped; their names contain the oid of the database. */
export const LEFT_ROLES =
  "select rolname from pg_roles where rolname ~ '^lintel_[0-9]+_' and split_part(rolname, '_', 2) not in (select oid::text from pg_database)";

/** @returns the sorted lines; two catalogues are equal if the schemas are equal */
export async function catalogue(knex: Knex): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { line: string }[] }>(CATALOGUE);
  return rows.map(({ line }) => line);
}
