/** What a token or session must not leave behind when it ends, and what a token must not get besides its permissions. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import t from 'tap';
import { systemContext } from '../../core/foundation/context.js';
import { ApiTokens } from '../support/api-tokens.js';
import { lockWaiters, makeUser, openStream, registerAdmin, sql, testApp, until, type Session } from '../support/app.js';

const node = await testApp();
t.teardown(node.close);
const { origin, app, database } = node;
const admin = await registerAdmin(origin);
const tokens = new ApiTokens(origin);

const FORM = [
  '--limit',
  'content-disposition: form-data; name="file"; filename="late.csv"',
  'content-type: text/csv',
  '',
];
/** The body of an upload in two parts. */
const UPLOADS = {
  body: { type: 'text/csv', parts: ['type,name\n', 'Application,Late\n'] },
  form: {
    type: 'multipart/form-data; boundary=limit',
    parts: [`${FORM.join('\r\n')}\r\ntype,name\n`, 'Application,Late\n\r\n--limit--\r\n'],
  },
} as const;

/** Sends the second part of an upload only after `end` has been done. @returns the status and body of the response */
async function late(
  path: string,
  { type, parts: [first, second] }: { type: string; parts: readonly [string, string] },
  token: string,
  { arrived, end }: { arrived(): Promise<unknown>; end(): Promise<unknown> },
): Promise<{ status: number | undefined; body: string }> {
  const sent = request(`${origin}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type, 'content-length': (first + second).length },
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.write(first);
  await until(arrived, 10_000);
  await end();
  sent.end(second);
  const [answer] = await answered;
  let body = '';
  for await (const chunk of answer) body += String(chunk);
  return { status: answer.statusCode, body };
}
/** Until the request of the token has been admitted. */
const used = (by: Session, id: string) => async () => (await by.api.get(`/auth/tokens/${id}`)).body['last_used_at'];

for (const kind of ['body', 'form'] as const)
  t.test(`an upload (${kind}) that ends after the token was revoked is not staged`, async (t) => {
    const made = await tokens.made(admin, ['cards.import', 'cards.view', 'cards.create']);
    const { status } = await late('/imports', UPLOADS[kind], made.token, {
      arrived: used(admin, made.id),
      end: () => admin.api.del(`/auth/tokens/${made.id}`),
    });
    t.equal(status, 401);
    t.strictSame(await sql(database, 'select id from imports'), []);
    t.strictSame(await sql(database, 'select id from files'), [], 'the stored part is deleted');
  });

t.test('an upload that ends after the role of the user lost the permission is not staged', async (t) => {
  await admin.api.post('/roles', { key: 'loader', label: 'Loader', permissions: ['cards.view', 'cards.import'] });
  const loader = await makeUser(admin, 'loader');
  const made = await tokens.made(loader, ['cards.import']);
  const { status, body } = await late('/imports', UPLOADS.body, made.token, {
    arrived: used(loader, made.id),
    end: () => admin.api.patch('/roles/loader', { permissions: ['cards.view'] }),
  });
  t.equal(status, 403);
  t.match(JSON.parse(body), { code: 'forbidden', required_permission: 'cards.import' });
  t.strictSame(await sql(database, 'select id from imports'), []);
});

t.test('nor does a module get files of an ended token', async (t) => {
  const made = await tokens.made(admin, ['adr.manage', 'adr.view']);
  const parts = [UPLOADS.form.parts[0].replace('name="file"', 'name="files"'), UPLOADS.form.parts[1]] as const;
  const { status, body } = await late('/adr/import', { type: UPLOADS.form.type, parts }, made.token, {
    arrived: used(admin, made.id),
    end: () => admin.api.del(`/auth/tokens/${made.id}`),
  });
  t.equal(status, 401, body);
});

t.test('a session that is logged out while it makes a token leaves none', async (t) => {
  const { user, api } = await makeUser(admin, 'viewer');
  let making!: ReturnType<typeof api.post>;
  await app.services.transactions.run(systemContext('test'), async (uow) => {
    await uow.query({ name: 'test-hold', text: 'select from users where id = $1 for update' }, [user.id]);
    making = api.post('/auth/tokens', { name: 'x', permissions: ['cards.view'] });
    await until(async () => (await lockWaiters(database)) > 0);
    t.equal((await api.post('/auth/logout')).status, 204);
  });
  t.match(await making, { status: 401, body: { code: 'invalid_token' } });
  t.strictSame(await sql(database, 'select id from api_tokens where user_id = $1', [user.id]), []);
});

t.test('a token installs no packages', async (t) => {
  const api = await tokens.of(admin, ['*']);
  const wanted = { package: '@acme/not-there' };
  t.match(await api.post('/settings/modules/install', wanted), { status: 403, body: { code: 'session_required' } });
  t.not((await admin.api.post('/settings/modules/install', wanted)).body.code, 'session_required');
});

t.test('a token without the permission gets no events of notifications', async (t) => {
  const user = await makeUser(admin, 'member');
  const id = (await admin.api.post('/cards', { type: 'Application', name: 'Ledger' })).body.id;
  const open = async (permissions: string[]) => {
    const stream = await openStream(origin, (await tokens.made(user, permissions)).token);
    t.teardown(() => stream.close());
    return stream;
  };
  const [without, having] = [await open(['cards.view']), await open(['cards.view', 'notifications.own'])];
  const todo = await admin.api.post(`/cards/${id}/todos`, { title: 'Look', assignee_id: user.user.id });
  t.equal(todo.status, 201, JSON.stringify(todo.body));
  t.ok(await having.waitFor((e) => e.event === 'notification.created', 10_000));
  const marker = (await admin.api.post('/cards', { type: 'Application', name: 'Marker' })).body.id;
  await without.waitFor((e) => JSON.stringify(e.data).includes(marker), 10_000);
  t.strictSame(
    without.events.filter(({ event }) => event.startsWith('notification.')),
    [],
  );
  await t.test('nor from the log', async (t) => {
    const audit = (permissions: string[]) => tokens.of(admin, ['events.audit', 'cards.view', ...permissions]);
    const [having, without] = [await audit(['notifications.own']), await audit([])];
    const listed = async (api: typeof having) =>
      (await api.get('/events', { query: { type: 'notification.created' } })).body;
    const colleague = await makeUser(admin, 'member');
    const todo = await colleague.api.post(`/cards/${id}/todos`, { title: 'Look', assignee_id: admin.user.id });
    t.equal(todo.status, 201, JSON.stringify(todo.body));
    await until(async () => (await listed(having)).total === 1, 10_000);
    t.match(await listed(without), { total: 0, items: [] });
  });
});
