import type { ExportColumn } from '@lintel/sdk';
import { LIFECYCLE_PHASES } from '../cards/index.js';
import { literal, type SettingBindings } from '../db/copy.js';
import { addedSql, exportFrom, ofTypes, ownSql, timeJson, type ExportReader } from './rows-repository.js';

/**
 * COPY of texts that leave as they are: JSON has no control characters, so that nothing is ever quoted with these.
 */
const VERBATIM = `(format csv, quote E'\\x01', delimiter E'\\x02')`;

const TAGS = `case when exists (select from card_tags ct where ct.card_id = c.id)
  then (select json_agg(json_build_object('id', t.id, 'group_id', t.group_id, 'name', t.name, 'color', t.color) order by t.name, t.id)::text
    from card_tags ct join tags t on t.id = ct.tag_id where ct.card_id = c.id) else '[]' end`;
const STAKEHOLDERS = `case when exists (select from card_stakeholders s where s.card_id = c.id)
  then (select json_agg(json_build_object('id', s.id, 'user_id', s.user_id, 'role', s.role, 'display_name', u.display_name) order by s.role, u.display_name, s.id)::text
    from card_stakeholders s join users u on u.id = s.user_id where s.card_id = c.id) else '[]' end`;

const orNull = (column: string, text: string): string => `case when ${column} is null then 'null' else ${text} end`;
const string = (column: string): string => orNull(column, `to_json(${column})::text`);
const plain = (column: string): string => orNull(column, `'"' || ${column} || '"'`);
/** RFC 3339 with milliseconds. */
const timeText = (column: string): string => `left(${timeJson(column)}, 24) || 'Z"'`;
const time = (column: string): string => orNull(column, timeText(column));

/** The last phase that has begun. @param today YYYY-MM-DD */
function phaseSql(today: string): string {
  const phases = [...LIFECYCLE_PHASES].reverse().map((p) => `case when c.lifecycle->>'${p}' collate "C" <= ${literal(today)} then '"${p}"' end`);
  return `case when c.lifecycle = '{}' then 'null' else coalesce(${phases.join(', ')}, 'null') end`;
}

/** The attributes, without the costs the reader may not see. */
function attributesSql(types: readonly string[], reader: ExportReader, bindings: SettingBindings): string {
  const closed = types.map((type) => ({ type, keys: [...reader.metamodel.costKeys(type)], isClosed: reader.sight.closedTypes.has(type) })).filter((t) => t.isClosed && t.keys.length > 0);
  if (closed.length === 0) return 'c.attributes::text';
  const cases = closed.map(({ type, keys }) => `when ${literal(type)} then c.attributes - array[${keys.map(literal).join(', ')}]::text[]`);
  const redacted = `(case c.type ${cases.join(' ')} else c.attributes end)::text`;
  const own = ownSql(reader, bindings);
  return own ? `case when ${ofTypes(closed.map((t) => t.type), types)!} and not ${own} then ${redacted} else c.attributes::text end` : redacted;
}

/** The value of a column a module adds. */
function addedMember({ type, sql }: ExportColumn): string {
  return `coalesce(${addedSql(sql, type)((v) => (type === 'timestamp' ? timeText(v) : `to_json(${v})::text`))}, 'null')`;
}

/** `||` in halves: one after the other, the long texts would be copied again for every member after them. */
function concatenated(parts: readonly string[]): string {
  if (parts.length === 1) return parts[0]!;
  const half = parts.length >> 1;
  return `(${concatenated(parts.slice(0, half))} || ${concatenated(parts.slice(half))})`;
}

/**
 * COPY of a card's view a line, the members those of `GET /cards/{id}`.
 * @param separator stands before every card
 * @returns a function of the conditions on the cards
 */
export function jsonCopy(types: readonly string[], reader: ExportReader, bindings: SettingBindings, separator: '' | ','): (where: readonly string[]) => string {
  const members: [name: string, text: string][] = [
    ['id', plain('c.id')], ['type', plain('c.type')], ['subtype', string('c.subtype')], ['name', string('c.name')], ['description', string('c.description')],
    ['parent_id', plain('c.parent_id')], ['path', `coalesce(p.path, '[]')`], ['level', '(cardinality(c.path_ids) + 1)::text'], ['lifecycle', 'c.lifecycle::text'],
    ['lifecycle_phase', phaseSql(reader.today)], ['attributes', attributesSql(types, reader, bindings)], ['status', plain('c.status')],
    ['approval_status', plain('c.approval_status')], ['data_quality', 'trim_scale(c.data_quality)::text'], ['external_id', string('c.external_id')],
    ['alias', string('c.alias')], ['tags', TAGS], ['stakeholders', STAKEHOLDERS], ['created_by', plain('c.created_by')], ['updated_by', plain('c.updated_by')],
    ['archived_at', time('c.archived_at')], ['created_at', time('c.created_at')], ['updated_at', time('c.updated_at')], ['version', 'c.version::text'],
    ...reader.columns.map(({ name, column }): [string, string] => [name, addedMember(column)]),
  ];
  const nameless = types.filter((type) => reader.sight.namelessTypes.has(type));
  const parts = members.flatMap(([name, text], i) => {
    const [label, value] = [literal(`${i === 0 ? `${separator}{` : ','}"${name}":`), `(${text})`];
    if (name !== 'stakeholders' || nameless.length === 0) return [label, value];
    // What may not be seen is left out, with its name.
    return nameless.length === types.length ? [] : [`(case when ${ofTypes(nameless, types)!} then '' else ${label} || ${value} end)`];
  });
  const card = concatenated([...parts, `'}'`]);
  return (where) => `copy (select ${card} ${exportFrom(types, where, 'json_agg(a.name order by o.n)::text')}) to stdout ${VERBATIM}`;
}
