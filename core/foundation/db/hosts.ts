import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { readDatabaseUrl, type DatabaseHost } from '../../../config/database-url.js';
import type { DatabaseConnection } from './connection.js';

/** Maximum time, in ms, to connect to one host, unless `connect_timeout` is shorter. */
const CONNECT_MS = 5_000;
/** Time, in ms, after which the other hosts are asked while a connection to one does not get ready. */
const PATIENCE_MS = 1_000;
/** Maximum time, in ms, for which a caller waits until one of the hosts is found to accept writes. */
const FIND_MS = 3_000;
/** Interval, in ms, at which hosts that accept no writes are asked again while another one does not answer. */
const AGAIN_MS = 200;
/** Minimum time, in ms, between two questions to one host. */
const PAUSE_MS = 100;

/** The server answers, but accepts no writes. The code is that of PostgreSQL for a write it refuses for this reason. */
export class NotWritable extends Error {
  override readonly name = 'NotWritable';
  readonly code = '25006';
}

/** A class of clients whose `connect` leads to the host that accepts writes. */
export type WritableClient = new (config: pg.ClientConfig) => pg.Client;

const CLASSES = new WeakMap<DatabaseConnection, WritableClient>();

/**
 * Returns the class of clients of a database that is written to. All clients of one connection share what is known of its hosts.
 * `connect` of a client throws NotWritable instead of connecting to a standby; the client takes host, user, password and
 * database from the connection, not from its configuration.
 */
export function writableClient(connection: DatabaseConnection): WritableClient {
  const known = CLASSES.get(connection);
  if (known) return known;
  const hosts = new Hosts(connection);
  const made = class extends HostClient {
    constructor(config: pg.ClientConfig) {
      super(hosts, config);
    }
  };
  CLASSES.set(connection, made);
  return made;
}

/** One of the hosts, and the question to it whether it accepts writes. */
interface Server extends DatabaseHost {
  askedAt: number;
  answer?: Promise<Server> | undefined;
  client?: pg.Client;
  /** Why it was not usable when it was last asked. */
  error?: Error | undefined;
}

/** The hosts of one database, and which of them was last found to accept writes. */
class Hosts {
  readonly all: readonly Server[];
  private current: Server | undefined;
  private readonly base: pg.ClientConfig;
  private readonly mustReadWrite: boolean;
  private readonly connectMs: number;

  constructor(connection: DatabaseConnection) {
    const read = 'connectionString' in connection ? readDatabaseUrl(connection.connectionString) : undefined;
    this.base = read ? { connectionString: read.url } : connection;
    this.mustReadWrite = read?.mustReadWrite ?? false;
    this.connectMs = Math.min(read?.connectMs ?? CONNECT_MS, CONNECT_MS);
    const hosts = read && read.hosts.length > 0 ? read.hosts : [new pg.Client(this.base)];
    this.all = hosts.map(({ host, port }) => ({ host, port, askedAt: -PAUSE_MS }));
    // A single host need not be found.
    if (!this.isSeveral) [this.current] = this.all;
  }

  get isSeveral(): boolean {
    return this.all.length > 1;
  }

  /** The configuration of a client for any of the hosts. */
  configured(config: pg.ClientConfig): pg.ClientConfig {
    const { connectionTimeoutMillis: ms = CONNECT_MS } = config;
    return { ...config, ...this.base, connectionTimeoutMillis: Math.min(ms, this.connectMs) };
  }

  /**
   * Returns the host that was last found to accept writes. Where that is not known, it asks all hosts at the same time, some of
   * them again while others do not answer, and takes the first that accepts writes.
   * @throws NotWritable, or the error of a host, where none is found
   */
  async find(): Promise<Server> {
    for (const end = performance.now() + FIND_MS; performance.now() < end; ) {
      if (this.current) return this.current;
      const first = Promise.any(this.all.map((server) => this.ask(server))).catch(() => {
        throw this.reason();
      });
      const found = await Promise.race([first, delay(AGAIN_MS, undefined, { ref: false })]);
      if (!found) continue;
      for (const { client, answer } of this.all) if (answer) client?.connection.stream.destroy();
      return found;
    }
    throw this.reason();
  }

  /** Called when a connection to a server failed: the next one is preceded by a search, unless there is no choice. */
  failed(server: Server, error: Error): void {
    if (this.current === server && (this.isSeveral || error instanceof NotWritable)) this.current = undefined;
  }

  /** Finds another host than one that does not answer. @returns undefined where there is none */
  async otherThan(server: Server): Promise<Server | undefined> {
    if (this.current === server) this.current = undefined;
    const found = await this.find().catch(() => undefined);
    return found === server ? undefined : found;
  }

  /**
   * Checks what the server has reported at the start of the session, and asks it where that does not suffice: a pooler may
   * report the state at an earlier time.
   * @throws NotWritable
   */
  async demandWrites(client: pg.Client, reported: ReadonlyMap<string, string>, { host, port }: Server): Promise<void> {
    const isOff = (name: string): boolean => reported.get(name) === 'off';
    if (isOff('in_hot_standby') && (!this.mustReadWrite || isOff('default_transaction_read_only'))) return;
    const sent = {
      text: `select pg_is_in_recovery() as standby, current_setting('default_transaction_read_only') = 'on' as "readOnly"`,
      query_timeout: this.connectMs,
    };
    const {
      rows: [state],
    } = await client.query<{ standby: boolean; readOnly: boolean }>(sent);
    if (state!.standby) throw new NotWritable(`the server ${host}:${port} is a standby, which accepts no writes`);
    if (this.mustReadWrite && state!.readOnly)
      throw new NotWritable(`the server ${host}:${port} has default_transaction_read_only = on`);
  }

  /** One question to a host at a time, whose answer all callers get. */
  private ask(server: Server): Promise<Server> {
    if (server.answer) return server.answer;
    const answer = this.probe(server).finally(() => {
      server.answer = undefined;
    });
    answer.catch(() => undefined);
    server.answer = answer;
    return answer;
  }

  private async probe(server: Server): Promise<Server> {
    await delay(Math.max(0, server.askedAt + PAUSE_MS - performance.now()));
    server.askedAt = performance.now();
    const client = new pg.Client(this.configured({ application_name: 'lintel-probe' }));
    client.on('error', () => undefined);
    server.client = client;
    try {
      const reported = direct(client, server);
      await client.connect();
      await this.demandWrites(client, reported, server);
      server.error = undefined;
      this.current ??= server;
      return server;
    } catch (error) {
      server.error = error as Error;
      throw error;
    } finally {
      client.end().catch(() => undefined);
    }
  }

  /** Why no host can be used: that it is a standby, if that is true of any of them. */
  private reason(): Error {
    const errors = this.all.map(({ error }) => error ?? new Error('timeout expired'));
    if (!this.isSeveral) return errors[0]!;
    const texts = this.all.map(({ host, port }, n) => {
      const { message, code } = errors[n] as Error & { code?: string };
      return `${host}:${port}: ${message || code}`;
    });
    const text = `no host of the database accepts writes: ${texts.join('; ')}`;
    if (errors.some((error) => error instanceof NotWritable)) return new NotWritable(text);
    const { code = 'ETIMEDOUT' } = errors[0] as { code?: string };
    return Object.assign(new Error(text, { cause: errors[0] }), { code });
  }
}

/** Sets the host of a client that is not connected. @returns what the server will have reported of its session */
function direct(client: pg.Client, { host, port }: DatabaseHost): ReadonlyMap<string, string> {
  client.host = host;
  client.port = port;
  // Where the URL has no password, the password file is searched for these.
  Object.assign((client as unknown as { connectionParameters: object }).connectionParameters, { host, port });
  const reported = new Map<string, string>();
  client.connection.on('parameterStatus', (sent: { parameterName: string; parameterValue: string }) => {
    reported.set(sent.parameterName, sent.parameterValue);
  });
  return reported;
}

type Connected = (error: Error | null, client?: pg.Client) => void;

/** A client of whichever host accepts writes. */
class HostClient extends pg.Client {
  constructor(
    private readonly hosts: Hosts,
    config: pg.ClientConfig,
  ) {
    super(hosts.configured(config));
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    const connected = this.connectToWriter();
    if (!callback) return connected;
    connected.then((client) => callback(null, client), callback);
    return undefined;
  }

  private async connectToWriter(): Promise<pg.Client> {
    const { hosts } = this;
    const server = await hosts.find();
    // Its user has given up waiting.
    if (this.connection.stream.destroyed) throw new Error('Connection terminated');
    const reported = direct(this, server);
    // From the beginning: an error that follows the session's start immediately is emitted before the caller can listen.
    this.on('error', (error) => hosts.failed(server, error));
    let isConnecting = true;
    const changeHost = async (): Promise<void> => {
      const other = await hosts.otherThan(server);
      if (!other || !isConnecting) return;
      const reason = `the server ${server.host}:${server.port} does not answer; ${other.host}:${other.port} accepts writes`;
      this.connection.stream.destroy(Object.assign(new Error(reason), { code: 'ETIMEDOUT' }));
    };
    const patience = hosts.isSeveral ? setTimeout(() => void changeHost(), PATIENCE_MS) : undefined;
    try {
      await super.connect();
      await hosts.demandWrites(this, reported, server);
      return this;
    } catch (error) {
      hosts.failed(server, error as Error);
      this.end().catch(() => undefined);
      throw error;
    } finally {
      isConnecting = false;
      clearTimeout(patience);
    }
  }
}
