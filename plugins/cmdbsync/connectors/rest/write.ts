import { ConnectorError, type ConnectorRecord } from '@lintel/sdk';
import { objectOf } from '../http.js';
import { valueAt } from '../../transforms/values.js';
import type { RestClient } from './client.js';
import { memberOf } from './paging/following.js';
import type { RestTable } from './settings.js';
import { recordOf } from './table.js';

type Values = Readonly<Record<string, unknown>>;

/** Writing to the records of a table, as far as its settings tell how. */
export class TableWriter {
  constructor(
    private readonly client: RestClient,
    private readonly table: RestTable,
    /** Reads the first records of the list with a filter. */
    private readonly find: (filter: string) => Promise<readonly ConnectorRecord[]>,
  ) {}

  /** @returns undefined if it does not exist @throws ConnectorError */
  async get(id: string): Promise<ConnectorRecord | undefined> {
    const { record } = this.table;
    if (record === undefined) throw this.missing('record');
    try {
      const { body } = await this.client.json(this.client.recordUrl(record, id));
      return this.named(id, this.itemOf(body));
    } catch (error) {
      if (error instanceof ConnectorError && error.fault === 'not_found') return undefined;
      throw error;
    }
  }

  async update(id: string, values: Values): Promise<ConnectorRecord> {
    const { update } = this.table;
    if (!update) throw this.missing('update');
    let body = nested(values);
    if (update.method === 'PUT') {
      const before = await this.get(id);
      if (!before) throw new ConnectorError('not_found', 'There is no record with this id.');
      body = merged(before.values, body);
    }
    const url = this.client.recordUrl(update.path, id);
    const answer = await this.client.json(url, { method: update.method, body });
    const item = this.itemOf(answer.body);
    if (isRecord(this.table, item)) return this.named(id, item);
    return await this.demand(id);
  }

  async create(values: Values, correlationId: string): Promise<ConnectorRecord> {
    const { create } = this.table;
    if (!create) throw this.missing('create');
    const body = nested({ ...values, [create.correlation]: correlationId });
    const answer = await this.client.json(this.client.url(create.path), { method: 'POST', body });
    const item = this.itemOf(answer.body);
    if (create.id === '' && isRecord(this.table, item)) return recordOf(this.table, item, 'The new record');
    const id = create.id === '' ? undefined : memberOf(answer.body, create.id);
    if ((typeof id !== 'string' || id === '') && !Number.isSafeInteger(id))
      throw new ConnectorError('invalid_answer', 'The answer to the creation has no id.');
    return await this.demand(String(id as string | number));
  }

  /** @throws ConnectorError `invalid_answer` if the list was not restricted to the correlation id */
  async findCreated(correlationId: string): Promise<ConnectorRecord | undefined> {
    const { create } = this.table;
    if (!create || create.find_param === '') throw this.missing('create.find_param');
    const filter = new URLSearchParams({ [create.find_param]: correlationId }).toString();
    const records = await this.find(filter);
    const found = records.find(({ values }) => valueAt(values, create.correlation) === correlationId);
    // A system that ignores the parameter, or does not show the field, does not tell that there is no such record.
    if (!found && records.length > 0)
      throw new ConnectorError('invalid_answer', 'The search by correlation id returns other records.');
    return found;
  }

  private itemOf(body: unknown): unknown {
    return this.table.item === '' ? body : memberOf(body, this.table.item);
  }

  /** A record that must have an id. */
  private named(id: string, item: unknown): ConnectorRecord {
    const record = recordOf(this.table, item, 'The record');
    if (record.id !== id) throw new ConnectorError('invalid_answer', 'The other system answers with another record.');
    return record;
  }

  /** The record after a change whose answer does not have it. */
  private async demand(id: string): Promise<ConnectorRecord> {
    const record = await this.get(id);
    if (!record) throw new ConnectorError('invalid_answer', 'The record that was written cannot be read.');
    return record;
  }

  private missing(setting: string): ConnectorError {
    return new ConnectorError('invalid_settings', `The table ${this.table.key} has no setting ${setting}.`);
  }
}

const isRecord = (table: RestTable, item: unknown): boolean => {
  const id = memberOf(item, table.id);
  return typeof id === 'string' || typeof id === 'number';
};

/** Values by paths as an object of objects. */
function nested(values: Values): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(values)) {
    const names = path.split('.');
    const last = names.pop()!;
    let at = body;
    for (const name of names) {
      const inner = Object.hasOwn(at, name) ? at[name] : undefined;
      at = isObject(inner) ? inner : put(at, name, {});
    }
    put(at, last, value);
  }
  return body;
}

/** Sets a member whatever its name is. @returns the value */
function put<T>(target: Record<string, unknown>, name: string, value: T): T {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
  return value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** An object with the members of another one, whose objects are merged likewise. */
function merged(before: Values, changes: Values): Record<string, unknown> {
  const all: Record<string, unknown> = { ...objectOf(before) };
  for (const [name, value] of Object.entries(changes)) {
    const old = Object.hasOwn(all, name) ? all[name] : undefined;
    put(all, name, isObject(old) && isObject(value) ? merged(old, value) : value);
  }
  return all;
}
