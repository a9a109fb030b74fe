import type { ExportColumn } from '@lintel/sdk';
import { ownCostsSqlForMany, type CardVisibility } from '../access/index.js';
import { CONTENT_COLUMNS } from '../cards/index.js';
import { literal, type SettingBindings } from '../../foundation/db/copy.js';
import { MARK_DIGITS } from '../../foundation/db/copy-rows.js';
import type { Metamodel } from '../metamodel/index.js';
import type { OwnedColumn } from '../extensions.js';

/** The reader of an export. */
export interface ExportReader {
  metamodel: Metamodel;
  visibility: CardVisibility;
  /** Types that the reader may see but not export. */
  unexportableTypes: readonly string[];
  /** Columns added by modules that the reader may see. */
  columns: readonly OwnedColumn[];
  /** UTC day, YYYY-MM-DD. */
  today: string;
}

const names = (types: readonly string[]): string => `array[${types.map(literal).join(', ')}]::text[]`;

/** The lowest UUID, which no card has, and the highest. */
const [LOWEST, HIGHEST] = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

/** A range of ids, read by one of several statements. */
interface Part {
  /** Its number, which precedes each row. */
  mark: string;
  /** Exclusive lower bound of the ids. */
  above: string;
  upTo: string;
}

/** The common conditions of all rows of an export. */
export interface ExportRows {
  /** All types of the exported cards. */
  types: readonly string[];
  where: readonly string[];
  /** The parts read by this statement, in the order of ids; undefined where one statement reads all cards. */
  parts: readonly Part[] | undefined;
}

/**
 * The parts that each of several statements reads: distributed round-robin, so that all finish at about the same time.
 * @param bounds ids at which to split, ascending
 * @param n number of statements
 */
export function partsOf(bounds: readonly string[], n: number): (Part[] | undefined)[] {
  if (n === 1) return [undefined];
  const parts = [...bounds, HIGHEST].map(
    (upTo, i): Part => ({ mark: String(i).padStart(MARK_DIGITS, '0'), above: bounds[i - 1] ?? LOWEST, upTo }),
  );
  return Array.from({ length: n }, (_, lane) => parts.filter((_part, i) => i % n === lane));
}

const inPart = (id: string): string => `${id} > part.above and ${id} <= part.up_to`;

/**
 * `card_rows` of one part. The range of the contents follows from that of the cards, but PostgreSQL does not derive it: without
 * it, the contents of each card are looked up by themselves instead of read in the order of the index (a tenth of the time of an export).
 */
const ROWS_OF_PART = `(select c.*, ${CONTENT_COLUMNS} from cards c left join card_contents v on v.id = c.id and ${inPart('v.id')})`;

/**
 * `select …` over the exported cards as `c`, in the order of their ids. The path `p` is computed once per parent with
 * Memoize, keyed by the id of the parent, which is shorter than its path, and shared by all parts of a statement.
 * @param columns SQL of the selected columns
 * @param path aggregate over `a.name` in the order of `o.n`
 */
export function exportSelect(columns: readonly string[], path: string, { types, where, parts }: ExportRows): string {
  const array = (of: keyof Part, type: string): string =>
    `array[${parts!.map((part) => literal(part[of])).join(', ')}]::${type}[]`;
  const conditions = [...where, `c.type = any(${names(types)})`, ...(parts ? [inPart('c.id')] : [])];
  return `select ${[...(parts ? ['part.mark'] : []), ...columns].join(', ')}
    from ${parts ? `unnest(${array('mark', 'text')}, ${array('above', 'uuid')}, ${array('upTo', 'uuid')}) part(mark, above, up_to) cross join lateral` : ''}
      (select c.* from ${parts ? ROWS_OF_PART : 'card_rows'} c where ${conditions.join(' and ')} order by c.id offset 0) c
    left join lateral (select ${path} as path from cards above, unnest(above.path_ids || above.id) with ordinality o(id, n) join cards a on a.id = o.id where above.id = c.parent_id) p on true`;
}

/**
 * SQL condition that a card is of one of these types; undefined for none. Evaluated per column, which costs little,
 * because most type keys differ in length.
 * @param exported all types of the exported cards
 */
export function ofTypes(types: readonly string[], exported: readonly string[]): string | undefined {
  if (types.length === 0) return undefined;
  if (types.length === exported.length) return 'true';
  return types.length === 1 ? `c.type = ${literal(types[0]!)}` : `c.type = any(${names(types)})`;
}

/** SQL of the score visible to the reader, as in lists. */
export function qualitySql(types: readonly string[], reader: ExportReader, bindings: SettingBindings): string {
  const basic = ofTypes(
    types.filter((type) => reader.visibility.basicScoreTypes.has(type)),
    types,
  );
  if (basic === 'true') return 'trim_scale(c.basic_quality)';
  const open = openQualitySql(types, reader, bindings);
  return `trim_scale(${basic === undefined ? open : `case when ${basic} then c.basic_quality else ${open} end`})`;
}

function openQualitySql(types: readonly string[], reader: ExportReader, bindings: SettingBindings): string {
  const closed = ofTypes(
    types.filter((type) => reader.visibility.costRedactedTypes.has(type)),
    types,
  );
  if (closed === undefined) return 'c.data_quality';
  const own = ownCostsSqlForMany(reader.visibility, bindings);
  return `case when ${closed}${own === undefined ? '' : ` and not ${own}`} then c.open_quality else c.data_quality end`;
}

/** A time as JSON text with one digit more than milliseconds: adding 100 µs prevents PostgreSQL from dropping zeros. */
export const timeJson = (column: string): string => `to_json(${column} + '100 us')::text`;

/** The id of the card in the SQL of a module's column: no alias that a module chooses hides this one. */
export const EXPORTED_CARD = '"exported card".id';
/** What provides it. @param id SQL of the id */
export const exportedCard = (id: string): string => `(select ${id}) as "exported card"(id)`;

/**
 * The value of a module's column as SQL of a text; computed once, even if used several times. A time outside the range
 * of RFC 3339 becomes null.
 * @returns a function of the text expression, which is a function of the value
 */
export function addedSql(
  sql: ExportColumn['sql'],
  type: ExportColumn['type'],
): (text: (value: string) => string) => string {
  const given = `(${sql(EXPORTED_CARD)})`;
  const value =
    type === 'text' ? `${given}::text` : type === 'timestamp' ? `date_trunc('milliseconds', ${given})` : given;
  const inRange = type === 'timestamp' ? ` where v between '0001-01-01' and '9999-12-31'` : '';
  return (text) =>
    `(select ${text('v')} from (select ${value} as v from ${exportedCard('c.id')} offset 0) added${inRange})`;
}
