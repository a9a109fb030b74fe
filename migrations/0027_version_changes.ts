import type { Knex } from 'knex';

const CARD_FIELDS = [
  'name',
  'subtype',
  'description',
  'alias',
  'external_id',
  'parent_id',
  'status',
  'approval_status',
];
const RELATION_FIELDS = ['description', 'valid_from', 'valid_to'];

interface Versioned {
  table: string;
  deletions: string;
  fields: readonly string[];
  /** Fields that are objects, of which each key is a field of its own. */
  maps: readonly string[];
}

const CARDS: Versioned = {
  table: 'card_versions',
  deletions: 'card_deletions',
  fields: CARD_FIELDS,
  maps: ['lifecycle', 'attributes'],
};
const RELATIONS: Versioned = {
  table: 'relation_versions',
  deletions: 'relation_deletions',
  fields: RELATION_FIELDS,
  maps: ['attributes'],
};

const list = (values: readonly string[]): string => `'{${values.join(',')}}'::text[]`;

/** SQL of the changes from document `b` to document `v`, as events list them. */
const changesSql = ({
  fields,
  maps,
}: Versioned): string => `(select coalesce(jsonb_agg(jsonb_build_object('field', d.field,
    'old', coalesce(d.old, 'null'), 'new', coalesce(d.new, 'null')) order by d.place, d.field), '[]') from (
  select f.place, f.field, b.doc->f.field as old, v.doc->f.field as new from unnest(${list(fields)}) with ordinality as f(field, place)
  union all
  select 100 + m.place, m.map || '.' || k.key, b.doc->m.map->k.key, v.doc->m.map->k.key from unnest(${list(maps)}) with ordinality as m(map, place),
    lateral (select jsonb_object_keys(b.doc->m.map) as key union select jsonb_object_keys(v.doc->m.map)) k
  ) d where coalesce(d.old, 'null') <> coalesce(d.new, 'null'))`;

/** SQL of the key and of the trigger that refuses versions written by an older metamodel. */
const finished = (table: string): string => `alter table ${table} add primary key (id, version);
create trigger ${table}_metamodel after insert on ${table}
  referencing new table as written for each statement execute function metamodel_current();`;

const split = (versioned: Versioned): string => {
  const { table, deletions } = versioned;
  return `
create table ${deletions} (
  id uuid primary key,
  type text not null,
  version integer not null,
  at timestamptz(3) not null,
  doc jsonb not null,
  change_id uuid
);
insert into ${deletions} (id, type, version, at, doc)
  select distinct on (id) id, doc->>'type', version, valid_to, doc from ${table} v
    where valid_to is not null and not exists (select from ${table} n where n.id = v.id and n.version > v.version) order by id, version desc;

alter table ${table} rename to ${table}_before;
alter table ${table}_before rename constraint ${table}_pkey to ${table}_before_pkey;
create table ${table} (
  id uuid not null,
  version integer not null,
  at timestamptz(3) not null,
  change_id uuid not null,
  metamodel_revision bigint not null,
  changes jsonb
);
insert into ${table} (id, version, at, change_id, metamodel_revision, changes)
  select v.id, v.version, v.valid_from, v.change_id, v.metamodel_revision, case when b.id is not null then ${changesSql(versioned)} end
    from ${table}_before v left join ${table}_before b on b.id = v.id and b.version = v.version - 1;
drop table ${table}_before;
${finished(table)}`;
};

/**
 * A version of a card or relation is stored as what it changed, with the old and the new values, not as a copy of the
 * whole row: the state of any version follows from the current row and the old values of later versions. The end of a
 * version is the time of the next one. Only a row that is deleted is stored whole, when it is deleted.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(split(CARDS));
  await knex.raw(split(RELATIONS));
}

/** SQL of the document of version `v`, from the latest state `s` and the old values of later versions. */
const documentSql = ({ table, fields, maps }: Versioned): string => `(select
    s.doc || jsonb_build_object('version', v.version, 'updated_at', v.at)
      || coalesce(jsonb_object_agg(o.field, o.old) filter (where o.field = any(${list(fields)})), '{}')
      ${maps
        .map(
          (map) => `|| jsonb_build_object('${map}', jsonb_strip_nulls((s.doc->'${map}')
        || coalesce(jsonb_object_agg(substr(o.field, ${map.length + 2}), o.old) filter (where starts_with(o.field, '${map}.')), '{}')))`,
        )
        .join(' ')}
  from (select distinct on (c.field) c.field, c.old from ${table} l, jsonb_to_recordset(l.changes) as c(field text, old jsonb)
    where l.id = v.id and l.version > v.version order by c.field, l.version) o)`;

const join = (versioned: Versioned, current: string, indexes: string): string => {
  const { table, deletions } = versioned;
  return `
create table ${table}_before (
  id uuid not null,
  version integer not null,
  valid_from timestamptz(3) not null,
  valid_to timestamptz(3),
  doc jsonb not null,
  change_id uuid not null,
  metamodel_revision bigint not null
);
insert into ${table}_before
  select v.id, v.version, v.at, coalesce(lead(v.at) over (partition by v.id order by v.version), d.at), ${documentSql(versioned)}, v.change_id, v.metamodel_revision
    from ${table} v left join ${deletions} d using (id), lateral (select coalesce(d.doc, (${current})) as doc) s;
drop table ${table}, ${deletions};
alter table ${table}_before rename to ${table};
${finished(table)}
${indexes}`;
};

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    join(
      CARDS,
      `select to_jsonb(c) - '{name_key,search_name,search_text,words,edited_by}'::text[] from cards c where c.id = v.id`,
      'create index card_versions_range on card_versions (valid_from, valid_to);',
    ),
  );
  await knex.raw(
    join(
      RELATIONS,
      `select to_jsonb(r) - '{source_type,target_type,rule_source,rule_target,one_source,one_target,allow_self,source_status,target_status,hidden}'::text[]
        from relations r where r.id = v.id`,
      '',
    ),
  );
}
