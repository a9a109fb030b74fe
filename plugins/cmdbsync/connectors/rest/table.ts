import { ConnectorError, TimeSlice, type ConnectorRecord } from '@lintel/sdk';
import { listOf, objectOf } from '../http.js';
import { isShown, valueAt } from '../../transforms/values.js';
import type { RestClient } from './client.js';
import { memberOf } from './paging/following.js';
import type { Listed, ListSource } from './paging/source.js';
import type { RestPaging, RestTable } from './settings.js';

/** What is added to the requests of a list. */
export interface ListRequest {
  filter?: string | undefined;
  since?: string | undefined;
}

export const NO_PAGING: RestPaging = { kind: 'none', size_param: '', size: 10_000, first: 1, next: '' };

/** The list of a table. */
export class TableSource implements ListSource {
  /** The last page, of which only a part was returned: the rest is not requested again. */
  private held: { address: string; page: Listed } | undefined;

  constructor(
    private readonly client: RestClient,
    private readonly table: RestTable,
    private readonly request: ListRequest,
    held?: TableSource,
  ) {
    this.held = held?.held;
  }

  async list(parameters: Readonly<Record<string, string>>): Promise<Listed> {
    const url = this.client.url(this.table.path);
    const query = queryOf(this.table, this.request);
    for (const [name, value] of Object.entries(parameters)) query.set(name, value);
    url.search = query.toString();
    return await this.page(url);
  }

  async follow(path: string): Promise<Listed> {
    return await this.page(this.client.linked(path));
  }

  followed(link: string, from: string): string {
    return this.client.followed(link, from);
  }

  /** Keeps a page for the request of its rest, or none. */
  hold(page: Listed | undefined): void {
    this.held = page && { address: page.address, page };
  }

  private async page(url: URL): Promise<Listed> {
    if (this.held?.address === url.href) return this.held.page;
    const { body, headers, url: at } = await this.client.json(url);
    const records: ConnectorRecord[] = [];
    const slice = new TimeSlice();
    for (const item of listOf(this.table.list === '' ? body : memberOf(body, this.table.list))) {
      records.push(recordOf(this.table, item, `Record ${records.length + 1} of a page`));
      if (slice.isOver) await slice.next();
    }
    return { records, body, headers, url: at, address: url.href };
  }
}

/** The parameters of a list, besides those of the paging. @throws ConnectorError `invalid_settings` if one of these is among them */
function queryOf(table: RestTable, { filter = '', since }: ListRequest): URLSearchParams {
  const { kind, param, size_param } = table.paging ?? NO_PAGING;
  const paging = [
    kind === 'none' || kind === 'link' ? '' : (param ?? kind),
    kind === 'none' ? '' : size_param,
    table.since?.param ?? '',
  ].filter(Boolean);
  const query = new URLSearchParams(table.query);
  demandOthers(query, paging, 'query');
  const wanted = new URLSearchParams(filter);
  // The order of the list may be among the parameters of the table.
  demandOthers(wanted, [...paging, ...query.keys()], 'filter');
  for (const [name, value] of wanted) query.append(name, value);
  if (since !== undefined && table.since) query.set(table.since.param, since);
  return query;
}

/** Some systems do not distinguish upper and lower case. */
function demandOthers(query: URLSearchParams, reserved: readonly string[], what: string): void {
  const names = new Set(reserved.map((name) => name.toLowerCase()));
  for (const name of query.keys())
    if (names.has(name.toLowerCase()))
      throw new ConnectorError('invalid_settings', `The ${what} must not have the parameter ${name.slice(0, 100)}.`);
}

/**
 * A record of an answer.
 * @param what names it in errors
 * @throws ConnectorError `invalid_answer` if it is no object or has no id
 */
export function recordOf(table: RestTable, item: unknown, what: string): ConnectorRecord {
  const values = objectOf(item);
  const id = valueAt(values, table.id);
  // Other numbers are not exact, so that two ids could become the same one.
  if ((typeof id !== 'string' || id === '') && !Number.isSafeInteger(id))
    throw new ConnectorError('invalid_answer', `${what} has no id in ${table.id}: a text or an integer.`);
  return { id: String(id as string | number), values };
}

/** A record of a table that omits empty members, with null for its declared fields that it lacks. */
export function completed({ omits_empty, fields }: RestTable, record: ConnectorRecord): ConnectorRecord {
  const missing = omits_empty ? fields.filter(({ key }) => !isShown(record.values, key)) : [];
  if (missing.length === 0) return record;
  return { ...record, values: { ...record.values, ...Object.fromEntries(missing.map(({ key }) => [key, null])) } };
}
