import type { Knex } from 'knex';

/** The parts of a metamodel that change individually, by key or id. */
const PARTS = `
create function pg_temp.metamodel_parts(doc jsonb) returns table (section text, key text, part jsonb) language sql as $$
  select 'types', t->>'key', t from jsonb_array_elements(doc->'types') t
  union all select 'relation_types', t->>'key', t from jsonb_array_elements(doc->'relation_types') t
  union all select 'tag_groups', g->>'id', g - '{tags,name_key}'::text[] from jsonb_array_elements(doc->'tag_groups') g
  union all select 'tags', t->>'id', t - 'name_key' || jsonb_build_object('group_id', g->>'id')
    from jsonb_array_elements(doc->'tag_groups') g, jsonb_array_elements(g->'tags') t
$$;`;

const section = (name: string): string =>
  `'${name}', coalesce(jsonb_object_agg(key, part) filter (where section = '${name}'), '{}')`;

/**
 * A revision is stored as its differences: created and changed rows by key or id, null for deleted ones. The first revision
 * and every hundredth after it are also stored completely, so that any revision can be assembled from at most a hundred rows.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table metamodel_revisions alter column doc drop not null, add column changed jsonb;
${PARTS}
do $$
declare
  r record;
  previous jsonb;
  kept bigint;
begin
  for r in select revision, doc from metamodel_revisions order by revision loop
    if previous is not null then
      update metamodel_revisions set doc = case when r.revision >= kept + 100 then r.doc end, changed = (
        select jsonb_build_object(${['types', 'relation_types', 'tag_groups', 'tags'].map(section).join(', ')})
          from (select section, key, b.part from pg_temp.metamodel_parts(previous) a full join pg_temp.metamodel_parts(r.doc) b using (section, key)
            where a.part is distinct from b.part) differing)
        where revision = r.revision;
    end if;
    if previous is null or r.revision >= kept + 100 then
      kept := r.revision;
    end if;
    previous := r.doc;
  end loop;
end $$;
drop function pg_temp.metamodel_parts(jsonb);
alter table metamodel_revisions add check (doc is not null or changed is not null);
`);
}

const ordered = (name: string): string =>
  `'${name}', (select coalesce(jsonb_agg(part order by (part->>'sort_order')::int, key collate "C"), '[]') from standing where section = '${name}')`;

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
${PARTS}
create temporary table standing (section text, key text, part jsonb, primary key (section, key)) on commit drop;
do $$
declare
  r record;
begin
  for r in select revision, doc, changed from metamodel_revisions order by revision loop
    if r.doc is not null then
      delete from standing;
      insert into standing select * from pg_temp.metamodel_parts(r.doc);
      continue;
    end if;
    delete from standing using (select s.key as section, c.key from jsonb_each(r.changed) s, jsonb_each(s.value) c) gone
      where standing.section = gone.section and standing.key = gone.key;
    insert into standing select s.key, c.key, c.value from jsonb_each(r.changed) s, jsonb_each(s.value) c where c.value <> 'null';
    delete from standing t where section = 'tags' and not exists (select from standing g where g.section = 'tag_groups' and g.key = t.part->>'group_id');
    update metamodel_revisions set doc = jsonb_build_object(${ordered('types')}, ${ordered('relation_types')},
      'tag_groups', (select coalesce(jsonb_agg(g.part || jsonb_build_object('tags',
          (select coalesce(jsonb_agg(t.part - 'group_id' order by t.part->>'name'), '[]') from standing t where t.section = 'tags' and t.part->>'group_id' = g.key))
        order by g.part->>'name'), '[]') from standing g where g.section = 'tag_groups'))
      where revision = r.revision;
  end loop;
end $$;
drop function pg_temp.metamodel_parts(jsonb);
alter table metamodel_revisions drop column changed, alter column doc set not null;
`);
}
