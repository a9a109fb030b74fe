import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { client, makeUser, openStream, registerAdmin, sql, testApp, until } from '../support/app.js';
import { removeModule } from '../support/http.js';

interface Module {
  id: string;
  state: string;
  enabled: boolean;
  module_version: string;
  reason: string | null;
  reason_code: string | null;
  update_reason: string | null;
  version: number;
}
interface Rescan {
  loaded: string[];
  updated: string[];
  removed: string[];
  failed: { id: string; reason_code: string; reason: string }[];
}

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const folder = await mkdtemp(join(tmpdir(), 'lintel-rescan-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
await mkdir(join(folder, 'node_modules/@lintel'), { recursive: true });
await symlink(join(root, 'core/sdk'), join(folder, 'node_modules/@lintel/sdk'));
await symlink(join(root, 'node_modules/typebox'), join(folder, 'node_modules/typebox'));

const PACKAGE = '@acme/lintel-hello';
const place = join(folder, 'node_modules', PACKAGE);

interface Parts {
  version?: string;
  says?: string;
  activate?: string;
  migrations?: string;
  routes?: string;
  host?: string;
  requires?: string;
  file?: string;
}

const manifest = (
  id: string,
  { version = '1.0.0', activate = '', migrations = '', host = '^0.1.0', requires = '' }: Parts,
  routes: string,
) => `
import { Type, defineModule } from '@lintel/sdk';
import { says } from './says.js';
const trace = (globalThis[Symbol.for('lintel.test.rescan')] ??= []);
export default defineModule({
  id: '${id}', version: '${version}', title: 'Hello', description: 'Comes and goes.', host: '${host}', requires: [${requires}],
  permissions: [{ key: '${id}.view', description: 'See it.', roles: ['architect', 'member', 'viewer'] }],
  events: [{ kind: '${id}', permission: '${id}.view' }],
  migrations: { '0001_first': { up: (knex) => knex.raw('create table ${id}_words (word text primary key)'), down: (knex) => knex.raw('drop table ${id}_words') }, ${migrations} },
  services: (host) => ({ says: async () => (await host.db.query({ name: '${id}-says', text: "select '${version}' as version" }), says) }),
  ${routes}
  activate(module) { trace.push('on ${version}'); module.use(() => { trace.push('off ${version}'); }); module.job('${id}.work', { handler: async () => ({ by: '${version}' }) }); ${activate} },
  openapi: { tags: [{ name: '${id}', description: 'Hello.' }] },
  enabledByDefault: true,
});`;
const ROUTE = `async (app, { services }) => {
  app.get('', { config: { access: { permission: 'hello.view' } }, schema: { operationId: 'getHello', summary: 'Hello', tags: ['hello'], response: { 200: Type.Object({ says: Type.String() }) } } },
    async () => ({ says: await services.says() }));
};`;

/** Writes a version of the package to node_modules, as npm does. */
async function install(parts: Parts): Promise<void> {
  await mkdir(join(place, 'routes'), { recursive: true });
  await writeFile(
    join(place, 'package.json'),
    JSON.stringify({
      name: PACKAGE,
      version: parts.version ?? '1.0.0',
      type: 'module',
      lintel: { module: './index.js' },
    }),
  );
  await writeFile(join(place, 'says.js'), `export const says = ${JSON.stringify(parts.says ?? 'hello')};\n`);
  await writeFile(
    join(place, 'routes/hello.js'),
    `import { Type } from '@lintel/sdk';\nexport default ${parts.routes ?? ROUTE}\n`,
  );
  await writeFile(
    join(place, 'index.js'),
    parts.file ?? manifest('hello', parts, "routesDir: new URL('./routes', import.meta.url),"),
  );
}

const config = {
  pluginsDir: folder,
  modules: [PACKAGE],
  logLevel: (process.env.TEST_LOG_LEVEL ?? 'silent') as 'silent',
};
const a = await testApp({ config });
const b = await testApp({ config, database: a.database });
t.teardown(() => Promise.all([a.close(), b.close()]));
const admin = await registerAdmin(a.origin);
const viewer = await makeUser(admin, 'viewer');
const onB = client(b.origin, viewer.token);
const trace = () => ((globalThis as unknown as Record<symbol, string[]>)[Symbol.for('lintel.test.rescan')] ??= []);
const rescan = async () => {
  const { status, body } = await admin.api.post<Rescan>('/settings/modules/rescan');
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
};
const find = async (id = 'hello') => (await admin.api.get<Module>(`/settings/modules/${id}`)).body;
const says = async (api = viewer.api) => {
  const { status, body } = await api.get<{ says: string }>('/ext/hello');
  return status === 200 ? body.says : status;
};

/** Sends requests on keep-alive connections until `stop` is called, or the test ends: a failure before would leave them running. */
function load(
  { teardown }: Pick<Test, 'teardown'>,
  origin: string,
  path: string,
): { stop(): Promise<Map<number, number>>; failures: string[] } {
  const answers = new Map<number, number>();
  const failures: string[] = [];
  let on = true;
  const work = Array.from({ length: 4 }, async () => {
    while (on) {
      try {
        const answer = await fetch(`${origin}/api/v1${path}`, { headers: { authorization: `Bearer ${viewer.token}` } });
        await answer.arrayBuffer();
        answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
      } catch (error) {
        failures.push(String(error));
      }
      await delay(10);
    }
  });
  const stop = async () => {
    on = false;
    await Promise.all(work);
    return answers;
  };
  teardown(stop);
  return { failures, stop };
}

t.test('a package that is installed under load and with an open stream is loaded on every node', async (t) => {
  t.match(await find(PACKAGE.replace('/', '%2F')), { state: 'failed', reason_code: 'not_installed' });
  t.equal(await says(), 404);
  const stream = await openStream(a.origin, admin.token);
  const began = performance.now();
  const [cards, streamB] = [load(t, a.origin, '/cards'), load(t, b.origin, '/relations')];
  await delay(200);
  await install({ says: 'hello' });
  t.match(await rescan(), { loaded: ['hello'], updated: [], failed: [] });
  t.equal(await says(), 'hello');
  t.equal(await until(async () => (await says(onB)) === 'hello', 3_000), true, 'the other node has loaded it');
  t.match(await find(), { state: 'enabled', module_version: '1.0.0', reason: null });
  await admin.api.post('/cards', { type: 'Application', name: 'After the swap' });
  t.ok(await stream.waitFor((e) => e.event === 'card.created'), 'the stream is still open');
  await delay(300);
  for (const running of [cards, streamB]) {
    const answers = await running.stop();
    t.comment(`${answers.get(200)} answers in ${Math.round(performance.now() - began)} ms`);
    t.strictSame([...answers.keys()], [200]);
    t.strictSame(running.failures, []);
  }
  stream.close();
  const { paths } = (await (await fetch(`${a.origin}/api/openapi.json`)).json()) as { paths: object };
  t.hasProp(paths, '/api/v1/ext/hello');
  t.strictSame(
    await rescan(),
    { loaded: [], updated: [], removed: [], failed: [], ignored: [] },
    'a second rescan finds nothing',
  );
});

t.test('an update replaces the previous version under load', async (t) => {
  const running = load(t, a.origin, '/ext/hello');
  await delay(100);
  await install({
    version: '1.1.0',
    says: 'good day',
    migrations: `'0002_more': { up: (knex) => knex.raw('alter table hello_words add column n integer'), down: (knex) => knex.raw('alter table hello_words drop column n') }`,
  });
  t.match(await rescan(), { loaded: [], updated: ['hello'], failed: [] });
  t.equal(await says(), 'good day', 'imported files and files of the routes folder are reloaded');
  t.match(await find(), { module_version: '1.1.0', state: 'enabled' });
  t.equal(
    (
      await sql(
        a.database,
        `select from information_schema.columns where table_name = 'hello_words' and column_name = 'n'`,
      )
    ).length,
    1,
  );
  await until(() => trace().includes('off 1.0.0'));
  t.equal(trace().filter((line) => line === 'off 1.0.0').length >= 1, true, 'the previous version is deactivated');
  const { host } = a.app.services.modules.get('hello')!;
  const job = await host.transactions.run(host.systemContext('test'), (uow) =>
    host.jobs.enqueue(uow, 'hello.work', {}),
  );
  t.match(
    await until(
      async () =>
        (
          await sql<{ result: { by: string } }>(
            a.database,
            `select result from jobs where id = $1 and state = 'done'`,
            [job],
          )
        )[0]?.result,
    ),
    { by: '1.1.0' },
  );
  t.strictSame([...(await running.stop()).keys()], [200]);
  t.strictSame(running.failures, []);
});

t.test('after a broken update the previous version serves, and the reason is shown', async (t) => {
  const broken: [string, Parts, string, RegExp][] = [
    ['syntax', { file: 'export default {' }, 'broken', /its import fails/],
    ['no module', { file: 'export default {};' }, 'no_manifest', /not made by defineModule/],
    ['another SDK', { host: '^99.0.0' }, 'incompatible', /needs @lintel\/sdk/],
    ['routes', { routes: 'async () => { throw new Error("no routes today"); };' }, 'mount', /no routes today/],
    [
      'a path of the core',
      { routes: ROUTE.replace("app.get('',", "app.get('/../../cards',").replace("'getHello'", "'listCards'") },
      'mount',
      /./,
    ],
    [
      'migration',
      {
        migrations: `'0002_more': { up: async () => {}, down: async () => {} }, '0003_bad': { up: (knex) => knex.raw('create table hello_bad (x no_such_type)'), down: async () => {} }`,
      },
      'migration',
      /no_such_type/,
    ],
    ['activation', { activate: 'throw new Error("not today");' }, 'activation', /not today/],
    ['requirement', { requires: "'absent'" }, 'requirement', /requires absent, which is not installed/],
  ];
  const running = load(t, a.origin, '/ext/hello');
  for (const [name, parts, code, reason] of broken) {
    await install({
      version: '1.2.0',
      says: 'never',
      migrations: `'0002_more': { up: async () => {}, down: async () => {} }`,
      ...parts,
    });
    const outcome = await rescan();
    t.match(outcome, { loaded: [], updated: [], failed: [{ reason_code: code, reason }] }, name);
    t.equal(await says(), 'good day', `${name}: the previous version serves`);
    t.match(await find(), { module_version: '1.1.0', state: 'enabled', reason: null, update_reason: reason }, name);
  }
  t.strictSame([...(await running.stop()).keys()], [200]);
  t.strictSame(running.failures, []);
  t.equal((await sql(a.database, `select from pg_tables where tablename = 'hello_bad'`)).length, 0);
  t.equal((await viewer.api.get('/relations')).status, 200);
  await install({
    version: '1.3.0',
    says: 'mended',
    migrations: `'0002_more': { up: async () => {}, down: async () => {} }`,
  });
  t.match(await rescan(), { updated: ['hello'], failed: [] });
  t.equal(await says(), 'mended');
  t.match(await find(), { module_version: '1.3.0', update_reason: null });
});

t.test('files that change while they are loaded are not served, and are loaded again', async (t) => {
  const gate = Symbol.for('lintel.test.rescan.gate');
  const reached = new Promise<void>((seen) => {
    const opened = new Promise<void>((open) => {
      (globalThis as unknown as Record<symbol, unknown>)[gate] = { seen, open, wait: () => opened };
    });
  });
  const control = (globalThis as unknown as Record<symbol, { open(): void }>)[gate]!;
  const parts = {
    version: '1.3.1',
    says: 'half',
    migrations: `'0002_more': { up: async () => {}, down: async () => {} }`,
  };
  const source = manifest('hello', parts, "routesDir: new URL('./routes', import.meta.url),");
  await install({
    ...parts,
    file: `const gate = globalThis[Symbol.for('lintel.test.rescan.gate')]; gate.seen(); await gate.wait();\n${source}`,
  });
  const outcome = rescan();
  // A rescan that ends before, or never imports the file, must fail the test and not leave it waiting.
  let isReached = false;
  void reached.then(() => (isReached = true));
  const ended = outcome.then((early) => {
    if (!isReached) throw new Error(`the rescan ended without an import: ${JSON.stringify(early)}`);
  });
  await Promise.race([until(() => isReached), ended]);
  await writeFile(join(place, 'says.js'), `export const says = 'whole now';\n`);
  control.open();
  t.match(await outcome, { updated: [], failed: [{ id: 'hello', reason: /changed while it was loaded/ }] });
  t.equal(await says(), 'mended');
  // The automatic second rescan may have loaded the files already.
  t.match(await rescan(), { failed: [] });
  t.equal(await says(), 'whole now');
});

t.test('a new module that is faulty or conflicts with others is omitted, without affecting others', async (t) => {
  const plugin = join(folder, 'greedy');
  await mkdir(plugin);
  await writeFile(join(plugin, 'says.js'), `export const says = 'mine';`);
  await writeFile(
    join(plugin, 'index.js'),
    manifest(
      'greedy',
      {},
      `routes: async (app) => {
    app.get('', { config: { access: { permission: 'greedy.view' } }, schema: { operationId: 'getHello', summary: 'Hello', tags: ['greedy'], response: { 200: Type.Object({}) } } }, async () => ({}));
  },`,
    ),
  );
  t.match(await rescan(), {
    loaded: [],
    failed: [{ id: 'greedy', reason_code: 'mount', reason: /operationId getHello/ }],
  });
  t.match(await find('greedy'), { state: 'failed', reason_code: 'mount' });
  t.equal(await says(), 'whole now');
  t.equal((await viewer.api.get('/greedy')).status, 404);
  t.equal((await sql(a.database, `select from pg_tables where tablename = 'greedy_words'`)).length, 0);
  t.notOk(
    (
      await admin.api.get<{ items: { key: string }[] }>('/roles/permissions', { query: { page_size: 200 } })
    ).body.items.some((p) => p.key === 'greedy.view'),
    'its permission is not declared',
  );
  await rm(plugin, { recursive: true });
  t.match(await rescan(), { removed: ['greedy'] });
  t.equal((await admin.api.get('/settings/modules/greedy')).status, 404);
});

t.test('an update that requires a new module whose activation fails leaves the version before serving', async (t) => {
  const plugin = join(folder, 'needed');
  await mkdir(plugin);
  await writeFile(join(plugin, 'says.js'), `export const says = 'needed';`);
  await writeFile(
    join(plugin, 'index.js'),
    manifest('needed', { activate: 'throw new Error("not today");' }, 'routes: async () => {},'),
  );
  const before = await find();
  const migrations = `'0002_more': { up: async () => {}, down: async () => {} }`;
  await install({ version: '1.4.0', says: 'never', requires: "'needed'", migrations });
  t.match(await rescan(), {
    updated: [],
    failed: [
      { id: 'needed', reason_code: 'activation', reason: /not today/ },
      { id: 'hello', reason_code: 'requirement', reason: /requires needed/ },
    ],
  });
  t.equal(await says(), 'whole now');
  t.match(await find(), { module_version: before.module_version, state: 'enabled', update_reason: /requires needed/ });
  const count = (entry: string): number => trace().filter((other) => other === entry).length;
  await until(() => count('on 1.4.0') >= 2 && count('off 1.4.0') === count('on 1.4.0'), 10_000);
  await rm(plugin, { recursive: true });
  await install({ version: '1.3.1', says: 'whole now', migrations });
  t.match(await rescan(), { updated: ['hello'], removed: ['needed'], failed: [] });
  t.equal(await says(), 'whole now');
});

t.test('a disabled module stays disabled after an update', async (t) => {
  t.equal((await admin.api.patch('/settings/modules/hello', { enabled: false })).status, 200);
  await install({
    version: '1.4.0',
    says: 'quiet',
    migrations: `'0002_more': { up: async () => {}, down: async () => {} }`,
  });
  t.match(await rescan(), { updated: ['hello'] });
  t.equal(await says(), 404);
  t.match(await find(), { module_version: '1.4.0', state: 'disabled' });
  t.equal((await admin.api.patch('/settings/modules/hello', { enabled: true })).status, 200);
  t.equal(await says(), 'quiet');
});

t.test('a module is removed: disabled first, then its data, then its code', async (t) => {
  const remove = () => removeModule(admin.api, 'hello');
  t.match(await remove(), { status: 409, body: { code: 'invalid_state' } });
  t.match(
    await viewer.api.del('/settings/modules/hello', { query: { confirm: 'hello' }, headers: { 'if-match': '"1"' } }),
    { status: 403 },
  );
  await admin.api.patch('/settings/modules/hello', { enabled: false });
  const { version } = await find();
  t.match(
    await admin.api.del('/settings/modules/hello', {
      query: { confirm: 'hello' },
      headers: { 'if-match': `"${version - 1}"` },
    }),
    { status: 412 },
  );
  t.match(
    await admin.api.del('/settings/modules/hello', {
      query: { confirm: 'hello' },
      headers: { 'if-match': `"${version}"` },
    }),
    { status: 204 },
  );
  t.strictSame(await sql(a.database, `select tablename from pg_tables where tablename like 'hello%'`), []);
  t.match(await find(), { state: 'discovered', enabled: false });
  t.equal(
    (await admin.api.patch('/settings/modules/hello', { enabled: true })).status,
    200,
    'it can be enabled again, with empty tables',
  );
  t.equal(await says(), 'quiet');
  await admin.api.patch('/settings/modules/hello', { enabled: false });
  t.equal((await remove()).status, 204);
  await rm(place, { recursive: true });
  t.match(await rescan(), { removed: ['hello'] });
  t.match(await find(PACKAGE.replace('/', '%2F')), { state: 'failed', reason_code: 'not_installed' });
  const { paths } = (await (await fetch(`${a.origin}/api/openapi.json`)).json()) as { paths: object };
  t.notOk('/api/v1/ext/hello' in paths);
  t.equal(await until(async () => (await onB.get('/ext/hello')).status === 404), true);
  t.equal((await admin.api.get('/cards')).status, 200);
});

t.test('the nodes can be closed afterwards', async (t) => {
  await b.close();
  t.equal((await admin.api.get('/cards')).status, 200);
  await a.close();
  await t.rejects(fetch(`${a.origin}/api/health`));
});
