/** Errors that a module does not catch fail what they occurred in, never the process. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { createDatabase, makeUser, registerAdmin, sql, until } from '../support/app.js';
import { urlOf } from '../support/database.js';
import { moduleFolder, writeModule } from '../support/module-folder.js';
import { startService } from '../support/service.js';

const folder = await moduleFolder(t);

/** Writes a module with routes that start `work` without waiting for it. */
async function write(id: string, routes: Record<string, string>, activate = '', top = ''): Promise<void> {
  await writeModule(
    folder,
    `
import { Type, defineModule } from '@lintel/sdk';
${top}
const outside = () => Promise.reject(new Error('from a file of ${id}'));
export default defineModule({
  id: '${id}', version: '1.0.0', title: '${id}', description: 'Catches nothing.', host: '^0.1.0',
  permissions: [{ key: '${id}.view', description: 'See it.', roles: ['architect', 'member', 'viewer'] }],
  services: (host) => host,
  routes: async (app, { services }) => {
    const route = (path, work) => app.get(path, { config: { access: { permission: '${id}.view' } }, schema: { operationId: '${id}' + path.slice(1), summary: 'Fails', tags: ['${id}'], response: { 200: Type.Object({ ok: Type.Boolean() }) } } },
      async (request) => { await work(request); return { ok: true }; });
    ${Object.entries(routes)
      .map(([path, work]) => `route('/${path}', ${work});`)
      .join('\n    ')}
  },
  activate(module) { ${activate} },
  openapi: { tags: [{ name: '${id}', description: 'Fails.' }] },
  enabledByDefault: true,
});`,
    { id },
  );
}
const LATER = 'await new Promise((resolve) => setTimeout(resolve, 100))';
await write(
  'careless',
  {
    well: 'async () => undefined',
    rejects: `async () => { void Promise.reject(); ${LATER}; }`,
    throws: `async () => { setTimeout(() => { throw new TypeError('in a timer'); }, 5); ${LATER}; }`,
    exits: `async () => { process.exit(3); }`,
    after: `async () => { setTimeout(() => { void Promise.reject('after the response'); }, 5); }`,
    work: `async (request) => services.transactions.run(request.ctx, (unit) => services.jobs.enqueue(unit, 'careless.work', {}))`,
  },
  `module.job('careless.work', { maxAttempts: 1, handler: async ({ attempt }) => { void Promise.reject(new Error('in a job, attempt ' + attempt)); await new Promise(() => undefined); } });`,
);
await write(
  'restless',
  { well: 'async () => undefined', fails: `async () => { void outside(); ${LATER}; }` },
  `module.subscribe({ name: 'cards', pattern: 'card.created', handler: async () => { void Promise.reject(new Error('in a subscription')); } });
   module.listen('card.created', () => { setTimeout(() => { throw new Error('in a listener'); }, 1); });`,
);

await write(
  'early',
  { well: 'async () => undefined' },
  `void Promise.reject(new Error('while it is activated')); setTimeout(() => { throw new Error('after it'); }, 1);`,
  `void Promise.reject(new Error('while it is imported')); setTimeout(() => { throw new Error('after the import'); }, 1);`,
);

// A stream of server-sent events that the module writes itself.
await write('flowing', {
  well: 'async () => undefined',
  opens: `async () => undefined`,
});
await writeFile(
  join(folder, 'flowing', 'index.js'),
  (await readFile(join(folder, 'flowing', 'index.js'), 'utf8')).replace(
    `route('/opens', async () => undefined);`,
    `app.get('/events', { config: { access: { permission: 'flowing.view' } }, schema: { operationId: 'flowingEvents', summary: 'Flows', tags: ['flowing'], response: { 200: { description: 'Events.', content: { 'text/event-stream': { schema: Type.String() } } } } } }, async (request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
      let n = 0;
      const timer = setInterval(() => { reply.raw.write('data: ' + ++n + '\\n\\n'); if (n === 2) void Promise.reject(new Error('while streaming')); if (n === 3) { clearInterval(timer); reply.raw.end(); throw new Error('in the timer of a stream'); } }, 5);
    });`,
  ),
);

const database = await createDatabase();
const env = {
  DATABASE_URL: urlOf(database),
  LINTEL_PLUGINS_DIR: folder,
  LINTEL_SECRET_KEY: Buffer.alloc(32, 'uncaught').toString('base64'),
};
const service = await startService({ env });
t.teardown(() => service.kill9());
const admin = await registerAdmin(service.origin);
const { api, token } = await makeUser(admin, 'viewer');
const moduleOf = async (id: string) => (await admin.api.get(`/settings/modules/${id}`)).body;
const all = () => service.log().filter(({ msg }) => msg === 'an error of a module was not caught').length;

await t.test('errors while a module is imported and activated do not prevent the start', async (t) => {
  t.ok(await until(() => all() === 4));
  t.match(await api.get('/early/well'), { status: 200 });
  t.match(await moduleOf('early'), { state: 'enabled', reason: null });
});
const atStart = all();
const failures = () => all() - atStart;

await t.test('an error in a request fails that request', async (t) => {
  t.match(await api.get('/careless/rejects'), { status: 500, body: { code: 'internal_error' } });
  t.match(await api.get('/careless/throws'), { status: 500, body: { code: 'internal_error' } });
  t.match(await api.get('/careless/exits'), { status: 500 }, 'the process cannot be ended by a module');
  t.match(await api.get('/careless/well'), { status: 200, body: { ok: true } });
  // The log is read through a pipe, which may be later than the response.
  t.ok(await until(() => failures() === 2));
});

await t.test('an error after the response, or in a job, fails nothing else', async (t) => {
  t.match(await api.get('/careless/after'), { status: 200 });
  t.ok(await until(() => failures() === 3));
  t.match(await api.get('/careless/work'), { status: 200 });
  t.ok(
    await until(async () => {
      const [job] = await sql<{ state: string; error: string }>(
        database,
        `select state, error from jobs where type = 'careless.work'`,
      );
      return job?.state === 'failed' && /in a job, attempt 1/.test(job.error);
    }),
  );
  t.ok(await until(() => failures() === 4));
  t.match(await moduleOf('careless'), { state: 'enabled', reason: null });
});

await t.test('an error while a module streams events ends that stream at most', async (t) => {
  const before = failures();
  const answer = await fetch(`${service.origin}/api/v1/flowing/events`, {
    headers: { authorization: `Bearer ${token}` },
  });
  t.equal(answer.status, 200);
  t.match(await answer.text().catch(() => ''), /^(data: \d+\n\n)*$/);
  t.ok(await until(() => failures() >= before + 1));
  t.match(await api.get('/flowing/well'), { status: 200 });
  t.equal((await api.get('/cards')).status, 200);
  t.match(await moduleOf('flowing'), { state: 'enabled', reason: null });
});

await t.test('the fifth in ten minutes switches the module off on this node, and no other', async (t) => {
  t.match(await api.get('/careless/rejects'), { status: 500 });
  t.ok(await until(async () => (await api.get('/careless/well')).status === 404));
  t.match(await moduleOf('careless'), {
    state: 'failed',
    enabled: true,
    reason_code: 'unstable',
    reason: /five of its errors/,
  });
  t.match(await api.get('/restless/well'), { status: 200 });
  t.equal((await api.get('/cards')).status, 200);
  t.ok(
    await until(
      async () => (await admin.api.get('/events', { query: { type: 'module.failed' } })).body.items.length === 1,
    ),
  );
  t.match((await admin.api.get('/events', { query: { type: 'module.failed' } })).body.items[0], {
    subject: { kind: 'module', id: 'careless' },
    data: { reason_code: 'unstable' },
  });
});

await t.test('errors of subscriptions and listeners are traced too', async (t) => {
  const before = failures();
  await admin.api.post('/cards', { type: 'Application', name: 'Heard' });
  t.ok(await until(() => failures() === before + 2, 10_000));
  const logged = service
    .log()
    .filter(({ msg }) => msg === 'an error of a module was not caught')
    .slice(-2) as unknown as { module: string; err: { message: string } }[];
  t.strictSame(logged.map(({ module, err }) => `${module}: ${err.message}`).sort(), [
    'restless: in a listener',
    'restless: in a subscription',
  ]);
  t.match(await moduleOf('restless'), { state: 'enabled', reason: null });
  t.match((await admin.api.get('/settings/modules/restless/subscriptions')).body.items, [
    { name: 'cards', behind: 0, parked: 0 },
  ]);
});

await t.test('an administrator who disables and enables it ends the pause', async (t) => {
  for (const enabled of [false, true])
    t.equal((await admin.api.patch('/settings/modules/careless', { enabled })).status, 200);
  t.match(await api.get('/careless/well'), { status: 200 });
});

await t.test('with --safe-mode only the modules of Lintel are loaded', async (t) => {
  t.match(await service.stop(), { code: 0 }, 'the process that had all these errors stops in order');
  const safe = await startService({ env, args: ['--safe-mode'] });
  t.teardown(() => safe.kill9());
  const list = await (
    await fetch(`${safe.origin}/api/v1/settings/modules`, { headers: { authorization: `Bearer ${admin.token}` } })
  ).json();
  t.strictSame(
    (list as { items: { id: string }[] }).items.map(({ id }) => id),
    ['adr', 'bpm', 'cmdbsync', 'diagrams', 'insightlens', 'portals', 'ppm', 'reports', 'risks', 'soaw'],
  );
});
