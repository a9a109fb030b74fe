import type { ExportColumn } from '@lintel/sdk';
import { ALL_SEEN, ownCostsSqlForMany, type OthersSql } from '../access/index.js';
import { LIFECYCLE_PHASES } from '../cards/index.js';
import { literal, type SettingBindings } from '../../foundation/db/copy.js';
import { FORMULA, FULL_WIDTH } from '../../foundation/formula-cells.js';
import type { FieldKind } from '../metamodel/index.js';
import {
  addedSql,
  exportSelect,
  ofTypes,
  qualitySql,
  timeJson,
  type ExportReader,
  type ExportRows,
} from './rows-repository.js';

/** A column: its header, and its value as SQL over `exportSelect`. */
interface CsvColumn {
  header: string;
  sql: string;
}

/** Sorts after all texts that begin with a full-width sign. */
const NEXT = String.fromCharCode(FULL_WIDTH.last.charCodeAt(0) + 1);

/**
 * SQL of a text as a CSV cell, guarded against formulas. All dangerous characters sort before the letters, or between
 * two full-width signs, so most texts need only two comparisons.
 * @param unless SQL condition for values that are not text, such as numbers
 */
export function guardedSql(text: string, unless?: string): string {
  return `case when (${text} collate "C" < 'A' or ${text} collate "C" >= '${FULL_WIDTH.first}' and ${text} collate "C" < '${NEXT}') and ${text} ~ ${literal(FORMULA)}${unless ? ` and not ${unless}` : ''} then '''' || ${text} else ${text} end`;
}

const QUOTED = /[",\r\n]/;

/** A CSV line from texts, by RFC 4180 except for its end: LF alone, like the lines COPY writes. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;

// Most cards have no tag: EXISTS is cheaper than aggregating an empty set.
const TAGS = `case when exists (select from card_tags ct where ct.card_id = c.id)
  then (select json_agg(t.name order by t.name, t.id)::text from card_tags ct join tags t on t.id = ct.tag_id where ct.card_id = c.id) end`;

/** RFC 3339 with milliseconds: the text after the quotation mark, without the additional digit. */
const timeCell = (column: string): string => `substr(${timeJson(column)}, 2, 23) || 'Z'`;

/** @param quality SQL of the score */
const leading = ({ parent }: OthersSql, quality: string): CsvColumn[] => [
  { header: 'id', sql: 'c.id' },
  { header: 'type', sql: 'c.type' },
  { header: 'subtype', sql: guardedSql('c.subtype') },
  { header: 'name', sql: guardedSql('c.name') },
  { header: 'description', sql: guardedSql('c.description') },
  { header: 'parent_id', sql: parent },
  { header: 'path', sql: guardedSql('p.path') },
  ...LIFECYCLE_PHASES.map((phase) => ({ header: `lifecycle.${phase}`, sql: `c.lifecycle->>'${phase}'` })),
  { header: 'status', sql: 'c.status' },
  { header: 'approval_status', sql: 'c.approval_status' },
  { header: 'data_quality', sql: quality },
  { header: 'external_id', sql: guardedSql('c.external_id') },
  { header: 'alias', sql: guardedSql('c.alias') },
  { header: 'tags', sql: TAGS },
  { header: 'created_at', sql: timeCell('c.created_at') },
  { header: 'updated_at', sql: timeCell('c.updated_at') },
  { header: 'version', sql: 'c.version' },
];

/** Kinds whose values cannot begin a formula, or are numbers. */
const HARMLESS: ReadonlySet<FieldKind> = new Set([
  'number',
  'integer',
  'cost',
  'percentage',
  'boolean',
  'date',
  'user',
  'card_reference',
  'multiple_select',
]);

/**
 * The columns of a CSV export: the fixed ones, then one per field of the types. Costs that the reader may not see are
 * empty.
 */
export function csvColumns(
  types: readonly string[],
  reader: ExportReader,
  others: OthersSql,
  bindings: SettingBindings,
): CsvColumn[] {
  const fields = new Map<string, { open: string[]; closed: string[]; isHarmless: boolean }>();
  for (const type of types) {
    for (const { key, kind } of reader.metamodel.types.get(type)?.fields.fields ?? []) {
      const field = fields.get(key) ?? { open: [], closed: [], isHarmless: true };
      (kind === 'cost' && reader.visibility.costRedactedTypes.has(type) ? field.closed : field.open).push(type);
      field.isHarmless &&= HARMLESS.has(kind);
      fields.set(key, field);
    }
  }
  const own = ownCostsSqlForMany(reader.visibility, bindings);
  return [
    ...leading(others, qualitySql(types, reader, bindings)),
    ...[...fields].map(([key, { open, closed, isHarmless }]) => {
      // Only for fields with card ids can a value be hidden because of the referenced card.
      const text = `(${reader.visibility.references.keys.includes(key) ? others.attributes : 'c.attributes'}->>${literal(key)})`;
      const value = isHarmless ? text : guardedSql(text, `jsonb_typeof(c.attributes->${literal(key)}) = 'number'`);
      const asOwn = closed.length > 0 && own ? `${ofTypes(closed, types)} and ${own}` : undefined;
      const isSeen = [ofTypes(open, types), asOwn].filter((condition) => condition !== undefined).join(' or ');
      return { header: `attributes.${key}`, sql: isSeen ? `case when ${isSeen} then ${value} end` : 'null' };
    }),
    ...reader.columns.map(({ name, column }) => ({ header: name, sql: addedCell(column) })),
  ];
}

/** The cell of a column added by a module: a text is guarded against formulas. */
function addedCell({ type, sql }: ExportColumn): string {
  const value = addedSql(sql, type);
  if (type === 'text') return value((v) => guardedSql(v));
  // Cast to text as imports expect it: COPY would write a boolean as one letter.
  return value((v) => (type === 'timestamp' ? timeCell(v) : `${v}::text`));
}

/**
 * COPY of the columns; hidden ancestors have an empty name. The header is not included, because names of fields may be
 * longer than PostgreSQL allows for columns.
 */
export function csvCopy(columns: readonly CsvColumn[], { ancestor }: OthersSql, rows: ExportRows): string {
  return `copy (${exportSelect(
    columns.map((c) => c.sql),
    `string_agg(${ancestor === ALL_SEEN.ancestor ? ancestor : `coalesce(${ancestor}, '')`}, ' / ' order by o.n)`,
    rows,
  )}) to stdout (format csv)`;
}
