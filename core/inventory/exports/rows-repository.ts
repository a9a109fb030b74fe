import type { ExportColumn } from '@lintel/sdk';
import { inheritedCostsSql, type CardVisibility } from '../access/index.js';
import { literal, type SettingBindings } from '../../foundation/db/copy.js';
import { MARK_DIGITS } from '../../foundation/db/copy-rows.js';
import type { Metamodel } from '../metamodel/index.js';
import type { OwnedColumn } from '../extensions.js';

/** For whom an export is. */
export interface ExportReader {
  metamodel: Metamodel;
  visibility: CardVisibility;
  /** Types whose cards the reader may see and not export. */
  keptTypes: readonly string[];
  /** What modules add, as far as the reader may have it. */
  columns: readonly OwnedColumn[];
  /** UTC day, YYYY-MM-DD. */
  today: string;
}

const names = (types: readonly string[]): string => `array[${types.map(literal).join(', ')}]::text[]`;

/** The lowest UUID, which no card has, and the highest. */
const [LOWEST, HIGHEST] = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

/** Cards by their ids, as one of several statements reads them. */
interface Part {
  /** Its number, before each row. */
  mark: string;
  /** No card of it has this id or a lower one. */
  above: string;
  upTo: string;
}

/** What all rows of an export have in common. */
export interface ExportRows {
  /** Of other types no card is in it. */
  types: readonly string[];
  where: readonly string[];
  /** What this statement reads of cards that several read, in the order of the ids; undefined where it reads them all. */
  parts: readonly Part[] | undefined;
}

/**
 * The parts each of several statements reads: they go round, so that all of them are done at about the same time.
 * @param bounds ids where to part, ascending
 * @param n statements
 */
export function partsOf(bounds: readonly string[], n: number): (Part[] | undefined)[] {
  if (n === 1) return [undefined];
  const parts = [...bounds, HIGHEST].map(
    (upTo, i): Part => ({ mark: String(i).padStart(MARK_DIGITS, '0'), above: bounds[i - 1] ?? LOWEST, upTo }),
  );
  return Array.from({ length: n }, (_, lane) => parts.filter((_part, i) => i % n === lane));
}

/**
 * `select …` over the cards of an export as `c`, in the order of their ids. Names above come by `p`, worked out once for all children
 * of a card: they are remembered by the id of the parent, which is shorter than the way to it, and across all parts of a statement.
 * @param columns SQL of what is selected
 * @param path aggregate over `a.name` in the order of `o.n`
 */
export function exportSelect(columns: readonly string[], path: string, { types, where, parts }: ExportRows): string {
  const array = (of: keyof Part, type: string): string =>
    `array[${parts!.map((part) => literal(part[of])).join(', ')}]::${type}[]`;
  const conditions = [
    ...where,
    `c.type = any(${names(types)})`,
    ...(parts ? ['c.id > part.above', 'c.id <= part.up_to'] : []),
  ];
  return `select ${[...(parts ? ['part.mark'] : []), ...columns].join(', ')}
    from ${parts ? `unnest(${array('mark', 'text')}, ${array('above', 'uuid')}, ${array('upTo', 'uuid')}) part(mark, above, up_to) cross join lateral` : ''}
      (select c.* from cards c where ${conditions.join(' and ')} order by c.id offset 0) c
    left join lateral (select ${path} as path from cards above, unnest(above.path_ids || above.id) with ordinality o(id, n) join cards a on a.id = o.id where above.id = c.parent_id) p on true`;
}

/**
 * SQL of whether a card is of one of these types, or undefined for none. Each column asks, which costs next to
 * nothing: most names differ in length already.
 * @param exported all types there are cards of
 */
export function ofTypes(types: readonly string[], exported: readonly string[]): string | undefined {
  if (types.length === 0) return undefined;
  if (types.length === exported.length) return 'true';
  return types.length === 1 ? `c.type = ${literal(types[0]!)}` : `c.type = any(${names(types)})`;
}

/** SQL of whether the reader's role on a card, or above it, opens its costs, read once for all cards; undefined where none can. */
export function ownSql({ visibility }: ExportReader, bindings: SettingBindings): string | undefined {
  const { me, costRoles } = visibility;
  if (me === undefined) return undefined;
  const direct =
    costRoles.length === 0
      ? undefined
      : `c.id in (select s.card_id from card_stakeholders s join cards k on k.id = s.card_id
    where s.user_id = ${bindings.add(me)}::uuid and k.type || ':' || s.role = any(${bindings.add(costRoles)}::text[]))`;
  const ways = [direct, inheritedCostsSql(visibility, bindings)].filter((way) => way !== undefined);
  return ways.length === 0 ? undefined : `(${ways.join(' or ')})`;
}

/** SQL of the score of a card that the reader may know: without costs where those are closed to the reader. */
export function qualitySql(types: readonly string[], reader: ExportReader, bindings: SettingBindings): string {
  const closed = ofTypes(
    types.filter((type) => reader.visibility.costRedactedTypes.has(type)),
    types,
  );
  if (closed === undefined) return 'trim_scale(c.data_quality)';
  const own = ownSql(reader, bindings);
  return `trim_scale(case when ${closed}${own === undefined ? '' : ` and not ${own}`} then c.open_quality else c.data_quality end)`;
}

/** A time as a JSON text with a digit more than milliseconds: the tenth of one keeps PostgreSQL from dropping zeros. */
export const timeJson = (column: string): string => `to_json(${column} + '100 us')::text`;

/**
 * The value of a column a module adds as SQL of a text: worked out once, however often the text names it. A time beyond
 * what RFC 3339 can say is none.
 * @returns a function of the text, itself a function of the value
 */
export function addedSql(
  sql: ExportColumn['sql'],
  type: ExportColumn['type'],
): (text: (value: string) => string) => string {
  const given = `(${sql('c.id')})`;
  const value =
    type === 'text' ? `${given}::text` : type === 'timestamp' ? `date_trunc('milliseconds', ${given})` : given;
  const sayable = type === 'timestamp' ? ` where v between '0001-01-01' and '9999-12-31'` : '';
  return (text) => `(select ${text('v')} from (select ${value} as v offset 0) added${sayable})`;
}
