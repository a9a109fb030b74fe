import { ConnectorError, type ConnectorFieldType } from '@lintel/sdk';

type Values = Readonly<Record<string, unknown>>;

/** The key of the display value of a field. */
export const DISPLAY = '.display_value';

/** Types of ServiceNow (`internal_type`) that are not text. */
const TYPES: Readonly<Record<string, ConnectorFieldType>> = {
  boolean: 'boolean',
  calendar_date_time: 'datetime',
  date: 'date',
  datetime: 'datetime',
  decimal: 'number',
  domain_id: 'reference',
  due_date: 'datetime',
  float: 'number',
  glide_date: 'date',
  glide_date_time: 'datetime',
  glide_list: 'references',
  integer: 'number',
  longint: 'number',
  numeric: 'number',
  percent_complete: 'number',
  reference: 'reference',
};

/** The type of a field by its `internal_type`; choices have the type of their values. */
export const typeOf = (internal: string): ConnectorFieldType =>
  Object.hasOwn(TYPES, internal) ? TYPES[internal]! : 'text';

/**
 * A value of a record: the Table API sends texts, or with references and display values objects.
 * @param part of objects
 * @returns undefined if it is not shown, null if it is empty
 * @throws ConnectorError `invalid_answer`
 */
export function textOf(value: unknown, part: 'value' | 'display_value' = 'value'): string | null | undefined {
  const inner = typeof value === 'object' && value !== null ? (value as Values)[part] : value;
  if (inner === undefined || inner === null) return inner;
  if (typeof inner === 'object')
    throw new ConnectorError('invalid_answer', 'A field of ServiceNow is neither a text nor a reference.');
  const text = String(inner as string | number | boolean);
  return text === '' ? null : text;
}

/** A value by the type of its field; a text that is none of this type stays a text. */
export function decoded(text: string | null, type: ConnectorFieldType): unknown {
  if (text === null) return null;
  switch (type) {
    case 'boolean':
      return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text;
    case 'number': {
      const number = /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
      // Of numbers that JavaScript cannot hold, all digits are kept.
      return Number.isFinite(number) && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : text;
    }
    case 'datetime': {
      // In UTC, whatever the time zone of the user.
      const [, day, time] = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/.exec(text) ?? [];
      return day === undefined ? text : `${day}T${time}Z`;
    }
    case 'date':
      return /^\d{4}-\d{2}-\d{2} /.test(text) ? text.slice(0, 10) : text;
    case 'references':
      return text
        .split(',')
        .map((id) => id.trim())
        .filter(Boolean);
    default:
      return text;
  }
}

/**
 * A value as ServiceNow takes it.
 * @param field for the error
 * @throws ConnectorError `refused` for a value that the field cannot have
 */
export function encoded(value: unknown, type: ConnectorFieldType, field: string): string {
  if (value === null || value === undefined) return '';
  if (type === 'references' && Array.isArray(value))
    return value.map((one: unknown) => encoded(one, 'reference', field)).join(',');
  if (type === 'reference' && typeof value === 'object' && 'id' in value) return encoded(value.id, 'text', field);
  if (typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol')
    throw new ConnectorError('refused', `The field ${field} cannot have a list or an object.`);
  const text = String(value as string | number | boolean);
  if (type === 'datetime') return dateTime(text) ?? text;
  if (type === 'date' && /^\d{4}-\d{2}-\d{2}T/.test(text)) return text.slice(0, 10);
  return text;
}

/** A time of ISO 8601 as ServiceNow writes it, in UTC. @returns undefined if it is none */
export function dateTime(text: string): string | undefined {
  const at = /^\d{4}-\d{2}-\d{2}/.test(text)
    ? Date.parse(text.includes('T') || !text.includes(' ') ? text : `${text.replace(' ', 'T')}Z`)
    : Number.NaN;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}
