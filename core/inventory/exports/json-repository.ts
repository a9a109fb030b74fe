import type { ExportColumn } from '@lintel/sdk';
import { ownCostsSqlForMany, type OthersSql } from '../access/index.js';
import { phaseSql, STAKEHOLDERS_JSON, TAGS_JSON } from '../cards/index.js';
import { literal, type SettingBindings } from '../../foundation/db/copy.js';
import {
  addedSql,
  exportSelect,
  ofTypes,
  qualitySql,
  timeJson,
  type ExportReader,
  type ExportRows,
} from './rows-repository.js';

/** A part of a card's text: constant text, or SQL. */
type Piece = { text: string } | { sql: string };

const orNull = (column: string, text: string): string => `case when ${column} is null then 'null' else ${text} end`;
const string = (column: string): Piece[] => [{ sql: orNull(column, `to_json(${column})::text`) }];
/** For values that need no escaping and are never null. */
const plain = (column: string): Piece[] => [{ text: '"' }, { sql: `${column}::text` }, { text: '"' }];
const plainOrNull = (column: string): Piece[] => [{ sql: orNull(column, `'"' || ${column} || '"'`) }];
/** RFC 3339 with milliseconds, without its end. */
const timeHead = (column: string): string => `left(${timeJson(column)}, 24)`;
const TIME_TAIL = 'Z"';
const timeText = (column: string): string => `${timeHead(column)} || '${TIME_TAIL}'`;
const time = (column: string): Piece[] => [{ sql: timeHead(column) }, { text: TIME_TAIL }];
const json = (sql: string): Piece[] => [{ sql: `${sql}::text` }];

/** The attributes without costs that the reader may not see. */
function attributesSql(
  types: readonly string[],
  reader: ExportReader,
  { attributes }: OthersSql,
  bindings: SettingBindings,
): string {
  const closed = types
    .map((type) => ({
      type,
      keys: [...reader.metamodel.costKeys(type)],
      isClosed: reader.visibility.costRedactedTypes.has(type),
    }))
    .filter((t) => t.isClosed && t.keys.length > 0);
  if (closed.length === 0) return `${attributes}::text`;
  const cases = closed.map(
    ({ type, keys }) => `when ${literal(type)} then ${attributes} - array[${keys.map(literal).join(', ')}]::text[]`,
  );
  const redacted = `(case c.type ${cases.join(' ')} else ${attributes} end)::text`;
  const own = ownCostsSqlForMany(reader.visibility, bindings);
  return own
    ? `case when ${ofTypes(
        closed.map((t) => t.type),
        types,
      )!} and not ${own} then ${redacted} else ${attributes}::text end`
    : redacted;
}

/** The value of a column added by a module. */
function addedMember({ type, sql }: ExportColumn): string {
  return `coalesce(${addedSql(sql, type)((v) => (type === 'timestamp' ? timeText(v) : `to_json(${v})::text`))}, 'null')`;
}

/** Concatenates pieces as a balanced tree: a linear chain would copy the long texts again for each following piece. */
function concatenated(pieces: readonly Piece[]): string {
  const [first] = pieces;
  if (pieces.length === 1) return 'sql' in first! ? `(${first.sql})` : literal(first!.text);
  const half = pieces.length >> 1;
  return `(${concatenated(pieces.slice(0, half))} || ${concatenated(pieces.slice(half))})`;
}

/** Merges adjacent constant texts. */
function merged(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last && 'text' in last && 'text' in piece) all[all.length - 1] = { text: last.text + piece.text };
    else all.push(piece);
  }
  return all;
}

/**
 * COPY of one card view per line, with the members of `GET /cards/{id}`, in the binary format.
 * @param separator text before every card
 * @returns a function of the cards to read
 */
export function jsonCopy(
  types: readonly string[],
  reader: ExportReader,
  others: OthersSql,
  bindings: SettingBindings,
  separator: '' | ',',
): (rows: ExportRows) => string {
  const members: [name: string, value: Piece[]][] = [
    ['id', plain('c.id')],
    ['type', plain('c.type')],
    ['subtype', string('c.subtype')],
    ['name', string('c.name')],
    ['description', string('c.description')],
    ['parent_id', plainOrNull(others.parent)],
    ['path', [{ sql: `coalesce(p.path, '[]')` }]],
    ['level', json('(cardinality(c.path_ids) + 1)')],
    ['lifecycle', json('c.lifecycle')],
    ['lifecycle_phase', [{ sql: `coalesce(${phaseSql(literal(reader.today), (phase) => `'"${phase}"'`)}, 'null')` }]],
    ['attributes', [{ sql: attributesSql(types, reader, others, bindings) }]],
    ['status', plain('c.status')],
    ['approval_status', plain('c.approval_status')],
    ['data_quality', json(qualitySql(types, reader, bindings))],
    ['external_id', string('c.external_id')],
    ['alias', string('c.alias')],
    ['tags', [{ sql: TAGS_JSON }]],
    ['stakeholders', [{ sql: STAKEHOLDERS_JSON }]],
    ['created_by', plainOrNull('c.created_by')],
    ['updated_by', plainOrNull('c.updated_by')],
    ['archived_at', [{ sql: orNull('c.archived_at', timeText('c.archived_at')) }]],
    ['created_at', time('c.created_at')],
    ['updated_at', time('c.updated_at')],
    ['version', json('c.version')],
    ...reader.columns.map(({ name, column }): [string, Piece[]] => [name, [{ sql: addedMember(column) }]]),
  ];
  const redactedTypes = types.filter((type) => reader.visibility.stakeholderRedactedTypes.has(type));
  const pieces = members.flatMap(([name, value], i): Piece[] => {
    const all = [{ text: `${i === 0 ? `${separator}{` : ','}"${name}":` }, ...value];
    if (name !== 'stakeholders' || redactedTypes.length === 0) return all;
    // Members that the reader may not see are omitted, including their names.
    return redactedTypes.length === types.length
      ? []
      : [{ sql: `case when ${ofTypes(redactedTypes, types)!} then '' else ${concatenated(all)} end` }];
  });
  const card = concatenated(merged([...pieces, { text: '}\n' }]));
  return (rows) =>
    `copy (${exportSelect([card], `json_agg(${others.ancestor} order by o.n)::text`, rows)}) to stdout (format binary)`;
}
