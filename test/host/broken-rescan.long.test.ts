import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { client, openStream, registerAdmin, sql, testApp, until } from '../support/app.js';

interface Rescan {
  loaded: string[];
  updated: string[];
  removed: string[];
  failed: { id: string; reason_code: string; reason: string }[];
}
interface Module {
  id: string;
  state: string;
  enabled: boolean;
  reason: string | null;
  reason_code: string | null;
}

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const folder = await mkdtemp(join(tmpdir(), 'lintel-broken-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
await mkdir(join(folder, 'node_modules/@lintel'), { recursive: true });
await symlink(join(root, 'core/sdk'), join(folder, 'node_modules/@lintel/sdk'));

/** The expected reason code of each broken module after a rescan. It waits up to 5 s for each of `hangs_…`, concurrently. */
const BROKEN: Record<string, string> = {
  throws_at_import: 'broken',
  hangs_at_import: 'broken',
  imports_nothing_there: 'broken',
  no_manifest: 'no_manifest',
  no_index: 'no_manifest',
  bad_manifest: 'invalid_manifest',
  misspelt_manifest: 'invalid_manifest',
  incompatible: 'incompatible',
  requires_missing: 'requirement',
  requires_broken: 'requirement',
  circle_a: 'requirement',
  circle_b: 'requirement',
  rejects_in_routes: 'mount',
  hangs_in_routes: 'mount',
  throws_in_services: 'mount',
  throws_when_ready: 'mount',
  no_access: 'mount',
  no_operation_id: 'mount',
  operation_of_core: 'mount',
  twice_the_same: 'mount',
  path_of_core: 'mount',
  bad_schema: 'mount',
  bad_migration: 'migration',
  throws_in_activate: 'activation',
  foreign_job: 'activation',
};

const { origin, database, app, close } = await testApp({ config: { pluginsDir: folder, logLevel: 'silent' } });
t.teardown(close);
const admin = await registerAdmin(origin);
const before = (await (await fetch(`${origin}/api/openapi.json`)).json()) as { paths: Record<string, unknown> };
const stream = await openStream(origin, admin.token);
t.teardown(() => stream.close());

// Requests are sent during the rescan.
const statuses = new Map<number | string, number>();
let working = true;
const work = (async () => {
  const api = client(origin, admin.token);
  while (working) {
    const status = await api.get('/cards').then(
      (answer) => answer.status,
      (error: unknown) => String(error),
    );
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
})();
await cp(join(root, 'test/fixtures/broken-modules'), folder, { recursive: true });
const began = performance.now();
const { body: outcome } = await admin.api.post<Rescan>('/settings/modules/rescan');
const seconds = (performance.now() - began) / 1_000;
working = false;
await work;
const {
  body: { items },
} = await admin.api.get<{ items: Module[] }>('/settings/modules', { query: { page_size: 200 } });
const of = (id: string): Module | undefined => items.find((m) => m.id === id);
const after = (await (await fetch(`${origin}/api/openapi.json`)).json()) as { paths: Record<string, unknown> };

t.test('faulty modules that are added to a running platform do not affect others', async (t) => {
  t.comment(`a rescan with ${Object.keys(BROKEN).length} broken modules: ${seconds.toFixed(1)} s`);
  t.strictSame([...statuses.keys()], [200]);
  await admin.api.post('/cards', { type: 'Application', name: 'After' });
  t.ok(await stream.waitFor((event) => event.event === 'card.created'), 'the stream is still open');
  t.strictSame((await admin.api.get('/sound')).body, { id: 'sound' }, 'the valid module among them serves');
  t.ok(outcome.loaded.includes('sound'));
});

t.test('each is shown with its reason, and leaves nothing behind', async (t) => {
  const tables = (
    await sql<{ name: string }>(database, `select tablename as name from pg_tables where schemaname = 'public'`)
  ).map(({ name }) => name);
  const keys = (await sql<{ key: string }>(database, 'select key from permission_keys')).map(({ key }) => key);
  const unknown = await admin.api.get('/no_such');
  for (const [id, code] of Object.entries(BROKEN))
    t.test(id, async (t) => {
      t.equal(outcome.failed.find((failure) => failure.id === id)?.reason_code, code);
      t.match(of(id), { state: code === 'incompatible' ? 'incompatible' : 'failed', reason_code: code });
      const answer = await admin.api.get(`/${id}`);
      t.strictSame([answer.status, Object.keys(answer.body)], [404, Object.keys(unknown.body)]);
      t.notOk(
        Object.keys(after.paths).some((path) => path.includes(id)),
        'no path in the document',
      );
      t.strictSame(
        tables.filter((name) => name.startsWith(`${id}_`)),
        [],
        'no table',
      );
      t.notOk(app.services.permissions.has(`${id}.view`), 'no permission');
      t.notOk(keys.includes(`${id}.view`) && code !== 'activation', 'no permission is stored');
    });
});

t.test('the paths of the core are unchanged', async (t) => {
  t.strictSame(
    Object.keys(before.paths).filter((path) => !(path in after.paths)),
    [],
  );
  t.strictSame(
    Object.keys(after.paths)
      .filter((path) => !(path in before.paths))
      .filter((path) => !path.includes('bad_migration_later')),
    ['/api/v1/sound'],
  );
  t.equal((await admin.api.get('/cards')).status, 200);
  t.equal((await admin.api.get('/adr')).status, 200);
});

t.test('an activation that failed in the middle leaves nothing running', async (t) => {
  const trace = (globalThis as unknown as Record<symbol, { ended: number }>)[Symbol.for('lintel.test.broken')]!;
  t.equal(await until(() => trace.ended > 0), true);
  t.doesNotThrow(
    () => app.services.jobs.register('throws_in_activate.work', { handler: async () => undefined })(),
    'its job type is unregistered',
  );
});
