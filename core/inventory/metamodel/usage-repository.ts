import type { Database } from '../../foundation/db/database.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { BreakingChange, RelationBreakingChange } from './breaking-changes.js';

/** What is in use, by name such as `fields.costTotal`, and the number of uses. */
type Counts = Record<string, number>;

/**
 * The individual values of single and multiple select fields. Values are unnested, so that the cost does not depend on
 * the number of requested options.
 */
const optionsOf = (
  table: string,
): string => `select k.key as field, o.value as option from ${table} t, unnest($4::text[]) as k(key),
  jsonb_array_elements_text(case jsonb_typeof(t.attributes->k.key) when 'array' then t.attributes->k.key else jsonb_build_array(t.attributes->k.key) end) as o(value)
  where t.type = $1 and t.attributes ? k.key`;
const valuesIn = (table: string): string => `
  select 'fields.' || a.key as what, count(*)::int as n from ${table} t, jsonb_object_keys(t.attributes) as a(key)
    where t.type = $1 and cardinality($2::text[]) > 0 and a.key = any($2) group by 1
  union all select 'options.' || w.field || '.' || w.option, count(*)::int from (${optionsOf(table)}) held
    join unnest($3::text[], $5::text[]) as w(field, option) using (field, option) group by 1`;

const CARD_USES = {
  name: 'metamodel-card-uses',
  text: `${valuesIn('card_contents')}
  union all select 'subtypes.' || subtype, count(*)::int from cards where type = $1 and subtype = any($6::text[]) group by 1
  union all select 'stakeholder_roles.' || s.role, count(*)::int from card_stakeholders s join cards c on c.id = s.card_id
    where c.type = $1 and s.role = any($7::text[]) group by 1
  union all select 'max_level', count(*)::int from cards where type = $1 and cardinality(path_ids) + 1 > $8::int having count(*) > 0
  union all select 'allowed_parent_types', count(*)::int from cards c join cards p on p.id = c.parent_id
    where c.type = $1 and $9::text[] is not null and p.type <> all($9) having count(*) > 0`,
};
const RELATION_USES = {
  name: 'metamodel-relation-uses',
  text: `${valuesIn('relations')}
  union all select 'source_type', count(*)::int from relations where type = $1 and source_type <> $6::text having count(*) > 0
  union all select 'target_type', count(*)::int from relations where type = $1 and target_type <> $7::text having count(*) > 0
  union all select 'cardinality', count(*)::int from (
      select target_id from relations where type = $1 and $8::boolean group by target_id having count(*) > 1
      union all select source_id from relations where type = $1 and $9::boolean group by source_id having count(*) > 1) many having count(*) > 0
  union all select 'allow_self', count(*)::int from relations where type = $1 and $10::boolean and source_id = target_id having count(*) > 0`,
};
const CARDS = { name: 'metamodel-cards-of-type', text: 'select count(*)::int as n from cards where type = $1' };
const RELATIONS = {
  name: 'metamodel-relations-of-type',
  text: 'select count(*)::int as n from relations where type = $1',
};

const USAGE = {
  name: 'metamodel-usage',
  text: `select
    (select json_build_object('active', count(*) filter (where status = 'ACTIVE'), 'archived', count(*) filter (where status = 'ARCHIVED')) from cards where type = $1) as cards,
    (select coalesce(json_object_agg(key, n), '{}') from (
      select a.key, count(*)::int as n from card_contents c, jsonb_object_keys(c.attributes) as a(key) where c.type = $1 group by 1) f) as fields,
    (select coalesce(json_agg(o), '[]') from (
      select k.key as field, o.value as option, count(*)::int as n from card_contents t, unnest($2::text[]) as k(key),
        jsonb_array_elements_text(case jsonb_typeof(t.attributes->k.key) when 'array' then t.attributes->k.key else jsonb_build_array(t.attributes->k.key) end) as o(value)
      where t.type = $1 and t.attributes ? k.key group by 1, 2) o) as options,
    (select coalesce(json_object_agg(subtype, n), '{}') from (
      select subtype, count(*)::int as n from cards where type = $1 and subtype is not null group by 1) s) as subtypes,
    (select coalesce(json_object_agg(role, n), '{}') from (
      select s.role, count(*)::int as n from card_stakeholders s join cards c on c.id = s.card_id where c.type = $1 group by 1) r) as roles`,
};

const values = (key: string, { fields, options }: Pick<BreakingChange, 'fields' | 'options'>): unknown[] => [
  key,
  fields,
  options.map((o) => o.field),
  [...new Set(options.map((o) => o.field))],
  options.map((o) => o.option),
];
const counts = (rows: { what: string; n: number }[]): Counts =>
  Object.fromEntries(rows.map(({ what, n }) => [what, n]));

/** Number of cards of the type, including archived ones, that use what a change removes. */
export async function countCardUses(uow: UnitOfWork, key: string, gone: BreakingChange): Promise<Counts> {
  return counts(
    await uow.query<{ what: string; n: number }>(CARD_USES, [
      ...values(key, gone),
      gone.subtypes,
      gone.roles,
      gone.maxLevel,
      gone.parents,
    ]),
  );
}

/** Number of relations of the type that use what a change removes, or violate its new rule. */
export async function countRelationUses(uow: UnitOfWork, key: string, gone: RelationBreakingChange): Promise<Counts> {
  return counts(
    await uow.query<{ what: string; n: number }>(RELATION_USES, [
      ...values(key, gone),
      gone.source,
      gone.target,
      gone.oneSource,
      gone.oneTarget,
      gone.noSelf,
    ]),
  );
}

export async function countCards(uow: UnitOfWork, type: string): Promise<number> {
  return (await uow.query<{ n: number }>(CARDS, [type]))[0]!.n;
}

export async function countRelations(uow: UnitOfWork, type: string): Promise<number> {
  return (await uow.query<{ n: number }>(RELATIONS, [type]))[0]!.n;
}

interface StoredUsage extends Record<string, unknown> {
  cards: { active: number; archived: number };
  fields: Counts;
  options: { field: string; option: string; n: number }[];
  subtypes: Counts;
  roles: Counts;
}

/** Counts what the cards of a type use. @param selects keys of its select fields */
export async function readUsage(db: Database, type: string, selects: string[]): Promise<StoredUsage> {
  return (await db.query<StoredUsage>(USAGE, [type, selects]))[0]!;
}
