import { FORMULA_CELL, FORMULA_RANGES, type ExportColumn } from '@lintel/sdk';
import { ALL_SEEN, ownCostsSqlForMany, type OthersSql } from '../access/index.js';
import { LIFECYCLE_PHASES } from '../cards/index.js';
import { literal, type SettingBindings } from '../../foundation/db/copy.js';
import type { XlsxKind } from '../../foundation/xlsx/index.js';
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

/** A column: its header, its value as SQL of a text over `exportSelect`, and what its values are in a spreadsheet. */
export interface TableColumn {
  header: string;
  sql: string;
  kind: XlsxKind;
}

/**
 * SQL of a text as a cell.
 * @param unless SQL condition for values that are not text, such as numbers
 */
export type CellSql = (text: string, unless?: string) => string;

/**
 * SQL of a text as a CSV cell, guarded against formulas. Most texts begin after the first range and before the others,
 * and need only two comparisons.
 * @param unless SQL condition for values that are not text, such as numbers
 */
export function guardedSql(text: string, unless?: string): string {
  const [first, ...later] = FORMULA_RANGES;
  const sorts = (than: string): string => `${text} collate "C" ${than}`;
  const ranges = later.map(({ from, to }) => `${sorts(`>= '${from}'`)} and ${sorts(`< '${to}'`)}`).join(' or ');
  const mayBegin = `(${sorts(`< '${first!.to}'`)} or ${sorts(`>= '${later[0]!.from}'`)} and (${ranges}))`;
  return `case when ${mayBegin} and ${text} ~ ${literal(FORMULA_CELL)}${unless ? ` and not ${unless}` : ''} then '''' || ${text} else ${text} end`;
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
const leading = ({ parent }: OthersSql, quality: string, cell: CellSql): TableColumn[] => {
  const text = (header: string, sql: string): TableColumn => ({ header, sql, kind: 'text' });
  return [
    text('id', 'c.id'),
    text('type', 'c.type'),
    text('subtype', cell('c.subtype')),
    text('name', cell('c.name')),
    text('description', cell('c.description')),
    text('parent_id', parent),
    text('path', cell('p.path')),
    ...LIFECYCLE_PHASES.map(
      (phase): TableColumn => ({ header: `lifecycle.${phase}`, sql: `c.lifecycle->>'${phase}'`, kind: 'date' }),
    ),
    text('status', 'c.status'),
    text('approval_status', 'c.approval_status'),
    { header: 'data_quality', sql: quality, kind: 'number' },
    text('external_id', cell('c.external_id')),
    text('alias', cell('c.alias')),
    text('tags', TAGS),
    { header: 'created_at', sql: timeCell('c.created_at'), kind: 'date' },
    { header: 'updated_at', sql: timeCell('c.updated_at'), kind: 'date' },
    { header: 'version', sql: 'c.version', kind: 'number' },
  ];
};

/** What values of a kind are in a spreadsheet; text for all others. */
const KINDS: Partial<Record<FieldKind, XlsxKind>> = {
  number: 'number',
  integer: 'number',
  cost: 'number',
  percentage: 'number',
  boolean: 'boolean',
  date: 'date',
  url: 'link',
};
const ADDED_KINDS: Record<ExportColumn['type'], XlsxKind> = {
  text: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'date',
};

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

/** A field of one or more types of the export. */
interface Field {
  /** Types whose values the reader may see, and those whose values only a stakeholder role can permit to see. */
  open: string[];
  closed: string[];
  isHarmless: boolean;
  /** Text where the types define the key differently. */
  kind: XlsxKind;
}

function fieldsOf(types: readonly string[], { metamodel, visibility }: ExportReader): Map<string, Field> {
  const fields = new Map<string, Field>();
  for (const type of types) {
    for (const { key, kind } of metamodel.types.get(type)?.fields.fields ?? []) {
      const shown = KINDS[kind] ?? 'text';
      const field = fields.get(key) ?? { open: [], closed: [], isHarmless: true, kind: shown };
      (kind === 'cost' && visibility.costRedactedTypes.has(type) ? field.closed : field.open).push(type);
      field.isHarmless &&= HARMLESS.has(kind);
      if (field.kind !== shown) field.kind = 'text';
      fields.set(key, field);
    }
  }
  return fields;
}

/**
 * The columns of a table of cards: the fixed ones, then one per field of the types. Costs that the reader may not see
 * are empty.
 * @param cell of texts that users have written
 */
export function tableColumns(
  types: readonly string[],
  reader: ExportReader,
  others: OthersSql,
  bindings: SettingBindings,
  cell: CellSql,
): TableColumn[] {
  const own = ownCostsSqlForMany(reader.visibility, bindings);
  return [
    ...leading(others, qualitySql(types, reader, bindings), cell),
    ...[...fieldsOf(types, reader)].map(([key, { open, closed, isHarmless, kind }]): TableColumn => {
      // Only for fields with card ids can a value be hidden because of the referenced card.
      const text = `(${reader.visibility.references.keys.includes(key) ? others.attributes : 'c.attributes'}->>${literal(key)})`;
      const value = isHarmless ? text : cell(text, `jsonb_typeof(c.attributes->${literal(key)}) = 'number'`);
      const asOwn = closed.length > 0 && own ? `${ofTypes(closed, types)} and ${own}` : undefined;
      const isSeen = [ofTypes(open, types), asOwn].filter((condition) => condition !== undefined).join(' or ');
      return { header: `attributes.${key}`, sql: isSeen ? `case when ${isSeen} then ${value} end` : 'null', kind };
    }),
    ...reader.columns.map(
      ({ name, column }): TableColumn => ({
        header: name,
        sql: addedCell(column, cell),
        kind: ADDED_KINDS[column.type],
      }),
    ),
  ];
}

/** The cell of a column added by a module. */
function addedCell({ type, sql }: ExportColumn, cell: CellSql): string {
  const value = addedSql(sql, type);
  if (type === 'text') return value((v) => cell(v));
  // Cast to text as imports expect it: COPY would write a boolean as one letter.
  return value((v) => (type === 'timestamp' ? timeCell(v) : `${v}::text`));
}

/**
 * COPY of the columns; hidden ancestors have an empty name. The header is not included, because names of fields may be
 * longer than PostgreSQL allows for columns.
 */
export function csvCopy(columns: readonly TableColumn[], { ancestor }: OthersSql, rows: ExportRows): string {
  return `copy (${exportSelect(
    columns.map((c) => c.sql),
    `string_agg(${ancestor === ALL_SEEN.ancestor ? ancestor : `coalesce(${ancestor}, '')`}, ' / ' order by o.n)`,
    rows,
  )}) to stdout (format csv)`;
}
