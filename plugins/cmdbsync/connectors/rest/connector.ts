import {
  ConnectorError,
  type Connector,
  type ConnectorConnection,
  type ConnectorField,
  type ConnectorPage,
  type ConnectorRead,
} from '@lintel/sdk';
import { fieldsOfSample } from '../sample.js';
import { RestClient } from './client.js';
import { totalOf, watermarkOf } from './marks.js';
import { readFollowed, type Followed } from './paging/following.js';
import { readFixed, type FixedPosition } from './paging/pages.js';
import { readPosition, type Position } from './paging/position.js';
import type { Part } from './paging/source.js';
import type { RestSettings, RestTable } from './settings.js';
import { completed, NO_PAGING, TableSource } from './table.js';
import { TableWriter } from './write.js';

/** Records whose members tell the fields of a table. */
const SAMPLE = 100;

/**
 * Opens a connection to lists of JSON objects. It has the functions for writing that the settings of its tables make possible; `findCreated`
 * only if every table with `create` can find by its correlation id, so that no creation is repeated blindly.
 */
export function openRest(connection: ConnectorConnection): Connector {
  const settings = connection.config as unknown as RestSettings;
  const client = new RestClient(settings, connection);
  const { tables } = settings;
  const tableOf = (key: string): RestTable => {
    const table = tables.find((table) => table.key === key);
    if (!table) throw new ConnectorError('not_found', 'The connection has no such table.');
    return table;
  };
  const writer = (key: string): TableWriter => {
    const table = tableOf(key);
    const find = async (filter: string) =>
      (await reader.read(table, { table: key, fields: [], filter, limit: 2 })).records;
    return new TableWriter(client, table, find);
  };
  const creating = tables.filter(({ create }) => create);
  const reader = new TableReader(client);
  return {
    async test() {
      await reader.read(tables[0]!, { table: tables[0]!.key, fields: [], limit: 1 });
      return { detail: `The list ${tables[0]!.label ?? tables[0]!.key} can be read.` };
    },
    tables: async () => tables.map(({ key, label = key }) => ({ key, label })),
    fields: async (key) => await reader.fields(tableOf(key)),
    read: async (request) => await reader.read(tableOf(request.table), request),
    ...(tables.every(({ record }) => record) && {
      async get(key, ids) {
        const found = [];
        for (const id of ids) found.push(await writer(key).get(id));
        return found.flatMap((record) => (record ? completed(tableOf(key), record) : []));
      },
    }),
    ...(tables.some(({ update }) => update) && {
      update: async (key, id, values) => completed(tableOf(key), await writer(key).update(id, values)),
    }),
    ...(creating.length > 0 && {
      create: async (key, values, correlationId) =>
        completed(tableOf(key), await writer(key).create(values, correlationId)),
    }),
    ...(creating.length > 0 &&
      creating.every(({ create }) => create!.find_param !== '') && {
        async findCreated(key, correlationId) {
          const found = await writer(key).findCreated(correlationId);
          return found && completed(tableOf(key), found);
        },
      }),
  };
}

class TableReader {
  private source: TableSource | undefined;

  constructor(private readonly client: RestClient) {}

  async fields(table: RestTable): Promise<ConnectorField[]> {
    if (table.fields.length > 0)
      return table.fields.map(({ key, label = key, type, table: references, writable }) => ({
        key,
        label,
        type,
        ...(references !== undefined && { table: references }),
        isWritable: writable,
      }));
    const { records } = await this.read(table, { table: table.key, fields: [], limit: SAMPLE });
    const isWritable = table.update !== undefined || table.create !== undefined;
    return fieldsOfSample(
      records.map(({ values }) => values),
      (key) => isWritable && key !== table.id,
    );
  }

  async read(table: RestTable, { filter, since, cursor, limit }: ConnectorRead): Promise<ConnectorPage> {
    const source = new TableSource(
      this.client,
      table,
      { filter, since },
      cursor === undefined ? undefined : this.source,
    );
    const part = await this.part(source, table, cursor, limit);
    const isPartial = (part.next as Followed | undefined)?.after !== undefined;
    source.hold(isPartial ? part.first : undefined);
    this.source = source;
    const total = totalOf(table, part.first);
    const watermark = cursor === undefined ? watermarkOf(table, part.first) : undefined;
    return {
      records: part.records.map((record) => completed(table, record)),
      ...(part.next !== undefined && { next: JSON.stringify([kindOf(table), part.next]) }),
      ...(total !== undefined && { total }),
      ...(watermark !== undefined && { watermark }),
    };
  }

  private async part(
    source: TableSource,
    table: RestTable,
    cursor: string | undefined,
    limit: number,
  ): Promise<Part<unknown>> {
    const paging = table.paging ?? NO_PAGING;
    const state: unknown = cursor === undefined ? undefined : stateOf(cursor, kindOf(table));
    if (paging.kind === 'offset' && paging.size_param === '')
      throw new ConnectorError('invalid_settings', 'Paging by offset needs size_param.');
    if (paging.kind === 'page' && paging.size_param === '')
      return await readFixed(source, paging, state as FixedPosition | undefined, limit);
    if (paging.kind === 'page' || paging.kind === 'offset')
      return await readPosition(source, paging, state as Position | undefined, limit);
    if (paging.kind === 'cursor' && paging.next === '')
      throw new ConnectorError('invalid_settings', 'Paging by cursor needs next.');
    return await readFollowed(source, paging, state as Followed | undefined, limit);
  }
}

/** What the positions of a read depend on. */
const kindOf = ({ key, paging = NO_PAGING }: RestTable): string => `${key} ${paging.kind} ${paging.size_param}`;

/** @throws ConnectorError for a position of other settings, because the connection was changed during the read */
function stateOf(cursor: string, kind: string): unknown {
  let parsed: unknown;
  try {
    parsed = JSON.parse(cursor);
  } catch {
    // Not a position of this connector.
  }
  if (Array.isArray(parsed) && parsed[0] === kind) return parsed[1];
  throw new ConnectorError('invalid_settings', 'The settings of the connection have changed during the read.');
}
