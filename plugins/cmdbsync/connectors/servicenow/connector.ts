import {
  ConnectorError,
  type Connector,
  type ConnectorConnection,
  type ConnectorField,
  type ConnectorPage,
  type ConnectorRead,
  type ConnectorRecord,
  type ConnectorTable,
} from '@lintel/sdk';
import { objectOf } from '../http.js';
import { Client } from './client.js';
import { Dictionary, shownFields, type Fields } from './dictionary.js';
import { Pages, type Selection } from './paging.js';
import { filterOf, isSysId, sysIdOf, type Filter } from './query.js';
import { Reader } from './records.js';
import { dateTime, encoded, textOf } from './values.js';

/** Milliseconds before a read at which changes are read again: for clocks of several servers and copies of the database that follow. */
const MARGIN_MS = 300_000;
/** Of records that were written, all fields are returned. */
const WRITTEN = { sysparm_display_value: 'all', sysparm_exclude_reference_link: 'true' };
const CORRELATION = /^[\w-]{1,100}$/;
const NO_FILTER = filterOf(undefined);

/** The Table API of ServiceNow (https://www.servicenow.com/docs/r/api-reference/rest-apis/c_TableAPI.html). */
export class ServiceNow implements Connector {
  private readonly client: Client;
  private readonly pages: Pages;
  private readonly dictionary: Dictionary;
  private readonly correlation: string;
  private readonly allowHidden: boolean;
  /** Whether ServiceNow has kept the correlation ids of the records that were created so far. */
  private keepsCorrelation = true;

  constructor(connection: ConnectorConnection) {
    const { config } = connection;
    this.client = new Client(connection);
    this.pages = new Pages(this.client);
    this.dictionary = new Dictionary(this.client, this.pages);
    this.correlation = String(config['correlation_field']);
    this.allowHidden = config['allow_hidden_records'] === true;
  }

  /** Reads what tells the tables and fields, without which nothing else can be read. */
  async test(): Promise<{ detail: string }> {
    const { total } = await this.client.request('sys_db_object', { sysparm_limit: '1', sysparm_fields: 'name' });
    await this.dictionary.fields('sys_db_object');
    return { detail: `ServiceNow${total === undefined ? '' : ` with ${total} tables`}` };
  }

  async tables(): Promise<readonly ConnectorTable[]> {
    return await this.dictionary.tables();
  }

  async fields(table: string): Promise<ConnectorField[]> {
    return shownFields(await this.dictionary.fields(table));
  }

  async read({ table, filter, fields, since, cursor, limit }: ConnectorRead): Promise<ConnectorPage> {
    const known = await this.dictionary.fields(table);
    const choice = filterOf(filter);
    // Without this condition more records would be read than the filter means.
    for (const field of choice.fields)
      if (!(await this.dictionary.field(table, field)))
        throw new ConnectorError('invalid_settings', `The filter names ${field}, which is no field of ${table}.`);
    const reader = await this.readerOf(table, fields);
    const { rows, next, total, date } = await this.pages.page(
      { ...(await this.selection(table, choice, reader)), conditions: sinceOf(since, known) },
      cursor,
      limit,
    );
    return {
      records: rows.map((row) => reader.record(row)),
      next,
      total,
      ...(cursor === undefined && date !== undefined && { watermark: new Date(date - MARGIN_MS).toISOString() }),
    };
  }

  async get(table: string, ids: readonly string[], fields: readonly string[]): Promise<ConnectorRecord[]> {
    const wanted = [...new Set(ids.filter(isSysId))];
    if (wanted.length === 0) return [];
    const reader = await this.readerOf(table, fields);
    const conditions = [`sys_idIN${wanted.join(',')}`];
    const rows = await this.pages.all({ ...(await this.selection(table, NO_FILTER, reader)), conditions }, Infinity);
    return rows.map((row) => reader.record(row)).filter(({ id }) => wanted.includes(id));
  }

  async update(table: string, id: string, values: Readonly<Record<string, unknown>>): Promise<ConnectorRecord> {
    if (!isSysId(id)) throw new ConnectorError('not_found', 'The id of a record of ServiceNow is a sys_id.');
    const body = await this.body(table, values);
    return await this.written(table, `${table}/${id}`, { method: 'PATCH', body });
  }

  async create(
    table: string,
    values: Readonly<Record<string, unknown>>,
    correlationId: string,
  ): Promise<ConnectorRecord> {
    await this.requireCorrelation(table, correlationId);
    const without = `ServiceNow does not keep ${this.correlation} of records in ${table}, so that no further ones are created.`;
    if (!this.keepsCorrelation) throw new ConnectorError('refused', without);
    const body = { ...(await this.body(table, values)), [this.correlation]: correlationId };
    const record = await this.written(table, table, { method: 'POST', body });
    // The record exists, and is known from now on; but the next one could be created twice.
    this.keepsCorrelation = record.values[this.correlation] === correlationId;
    return record;
  }

  async findCreated(table: string, correlationId: string): Promise<ConnectorRecord | undefined> {
    await this.requireCorrelation(table, correlationId);
    const reader = await Reader.ofAll(this.dictionary, table);
    const { rows } = await this.pages.page(
      {
        ...(await this.selection(table, NO_FILTER, reader)),
        fields: undefined,
        conditions: [`${this.correlation}=${correlationId}`],
        // A record that was created and is hidden since must not be created again.
        allowHidden: false,
      },
      undefined,
      10,
    );
    const found = rows.filter((row) => textOf(row[this.correlation]) === correlationId);
    if (found.length < rows.length)
      throw new ConnectorError('invalid_answer', `ServiceNow does not look up records by ${this.correlation}.`);
    if (found.length > 1)
      throw new ConnectorError(
        'invalid_answer',
        `ServiceNow has ${found.length} records with one ${this.correlation}.`,
      );
    return found[0] && reader.record(found[0]);
  }

  private async selection(table: string, filter: Filter, reader: Reader): Promise<Omit<Selection, 'conditions'>> {
    const { columns: fields, withDisplayValues } = reader;
    const isDated = (await this.dictionary.fields(table)).has('sys_created_on');
    return { table, filter, fields, withDisplayValues, allowHidden: this.allowHidden, isDated };
  }

  private async readerOf(table: string, fields: readonly string[]): Promise<Reader> {
    return await Reader.of(this.dictionary, table, fields);
  }

  /** Values of fields as ServiceNow takes them. It would ignore fields that do not exist or cannot be written. */
  private async body(table: string, values: Readonly<Record<string, unknown>>): Promise<Record<string, string>> {
    const fields = await this.dictionary.fields(table);
    const body: Record<string, string> = {};
    for (const [key, value] of Object.entries(values)) {
      const field = fields.get(key);
      if (!field?.isWritable) throw new ConnectorError('refused', `The field ${key} of ${table} cannot be written.`);
      body[key] = encoded(value, field.type, key);
    }
    return body;
  }

  private async written(
    table: string,
    path: string,
    request: { method: string; body: Record<string, string> },
  ): Promise<ConnectorRecord> {
    const reader = await Reader.ofAll(this.dictionary, table);
    const { result } = await this.client.request(path, WRITTEN, request);
    const row = objectOf(result);
    sysIdOf(textOf(row['sys_id']));
    return reader.record(row);
  }

  private async requireCorrelation(table: string, correlationId: string): Promise<void> {
    if (!CORRELATION.test(correlationId))
      throw new ConnectorError('refused', 'The correlation id has characters that ServiceNow does not take.');
    if (!(await this.dictionary.fields(table)).has(this.correlation))
      throw new ConnectorError(
        'invalid_settings',
        `The table ${table} has no field ${this.correlation}, by which created records are found again.`,
      );
  }
}

/** The condition for what changed since a watermark; none for tables that do not tell it, of which all records are read. */
function sinceOf(since: string | undefined, fields: Fields): string[] {
  if (since === undefined || !fields.has('sys_updated_on')) return [];
  const at = dateTime(since);
  if (at === undefined) throw new ConnectorError('invalid_answer', 'The watermark of the last read is no time.');
  return [`sys_updated_on>=${at}`];
}
