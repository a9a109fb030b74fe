import type { Database } from '../../../foundation/db/database.js';
import { Bindings, named } from '../../../foundation/db/list-query.js';
import { changesSince, MARK, markOf, type Mark } from './kept-answers-repository.js';
import { compileFilters, type CardFilters } from './filters-repository.js';
import type { Reader } from './read-repository.js';

export interface FacetValue {
  value: string | null;
  label?: string;
  count: number;
}

export interface Facets {
  total: number;
  facets: Record<string, FacetValue[]>;
}

/** A count: of which facet, of which value, and of a tag its name. */
type Count = [facet: string, value: string | null, n: string, name: string | null];

export interface FacetsRead {
  answer: Facets;
  /** All counts, from which later ones can be worked out. */
  counts: Count[];
  /** Of the event log, in the same snapshot. */
  mark: Mark;
  /** Card types they are of; undefined where they are of all. */
  types: string[] | undefined;
}

/** Values of one facet, at most. */
const MOST_VALUES = 500;
/** More counts are soon read anew. */
const MOST_AMENDED = 2_000;
const COLUMNS = ['type', 'subtype', 'status', 'approval_status'] as const;

/** Select fields by type, as two lists of the same length. */
interface Selects {
  types: string[];
  keys: string[];
}

/** The select fields of the types a list is of: those a card has one value of, and those it has several of. */
function selectFields(
  { metamodel }: Reader,
  types: readonly string[] | undefined,
): { single: Selects; multiple: Selects } {
  const found = { single: { types: [], keys: [] } as Selects, multiple: { types: [], keys: [] } as Selects };
  for (const [type, { fields }] of metamodel.types) {
    if (types && !types.includes(type)) continue;
    for (const { key, kind } of fields.fields) {
      if (kind !== 'single_select' && kind !== 'multiple_select') continue;
      const of = kind === 'single_select' ? found.single : found.multiple;
      of.types.push(type);
      of.keys.push(key);
    }
  }
  return found;
}

/**
 * What cards of one type have one value of, counted in one pass: to find the cards is most of the work. For many types
 * there would be too many fields to group by, most of them empty on most cards.
 * @param keys of the select fields of the type
 */
function inOnePass(keys: readonly string[], hits: string, bindings: Bindings): string {
  const facets = [
    ...COLUMNS.map((column) => [`'${column}'`, `c.${column}`, column]),
    ...keys.map((key, i) => [
      `'attributes.' || ${bindings.add(key)}::text`,
      `c.attributes->>${bindings.add(key)}`,
      `v${i}`,
    ]),
  ] as [name: string, value: string, column: string][];
  const which = (of: (facet: (typeof facets)[number]) => string): string =>
    `case ${facets.map((facet) => `when grouping(${facet[2]}) = 0 then ${of(facet)}`).join(' ')}`;
  return `select ${which(([name]) => name)} else 'total' end as facet, ${which(([, , column]) => column)} end as value, count(*) as n
    from (select ${facets.map(([, value, column]) => `${value} as ${column}`).join(', ')} from ${hits} offset 0) h group by grouping sets (${facets.map(([, , column]) => `(${column})`).join(', ')}, ())`;
}

/**
 * SQL of all counts over some cards: facet, value, n. Each part reads the cards on its own: to keep a large set of them
 * in between would cost more than to find it again.
 * @param hits as in FROM, the cards as `c`
 */
function countsOf(
  hits: string,
  { single, multiple }: ReturnType<typeof selectFields>,
  isOfOneType: boolean,
  bindings: Bindings,
): string {
  // The fields of each card, not the cards of each field: those would be read once for every field.
  const attributes = ({ types: of, keys }: Selects, value: string, from: string) =>
    keys.length === 0
      ? ''
      : `union all
      select 'attributes.' || f.key, ${value}, count(*) from (select c.type, c.attributes from ${hits}) h
        cross join lateral (select * from unnest(${bindings.add(of)}::text[], ${bindings.add(keys)}::text[]) as f(type, key) where f.type = h.type offset 0) f ${from} group by 1, 2`;
  const severals = `union all select 'tags', t.tag_id::text, count(*) from card_tags t join (select c.id from ${hits}) h on h.id = t.card_id group by 2
      ${attributes(multiple, 'v.value', `cross join lateral jsonb_array_elements_text(case jsonb_typeof(h.attributes->f.key) when 'array' then h.attributes->f.key else '[]' end) v(value)`)}`;
  return isOfOneType
    ? `${inOnePass(single.keys, hits, bindings)} ${severals}`
    : `with groups as materialized (select c.type, c.subtype, c.status, c.approval_status, count(*) as n from ${hits} group by 1, 2, 3, 4)
    ${COLUMNS.map((column) => `select '${column}' as facet, ${column} as value, sum(n) as n from groups group by 2`).join(' union all ')}
      union all select 'total', null, coalesce(sum(n), 0) from groups
      ${attributes(single, 'h.attributes->>f.key', '')} ${severals}`;
}

/** The counts of a table, those of tags with their names, in the order of the answer; and the mark of the log. */
const answerOf = (
  counts: string,
): string => `select facet, value, n, tags.name from (select facet, value, n from ${counts} union all select 'mark', ${MARK}, 0) c
      left join tags on facet = 'tags' and tags.id = (case when facet = 'tags' then value::uuid end) order by 1, 3 desc, 2`;

/** Counts all facets of the same cards, in one statement and hence of one snapshot. */
export async function readFacets(
  db: Pick<Database, 'rows'>,
  filters: CardFilters,
  reader: Reader,
): Promise<FacetsRead> {
  const bindings = new Bindings();
  const { where, types } = compileFilters(filters, bindings, reader.metamodel, reader.visibility.me, reader.visibility);
  const fields = selectFields(reader, types);
  const text = `with counts as (${countsOf(`cards c where ${where.join(' and ')}`, fields, types?.length === 1, bindings)}) ${answerOf('counts')}`;
  return facetsOf((await db.rows(named(text), bindings.values)) as Count[], fields, types);
}

/**
 * The same, worked out from counts read before and the cards that have changed since.
 * @returns undefined where what has changed is not known card by card
 */
export async function amendFacets(
  db: Pick<Database, 'rows'>,
  filters: CardFilters,
  reader: Reader,
  { counts, mark: { position, waiting } }: Pick<FacetsRead, 'counts' | 'mark'>,
): Promise<FacetsRead | undefined> {
  if (!waiting || filters.search !== undefined || counts.length > MOST_AMENDED) return undefined;
  const bindings = new Bindings();
  const { where, types } = compileFilters(filters, bindings, reader.metamodel, reader.visibility.me, reader.visibility);
  const fields = selectFields(reader, types);
  const changes = changesSince(
    { position: bindings.add(position), ids: bindings.add(waiting.ids), versions: bindings.add(waiting.versions) },
    bindings.add(types ?? null),
  );
  const of = (table: string): string =>
    `(${countsOf(`${table} c where ${where.join(' and ')}`, fields, types?.length === 1, bindings)})`;
  const text = `with ${changes.with},
    counts as (select facet, value, sum(n)::bigint as n from (
        select facet, value, n from jsonb_to_recordset(${bindings.add(JSON.stringify(counts.map(([facet, value, n]) => ({ facet, value, n }))))}::jsonb) as k(facet text, value text, n bigint)
        union all select facet, value, n from ${of('after')} a union all select facet, value, -n from ${of('before')} b) d
      where ${changes.known} group by 1, 2 having sum(n) <> 0 or facet = 'total')
    ${answerOf('counts')}`;
  const rows = (await db.rows(named(text), bindings.values)) as Count[];
  return rows.length === 1 ? undefined : facetsOf(rows, fields, types);
}

function facetsOf(
  rows: Count[],
  { single, multiple }: ReturnType<typeof selectFields>,
  types: string[] | undefined,
): FacetsRead {
  const facets: Record<string, FacetValue[]> = Object.fromEntries([...COLUMNS, 'tags'].map((facet) => [facet, []]));
  const present = new Set(rows.filter(([facet]) => facet === 'type').map(([, value]) => value));
  for (const { types: of, keys } of [single, multiple])
    for (const [i, key] of keys.entries()) if (present.has(of[i]!)) facets[`attributes.${key}`] = [];
  let total = 0;
  let mark = '';
  for (const [facet, value, n, name] of rows) {
    if (facet === 'mark') mark = value!;
    else if (facet === 'total') total = Number(n);
    // Cards without a value are counted of subtypes, which every card may have, and not of fields, which it may not.
    else if (facets[facet] && facets[facet].length < MOST_VALUES && (value !== null || facet === 'subtype'))
      facets[facet].push({ value, ...(name !== null && { label: name }), count: Number(n) });
  }
  return { answer: { total, facets }, counts: rows.filter(([facet]) => facet !== 'mark'), mark: markOf(mark), types };
}
