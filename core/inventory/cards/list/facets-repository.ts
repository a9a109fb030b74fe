import type { Database } from '../../../foundation/db/database.js';
import { Bindings, named } from '../../../foundation/db/list-query.js';
import { rowsWith } from '../page-source-repository.js';
import { compileFilters, type CardFilters } from './filters-repository.js';
import type { Reader } from './view.js';

interface FacetValue {
  value: string | null;
  label?: string;
  count: number;
}

export interface Facets {
  /** When they were computed, RFC 3339 in UTC with milliseconds. */
  computed_at: string;
  total: number;
  facets: Record<string, FacetValue[]>;
}

/** A count: facet, value, number, and for a tag its name. */
type Count = [facet: string, value: string | null, n: string, name: string | null];

/** Maximum number of values per facet. */
const MOST_VALUES = 500;
const COLUMNS = ['type', 'subtype', 'status', 'approval_status'] as const;

/** Select fields by type, as two lists of the same length. */
interface Selects {
  types: string[];
  keys: string[];
}

/** The select fields of the types of a list: single-valued and multi-valued ones. */
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

/** SQL of the matching cards as `c`, as in FROM. @param columns columns that are read besides those of the filters */
type Hits = (...columns: string[]) => string;

/**
 * Counts all single-valued fields of one type in one pass, because finding the cards is the most expensive part. With
 * several types there would be too many fields to group by, most of them empty for most cards.
 * @param keys select fields of the type, at least one
 */
function fieldsOfOneType(keys: readonly string[], hits: Hits, bindings: Bindings): string {
  const fields = keys.map((key, i) => {
    const bound = bindings.add(key);
    return { alias: `v${i}`, bound, value: `c.attributes->>${bound}::text` };
  });
  const which = (of: (field: (typeof fields)[number]) => string): string =>
    `case ${fields.map((field) => `when grouping(${field.alias}) = 0 then ${of(field)}`).join(' ')} end`;
  return `select ${which(({ bound }) => `'attributes.' || ${bound}::text`)}, ${which(({ alias }) => alias)}, count(*)
    from (select ${fields.map(({ value, alias }) => `${value} as ${alias}`).join(', ')} from ${hits('c.attributes')} offset 0) h
    group by grouping sets (${fields.map(({ alias }) => `(${alias})`).join(', ')})`;
}

/**
 * SQL of all counts over the matching cards: facet, value, n. Each part reads the cards separately, because
 * materialising a large set would cost more than reading it again.
 */
function countsOf(
  hits: Hits,
  { single, multiple }: ReturnType<typeof selectFields>,
  isOfOneType: boolean,
  bindings: Bindings,
): string {
  // Joins the fields to each card, not the cards to each field, which would read the cards once per field.
  const attributes = ({ types: of, keys }: Selects, value: string, from: string) =>
    keys.length === 0
      ? ''
      : `union all
      select 'attributes.' || f.key, ${value}, count(*) from (select c.type, c.attributes from ${hits('c.attributes')}) h
        cross join lateral (select * from unnest(${bindings.add(of)}::text[], ${bindings.add(keys)}::text[]) as f(type, key) where f.type = h.type offset 0) f ${from} group by 1, 2`;
  const severals = `union all select 'tags', t.tag_id::text, count(*) from card_tags t join (select c.id from ${hits()}) h on h.id = t.card_id group by 2
      ${attributes(multiple, 'v.value', `cross join lateral jsonb_array_elements_text(case jsonb_typeof(h.attributes->f.key) when 'array' then h.attributes->f.key else '[]' end) v(value)`)}`;
  const singles =
    isOfOneType && single.keys.length > 0
      ? `union all ${fieldsOfOneType(single.keys, hits, bindings)}`
      : attributes(single, 'h.attributes->>f.key', '');
  return `with groups as materialized (select c.type, c.subtype, c.status, c.approval_status, count(*) as n from ${hits('c.subtype')} group by 1, 2, 3, 4)
    ${COLUMNS.map((column) => `select '${column}' as facet, ${column} as value, sum(n) as n from groups group by 2`).join(' union all ')}
      union all select 'total', null, coalesce(sum(n), 0) from groups
      ${singles} ${severals}`;
}

/**
 * Counts all facets of the same cards, in one statement and therefore from one snapshot.
 * @throws a 422 listing invalid filters, a 403 for stakeholders or relations the reader may not see
 */
export async function readFacets(db: Pick<Database, 'rows'>, filters: CardFilters, reader: Reader): Promise<Facets> {
  // Taken before the snapshot, so that the result is not older than stated.
  const computed_at = new Date().toISOString();
  const bindings = new Bindings();
  const { where, types } = compileFilters(filters, bindings, reader);
  const fields = selectFields(reader, types);
  const hits: Hits = (...columns) => `${rowsWith(...columns, ...where)} where ${where.join(' and ')}`;
  const counts = countsOf(hits, fields, types?.length === 1, bindings);
  const text = `with counts as (${counts})
    select facet, value, n, tags.name from counts left join tags on facet = 'tags' and tags.id = (case when facet = 'tags' then value::uuid end)
    order by 1, 3 desc, 2`;
  return { computed_at, ...facetsOf((await db.rows(named(text), bindings.values)) as Count[], fields) };
}

function facetsOf(rows: Count[], { single, multiple }: ReturnType<typeof selectFields>): Omit<Facets, 'computed_at'> {
  const facets: Record<string, FacetValue[]> = Object.fromEntries([...COLUMNS, 'tags'].map((facet) => [facet, []]));
  const present = new Set(rows.filter(([facet]) => facet === 'type').map(([, value]) => value));
  for (const { types: of, keys } of [single, multiple])
    for (const [i, key] of keys.entries()) if (present.has(of[i]!)) facets[`attributes.${key}`] = [];
  let total = 0;
  for (const [facet, value, n, name] of rows) {
    if (facet === 'total') total = Number(n);
    // Cards without a value are counted for the subtype, which is defined for all cards, but not for fields.
    else if (facets[facet] && facets[facet].length < MOST_VALUES && (value !== null || facet === 'subtype'))
      facets[facet].push({ value, ...(name !== null && { label: name }), count: Number(n) });
  }
  return { total, facets };
}
