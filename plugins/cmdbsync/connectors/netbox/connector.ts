import {
  ConnectorError,
  type Connector,
  type ConnectorConnection,
  type ConnectorField,
  type ConnectorFieldType,
  type ConnectorPage,
  type ConnectorRead,
  type ConnectorRecord,
} from '@lintel/sdk';
import { jsonOf, listOf, objectOf, send, type JsonRequest } from '../http.js';
import { REFERENCES, TABLES } from './tables.js';

/** Records of a request, the largest page that NetBox allows by default. */
const PAGE = 1_000;
/** Records whose members tell the fields of a table. */
const SAMPLE = 50;
/** Members that NetBox sets itself. */
const READ_ONLY = new Set([
  'id',
  'url',
  'display',
  'display_url',
  'created',
  'last_updated',
  'custom_fields',
  '_depth',
]);

/** The REST API of NetBox (documented at https://netboxlabs.com/docs/netbox/en/stable/integrations/rest-api/). */
export class NetBox implements Connector {
  private readonly base: string;

  constructor(private readonly connection: ConnectorConnection) {
    this.base = String(connection.config['url']).replace(/\/+$/, '');
  }

  async test(): Promise<{ detail: string }> {
    const status = objectOf(await this.json('/api/status/'));
    return { detail: `NetBox ${String(status['netbox-version'] ?? 'of an unknown version').slice(0, 50)}` };
  }

  async tables(): Promise<{ key: string; label: string }[]> {
    return Object.entries(TABLES).map(([key, label]) => ({ key, label }));
  }

  async fields(table: string): Promise<ConnectorField[]> {
    const page = objectOf(await this.json(`${this.path(table)}?limit=${SAMPLE}`));
    const found = new Map<string, ConnectorField>();
    const add = (key: string, value: unknown, isWritable: boolean): void => {
      const before = found.get(key);
      if (before && before.type !== 'text') return;
      const type = typeOf(key, value);
      const isReference = type === 'reference';
      found.set(key, {
        key,
        label: key.replaceAll('_', ' '),
        type,
        ...(isReference && REFERENCES[key] !== undefined && { table: REFERENCES[key] }),
        ...(isReference && key === 'parent' && { table }),
        isWritable,
      });
    };
    for (const item of listOf(page['results']))
      for (const [key, value] of Object.entries(objectOf(item))) {
        if (key === 'custom_fields' && value !== null && typeof value === 'object')
          for (const [name, custom] of Object.entries(value)) add(`custom_fields.${name}`, custom, true);
        else add(key, value, !READ_ONLY.has(key));
      }
    return [...found.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  async read({ table, filter, since, cursor, limit }: ConnectorRead): Promise<ConnectorPage> {
    const query = new URLSearchParams(filter ?? '');
    const { after, read } = positionOf(cursor);
    query.set('limit', String(Math.min(limit, PAGE)));
    query.delete('offset');
    // By id and not by offset, which moves when objects are deleted: those after it would be left out.
    query.set('ordering', 'id');
    if (after !== undefined) query.set('id__gt', String(after));
    if (since !== undefined) query.set('last_updated__gte', since);
    const page = objectOf(await this.json(`${this.path(table)}?${query.toString()}`));
    const records = listOf(page['results']).map(recordOf);
    const isLast = page['next'] === null || page['next'] === undefined;
    if (!isLast && records.length === 0)
      throw new ConnectorError('invalid_answer', 'A page that is not the last one has no records.');
    let last = after ?? -1;
    for (const { id } of records) {
      if (Number(id) <= last)
        throw new ConnectorError('invalid_answer', 'The objects of NetBox are not in the order of their ids.');
      last = Number(id);
    }
    return {
      records,
      ...(!isLast && { next: `${last}:${read + records.length}` }),
      // The number of objects from this page on, and of those before.
      ...(Number.isSafeInteger(page['count']) && { total: read + (page['count'] as number) }),
      // By the clock of NetBox, at the begin of the read.
      ...(cursor === undefined && this.date !== undefined && { watermark: this.date }),
    };
  }

  async get(table: string, ids: readonly string[]): Promise<ConnectorRecord[]> {
    const numbers = ids.filter((id) => /^\d{1,18}$/.test(id));
    if (numbers.length === 0) return [];
    const query = new URLSearchParams([...numbers.map((id): [string, string] => ['id', id]), ['limit', String(PAGE)]]);
    const page = objectOf(await this.json(`${this.path(table)}?${query.toString()}`));
    return listOf(page['results']).map(recordOf);
  }

  async update(table: string, id: string, values: Readonly<Record<string, unknown>>): Promise<ConnectorRecord> {
    if (!/^\d{1,18}$/.test(id)) throw new ConnectorError('not_found', 'The id of a record of NetBox is a number.');
    const body: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(values)) {
      const custom = /^custom_fields\.(.+)$/.exec(key);
      if (custom) body['custom_fields'] = { ...(body['custom_fields'] as object | undefined), [custom[1]!]: value };
      else body[key] = value;
    }
    return recordOf(await this.call(`${this.path(table)}${id}/`, { method: 'PATCH', body }));
  }

  /** The time of the last response minus a minute, for clocks of several servers and changes that are committed late. */
  private date: string | undefined;

  private path(table: string): string {
    if (!Object.hasOwn(TABLES, table)) throw new ConnectorError('not_found', 'NetBox has no such table.');
    return `/api/${table.replace('.', '/')}/`;
  }

  private async json(path: string): Promise<unknown> {
    return await this.call(path);
  }

  private async call(path: string, request: JsonRequest = {}): Promise<unknown> {
    const answer = await send(this.connection, `${this.base}${path}`, {
      ...request,
      headers: { authorization: `Token ${this.connection.secrets['token'] ?? ''}` },
    });
    const at = Date.parse(answer.headers['date'] ?? '');
    this.date = Number.isNaN(at) ? undefined : new Date(at - 60_000).toISOString();
    return await jsonOf(answer);
  }
}

/** The id of the last object of the page before, and the number of objects up to it. */
function positionOf(cursor: string | undefined): { after: number | undefined; read: number } {
  const [, after, read] = /^(\d{1,16}):(\d{1,16})$/.exec(cursor ?? '') ?? [];
  // Positions of earlier versions were offsets: their runs read all pages again.
  return after === undefined ? { after: undefined, read: 0 } : { after: Number(after), read: Number(read) };
}

function recordOf(item: unknown): ConnectorRecord {
  const values = objectOf(item);
  const { id } = values;
  if (!Number.isSafeInteger(id)) throw new ConnectorError('invalid_answer', 'A record of NetBox has no id.');
  return { id: String(id), values };
}

function typeOf(key: string, value: unknown): ConnectorFieldType {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (Array.isArray(value)) return 'list';
  if (value !== null && typeof value === 'object') return 'id' in value ? 'reference' : 'object';
  if (key === 'created' || key === 'last_updated') return 'datetime';
  return Object.hasOwn(REFERENCES, key) ? 'reference' : 'text';
}
