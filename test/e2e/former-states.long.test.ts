/** Databases that former versions made: each is opened, used, restarted and started in safe mode, and keeps what was in it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import t, { type Test } from 'tap';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';
import { startEmbedded } from '../../core/foundation/db/embedded.js';
import { client, createDatabase, login, type Client } from '../support/app.js';
import { urlOf } from '../support/database.js';
import { differences, isExpired, record } from '../support/former-states/record.js';
import { readState, STATE_ENV, STATES, type FormerState } from '../support/former-states/states.js';
import { schemaOf } from '../support/schema-state.js';
import { dataFolder, startService, type ServiceOptions } from '../support/service.js';

type Service = Awaited<ReturnType<typeof startService>>;

/** A module that was added later grants its permissions to system roles. */
const GRANTED = /^\/roles\/(items\/)?\w+\/(version|updated_at): /;

/**
 * Runs the SQL of a dump on an empty database. Recurring jobs that were due since the dump are not due any more: what they do depends on the
 * day of the test.
 */
async function restore(database: DatabaseConnection, dump: string): Promise<void> {
  const client = new pg.Client(database);
  await client.connect();
  try {
    await client.query(dump);
    await client.query('set search_path to public; delete from cron_slots');
  } finally {
    await client.end();
  }
}

/** Every module runs, the service is ready, and nothing was logged as an error. */
async function checkHealth(t: Test, { origin, log }: Service, api: Client): Promise<void> {
  t.match(await api.get('/api/ready'), { status: 200, body: { checks: { migrations: 'ok', modules: 'ok' } } }, origin);
  const { items } = (await api.get<{ items: { id: string; state: string }[] }>('/settings/modules')).body;
  t.strictSame(
    items.filter(({ state }) => !['enabled', 'disabled', 'discovered'].includes(state)),
    [],
    'no module failed',
  );
  t.strictSame(
    log().filter(({ level }) => level >= 50),
    [],
    'no error in the log',
  );
}

/** Enables what the former version did not have, and writes to all. */
async function use(t: Test, api: Client): Promise<void> {
  const { items } = (await api.get<{ items: { id: string; state: string }[] }>('/settings/modules')).body;
  for (const { id, state } of items)
    if (state !== 'enabled')
      t.match(
        await api.patch(`/settings/modules/${id}`, { enabled: true }),
        { status: 200, body: { state: 'enabled' } },
        id,
      );
  const made = await api.post('/cards', { type: 'Application', name: 'Made by the later version' });
  t.equal(made.status, 201, 'a card');
  const { id } = made.body;
  const types = (
    await api.get<{ items: { key: string; source_type: string; target_type: string }[] }>('/metamodel/relation-types')
  ).body;
  const type = types.items.find(
    ({ source_type, target_type }) => source_type === 'Application' && target_type === 'ITComponent',
  )!;
  const component = (await api.get('/cards', { query: { type: 'ITComponent' } })).body.items[0]!;
  const relation = { type: type.key, source_id: id, target_id: component.id };
  t.equal((await api.post('/relations', relation)).status, 201, 'a relation');
  t.equal((await api.post('/risks', { title: 'Found later', category: 'security' })).status, 201, 'a risk');
  const objective = (
    await api.post('/cards', { type: 'TechCategory', name: 'Approved later', description: 'Complete' })
  ).body;
  t.match((await api.post(`/cards/${objective.id}/approval`, { action: 'reject' })).status, 200, 'a verdict');
  const old = (await api.get('/cards', { query: { type: 'Vehicle' } })).body.items[0]!;
  t.equal(
    (await api.patch(`/cards/${old.id}`, { description: 'Changed later' })).status,
    200,
    'a change of an old card',
  );
  t.equal((await api.patch(`/cards/${old.id}`, { description: old['description'] })).status, 200, 'and back');
}

/** Where a service finds a state: its data folder and its environment. */
type Place = Required<Pick<ServiceOptions, 'dataDir' | 'env'>> & { database?: DatabaseConnection };

/** The schema, without indexes of fields and the histories of migrations, which are made when they are needed. */
async function schema(database: DatabaseConnection): Promise<string[]> {
  return (await schemaOf(database)).filter((line) => !/ cards_attr_|_migrations(_lock)?[ .(]/.test(line));
}

async function inDatabase(dataDir: string, dump: string): Promise<Place> {
  const database = await createDatabase('template0');
  await restore(database, dump);
  return { dataDir, env: { DATABASE_URL: urlOf(database), ...STATE_ENV }, database };
}

async function inFolder(dataDir: string, dump: string): Promise<Place> {
  const embedded = await startEmbedded({ dataDir });
  await restore(embedded.connection, dump);
  await embedded.stop();
  const { LINTEL_SECRET_KEY, ...env } = STATE_ENV;
  await writeFile(join(dataDir, 'secret.key'), LINTEL_SECRET_KEY, { mode: 0o600 });
  return { dataDir, env };
}

async function check(
  t: Test,
  { dump, recording, token }: FormerState,
  place: typeof inFolder,
): Promise<DatabaseConnection | undefined> {
  const folder = await dataFolder();
  t.teardown(() => folder.remove());
  const { database, ...options } = await place(folder.path, dump);
  const start = async (args: string[] = []): Promise<{ service: Service; api: Client }> => {
    const service = await startService({ ...options, args });
    t.teardown(() => service.kill9());
    return { service, api: (await login(service.origin, 'admin@example.org')).api };
  };

  const first = await start();
  await checkHealth(t, first.service, first.api);
  t.strictSame(
    differences(recording, await record(first.api)).filter((line) => !GRANTED.test(line)),
    [],
    'everything is there as it was',
  );
  const tokens = recording['/auth/tokens'] as { items: unknown[] } | undefined;
  if (token !== undefined && !isExpired(tokens?.items[0]))
    t.equal((await client(first.service.origin, token).get('/cards')).status, 200, 'an API token is valid');
  await use(t, first.api);
  const used = await record(first.api);
  t.strictSame(await first.service.stop(), { code: 0, signal: null });

  const second = await start();
  await checkHealth(t, second.service, second.api);
  t.strictSame(differences(used, await record(second.api)), [], 'and after a restart');
  await second.service.stop();

  const third = await start(['--safe-mode']);
  await checkHealth(t, third.service, third.api);
  await third.service.stop();
  return database;
}

for (const name of STATES)
  t.test(`the state of ${name}`, async (t) => {
    const database = await check(t, await readState(name), inDatabase);
    t.strictSame(await schema(database!), await schema(await createDatabase()), 'the schema is that of a new database');
  });

const [oldest] = STATES;
t.test(
  `the state of ${oldest} in an embedded folder`,
  async (t) => void (await check(t, await readState(oldest!), inFolder)),
);
