import t from 'tap';
import {
  client,
  makeUser,
  nextAddress,
  openStream,
  PASSWORD,
  registerAdmin,
  sql,
  testApp,
  until,
  type Answer,
  type AnyBody,
} from '../support/app.js';
import { concurrently } from '../support/concurrently.js';

interface Role extends AnyBody {
  key: string;
  label: string;
  permissions: string[];
  is_system: boolean;
  is_default: boolean;
  is_archived: boolean;
}
interface Roles extends AnyBody {
  items: Role[];
}

const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(async () => {
  await Promise.all([one.close(), two.close()]);
});
const admin = await registerAdmin(one.origin);
const { api } = admin;
const there = client(two.origin, admin.token);

let n = 0;
const fresh = (): string => `role_${++n}`;
const make = async (more: object = {}): Promise<Role> => {
  const answer = await api.post<Role>('/roles', { key: fresh(), label: 'A role', ...more });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};
const fields = ({ body }: Answer): string[] => body.errors.map((e) => e.field).sort();
const defaults = () => sql(one.database, 'select key from roles where is_default');

/** The events of a role, oldest first. */
async function eventsOf(key: string): Promise<{ type: string; data: unknown }[]> {
  return await until(async () => {
    const [waiting] = await sql<{ n: number }>(one.database, 'select count(*)::int as n from event_outbox');
    return (
      waiting!.n === 0 &&
      sql<{ type: string; data: unknown }>(
        one.database,
        `select type, data from events where subject_kind = 'role' and subject_id = $1 order by position`,
        [key],
      )
    );
  });
}

/** Blocks all changes of roles until so many requests wait. */
const concurrentChanges = <T>(waiting: number, start: () => Promise<T>): Promise<T> =>
  concurrently(one.database, 'select pg_advisory_xact_lock(7315020)', waiting, start);

await t.test('a role is created, read, changed, archived and restored, with events', async (t) => {
  const body = {
    key: 'portfolio',
    label: ' Portfolio ',
    description: 'Watches costs',
    color: '#2f6fde',
    permissions: ['costs.view', 'cards.view'],
  };
  const made = await api.post<Role>('/roles', body);
  t.equal(made.status, 201);
  t.match(made.body, {
    key: 'portfolio',
    label: 'Portfolio',
    description: 'Watches costs',
    color: '#2f6fde',
    permissions: ['cards.view', 'costs.view'],
    is_system: false,
    is_default: false,
    is_archived: false,
    version: 1,
  });
  t.strictSame([made.headers.get('location'), made.headers.get('etag')], ['/api/v1/roles/portfolio', '"1"']);
  t.equal((await api.get('/roles/portfolio', { headers: { 'if-none-match': '"1"' } })).status, 304);
  t.match(
    (
      await api.patch<Role>(
        '/roles/portfolio',
        { color: null, permissions: { 'reports.view': true, 'costs.view': null, 'cards.edit': false } },
        { headers: { 'if-match': '"1"' } },
      )
    ).body,
    { color: null, permissions: ['cards.view', 'reports.view'], version: 2 },
  );
  t.match(
    (await api.patch('/roles/portfolio', { permissions: ['cards.view', 'reports.view'] })).body,
    { version: 2 },
    'nothing changed',
  );
  t.match(
    (await api.patch('/roles/portfolio', { permissions: ['cards.view'] })).body,
    { permissions: ['cards.view'], version: 3 },
    'a list is all there is',
  );
  t.match(await api.patch('/roles/portfolio', { label: 'X', color: null }, { headers: { 'if-match': '"2"' } }), {
    status: 412,
    body: { current_version: 3, changed_fields: ['label'] },
  });
  for (const act of ['archive', 'restore'])
    t.match(await api.post(`/roles/portfolio/${act}`, undefined, { headers: { 'if-match': '"1"' } }), {
      status: 412,
      body: { code: 'precondition_failed' },
    });
  t.match((await api.post('/roles/portfolio/archive', undefined, { headers: { 'if-match': '"3"' } })).body, {
    is_archived: true,
    version: 4,
  });
  t.match(await api.post('/roles/portfolio/archive'), { status: 409, body: { code: 'invalid_state' } });
  t.match((await api.post('/roles/portfolio/restore', {})).body, { is_archived: false, version: 5 });
  t.match(await api.post('/roles/portfolio/restore'), { status: 409, body: { code: 'invalid_state' } });
  t.match(await eventsOf('portfolio'), [
    { type: 'role.created', data: { permissions: ['cards.view', 'costs.view'] } },
    {
      type: 'role.updated',
      data: {
        changes: [
          { field: 'color', old: '#2f6fde', new: null },
          { field: 'permissions.costs.view', old: true, new: false },
          { field: 'permissions.reports.view', old: false, new: true },
        ],
      },
    },
    { type: 'role.updated', data: { changes: [{ field: 'permissions.reports.view' }] } },
    { type: 'role.archived', data: { changes: [{ field: 'is_archived', old: false, new: true }] } },
    { type: 'role.restored', data: { changes: [{ field: 'is_archived', old: true, new: false }] } },
  ]);
});

await t.test('invalid roles are refused, and every fault is named', async (t) => {
  const post = (body: unknown) => api.post('/roles', body);
  t.strictSame(
    fields(await post({ key: 'No Key', label: ' ', color: 'red', permissions: 'all', is_system: true, types: [] })),
    ['/color', '/is_system', '/key', '/label', '/permissions', '/types'],
  );
  for (const key of ['', '1a', 'A', 'a-b', 'permissions', 'explain', '__proto__', 'a'.repeat(64), 'a\n', null, 7])
    t.strictSame(fields(await post({ key, label: 'x' })), ['/key'], String(key));
  for (const label of ['', ' ', 'a\nb', 'a\u0000b', 'x'.repeat(201), null])
    t.strictSame(fields(await post({ key: fresh(), label })), ['/label']);
  const unknown = await post({ key: fresh(), label: 'x', permissions: ['cards.view', 'cards.fly', '*', 'card.edit'] });
  t.strictSame(fields(unknown), ['/permissions/1', '/permissions/2', '/permissions/3']);
  t.match(unknown.body.errors[0]!.reason, /^cards\.fly /);
  t.strictSame(
    fields(
      await post({ key: fresh(), label: 'x', permissions: { 'cards.view': true, 'a/b~c': true, toString: false } }),
    ),
    ['/permissions/a~1b~0c', '/permissions/toString'],
  );
  for (const permissions of [
    [7],
    ['cards.view', 'cards.view'],
    { 'cards.view': 1 },
    null,
    Array.from({ length: 1_001 }, (_, i) => `k${i}`),
  ])
    t.equal((await post({ key: fresh(), label: 'x', permissions })).status, 422);
  t.equal(
    (
      await api.send('POST', '/roles', '{"key":"p","label":"x","permissions":{"__proto__":true}}', {
        headers: { 'content-type': 'application/json' },
      })
    ).status,
    422,
  );
  t.match(await post({ key: 'member', label: 'x' }), { status: 409, body: { code: 'key_taken' } });
  const { key } = await make();
  for (const patch of [{}, { key: 'x' }, { is_archived: true }, { version: 7 }, { label: null }])
    t.equal((await api.patch(`/roles/${key}`, patch)).status, 422, JSON.stringify(patch));
  t.equal((await api.post(`/roles/${key}/archive`, { now: true })).status, 422);
  for (const path of ['/roles/nobody_has', '/roles/No%20Key', `/roles/${'a'.repeat(100)}`, '/roles/constructor']) {
    t.strictSame(
      [
        (await api.get(path)).status,
        (await api.patch(path, { label: 'x' })).status,
        (await api.post(`${path}/archive`)).status,
      ],
      [404, 404, 404],
      path,
    );
  }
});

await t.test('a role may keep a permission of a removed module, and gets no other', async (t) => {
  const { key } = await make({ permissions: ['cards.view'] });
  await sql(one.database, `update roles set permissions = '["cards.view", "gone.view"]' where key = $1`, [key]);
  t.match((await api.patch(`/roles/${key}`, { permissions: ['cards.view', 'gone.view', 'cards.edit'] })).body, {
    permissions: ['cards.edit', 'cards.view', 'gone.view'],
  });
  t.match((await api.patch(`/roles/${key}`, { permissions: { 'gone.view': false } })).body, {
    permissions: ['cards.edit', 'cards.view'],
  });
  t.equal((await api.patch(`/roles/${key}`, { permissions: { 'gone.view': true } })).status, 422);
});

await t.test('the list is filtered, searched, sorted and paged', async (t) => {
  const hidden = await make({ label: 'Zephyr hidden' });
  await make({ label: 'Zephyr shown' });
  await api.post(`/roles/${hidden.key}/archive`);
  const list = async (query: Record<string, string | number | boolean>) =>
    (await api.get<Roles>('/roles', { query })).body;
  t.strictSame(
    (await list({ search: 'ZEPHYR' })).items.map((r) => r.label),
    ['Zephyr hidden', 'Zephyr shown'],
  );
  t.strictSame(
    (await list({ search: 'zephyr', is_archived: false })).items.map((r) => r.label),
    ['Zephyr shown'],
  );
  const oslo = await make({ label: 'Ødegård Straße' });
  for (const search of ['ØDEGÅRD', 'Ødega\u030Ard', 'strasse'])
    t.strictSame(
      (await list({ search })).items.map((r) => r.key),
      [oslo.key],
      search,
    );
  t.strictSame(
    (await list({ search: 'viewer' })).items.map((r) => [r.key, r.is_system]),
    [['viewer', true]],
  );
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Roles = await list({ page_size: 2, sort_by: 'key', ...(cursor !== '' && { cursor }) });
    seen.push(...page.items.map((r) => r.key));
    cursor = page.next_cursor;
  }
  t.strictSame(seen, [...seen].sort());
  t.equal(seen.length, (await list({})).total);
  for (const query of ['sort_by=permissions', 'is_archived=1', 'types=x', 'page_size=201'])
    t.equal((await api.get(`/roles?${query}`)).status, 422, query);
});

await t.test('the catalogue lists every permission of core and modules with its description', async (t) => {
  interface Permission extends AnyBody {
    key: string;
    scope: string;
    owner: string;
    description: string;
    roles: string[];
  }
  const all = (
    await api.get<{ items: Permission[]; total: number }>('/roles/permissions', { query: { page_size: 200 } })
  ).body;
  t.equal(all.items.length, all.total);
  t.strictSame(
    all.items.filter((p) => p.scope === 'application').map((p) => p.key),
    one.app.services.permissions.list().map((p) => p.key),
  );
  const find = (key: string) => all.items.find((p) => p.key === key);
  t.match(find('cards.edit'), {
    scope: 'application',
    owner: 'core',
    description: 'Change cards',
    roles: ['architect', 'member'],
  });
  t.match(find('adr.sign'), { scope: 'application', owner: 'adr', roles: ['architect'] });
  t.match(find('card.edit'), { scope: 'card', owner: 'core', description: 'Change the card', roles: [] });
  t.match(find('card.adr_manage'), { scope: 'card', owner: 'adr' });
  t.ok(all.items.every((p) => p.description.length > 0));
  t.strictSame(
    (await api.get<Roles>('/roles/permissions', { query: { owner: 'adr', scope: 'card' } })).body.items.map(
      (p) => p.key,
    ),
    ['card.adr_manage'],
  );
  const held = (await api.get<Role>('/roles/architect')).body.permissions;
  t.strictSame(
    held.filter((key) => !find(key)),
    [],
    'it contains the permissions of all roles',
  );
});

await t.test('the administrator’s role cannot be changed', async (t) => {
  for (const permissions of [[], ['cards.view'], ['*', 'cards.view'], { '*': false }, { 'cards.view': false }]) {
    t.match(await api.patch('/roles/admin', { permissions }), { status: 409, body: { code: 'invalid_state' } });
  }
  t.match(await api.post('/roles/admin/archive'), { status: 409, body: { code: 'invalid_state' } });
  t.match(await api.patch('/roles/admin', { is_default: true }), { status: 409, body: { code: 'invalid_state' } });
  t.match(await api.patch('/roles/admin', { label: 'Root', permissions: ['*'] }), {
    status: 200,
    body: { label: 'Root', permissions: ['*'] },
  });
  await api.patch('/roles/admin', { label: 'Administrator' });
});

await t.test('exactly one role is the default', async (t) => {
  const { key } = await make();
  t.match(await api.patch('/roles/member', { is_default: false }), { status: 409, body: { code: 'invalid_state' } });
  t.match((await api.patch(`/roles/${key}`, { is_default: true })).body, { is_default: true, version: 2 });
  t.match((await api.get('/roles/member')).body, { is_default: false });
  t.match((await eventsOf('member')).at(-1), {
    type: 'role.updated',
    data: { changes: [{ field: 'is_default', old: true, new: false }] },
  });
  t.match(await api.post(`/roles/${key}/archive`), { status: 409, body: { code: 'invalid_state' } });
  t.match(
    (await there.post('/users', { email: 'default@example.org', display_name: 'D' })).body,
    { role: key },
    'also where the change may not have arrived',
  );
  await api.patch('/settings', { registration: { enabled: true } });
  const register = () =>
    client(two.origin).post(
      '/auth/register',
      { email: 'came@example.org', password: PASSWORD, display_name: 'C' },
      { from: nextAddress() },
    );
  const came = await until(async () => {
    const answer = await register();
    return answer.status === 201 && answer;
  });
  t.match(came.body['user'], { role: key });
  await api.patch('/settings', { registration: { enabled: false } });
  t.equal((await api.patch('/roles/member', { is_default: true })).status, 200);
  const gone = await make();
  await api.post(`/roles/${gone.key}/archive`);
  t.match(await api.patch(`/roles/${gone.key}`, { is_default: true }), {
    status: 409,
    body: { code: 'invalid_state' },
  });
  const [a, b] = [await make(), await make()];
  const answers = await concurrentChanges(2, () =>
    Promise.all([a, b].map(({ key }) => api.patch(`/roles/${key}`, { is_default: true }))),
  );
  t.strictSame(
    answers.map((r) => r.status),
    [200, 200],
  );
  t.equal((await defaults()).length, 1);
  await api.patch('/roles/member', { is_default: true });
});

await t.test('a role in use cannot be archived, and an archived one cannot be assigned', async (t) => {
  const { key } = await make();
  const user = (await api.post('/users', { email: 'has@example.org', display_name: 'Has', role: key })).body;
  await api.patch(`/users/${user.id}`, { is_active: false });
  t.match(await api.post(`/roles/${key}/archive`), { status: 409, body: { code: 'in_use', counts: { users: 1 } } });
  await api.patch(`/users/${user.id}`, { role: 'viewer' });
  t.equal((await api.post(`/roles/${key}/archive`)).status, 200);
  for (const node of [api, there]) {
    t.strictSame(fields(await node.patch(`/users/${user.id}`, { role: key })), ['/role']);
    t.strictSame(
      fields(
        await node.post('/users', { email: 'late@example.org', display_name: 'L', role: key, password: 'qwertyuiop' }),
      ),
      ['/password', '/role'],
      'all faults are named',
    );
  }
});

await t.test('a role is archived or assigned, depending on which request is first', async (t) => {
  const seen = new Set<string>();
  for (let round = 0; round < 6; round++) {
    const { key } = await make();
    const give = () => there.post('/users', { email: `${key}@example.org`, display_name: 'G', role: key });
    const archive = () => api.post(`/roles/${key}/archive`);
    const [first, second] = await concurrentChanges(2, async () => {
      const begun = round % 2 === 0 ? [give(), archive()] : [archive(), give()];
      return await Promise.all(begun);
    });
    const statuses = round % 2 === 0 ? [first!.status, second!.status] : [second!.status, first!.status];
    seen.add(statuses.join(' '));
    t.ok(['201 409', '422 200'].includes(statuses.join(' ')), statuses.join(' '));
    t.strictSame(
      await sql(one.database, 'select u.id from users u join roles r on r.key = u.role where r.is_archived'),
      [],
    );
  }
  t.comment([...seen].join(', '));
});

await t.test('one of 20 requests for one key creates the role', async (t) => {
  const key = fresh();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => (i % 2 ? api : there).post('/roles', { key, label: 'One' })),
  );
  t.equal(answers.filter((a) => a.status === 201).length, 1);
  t.equal(answers.filter((a) => a.status === 409 && a.body.code === 'key_taken').length, 19);
  const headers = { 'idempotency-key': 'one-role' };
  const [a, b] = [
    await api.post('/roles', { key: 'once', label: 'Once' }, { headers }),
    await api.post('/roles', { key: 'once', label: 'Once' }, { headers }),
  ];
  t.strictSame([a.status, b.status, b.headers.get('idempotent-replayed'), b.body['key']], [201, 201, 'true', 'once']);
});

await t.test('users cannot grant permissions that they do not have, by a role or by a user', async (t) => {
  const steward = await make({ permissions: ['roles.manage', 'users.manage', 'cards.view', 'cards.edit'] });
  const by = await makeUser(admin, steward.key);
  const refused = (permission: string) => ({
    status: 403,
    body: { code: 'forbidden', required_permission: permission },
  });
  const small = (await by.api.post<Role>('/roles', { key: fresh(), label: 'S', permissions: ['cards.view'] })).body;
  t.match(
    await by.api.post('/roles', { key: fresh(), label: 'S', permissions: ['cards.view', 'cards.delete'] }),
    refused('cards.delete'),
  );
  t.match(await by.api.patch(`/roles/${small.key}`, { permissions: { 'costs.view': true } }), refused('costs.view'));
  t.match(
    await by.api.patch(`/roles/${steward.key}`, { permissions: { 'settings.manage': true } }),
    refused('settings.manage'),
    'also not to the caller',
  );
  t.match(await by.api.patch('/roles/admin', { label: 'Mine' }), refused('*'));
  t.equal(
    (await by.api.patch('/roles/architect', { permissions: { 'cards.delete': false } })).status,
    403,
    'removing it is refused',
  );
  t.equal((await by.api.patch('/roles/viewer', { is_default: true })).status, 403);
  t.match(await by.api.patch(`/roles/${small.key}`, { permissions: { 'cards.edit': true } }), {
    status: 200,
    body: { permissions: ['cards.edit', 'cards.view'] },
  });
  const user = (await by.api.post('/users', { email: 'small@example.org', display_name: 'S', role: small.key })).body;
  t.match(await by.api.patch(`/users/${user.id}`, { role: 'admin' }), refused('*'));
  t.equal((await by.api.patch(`/users/${user.id}`, { role: 'viewer' })).status, 403);
  t.equal(
    (await by.api.post('/users', { email: 'none@example.org', display_name: 'N' })).status,
    403,
    'also not by the default role',
  );
  for (const patch of [
    { password: 'loud-heron-skips-9-puddles' },
    { email: 'taken.over@example.org' },
    { is_active: false },
  ])
    t.match(await by.api.patch(`/users/${admin.user.id}`, patch), refused('*'));
  t.match(await by.api.del(`/users/${admin.user.id}`), refused('*'));
  t.equal((await by.api.del(`/users/${user.id}`)).status, 204);

  // A rule per type counts for the caller and for the role.
  await sql(one.database, `update roles set types = '{"Application": {"cards.archive": true}}' where key = $1`, [
    small.key,
  ]);
  t.match(
    await by.api.post('/users', { email: 'typed@example.org', display_name: 'T', role: small.key }),
    refused('cards.archive'),
  );
  await sql(one.database, `update roles set types = '{"Application": {"cards.edit": false}}' where key = $1`, [
    small.key,
  ]);
  t.equal(
    (await by.api.post('/users', { email: 'typed@example.org', display_name: 'T', role: small.key })).status,
    201,
  );
  await sql(one.database, `update roles set types = '{"Interface": {"cards.edit": false}}' where key = $1`, [
    steward.key,
  ]);
  await sql(one.database, `update revisions set revision = revision + 1 where kind = 'permissions'`);
  await until(
    async () => (await by.api.post('/roles', { key: fresh(), label: 'S', permissions: ['cards.edit'] })).status === 403,
    1_000,
  );
});

await t.test(
  'a change of a role applies immediately here, within a second elsewhere, and to open streams',
  async (t) => {
    const { key } = await make({ permissions: ['cards.view'] });
    const user = await makeUser(admin, key);
    const elsewhere = client(two.origin, user.token);
    await until(async () => (await elsewhere.get('/cards')).status === 200, 1_000);
    t.equal((await elsewhere.get('/users')).status, 403);
    const stream = await openStream(two.origin, user.token);
    t.equal(stream.status, 200);
    const card = async (name: string) => (await api.post('/cards', { type: 'Application', name })).body.id;
    const fits =
      (id: string) =>
      ({ data }: { data: unknown }) =>
        JSON.stringify(data).includes(id);
    await stream.waitFor(fits(await card('Seen')));
    t.equal((await api.patch(`/roles/${key}`, { permissions: ['users.manage'] })).status, 200);
    const began = performance.now();
    t.strictSame([(await user.api.get('/cards')).status, (await user.api.get('/users')).status], [403, 200]);
    t.match((await user.api.get('/auth/me')).body['permissions'], ['users.manage']);
    await until(async () => (await elsewhere.get('/cards')).status === 403, 1_000);
    t.equal((await elsewhere.get('/users')).status, 200);
    t.comment(`seen on the other node after ${Math.round(performance.now() - began)} ms`);
    // Events of users must also be hidden while the stream still has the previous permissions.
    const rename = (display_name: string) => api.patch(`/users/${admin.user.id}`, { display_name });
    let unseen = '';
    await until(async () => {
      unseen = await card(`Unseen ${++n}`);
      await rename(`Ada ${n}`);
      await rename('Ada Admin');
      return stream.events.some(fits(`Ada ${n}`));
    }, 1_000);
    t.notOk(stream.events.some(fits(unseen)), 'hidden events are not sent');
    t.equal((await api.patch(`/roles/${key}`, { permissions: ['cards.view'] })).status, 200);
    await until(async () => {
      const seen = await card(`Seen again ${++n}`);
      return stream.waitFor(fits(seen), 200).catch(() => undefined);
    }, 1_000);
    stream.close();
  },
);
