import assert from 'node:assert/strict';
import { Nullable, Type, defineModule, resource, resourceColumns, type ModuleMigration } from '@lintel/sdk';
import { migrationContract, resourceContract, testApp, until, type Check } from '@lintel/sdk/testing';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { run } from '../support/docs.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

const tables = (id: string): ModuleMigration => ({
  up: async (knex) => {
    await knex.raw(
      `create table ${id}_notes (${resourceColumns}, title text not null, body text, search_text text not null)`,
    );
  },
  down: async (knex) => {
    await knex.raw(`drop table ${id}_notes`);
  },
});

/** A module with a resource; if `careless`, it violates the contract of resources. */
function noteModule(id: string, careless = false) {
  const notes = resource({
    kind: `${id}_note`,
    table: `${id}_notes`,
    tag: id,
    operation: `${id}Note`,
    label: 'a note',
    labels: 'notes',
    permissions: { view: `${id}.view`, manage: careless ? `${id}.view` : `${id}.manage` },
    fields: { title: Type.String({ minLength: 1, maxLength: 100 }), body: Nullable(Type.String({ maxLength: 1_000 })) },
    search: ['title'],
    example: { title: 'One' },
    // Fails for a change without a title.
    ...(careless && { prepare: ({ next }) => ({ title: String(next.title).toUpperCase() }) }),
  });
  return defineModule({
    id,
    version: '1.0.0',
    title: id,
    description: 'For tests.',
    host: '^0.1.0',
    permissions: [
      { key: `${id}.view`, description: 'See.', roles: ['architect', 'member', 'viewer'] },
      { key: `${id}.manage`, description: 'Write.', roles: ['architect'] },
    ],
    settings: Type.Object({ greeting: Type.String({ default: 'Hello' }) }),
    migrations: { '0001_notes': tables(id) },
    events: [careless ? { ...notes.events, types: {} } : notes.events],
    services: (host) => notes.service(host),
    routes: async (app, { services, host }) => {
      if (careless)
        app.addHook('onSend', async (_request, reply) => {
          reply.removeHeader('etag');
          reply.removeHeader('idempotent-replayed');
        });
      await app.register(notes.routes, { prefix: '/notes', services, host });
      if (careless) return;
      app.get(
        '/greeting',
        {
          config: { access: 'authenticated' },
          schema: {
            operationId: `greet${id}`,
            summary: 'Greets',
            tags: [id],
            response: { 200: Type.Object({ text: Type.String() }) },
          },
        },
        async () => ({ text: host.settings().greeting }),
      );
    },
    activate(module) {
      module.job(`${id}.fail`, {
        maxAttempts: 1,
        handler: async () => {
          throw new Error('cannot');
        },
      });
    },
    openapi: { tags: [{ name: id, description: id }] },
    enabledByDefault: false,
  });
}

const [sound, careless] = [noteModule('sound_notes'), noteModule('careless', true)];
const app = await testApp({ modules: [sound, careless], settings: { greeting: 'Servus' } });
t.teardown(app.close);
const contract = (id: string): Check[] =>
  resourceContract({
    app,
    path: `/${id}/notes`,
    kind: `${id}_note`,
    create: (n) => ({ title: `Note ${n}`, body: 'Text' }),
    update: { body: 'Other' },
    nullable: 'body',
    text: 'title',
    invalid: [{ body: { title: '', body: 1 }, fields: ['/body', '/title'] }],
  });
const verdicts = async (checks: readonly Check[]): Promise<Record<string, boolean>> => {
  const all: Record<string, boolean> = {};
  for (const { name, run } of checks)
    all[name] = await run().then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof assert.AssertionError)) throw error;
        return false;
      },
    );
  return all;
};
const failing = (all: Record<string, boolean>): string[] =>
  Object.entries(all)
    .filter(([, holds]) => !holds)
    .map(([name]) => name);

t.test('modules are enabled with their settings, and users are created once', async (t) => {
  const viewer = await app.asUser('viewer');
  t.equal(viewer, await app.asUser('viewer'));
  t.not(viewer.user.id, (await app.asUser('viewer', 'another')).user.id);
  t.equal(viewer.user.role, 'viewer');
  const crowd = await Promise.all(Array.from({ length: 12 }, (_, i) => app.asUser('member', `Member ${i}`)));
  t.equal(new Set(crowd.map(({ user }) => user.id)).size, 12);
  t.strictSame((await viewer.get(`${app.prefix}/greeting`)).body, { text: 'Servus' });
  t.equal((await app.anonymous.get(`${app.prefix}/greeting`)).status, 401);
  t.match(await app.query('select count(*)::int as n from sound_notes_notes'), [{ n: 0 }]);
  await t.rejects(app.runJob('sound_notes.fail'), /failed.*cannot/);
  await t.rejects(
    until(() => false, 50),
    /still nothing/,
  );
});

t.test('a valid resource satisfies the contract', async (t) => {
  t.strictSame(failing(await verdicts(contract('sound_notes'))), []);
});

t.test('violations of the contract are found', async (t) => {
  const found = failing(await verdicts(contract('careless')));
  for (const part of [/GET returns/, /If-Match/, /Idempotency/, /only read/, /any text/, /event/])
    t.ok(
      found.some((name) => part.test(name)),
      String(part),
    );
});

t.test('migrations that leave objects or change those of others are found', async (t) => {
  const first = tables('x');
  const fails = async (migrations: Record<string, ModuleMigration>) =>
    failing(await verdicts(migrationContract({ module: { id: 'x', migrations } })));
  const raw = (text: string) => async (knex: Parameters<ModuleMigration['up']>[0]) => {
    await knex.raw(text);
  };
  t.strictSame(
    await fails({
      '0001_notes': first,
      '0002_more': { up: raw('alter table x_notes add n int'), down: raw('alter table x_notes drop n') },
    }),
    [],
  );
  t.strictSame(await fails({ '0001_notes': { up: first.up, down: raw('select 1') } }), [
    '0001_notes can be undone and done again',
    'reverting all migrations leaves no objects',
  ]);
  const named = 'objects created by migrations are named after the module, and the core is not changed';
  t.strictSame(
    await fails({ '0001_notes': { up: raw('create table notes (id int)'), down: raw('drop table notes') } }),
    [named],
  );
  t.strictSame(
    await fails({ '0001_notes': { up: raw('create index x_cards on cards (name)'), down: raw('drop index x_cards') } }),
    [named],
  );
  t.strictSame(
    await fails({
      '0001_notes': { up: raw('alter table cards add x_note text'), down: raw('alter table cards drop x_note') },
    }),
    [named],
  );
});

t.test('a module that does not run is refused with its reason', async (t) => {
  const broken = defineModule({
    ...sound,
    id: 'broken',
    permissions: [],
    events: [],
    migrations: {},
    routes: async () => {
      throw new Error('no routes today');
    },
  });
  await t.rejects(
    testApp({ module: broken, environment: { LOG_LEVEL: 'silent' } }),
    /broken does not run.*no routes today/,
  );
});

t.test('another platform may be specified; a missing one is reported', async (t) => {
  const program =
    "import { testApp } from '@lintel/sdk/testing'; await testApp({}).then(async (app) => { console.log('started', (await app.anonymous.get('/api/health')).status); await app.close(); }, (error) => console.log(error.message));";
  const start = (home: string) =>
    run(process.execPath, ['--input-type=module', '-e', program], root, { LINTEL_HOME: home });
  t.match(await start('/no/such/place'), /no built platform in \/no\/such\/place/);
  t.match(await start(root), /started 200/);
});

t.test('a package is mounted below /ext, and a given database is kept', async (t) => {
  const partner = noteModule('partner');
  const url = process.env.LINTEL_TEST_DATABASE_URL!;
  const made = await testApp({ module: partner, external: true });
  t.teardown(made.close);
  t.equal(made.prefix, '/ext/partner');
  t.equal(made.cardPrefix('notes'), '/ext/partner');
  t.equal((await made.admin.post('/ext/partner/notes', { title: 'Kept' })).status, 201);
  const [{ name }] = (await made.query<{ name: string }>('select current_database() as name')) as [{ name: string }];
  const same = new URL(url);
  same.pathname = `/${name}`;
  const second = await testApp({ module: partner, external: true, database: same.href });
  t.teardown(second.close);
  t.equal((await second.admin.get('/ext/partner/notes')).body.total, 1);
  await second.close();
  t.equal((await made.query('select from partner_notes')).length, 1, 'a given database is not dropped');
});
