import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Knex } from '../knex.js';
import type { ModuleServices } from '../services.js';

/** Address of a database: a URL, or the socket of the embedded PostgreSQL. */
export type Connection = { connectionString: string } | { host: string; port: number; user: string; database: string };

export interface PlatformApp {
  listen(where: { host: string; port: number }): Promise<string>;
  close(): Promise<void>;
  services: { modules: { get(id: string): { host: ModuleServices } | undefined } };
}

interface SqlClient {
  connect(): Promise<void>;
  query<R>(text: string, values?: unknown[]): Promise<{ rows: R[] }>;
  end(): Promise<void>;
}

/** The functions of the platform used by tests, imported from its compiled files, because a module depends only on the SDK. */
export interface Platform {
  /** Folder of the checkout. */
  home: string;
  /** Identifies the state of the core's schema. */
  schema: string;
  loadConfig(env: Record<string, string>): Record<string, unknown>;
  buildApp(deps: { config: Record<string, unknown>; database: Connection }): Promise<PlatformApp>;
  startEmbedded(options: {
    dataDir: string;
    flags: string[];
  }): Promise<{ connection: Connection; stop(): Promise<void> }>;
  migrateCore(connection: Connection): Promise<void>;
  pg: { Client: new (connection: Connection & { application_name: string }) => SqlClient };
  knex(options: { client: string; connection: Connection; pool: { min: number; max: number } }): Knex;
}

const CHECKOUT = fileURLToPath(new URL('../../../../', import.meta.url));
let found: Promise<Platform> | undefined;

/**
 * Finds the platform once.
 * @param home folder of a checkout; default: the one of this SDK
 * @throws if it is not built
 */
export async function platform(home = process.env['LINTEL_HOME'] || CHECKOUT): Promise<Platform> {
  return await (found ??= find(path.resolve(home)));
}

async function find(home: string): Promise<Platform> {
  const dist = path.join(home, 'dist');
  if (!existsSync(path.join(dist, 'core/app.js')))
    throw new Error(
      `There is no built platform in ${home}: run \`npm ci\` there, or name another checkout in LINTEL_HOME.`,
    );
  const load = async (file: string): Promise<unknown> => await import(pathToFileURL(path.join(dist, file)).href);
  const [{ loadConfig }, { buildApp }, { startEmbedded }, { migrateCore }] = (await Promise.all([
    load('config/load.js'),
    load('core/app.js'),
    load('core/foundation/db/embedded.js'),
    load('core/foundation/db/migrate.js'),
  ])) as [
    Pick<Platform, 'loadConfig'>,
    Pick<Platform, 'buildApp'>,
    Pick<Platform, 'startEmbedded'>,
    Pick<Platform, 'migrateCore'>,
  ];
  const require = createRequire(path.join(home, 'package.json'));
  return {
    home,
    schema: schemaOf(path.join(dist, 'migrations')),
    loadConfig,
    buildApp,
    startEmbedded,
    migrateCore,
    pg: require('pg') as Platform['pg'],
    knex: require('knex') as Platform['knex'],
  };
}

function schemaOf(folder: string): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .sort())
    hash.update(file).update(readFileSync(path.join(folder, file)));
  return hash.digest('hex').slice(0, 12);
}
