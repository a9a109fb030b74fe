import assert from 'node:assert/strict';
import {
  ConnectorError,
  type Connector,
  type ConnectorConnection,
  type ConnectorPage,
  type ConnectorRecord,
} from '../../connectors.js';
import type { OutboundAnswer } from '../../ports.js';
import type { ConnectorContract } from '../connector-contract.js';

const MOST_PAGES = 500;
const MOST_BYTES = 20 * 1024 * 1024;
const REQUEST_MS = 30_000;
const MOST_ID = 500;
const MOST_CURSOR = 2_000;

/** A connection of a test, whose requests are sent once, without the delays of the platform. */
export interface Opened {
  connector: Connector;
  /** Called at the beginning of each request. */
  onRequest: (url: string) => void;
  abort: AbortController;
  requests: number;
}

/** Opens connections of a contract and reads with them. */
export class ConnectorSubject<S> {
  constructor(readonly spec: ConnectorContract<S>) {}

  /** @param secrets in place of those of the contract */
  open(secrets: Readonly<Record<string, string>> = this.spec.secrets ?? {}): Opened {
    const opened: Omit<Opened, 'connector'> = { onRequest: () => undefined, abort: new AbortController(), requests: 0 };
    const { signal } = opened.abort;
    const connection: ConnectorConnection = {
      id: '00000000-0000-7000-8000-000000000000',
      config: this.spec.config,
      secrets,
      importDir: this.spec.importDir,
      signal,
      storeSecret: async () => undefined,
      request: async (url, request = {}) => {
        opened.requests += 1;
        opened.onRequest(url);
        return await sent(url, request, signal);
      },
    };
    const connector = this.spec.connector.open(this.spec.services as S, connection);
    return Object.assign(opened, { connector });
  }

  /** Removes all records of the other system and creates others. @returns their ids */
  async seed(count: number): Promise<string[]> {
    const { source } = this.spec;
    await source.clear();
    const ids: string[] = [];
    for (let n = 1; n <= count; n++) ids.push(await source.create(n));
    assert.equal(new Set(ids).size, count, 'create returns another id each time');
    return ids;
  }

  /** One page, checked for what every page must be. */
  async page(
    connector: Connector,
    limit: number,
    more: { cursor?: string; since?: string } = {},
  ): Promise<ConnectorPage> {
    const { table, fields } = this.spec;
    const page = await connector.read({ table, fields, limit, ...more });
    assert.ok(Array.isArray(page.records), 'a page has records');
    assert.ok(page.records.length <= limit, `a page has at most ${limit} records, not ${page.records.length}`);
    for (const record of page.records) checkRecord(record);
    if (page.next !== undefined) {
      assert.ok(
        typeof page.next === 'string' && page.next.length <= MOST_CURSOR,
        'next is a text of at most 2,000 characters',
      );
      assert.notEqual(page.next, more.cursor, 'the next page is another one');
    }
    if (page.total !== undefined)
      assert.ok(Number.isSafeInteger(page.total) && page.total >= 0, 'total is a number of records');
    if (page.watermark !== undefined) assert.equal(typeof page.watermark, 'string', 'a watermark is a text');
    return page;
  }

  /**
   * All records of a read by id, from a cursor if there is one.
   * @param between called after each page with its number, from 1
   */
  async all(
    connector: Connector,
    limit: number,
    {
      cursor,
      since,
      between = () => undefined,
    }: {
      cursor?: string | undefined;
      since?: string | undefined;
      between?: (n: number, page: ConnectorPage) => unknown;
    } = {},
  ): Promise<Map<string, ConnectorRecord>> {
    const found = new Map<string, ConnectorRecord>();
    let at = cursor;
    for (let n = 1; n <= MOST_PAGES; n++) {
      const page = await this.page(connector, limit, {
        ...(at !== undefined && { cursor: at }),
        ...(since !== undefined && { since }),
      });
      for (const record of page.records) found.set(record.id, record);
      if (page.next === undefined) return found;
      at = page.next;
      await between(n, page);
    }
    assert.fail(`a read of a few records ends within ${MOST_PAGES} pages`);
  }
}

function checkRecord({ id, values }: ConnectorRecord): void {
  assert.ok(
    typeof id === 'string' && id !== '' && id.length <= MOST_ID && !id.includes('\0'),
    `${String(id)} is an id`,
  );
  assert.ok(
    values !== null && typeof values === 'object' && !Array.isArray(values),
    'values of a record are an object',
  );
  assert.doesNotThrow(() => JSON.stringify(values), 'values of a record are JSON');
}

/** @throws AssertionError unless the work fails with a ConnectorError of one of these faults, or of any */
export async function failure(
  work: Promise<unknown>,
  faults: readonly string[],
  what: string,
): Promise<ConnectorError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason ?? new Error('rejected without an error'),
  );
  assert.ok(error !== undefined, `${what}: fails`);
  assert.ok(error instanceof ConnectorError, `${what}: fails with a ConnectorError, not ${String(error)}`);
  if (faults.length > 0)
    assert.ok(faults.includes(error.fault), `${what}: the fault is ${faults.join(' or ')}, not ${error.fault}`);
  return error;
}

/** The value of a field of a record, whose key may be a path. */
export function valueAt(values: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(values, path)) return values[path];
  const dot = path.indexOf('.');
  const inner = dot < 0 ? undefined : values[path.slice(0, dot)];
  return inner !== null && typeof inner === 'object'
    ? valueAt(inner as Record<string, unknown>, path.slice(dot + 1))
    : undefined;
}

async function sent(
  url: string,
  { method = 'GET', headers = {}, body }: Parameters<ConnectorConnection['request']>[1] & object,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  signal.throwIfAborted();
  const { host } = new URL(url);
  try {
    const answer = await fetch(url, {
      method,
      headers: { accept: '*/*', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (bytes.length > MOST_BYTES) throw new Error('too long');
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: bytes,
      url,
      text: () => bytes.toString('utf8'),
      json: () => JSON.parse(bytes.toString('utf8')) as unknown,
      readJson: async () => JSON.parse(bytes.toString('utf8')) as unknown,
    };
  } catch {
    signal.throwIfAborted();
    throw new ConnectorError('unreachable', `${host} did not answer completely.`);
  }
}
