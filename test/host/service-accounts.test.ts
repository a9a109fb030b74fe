/** Jobs of a module in the name of a service account: which one a user may choose, and what it then may do. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { Config } from '../../config/schema.js';
import { expectStatus, makeUser, registerAdmin, sql, testApp, until, type Session } from '../support/app.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const config: Partial<Config> = { pluginsDir: join(root, 'test/fixtures/modules/tasks'), logLevel: 'silent' };
const { origin, database, close } = await testApp({ config });
t.teardown(close);
const admin = await registerAdmin(origin);
const READ = ['cards.view', 'tasks.start', 'notifications.own'];
const role = async (key: string, permissions: string[], types: object = {}) =>
  expectStatus(await admin.api.post('/roles', { key, label: key, permissions, types }), 201, 'a role');
await role('reads', READ, { Provider: { 'cards.view': false } });
await role('writes', [...READ, 'cards.create']);
let n = 0;
const account = async (key: string, kind = 'service'): Promise<string> =>
  expectStatus(
    await admin.api.post('/users', {
      email: `account${++n}@example.org`,
      display_name: `Account ${n}`,
      role: key,
      kind,
    }),
    201,
    'an account',
  ).body.id;
const start = (by: Session, id: string, kind = 'look', cards: string[] = []) =>
  by.api.post('/tasks/start', { kind, on_behalf: true, account: id, cards });

const [application, provider] = (await Promise.all(
  ['Application', 'Provider'].map(
    async (type) => expectStatus(await admin.api.post('/cards', { type, name: `A ${type}` }), 201, 'a card').body.id,
  ),
)) as [string, string];

await t.test('a job sees and does what the service account may, whoever started it', async (t) => {
  const id = await account('reads');
  const { body } = expectStatus(await start(admin, id, 'look', [application, provider]), 202, 'started');
  const [look] = await until(async () => {
    const rows = await sql<{ note: string }>(
      database,
      `select n.note from tasks_notes n join jobs j on j.payload ->> 'row' = n.row::text where j.id = $1 and n.note like '{%'`,
      [body.job_id],
    );
    return rows.length > 0 && rows;
  });
  t.match(JSON.parse(look!.note), { actor: id, creates: false });
  t.strictSame(JSON.parse(look!.note).sees, [application]);
  t.match(
    (await admin.api.get('/events', { query: { type: 'tasks.looked' } })).body.items,
    [{ actor: { id } }],
    'it is the actor',
  );
});

await t.test('only an active service account can be chosen', async (t) => {
  const refused = async (id: string, what: string): Promise<void> =>
    void t.match(
      await start(admin, id),
      { status: 422, body: { errors: [{ field: '/account', reason: 'names no active service account' }] } },
      what,
    );
  await refused(await account('reads', 'person'), 'a person');
  await refused('0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b', 'no account');
  await refused('x', 'no id');
  const off = await account('reads');
  expectStatus(await admin.api.patch(`/users/${off}`, { is_active: false }), 200, 'switched off');
  await refused(off, 'one that is switched off');
});

await t.test('an account with more permissions than those of the user is refused', async (t) => {
  const reader = await makeUser(admin, 'reads');
  const writer = await makeUser(admin, 'writes');
  t.equal((await start(reader, await account('reads'))).status, 202);
  t.match(await start(reader, await account('writes')), {
    status: 403,
    body: { code: 'forbidden', required_permission: 'cards.create' },
  });
  t.match(await start(writer, await account('admin')), { status: 403 });
  t.equal((await start(writer, await account('reads'))).status, 202);
  const trusted = await account('reads');
  expectStatus(
    await admin.api.post(`/cards/${application}/stakeholders`, { user_id: trusted, role: 'responsible' }),
    201,
    'a stakeholder',
  );
  t.match(await start(reader, trusted), { status: 403 }, 'stakeholder roles count');
});

await t.test('an account that is switched off ends its jobs', async (t) => {
  const id = await account('reads');
  const { body } = expectStatus(await start(admin, id, 'waits'), 202, 'started');
  const [{ row }] = (await sql<{ row: string }>(database, `select payload ->> 'row' as row from jobs where id = $1`, [
    body.job_id,
  ])) as [{ row: string }];
  await until(async () => (await sql(database, 'select from tasks_notes where row = $1', [row])).length > 0);
  expectStatus(await admin.api.patch(`/users/${id}`, { is_active: false }), 200, 'switched off');
  await sql(database, 'insert into tasks_gates values ($1)', [row]);
  const job = await until(async () => {
    const { body: shown } = await admin.api.get(`/jobs/${body.job_id}`);
    return shown.state === 'failed' && shown;
  }, 20_000);
  t.match(job, { error: { code: 'forbidden' } });
});
