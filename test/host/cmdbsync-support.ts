/** A system to synchronise with, in the process of the test, and a mapping that reads it by the connector of the module `source`. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expectStatus, sql, until, type AnyBody, type Client, type Session } from '../support/app.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
/** The folder of the module with the connector. */
export const SOURCE_FOLDER = join(root, 'test/fixtures/modules/source');
/** Milliseconds in which a run of a small table is over on a busy machine. */
const RUN_MS = 60_000;

type Values = Record<string, unknown>;
type Database = Parameters<typeof sql>[0];

/** The server of the other system: its tables are changed by the test between requests. */
export class SourceServer {
  readonly tables = new Map<string, Map<string, { values: Values; changed: number }>>();
  /** Requests that have changed something, in their order. */
  readonly written: { method: string; table: string; id: string; values: Values; correlation: string | null }[] = [];
  /** Called before each response, and before a record is written; may answer itself. @returns whether it did */
  before: (url: URL, response: ServerResponse, method: string) => boolean | Promise<boolean> = () => false;
  /** Called after a record was written, before the response; may answer itself. @returns whether it did */
  after: (method: string, response: ServerResponse) => boolean | Promise<boolean> = () => false;
  /** Fields that are refused with 422, and those whose values stay as they are without an error. */
  refused: readonly string[] = [];
  ignored: readonly string[] = [];
  /** Fields that every record shows, as null where it has no value. */
  columns: readonly string[] = [];
  /** Of `total` of its pages; undefined: the number of records. */
  total: number | undefined;
  requests = 0;
  private change = 0;
  private made = 0;
  private readonly correlations = new Map<string, string>();
  private readonly server = createServer((request, response) => {
    void this.answer(request, new URL(request.url ?? '/', 'http://localhost'), response);
  });

  async listen(): Promise<this> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  table(name = 'servers') {
    const found = this.tables.get(name) ?? new Map<string, { values: Values; changed: number }>();
    this.tables.set(name, found);
    return found;
  }

  /** Creates a record or changes some of its values. */
  put(id: string, values: Values, table = 'servers'): void {
    const records = this.table(table);
    records.set(id, { values: { ...records.get(id)?.values, ...values }, changed: ++this.change });
  }

  remove(id: string, table = 'servers'): void {
    this.table(table).delete(id);
  }

  /** What was written to a table. */
  writtenTo(table: string, method?: string) {
    return this.written.filter((one) => one.table === table && (method === undefined || one.method === method));
  }

  private shown(values: Values): Values {
    return { ...Object.fromEntries(this.columns.map((name) => [name, null])), ...values };
  }

  private record(id: string, table: string) {
    const found = this.table(table).get(id);
    return found ? [{ id, values: this.shown(found.values) }] : [];
  }

  private async write(method: string, query: URLSearchParams, sent: Values, response: ServerResponse): Promise<void> {
    const table = query.get('table') ?? '';
    const correlation = query.get('correlation');
    const id = query.get('id') ?? `new${++this.made}`;
    const refused = this.refused.find((name) => Object.hasOwn(sent, name));
    if (refused !== undefined || (method === 'PATCH' && !this.table(table).has(id))) {
      response.writeHead(refused === undefined ? 404 : 422).end(`${refused ?? id} cannot be written`);
      return;
    }
    const values = Object.fromEntries(Object.entries(sent).filter(([name]) => !this.ignored.includes(name)));
    this.put(id, values, table);
    this.written.push({ method, table, id, values, correlation });
    if (correlation !== null) this.correlations.set(correlation, id);
    if (await this.after(method, response)) return;
    response.end(JSON.stringify(this.record(id, table)[0]));
  }

  private async answer(request: IncomingMessage, url: URL, response: ServerResponse): Promise<void> {
    this.requests++;
    const method = request.method ?? 'GET';
    const sent = method === 'GET' ? {} : ((await json(request)) as Values);
    if (await this.before(url, response, method)) return;
    const { searchParams: query } = url;
    if (method !== 'GET') return await this.write(method, query, sent, response);
    const ids =
      query.get('ids')?.split(',') ??
      (query.has('correlation') ? [this.correlations.get(query.get('correlation')!) ?? ''] : undefined);
    if (ids) {
      const records = ids.flatMap((id) => this.record(id, query.get('table') ?? ''));
      response.end(JSON.stringify({ records }));
      return;
    }
    const since = Number(query.get('since') ?? 0);
    const start = Number(query.get('cursor') ?? 0);
    const limit = Number(query.get('limit'));
    const all = [...this.table(query.get('table') ?? '')].filter(([, { changed }]) => changed > since);
    const records = all.slice(start, start + limit).map(([id, { values }]) => ({ id, values: this.shown(values) }));
    const end = start + records.length;
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        records,
        total: this.total ?? all.length,
        watermark: String(this.change),
        ...(end < all.length && { next: String(end) }),
      }),
    );
  }
}

/** Differences of a mapping from `MAPPING`; columns of the table of mappings. */
export type MappingOptions = Record<string, unknown>;

export const field = (source: string, target: string, owner = 'cmdb') => ({
  source,
  target,
  owner,
  transform: { kind: 'direct' },
});

const MAPPING = {
  card_type: 'ITComponent',
  table_name: 'servers',
  filter: null,
  direction: 'pull',
  fields: [field('name', 'name'), field('note', 'description')],
  identity: [{ target: 'name' }],
  relations: [],
  creates_remote: false,
  delete_policy: 'ignore',
  delete_ratio: 0.5,
  proposes_matches: false,
  auto_apply: true,
  schedule: null,
  time_zone: 'UTC',
  is_enabled: true,
};

/** A connection to the server, with a service account of the role of administrators, and its mappings. */
export class Synchronisation {
  private constructor(
    private readonly database: Database,
    private readonly api: Client,
    private readonly connection: string,
    readonly account: string,
  ) {}

  /** @param without functions that the connector lacks */
  static async make(
    database: Database,
    admin: Session,
    url: string,
    without: readonly string[] = [],
  ): Promise<Synchronisation> {
    const key = randomUUID();
    const user = { email: `${key}@example.org`, display_name: 'Synchronisation', role: 'admin', kind: 'service' };
    const account: string = expectStatus(await admin.api.post('/users', user), 201, 'a service account').body.id;
    await sql(
      database,
      `insert into cmdbsync_connections (id, name, name_key, connector, config, max_requests_per_second)
        values ($1::uuid, $1::uuid::text, $1::uuid::text, 'source', $2, 1000)`,
      [key, JSON.stringify({ url, without })],
    );
    return new Synchronisation(database, admin.api, key, account);
  }

  /** @returns the id of the mapping */
  async mapping(options: MappingOptions = {}): Promise<string> {
    const id = randomUUID();
    const row = { ...MAPPING, ...options, id, name: id, name_key: id, connection_id: this.connection };
    const all: Values = { runs_as: this.account, ...row };
    const columns = Object.keys(all);
    await sql(
      this.database,
      `insert into cmdbsync_mappings (${columns.join(', ')})
        select ${columns.join(', ')} from jsonb_populate_record(null::cmdbsync_mappings, $1::jsonb)`,
      [JSON.stringify(all)],
    );
    return id;
  }

  /** With another client, such as after a restart. */
  as(api: Client): Synchronisation {
    return new Synchronisation(this.database, api, this.connection, this.account);
  }

  /** Starts a run. @returns its id */
  async start(mapping: string, body: Values = {}): Promise<string> {
    return expectStatus(await this.api.post(`/cmdbsync/mappings/${mapping}/runs`, body), 201, 'a run').body.id;
  }

  /** The run when it is not active any more. */
  async ended(run: string, ms = RUN_MS): Promise<AnyBody> {
    return await until(async () => {
      const { body } = await this.api.get(`/cmdbsync/runs/${run}`);
      return !['queued', 'reading', 'applying'].includes(String(body['state'])) && body;
    }, ms);
  }

  /** Runs a mapping. @returns the run when it is not active any more */
  async run(mapping: string, body: Values = { full: true }): Promise<AnyBody> {
    return await this.ended(await this.start(mapping, body));
  }

  /** Records of a run. */
  async records(run: string): Promise<AnyBody[]> {
    return expectStatus(
      await this.api.get(`/cmdbsync/runs/${run}/records`, { query: { page_size: 200 } }),
      200,
      'records',
    ).body.items;
  }
}

const CARD_TYPE = 'ITComponent';

/** Reads and changes of cards and of the other system, for tests of runs. */
export function landscape(api: Client, database: Database, source: SourceServer) {
  const cards = async (name: string): Promise<AnyBody[]> =>
    (await api.get('/cards', { query: { type: CARD_TYPE, search: name, page_size: 200 } })).body.items;
  const card = async (name: string): Promise<AnyBody> => (await cards(name)).find((found) => found.name === name)!;
  const edit = async (id: string, changes: object): Promise<AnyBody> =>
    expectStatus(await api.patch(`/cards/${id}`, changes), 200, 'a change').body;
  const make = async (name: string, more: object = {}): Promise<string> =>
    expectStatus(await api.post('/cards', { type: CARD_TYPE, name, ...more }), 201, 'a card').body.id;
  /** Gives a test its own table. */
  const table = (name: string, n: number): string => {
    for (let i = 0; i < n; i++) source.put(`${name}${i}`, { name: `${name} ${i}`, note: `note ${i}` }, name);
    return name;
  };
  /** Number of events about cards. */
  const changes = async (): Promise<number> =>
    (await sql<{ n: number }>(database, 'select (count(*) + sum(version))::int as n from card_rows'))[0]!.n;
  return { cards, card, edit, make, table, changes };
}
