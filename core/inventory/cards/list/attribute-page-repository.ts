import type { ListQuery } from '../../../foundation/db/list-query.js';
import type { Range } from './attribute-filters-repository.js';
import { pageOfKeys, type PageSource } from '../page-source-repository.js';

/** A part of the cards whose order one index keeps. */
export interface Arm {
  /** On `c`; no card meets those of two. */
  condition: string;
  /** The value they are sorted by, as the index has it. */
  value: string;
}

/** An order that several indexes keep together, each for some of the cards. Cards that are in none come last, by id. */
export interface Split {
  type: 'numeric' | 'text';
  arms: readonly Arm[];
  /** Whether every card is in one of the arms. */
  isWhole?: boolean;
}

const all = (conditions: readonly string[]): string => conditions.join(' and ');

/**
 * A page in the order of an attribute: first what the indexes hold, then the rest. Each part is read only as far as it
 * is needed, so that the rest is not looked at while there are values.
 * @param narrow conditions without the cursor
 */
export function splitPage({
  keys,
  narrow,
  columns,
  split: { arms, type, isWhole },
}: {
  keys: ListQuery;
  narrow: readonly string[];
  columns: string;
  split: Split;
}): string {
  const { dir, after, limit, page_size, offset, offsetBound } = keys;
  const op = dir === 'asc' ? '>' : '<';
  const need = `limit ${offset > 0 ? `${offsetBound} + ` : ''}${page_size + 1}`;
  const arm = ({ condition, value }: Arm): string => `(select c.id, ${value} as v from cards c
    where ${all([...narrow, condition, ...(after?.value === undefined ? [] : [`(${value}, c.id) ${op} (${after.value}, ${after.id})`])])} order by ${value} ${dir}, c.id ${dir} ${need})`;
  // Behind a cursor at a card without a value there are none with one.
  const held = after && after.value === undefined ? [] : arms.map(arm);
  const valued =
    held.length > 1
      ? `(select a.id, a.v from (${held.join(' union all ')}) a order by a.v${type === 'text' ? ' collate "C"' : ''} ${dir}, a.id ${dir} ${need})`
      : held[0];
  if (isWhole) return keysPage(valued!, limit, columns);
  // Whoever may see no value any more may hold a cursor at one: all the rest is behind it.
  const unheld = arms.length === 0 && after?.value !== undefined ? [`(${after.value}, ${after.id}) is not null`] : [];
  const others = [
    ...narrow,
    ...unheld,
    ...(arms.length === 0 ? [] : [`not (${arms.map((a) => `(${a.condition})`).join(' or ')})`]),
    ...(after && after.value === undefined ? [`c.id ${op} ${after.id}`] : []),
  ];
  const rest = `(select c.id, null::${type} as v from cards c where ${all(others)} order by c.id ${dir} ${need})`;
  return keysPage(valued === undefined ? rest : `${valued} union all ${rest}`, limit, columns);
}

const keysPage = (sorted: string, limit: string, columns: string): string =>
  `keys as materialized (select k.id, k.v::text as sort_value, row_number() over () as place from (select u.* from (${sorted}) u ${limit}) k),
    ${pageOfKeys(columns)}`;

/**
 * A page of what must be counted row by row. All of it is looked at anyway, and so all of it is found first: a walk
 * along the order of the list until there are enough hits may be one through all cards, which no estimate rules out.
 * @param narrow conditions without the cursor
 * @param ranges those among them that indexes of attributes serve
 */
export function foundSource({
  keys,
  narrow,
  columns,
  ranges,
}: {
  keys: ListQuery;
  narrow: readonly string[];
  columns: string;
  ranges: readonly Range[];
}): PageSource {
  const { value, order, limit, conditions } = keys;
  const ofHits = (sql: string): string => sql.replaceAll(value, 'c.v');
  const behind = conditions.slice(narrow.length).map(ofHits);
  const others = narrow.filter((condition) => !ranges.some((range) => range.condition === condition));
  // Type by type: of several types in one condition the planner makes a walk through an index of all types as well.
  const types = [...(ranges[0]?.byType.keys() ?? [])].filter((type) => ranges.every(({ byType }) => byType.has(type)));
  const found = types.map((type) => [...others, ...ranges.map(({ byType }) => byType.get(type)!)]);
  const none = ranges.length > 0 ? [...narrow, 'false'] : narrow;
  const hits = `hits as materialized (${(found.length === 0 ? [none] : found).map((where) => `select c.id, ${value} as v from cards c where ${all(where)}`).join(' union all ')})`;
  const page = `keys as materialized (select k.*, row_number() over () as place from (select c.id, c.v::text as sort_value from hits c ${behind.length > 0 ? `where ${all(behind)}` : ''} order by ${ofHits(order)} ${limit}) k)`;
  return { with: `${hits}, ${page}, ${pageOfKeys(columns)}`, total: '(select count(*) from hits)' };
}
