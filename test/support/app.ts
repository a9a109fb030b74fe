/**
 * The setup of test files: the real app with a separate database, users, and clients over real sockets.
 *
 *     const { origin, close } = await testApp();
 *     t.teardown(close);
 *     const admin = await registerAdmin(origin);
 *     t.test('a card is created', async (t) => { … admin.api.post('/cards', { … }) … });
 *
 * Do all set-up before the first test: after a test, tap ends the file as soon as the event loop is idle outside of tests.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { loadConfig } from '../../config/load.js';
import type { Config } from '../../config/schema.js';
import { buildApp } from '../../core/app.js';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';
import { STARTED_TEMPLATE, createDatabase, makeStartedTemplate, sql } from './database.js';
import { checkEvents } from './event-catalogue.js';
import { client, nextAddress, type Answer, type Client } from './http.js';

export { createDatabase, lockWaiters, sql } from './database.js';
export { columnsOf, drawnOf, englishOnly } from './english-texts.js';
export { client, nextAddress, type Answer, type AnyBody, type Client, type RequestOptions } from './http.js';
export { openStream, type EventStream, type StreamEvent, type StreamOptions } from './stream.js';
export { threadTime } from './processor-time.js';

/** All apps of a test share the key, like all nodes of a service. */
export const SECRET_KEY = Buffer.alloc(32, 'lintel').toString('base64');

/** A password that satisfies all rules. */
export const PASSWORD = 'quiet-otter-crosses-7-bridges';

/** Public data for tests; pass `dataAbsent` as the `skip` of every test that reads it. */
export const DATA_DIR = process.env.TEST_DATA_DIR ?? '';
export const dataAbsent: string | false = existsSync(DATA_DIR) ? false : 'TEST_DATA_DIR is absent';

type App = Awaited<ReturnType<typeof buildApp>>;

export interface TestApp {
  /** The app; reading it after `close` throws. */
  readonly app: App;
  /** Such as `http://127.0.0.1:40123`. */
  origin: string;
  database: DatabaseConnection;
  /** Closes the app after its running requests; may be called twice. */
  close(): Promise<void>;
}

let template: Promise<void> | undefined;

/**
 * A new database on which the app was started and stopped once, which halves the processor time of its start: it has the
 * metamodel, the roles and the bundled modules, and no user. `createDatabase()` is one on which no app was started.
 */
async function startedDatabase(): Promise<DatabaseConnection> {
  template ??= makeStartedTemplate(async (database) => {
    const { close } = await testApp({ database });
    await close();
    // Otherwise the apps of later test files would run the scheduled jobs that were due since this start.
    await sql(database, 'delete from cron_slots');
    // Otherwise the copies would continue the log of another database.
    await sql(database, 'update event_source set lineage = null, started = null');
  });
  await template;
  return await createDatabase(STARTED_TEMPLATE);
}

/**
 * Builds the app as the service does and lets it listen on a free port of 127.0.0.1.
 * @param options.config differences from the configuration of an empty environment
 * @param options.database a database to share, for several nodes or a restart, or one of `createDatabase` to start on for
 *   the first time; if absent, a new one on which the app was started before
 */
export async function testApp(
  options: { config?: Partial<Config>; database?: DatabaseConnection } = {},
): Promise<TestApp> {
  const database = options.database ?? (await startedDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'lintel-app-'));
  const defaults = loadConfig({
    DATA_DIR: dataDir,
    LINTEL_SECRET_KEY: SECRET_KEY,
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'error',
  });
  const removeData = (): Promise<void> => rm(dataDir, { recursive: true, force: true });
  try {
    // Test files stay loaded in a process that runs many; without this their closed apps would stay in memory.
    let running: App | undefined = await buildApp({ config: { ...defaults, ...options.config }, database });
    const origin = await running.listen({ host: '127.0.0.1', port: 0 });
    let closed: Promise<void> | undefined;
    const end = async (app: App): Promise<void> => {
      try {
        await app.close();
        await checked(app, database);
      } finally {
        await removeData();
        running = undefined;
      }
    };
    const close = (): Promise<void> => (closed ??= end(running!));
    return {
      get app() {
        if (!running) throw new Error('the app is closed');
        return running;
      },
      origin,
      database,
      close,
    };
  } catch (error) {
    await removeData();
    throw error;
  }
}

/** Compares the written events with their catalogue; some tests end the database before the app. */
async function checked({ services }: App, database: DatabaseConnection): Promise<void> {
  const kinds = [...services.visibility.rules].filter(([, { module }]) => module !== undefined);
  try {
    await checkEvents(database, new Set(kinds.map(([kind]) => kind)));
  } catch (error) {
    if (error instanceof Error && /catalogue/.test(error.message)) throw error;
  }
}

/** A logged-in user. */
export interface Session {
  origin: string;
  user: { id: string; email: string; display_name: string; role: string };
  password: string;
  token: string;
  refreshToken: string;
  /** A client with the user's token. */
  api: Client;
}

interface TokenAnswer {
  access_token: string;
  refresh_token: string;
  user: Session['user'];
}

function sessionOf(origin: string, password: string, { body }: Answer<TokenAnswer>): Session {
  const { access_token: token, refresh_token: refreshToken, user } = body;
  return { origin, user, password, token, refreshToken, api: client(origin, token) };
}

/** @throws with the answer in the message unless it has the status */
export function expectStatus<T>(answer: Answer<T>, status: number, what: string): Answer<T> {
  if (answer.status !== status)
    throw new Error(`${what} gave ${answer.status}, not ${status}: ${JSON.stringify(answer.body)}`);
  return answer;
}

/** Registers the first user of an empty database, who becomes its administrator. */
export async function registerAdmin(origin: string): Promise<Session> {
  const body = { email: 'admin@example.org', password: PASSWORD, display_name: 'Ada Admin' };
  const answer = await client(origin).post<TokenAnswer>('/auth/register', body, { from: nextAddress() });
  return sessionOf(origin, PASSWORD, expectStatus(answer, 201, 'registering'));
}

/** Logs in from a new address, so that the limit per address does not apply. */
export async function login(origin: string, email: string, password = PASSWORD): Promise<Session> {
  const answer = await client(origin).post<TokenAnswer>('/auth/login', { email, password }, { from: nextAddress() });
  return sessionOf(origin, password, expectStatus(answer, 200, `logging in as ${email}`));
}

let users = 0;

/**
 * Creates a user and logs in.
 * @param admin a user who may manage users
 * @param role key of a role, such as `member`
 */
export async function makeUser(admin: Session, role: string, kind: 'person' | 'service' = 'person'): Promise<Session> {
  const email = `${role}-${++users}@example.org`;
  const body = { email, password: PASSWORD, display_name: `${role} ${users}`, role, kind };
  expectStatus(await admin.api.post('/users', body), 201, `making a ${role}`);
  return await login(admin.origin, email);
}

/** Long enough for a machine that also does other work: a test that requires a shorter time gives it. */
const WAIT_MS = 60_000;

/**
 * Polls until a value is available.
 * @param ask returns the value; undefined, false and null mean that it is not available yet
 * @param ms longest wait
 * @throws when the time is up
 */
export async function until<T>(ask: () => T | Promise<T>, ms = WAIT_MS): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = performance.now() + ms;
  for (;;) {
    const value = await ask();
    if (value !== undefined && value !== null && value !== false) return value as NonNullable<Exclude<T, false>>;
    if (performance.now() > deadline) throw new Error(`still nothing after ${ms} ms`);
    await delay(20);
  }
}
