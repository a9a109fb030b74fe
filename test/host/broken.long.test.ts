import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { registerAdmin, sql, testApp } from '../support/app.js';

interface Module {
  id: string;
  state: string;
  enabled: boolean;
  reason: string | null;
  reason_code: string | null;
  routes: unknown[];
  permissions: unknown[];
}

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const pluginsDir = join(root, 'test/fixtures/broken-modules');

/** The expected reason code and reason of every broken module. */
const BROKEN: Record<string, [code: string, reason: RegExp]> = {
  throws_at_import: ['broken', /thrown at import/],
  hangs_at_import: ['broken', /its import took longer than 5000 ms/],
  imports_nothing_there: ['broken', /a-package-that-is-not-there/],
  no_manifest: ['no_manifest', /not made by defineModule/],
  no_index: ['no_manifest', /no index\.js/],
  bad_manifest: [
    'invalid_manifest',
    /\/version must be a semantic version.*cards\.view must be bad_manifest\.<verb>.*the kind card must be/,
  ],
  misspelt_manifest: ['invalid_manifest', /permisions is unknown/],
  incompatible: ['incompatible', /needs @lintel\/sdk \^99\.0\.0, this is 0\./],
  requires_missing: ['requirement', /requires not_there, which is not installed/],
  requires_broken: ['requirement', /requires rejects_in_routes, which failed/],
  circle_a: ['requirement', /requires itself: circle_[ab] → circle_[ab] → circle_[ab]/],
  circle_b: ['requirement', /requires itself/],
  rejects_in_routes: ['mount', /rejected in routes/],
  hangs_in_routes: ['mount', /took longer than 5000 ms/],
  throws_in_services: ['mount', /thrown in services/],
  throws_when_ready: ['mount', /thrown when ready/],
  no_access: ['mount', /GET \/api\/v1\/no_access declares no access|lacks its access/],
  no_operation_id: ['mount', /GET \/api\/v1\/no_operation_id lacks operationId/],
  operation_of_core: [
    'mount',
    /operationId listCards of GET \/api\/v1\/operation_of_core is already used by GET \/api\/v1\/cards/,
  ],
  twice_the_same: ['mount', /already declared for route '\/api\/v1\/twice_the_same\/x'/],
  path_of_core: ['mount', /GET \/api\/v1\/cards\/:id\/stakeholders is a path of the core/],
  bad_schema: ['mount', /no such type|schema/i],
  bad_migration: ['migration', /no_such_type/],
  throws_in_activate: ['activation', /thrown in activate/],
  foreign_job: ['activation', /cards\.purge must begin with foreign_job\./],
};

const began = performance.now();
const { origin, database, app, close } = await testApp({ config: { pluginsDir, logLevel: 'silent' } });
const seconds = (performance.now() - began) / 1_000;
t.teardown(close);
const admin = await registerAdmin(origin);
const {
  body: { items },
} = await admin.api.get<{ items: Module[] }>('/settings/modules', { query: { page_size: 200 } });
const of = (id: string): Module | undefined => items.find((m) => m.id === id);
const document = (await (await fetch(`${origin}/api/openapi.json`)).json()) as { paths: Record<string, unknown> };
const unknown = await admin.api.get('/no_such');

t.test('faulty modules do not prevent the start', async (t) => {
  t.comment(`start with ${Object.keys(BROKEN).length} broken modules: ${seconds.toFixed(1)} s`);
  t.equal((await fetch(`${origin}/api/ready`)).status, 200);
  t.equal((await admin.api.get('/cards')).status, 200);
  t.equal((await admin.api.get('/adr')).status, 200);
  t.match(of('sound'), { state: 'enabled', reason: null });
  t.strictSame((await admin.api.get('/sound')).body, { id: 'sound' });
});

t.test('each is shown with its reason, and leaves nothing behind', async (t) => {
  const tables = (
    await sql<{ name: string }>(database, `select tablename as name from pg_tables where schemaname = 'public'`)
  ).map(({ name }) => name);
  for (const [id, [code, reason]] of Object.entries(BROKEN))
    t.test(id, async (t) => {
      t.match(of(id), { state: code === 'incompatible' ? 'incompatible' : 'failed', reason_code: code, reason });
      const answer = await admin.api.get(`/${id}`);
      t.equal(answer.status, 404);
      t.strictSame(Object.keys(answer.body), Object.keys(unknown.body));
      t.notOk(
        Object.keys(document.paths).some((path) => path.includes(id)),
        'no path in the document',
      );
      t.strictSame(
        tables.filter((name) => name === id || name.startsWith(`${id}_`)),
        [],
        'no table',
      );
      if (!['migration', 'activation'].includes(code))
        t.notOk(app.services.permissions.has(`${id}.view`), 'no permission');
    });
});

t.test('an activation that fails in the middle leaves nothing running', async (t) => {
  const trace = (globalThis as unknown as Record<symbol, { ended: number }>)[Symbol.for('lintel.test.broken')]!;
  t.equal(trace.ended, 1);
  t.doesNotThrow(
    () => app.services.jobs.register('throws_in_activate.work', { handler: async () => undefined })(),
    'its job type is unregistered',
  );
});

t.test('a module in a folder with another name is refused', async (t) => {
  t.match(of('other_name'), {
    state: 'failed',
    reason_code: 'invalid_manifest',
    reason: /must be the name of its folder, other_name/,
  });
});

t.test('a module whose migrations fail cannot be enabled, and leaves no table', async (t) => {
  const path = '/settings/modules/bad_migration_later';
  t.match((await admin.api.get(path)).body, { state: 'discovered', enabled: false });
  for (let attempt = 0; attempt < 2; attempt++)
    t.match(await admin.api.patch(path, { enabled: true }), {
      status: 409,
      body: { code: 'invalid_state', reason_code: 'migration', detail: /division by zero/ },
    });
  t.match((await admin.api.get(path)).body, { state: 'failed', reason_code: 'migration', enabled: false });
  t.strictSame(await sql(database, `select tablename from pg_tables where tablename like 'bad\\_migration%'`), []);
  t.equal((await admin.api.get('/bad_migration_later')).status, 404);
});

t.test('a module that cannot be loaded cannot be enabled', async (t) => {
  t.match(await admin.api.patch('/settings/modules/rejects_in_routes', { enabled: false }), {
    status: 409,
    body: { code: 'module_in_use', required_by: ['requires_broken'] },
  });
  t.match(await admin.api.patch('/settings/modules/throws_in_services', { enabled: false }), { status: 200 });
  t.match(await admin.api.patch('/settings/modules/throws_in_services', { enabled: true }), {
    status: 409,
    body: { code: 'invalid_state', reason_code: 'mount' },
  });
  t.equal(
    (await admin.api.patch('/settings/modules/throws_at_import', { enabled: true })).status,
    404,
    'a module without a manifest does not exist',
  );
  t.match(await admin.api.patch('/settings/modules/throws_in_activate', { enabled: false }), {
    status: 200,
    body: { state: 'disabled', reason: null },
  });
  t.match(await admin.api.patch('/settings/modules/throws_in_activate', { enabled: true }), {
    status: 200,
    body: { state: 'failed', reason_code: 'activation' },
  });
});
