import type { Inventory, InventoryField, InventorySql } from '@lintel/sdk';
import type { CardTest, DependencyLink } from './rules.js';

/** Where a page of the cards of a rule begins: after these. */
export type After = readonly string[] | null;
/** The ids of cards that meet a condition, and what they have in common with the rule. */
export type Hit = { ids: string[]; ends_on?: string };

/** Phases in which a card is in use; a card without a life cycle is. */
const IN_USE = "('phaseIn', 'active', 'phaseOut')";
export const PHASE = 'lifecycle_phase';

/** Fields of the tests of a card, by the name of their column; undefined if the metamodel has not all of them. */
function fieldsOf(inventory: Inventory, { type, where }: CardTest): Record<string, InventoryField> | undefined {
  const fields: Record<string, InventoryField> = {};
  for (const [i, { field }] of where.entries()) {
    const found = inventory.types.has(type) ? inventory.field(`attributes.${field}`, [type]) : undefined;
    if (!found) return undefined;
    fields[`f${i}`] = found;
  }
  return fields;
}

/** Whether the metamodel has what a test of cards reads. */
export const canTest = (inventory: Inventory, test: CardTest): boolean =>
  inventory.types.has(test.type) && fieldsOf(inventory, test) !== undefined;

/** A subquery in parentheses with the ids of the cards that pass a test. */
export function passing(inventory: Inventory, { cards, bind }: InventorySql, test: CardTest): string {
  const conditions = test.where.map(({ is, not }, i) => {
    const value = `lower(t.f${i}::text)`;
    const among = (keys: readonly string[]): string =>
      `${value} = any(${bind(keys.map((key) => key.toLowerCase()))}::text[])`;
    if (is) return among(is);
    return not ? `(${value} is null or not ${among(not)})` : `nullif(btrim(t.f${i}::text), '') is null`;
  });
  if (!test.anyPhase) conditions.unshift(`coalesce(t.${PHASE}, 'active') in ${IN_USE}`);
  const source = cards({ type: test.type }, fieldsOf(inventory, test), ['id', PHASE]);
  return `(select t.id from ${source} t${conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`})`;
}

/** Cards that pass a test, by id. */
export async function readCards(inventory: Inventory, test: CardTest, after: After, limit: number): Promise<Hit[]> {
  return await inventory.query(
    'insightlens-rule-card',
    (sql) => `select array[c.id::text] as ids from ${passing(inventory, sql, test)} c
      where ${after ? `c.id > ${sql.bind(after[0])}::uuid` : 'true'} order by c.id limit ${sql.bind(limit)}`,
  );
}

/** Cards in use of which no stakeholder has one of the roles, by id. */
export async function readWithoutOwner(
  inventory: Inventory,
  types: readonly string[],
  roles: readonly string[],
  after: After,
  limit: number,
): Promise<Hit[]> {
  return await inventory.query('insightlens-rule-owner', ({ cards, stakeholders, bind }) => {
    const from = after ? `c.id > ${bind(after[0])}::uuid and ` : '';
    return `select array[c.id::text] as ids from ${cards({ type: types.join(',') }, {}, ['id', PHASE])} c
      where ${from}coalesce(c.${PHASE}, 'active') in ${IN_USE}
        and not exists (select from ${stakeholders()} s where s.card_id = c.id and s.role = any(${bind([...roles])}::text[]))
      order by c.id limit ${bind(limit)}`;
  });
}

/** Cards whose life cycle ends up to a day, by id. */
export async function readEnding(
  inventory: Inventory,
  types: readonly string[],
  until: string,
  after: After,
  limit: number,
): Promise<Hit[]> {
  return await inventory.query('insightlens-rule-lifecycle', ({ cards, bind }) => {
    const from = after ? `c.id > ${bind(after[0])}::uuid and ` : '';
    return `select array[c.id::text] as ids, c.lifecycle->>'endOfLife' as ends_on from ${cards({ type: types.join(',') }, {}, ['id', 'lifecycle'])} c
      where ${from}c.lifecycle->>'endOfLife' <= ${bind(until)} order by c.id limit ${bind(limit)}`;
  });
}

/** Condition that a relation `r` is valid on a day. */
const valid = (day: string): string =>
  `(r.valid_from is null or r.valid_from <= ${day}::date) and (r.valid_to is null or r.valid_to >= ${day}::date)`;

/** Pairs of related cards that pass a test each, by the ids of both. */
export async function readRelated(
  inventory: Inventory,
  { relation, source, target }: { relation: string; source: CardTest; target: CardTest },
  day: string,
  after: After,
  limit: number,
): Promise<Hit[]> {
  return await inventory.query('insightlens-rule-related', (sql) => {
    const { relations, bind } = sql;
    const from = after ? ` and (r.source_id, r.target_id) > (${bind(after[0])}::uuid, ${bind(after[1])}::uuid)` : '';
    return `select array[r.source_id::text, r.target_id::text] as ids from (
        select distinct r.source_id, r.target_id from ${relations([relation])} r
          join ${passing(inventory, sql, source)} s on s.id = r.source_id
          join ${passing(inventory, sql, target)} o on o.id = r.target_id
        where ${valid(bind(day))}${from}
      ) r order by r.source_id, r.target_id limit ${bind(limit)}`;
  });
}

/**
 * Cards in use on which at least `least` others depend that have no alternative, by id; each with the first of these. A dependant has an
 * alternative if it depends by the same relation type on another card of the same group. Computed by joins over groups of
 * dependants, so that its effort grows with the number of relations, not with their square.
 */
export async function readSinglePoints(
  inventory: Inventory,
  links: readonly DependencyLink[],
  least: number,
  day: string,
  after: After,
  limit: number,
): Promise<Hit[]> {
  return await inventory.query('insightlens-rule-single-point', ({ cards, relations, bind }) => {
    const used = `(select id from ${cards({}, {}, ['id', PHASE])} c where coalesce(c.${PHASE}, 'active') in ${IN_USE})`;
    const groupTypes = [...new Set(links.flatMap(({ group }) => (group === null ? [] : [group])))];
    const pairs = bind(JSON.stringify(links.map(({ relation, group }) => ({ relation, group_by: group }))));
    const groups =
      groupTypes.length === 0
        ? 'select null::uuid as card, null::uuid as grp, null::text as type where false'
        : `select r.source_id as card, r.target_id as grp, r.type from ${relations(groupTypes)} r`;
    const from = after ? `where e.target_id > ${bind(after[0])}::uuid` : '';
    return `with used as materialized ${used}, edges as materialized (
        select distinct r.source_id, r.target_id, r.type, l.group_by from ${relations(links.map(({ relation }) => relation))} r
          join jsonb_to_recordset(${pairs}::jsonb) as l(relation text, group_by text) on l.relation = r.type
          join used s on s.id = r.source_id join used t on t.id = r.target_id
        where r.source_id <> r.target_id and ${valid(bind(day))}
      ), grouped as materialized (
        select e.source_id, e.target_id, e.type, g.grp from edges e join (${groups}) g on g.card = e.target_id and g.type = e.group_by
      ), covered as (
        select source_id, type, grp from grouped group by source_id, type, grp having count(distinct target_id) > 1
      ), alternative as (
        select distinct g.source_id, g.target_id, g.type from grouped g join covered using (source_id, type, grp)
      ), alone as (
        select distinct e.source_id, e.target_id from edges e left join alternative a using (source_id, target_id, type) where a.source_id is null
      )
      select array[e.target_id::text] || (array_agg(e.source_id::text order by e.source_id))[1:${bind(least)}::int] as ids
        from alone e ${from} group by e.target_id having count(*) >= ${bind(least)}::int order by e.target_id limit ${bind(limit)}`;
  });
}
