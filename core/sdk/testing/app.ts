import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { client, type Client } from './client.js';
import { hasStatus, until } from './checks.js';
import { createDatabase, query, type TestDatabase } from './database.js';
import { layOut, type AnyModule } from './modules.js';
import { platform, type Connection, type Platform } from './platform.js';
import type { ModuleServices } from '../services.js';

/** A password that satisfies the password policy. */
const PASSWORD = 'quiet-otter-crosses-7-bridges';
/** Log-ins per minute: a test logs in more users than the default limit allows for one address. */
const LOGINS = 1_000;
/** The same key for all apps, as for all nodes of a service. */
const SECRET_KEY = Buffer.alloc(32, 'lintel').toString('base64');

/** Options of `testApp`. */
export interface TestAppOptions {
  /** The module returned by `defineModule`. */
  module?: AnyModule;
  /** Several modules; `prefix` is that of the first. */
  modules?: readonly AnyModule[];
  /** Mounts them like external packages, under `/ext/<id>`. */
  external?: boolean;
  /** A merge patch of the first module's settings. */
  settings?: Readonly<Record<string, unknown>>;
  /** URL of an existing database; default: a new one. */
  database?: string;
  /** Environment variables of the service, such as `OUTBOUND_ALLOW`. */
  environment?: Readonly<Record<string, string>>;
}

/** A user who is logged in. */
export interface TestUser extends Client {
  user: { id: string; email: string; display_name: string; role: string };
}

/** A running platform with the module and a separate database. */
export interface TestApp {
  /** Such as `http://127.0.0.1:40123`. */
  origin: string;
  /** Path of the first module's routes below `/api/v1`: `/greetings`, `/ext/acme_costs`. */
  prefix: string;
  /** Path of the first module's card routes, below the path of a card. @param segment of its `cardRoutes` */
  cardPrefix(segment: string): string;
  /** The administrator. */
  admin: TestUser;
  /**
   * @param role key of a role, such as `member`
   * @param name distinguishes several users of one role; the same name returns the same user
   */
  asUser(role: string, name?: string): Promise<TestUser>;
  /** A client without a token. */
  anonymous: Client;
  /** Runs one SQL statement directly, to check stored data. */
  query<R = Record<string, unknown>>(text: string, values?: unknown[]): Promise<R[]>;
  /** The services of the first module. */
  host(): ModuleServices;
  /**
   * Queues a job of the first module and waits for its end.
   * @returns its result
   * @throws with its error if it fails
   */
  runJob(type: string, payload?: Record<string, unknown>): Promise<unknown>;
  /** Stops the service and drops its database; may be called twice. */
  close(): Promise<void>;
}

/**
 * Starts the platform with enabled modules, an administrator and an empty landscape.
 * @throws if a module does not run, with the reason reported by the platform
 */
export async function testApp(options: TestAppOptions): Promise<TestApp> {
  const lintel = await platform();
  const modules = [...(options.module ? [options.module] : []), ...(options.modules ?? [])];
  const folder = await mkdtemp(path.join(tmpdir(), 'lintel-app-'));
  const cleanUp: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const undo of cleanUp.splice(0).reverse()) await undo();
  };
  try {
    const database = await databaseOf(lintel, options.database);
    cleanUp.push(database.remove);
    const installed = await layOut(folder, lintel.home, modules, options.external ?? false);
    const config = lintel.loadConfig({
      DATA_DIR: path.join(folder, 'data'),
      LINTEL_SECRET_KEY: SECRET_KEY,
      LOG_LEVEL: 'error',
      ...options.environment,
    });
    const app = await lintel.buildApp({
      config: { ...config, pluginsDir: installed.folder, modules: installed.packages },
      database: database.connection,
    });
    cleanUp.push(() => app.close());
    const origin = await app.listen({ host: '127.0.0.1', port: 0 });
    const users = usersOf(origin);
    const admin = await users('admin', 'admin');
    hasStatus(await admin.patch('/settings', { rate_limits: { login: LOGINS } }), 200, 'raising the limit of log-ins');
    const id = modules[0]?.id ?? '';
    for (const module of modules) await switchOn(admin, module.id, module.id === id ? options.settings : undefined);
    const host = (): ModuleServices => {
      const module = app.services.modules.get(id);
      if (!module) throw new Error('the app was started without a module');
      return module.host;
    };
    return {
      origin,
      admin,
      asUser: (role, name = role) => users(role, name),
      anonymous: client(origin),
      query: database.query,
      close,
      prefix: options.external ? `/ext/${id}` : `/${id}`,
      cardPrefix: (segment) => (options.external ? `/ext/${id}` : `/${segment}`),
      host,
      runJob: (type, payload = {}) => runJob(host(), admin, type, payload),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function databaseOf(lintel: Platform, url: string | undefined): Promise<TestDatabase> {
  if (url === undefined) return await createDatabase();
  const connection: Connection = { connectionString: url };
  return {
    connection,
    query: (text, values) => query(lintel, connection, text, values),
    remove: async () => undefined,
  };
}

interface Tokens {
  access_token: string;
  user: TestUser['user'];
}

/** Creates each user at the first call; the first one is the administrator. */
function usersOf(origin: string): (role: string, name: string) => Promise<TestUser> {
  const made = new Map<string, Promise<TestUser>>();
  const anonymous = client(origin);
  const as = ({ access_token, user }: Tokens): TestUser => ({ ...client(origin, access_token), user });
  const login = async (email: string) => anonymous.post<Tokens>('/auth/login', { email, password: PASSWORD });
  const email = (name: string) => `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}@example.org`;

  async function make(role: string, name: string): Promise<TestUser> {
    const person = { email: email(name), password: PASSWORD, display_name: name };
    if (role === 'admin' && name === 'admin') {
      const answer = await anonymous.post<Tokens>('/auth/register', person);
      // An existing database already has an administrator: log in.
      return as(
        (answer.status === 201 ? answer : hasStatus(await login(person.email), 200, 'logging in as the administrator'))
          .body,
      );
    }
    const admin = await made.get('admin\0admin')!;
    const answer = await admin.post('/users', { ...person, role, kind: 'person' });
    if (answer.status !== 409) hasStatus(answer, 201, `making a user with the role ${role}`);
    return as(hasStatus(await login(person.email), 200, `logging in as ${name}`).body);
  }
  return async (role, name) => {
    const key = `${role}\0${name}`;
    const user = made.get(key) ?? make(role, name);
    made.set(key, user);
    return await user;
  };
}

const ENDED = ['done', 'failed', 'cancelled'];

async function runJob(
  host: ModuleServices,
  admin: TestUser,
  type: string,
  payload: Record<string, unknown>,
): Promise<unknown> {
  const id = await host.transactions.run(host.systemContext('test'), (uow) => host.jobs.enqueue(uow, type, payload));
  const job = await until(async () => {
    const { body } = hasStatus(await admin.get(`/settings/jobs/${id}`), 200, `GET /settings/jobs/${id}`);
    return ENDED.includes(String(body['state'])) && body;
  }, 30_000);
  if (job['state'] !== 'done')
    throw new Error(`the job ${type} ${String(job['state'])}: ${JSON.stringify(job['error'])}`);
  return job['result'];
}

/** @throws with the reason reported by the platform */
async function switchOn(admin: TestUser, id: string, settings: TestAppOptions['settings']): Promise<void> {
  const answer = await admin.patch(`/settings/modules/${id}`, { enabled: true, ...(settings && { settings }) });
  const module =
    answer.status === 404 ? (await admin.get('/settings/modules', { query: { page_size: 200 } })).body : answer.body;
  if (answer.status !== 200 || module['reason'] !== null)
    throw new Error(`the module ${id} does not run: ${JSON.stringify(module)}`);
}
