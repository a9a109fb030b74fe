import t from 'tap';
import { client, login, makeUser, PASSWORD, registerAdmin, sql, testApp, type Session } from '../support/app.js';
import { concurrently } from '../support/concurrently.js';

interface User {
  id: string;
  email: string;
  display_name: string;
  role: string;
  version: number;
  last_login_at: string | null;
}
interface Page {
  items: User[];
  total: number;
  next_cursor: string | null;
}

const app = await testApp();
const admins = await testApp();
t.teardown(async () => {
  await Promise.all([app.close(), admins.close()]);
});
const admin = await registerAdmin(app.origin);
const first = await registerAdmin(admins.origin);
const viewer = await makeUser(admin, 'viewer');

const fields = (body: { errors: { field: string }[] }): string[] => body.errors.map((e) => e.field).sort();

t.test('a user is created, read, changed and deleted', async (t) => {
  const created = await admin.api.post<User>('/users', {
    email: ' Grace@Example.org ',
    display_name: ' Grace Hopper ',
    role: 'architect',
  });
  t.equal(created.status, 201);
  t.match(created.body, {
    email: 'Grace@Example.org',
    display_name: 'Grace Hopper',
    role: 'architect',
    kind: 'person',
    is_active: true,
    last_login_at: null,
    version: 1,
  });
  t.equal(created.headers.get('location'), `/api/v1/users/${created.body.id}`);
  t.equal(created.headers.get('etag'), '"1"');
  const path = `/users/${created.body.id}`;
  t.equal((await admin.api.get(path, { headers: { 'if-none-match': '"1"' } })).status, 304);
  t.match(
    (await admin.api.patch(path, { display_name: 'Rear Admiral', locale: 'en' }, { headers: { 'if-match': '"1"' } }))
      .body,
    { display_name: 'Rear Admiral', locale: 'en', version: 2 },
  );
  t.match((await admin.api.patch(path, { locale: null })).body, { locale: null, version: 3 });
  t.match((await admin.api.patch(path, { locale: null })).body, { version: 3 }, 'nothing changed');
  const stale = await admin.api.patch(
    path,
    { display_name: 'Other', role: 'architect' },
    { headers: { 'if-match': '"1"' } },
  );
  t.match(stale, { status: 412, body: { current_version: 3, changed_fields: ['display_name'] } });
  t.equal((await admin.api.del(path, { headers: { 'if-match': '"1"' } })).status, 412);
  t.equal((await admin.api.del(path, { headers: { 'if-match': '"3"' } })).status, 204);
  t.equal((await admin.api.get(path)).status, 404);
  t.equal((await admin.api.del(path)).status, 404);
});

t.test('an e-mail address can be changed, and is unique', async (t) => {
  const { body } = await admin.api.post<User>('/users', {
    email: 'before@example.org',
    display_name: 'Mover',
    password: PASSWORD,
  });
  const path = `/users/${body.id}`;
  t.match((await admin.api.patch(path, { email: ' After@Example.org ' })).body, {
    email: 'After@Example.org',
    version: 2,
  });
  t.match((await admin.api.patch(path, { email: 'after@example.org' })).body, {
    email: 'after@example.org',
    version: 3,
  });
  t.match(await admin.api.patch(path, { email: viewer.user.email.toUpperCase() }), {
    status: 409,
    body: { code: 'email_taken' },
  });
  t.strictSame(fields((await admin.api.patch(path, { email: 'no address' })).body), ['/email']);
  t.strictSame(fields((await admin.api.patch(path, { password: 'AFTER@example.org', role: 'nonexistent' })).body), [
    '/password',
    '/role',
  ]);
  t.strictSame(
    fields(
      (
        await admin.api.post('/users', {
          email: 'own.address@example.org',
          display_name: 'O',
          password: 'Own.Address@example.org',
        })
      ).body,
    ),
    ['/password'],
  );
  t.equal((await login(app.origin, 'after@example.org')).user.id, body.id);
  t.equal(
    (
      await client(app.origin).post(
        '/auth/login',
        { email: 'before@example.org', password: PASSWORD },
        { from: '127.9.9.8' },
      )
    ).status,
    401,
  );
});

t.test('a user without a password cannot log in, and one with a new password has to log in again', async (t) => {
  const { body } = await admin.api.post<User>('/users', {
    email: 'silent@example.org',
    display_name: 'Silent',
    kind: 'service',
    role: 'member',
  });
  const logIn = (password: string) =>
    client(app.origin).post<{ access_token: string }>(
      '/auth/login',
      { email: 'silent@example.org', password },
      { from: '127.9.9.9' },
    );
  t.equal((await logIn(PASSWORD)).status, 401);
  t.equal((await admin.api.patch(`/users/${body.id}`, { password: PASSWORD })).status, 200);
  const session = await logIn(PASSWORD);
  t.equal(session.status, 200);
  t.equal((await admin.api.patch(`/users/${body.id}`, { password: 'loud-heron-skips-9-puddles' })).status, 200);
  t.equal((await client(app.origin, session.body.access_token).get('/auth/me')).status, 401);
});

t.test('invalid users are refused, and every fault is named', async (t) => {
  const post = (body: object) => admin.api.post('/users', body);
  const all = await post({
    email: 'no-address',
    display_name: '  ',
    role: 'No Role',
    kind: 'robot',
    password: 'short',
    id: 'x',
    is_admin: true,
  });
  t.equal(all.status, 422);
  t.strictSame(fields(all.body), ['/display_name', '/email', '/id', '/is_admin', '/kind', '/password', '/role']);
  const sound = { email: 'sound@example.org', display_name: 'Sound' };
  for (const [field, value] of [
    ['password_hash', 'x'],
    ['email_key', 'x'],
    ['auth_provider', 'sso'],
    ['failed_logins', 0],
    ['created_at', '2026-01-01T00:00:00.000Z'],
    ['is_active', false],
  ]) {
    t.strictSame(fields((await post({ ...sound, [field as string]: value })).body), [`/${String(field)}`]);
  }
  for (const email of [
    'a@b@example.org',
    '@example.org',
    'a@',
    'a b@example.org',
    'a@example..org',
    'a@example.org\r\nBcc: b@example.org',
    'a\n@example.org',
    'a@localhost',
    '<a@example.org>',
    `${'a'.repeat(250)}@example.org`,
  ]) {
    t.strictSame(fields((await post({ ...sound, email })).body), ['/email'], JSON.stringify(email).slice(0, 60));
  }
  for (const display_name of ['', ' ', 'a\nb', 'a\u2028b', null, 7])
    t.strictSame(fields((await post({ ...sound, display_name })).body), ['/display_name']);
  t.strictSame(fields((await post({ ...sound, role: 'nonexistent' })).body), ['/role']);
  t.strictSame(fields((await post({ ...sound, password: 'P@ssw0rd2024' })).body), ['/password']);
  t.match(await post({ ...sound, email: viewer.user.email.toUpperCase() }), {
    status: 409,
    body: { code: 'email_taken' },
  });
  const began = performance.now();
  t.equal((await post({ email: `${'a'.repeat(400_000)}!`, display_name: `${'a'.repeat(400_000)}\n` })).status, 422);
  t.ok(performance.now() - began < 2_000, 'long text is refused at once');
});

t.test('the list is filtered, searched, sorted and paged', async (t) => {
  for (const [n, name] of ['Zoe Zebra', 'Émile Ähren', 'Yann Young'].entries()) {
    t.equal(
      (
        await admin.api.post('/users', {
          email: `list-${n}@lists.example`,
          display_name: name,
          role: n === 0 ? 'architect' : 'member',
          kind: n === 2 ? 'service' : 'person',
        })
      ).status,
      201,
    );
  }
  const list = async (query: Record<string, string | number | boolean>) =>
    (await admin.api.get<Page>('/users', { query })).body;
  const names = (page: Page) => page.items.map((u) => u.display_name);
  t.strictSame(names(await list({ search: 'LISTS.example', sort_by: 'email' })), [
    'Zoe Zebra',
    'Émile Ähren',
    'Yann Young',
  ]);
  t.strictSame(names(await list({ search: 'ÄHREN' })), ['Émile Ähren']);
  t.strictSame(names(await list({ search: 'lists.', role: 'architect,viewer' })), ['Zoe Zebra']);
  t.strictSame(names(await list({ search: 'lists.', kind: 'service' })), ['Yann Young']);
  t.equal((await list({ search: 'lists.', is_active: false })).total, 0);
  t.equal((await list({ search: '%' })).total, 0, 'no wildcard');
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Page = await list({
      page_size: 2,
      sort_by: 'last_login_at',
      sort_dir: 'desc',
      ...(cursor !== null && { cursor }),
    });
    seen.push(...page.items.map((u) => u.id));
    cursor = page.next_cursor;
  } while (cursor !== null);
  t.equal(new Set(seen).size, (await list({})).total);
  t.equal(seen.length, new Set(seen).size);
  for (const query of ['sort_by=password_hash', 'password_hash=x', 'kind=robot', 'is_active=yes', 'role[]=admin']) {
    t.equal((await admin.api.get(`/users?${query}`)).status, 422, query);
  }
  t.notMatch(JSON.stringify(await list({})), /argon2|email_key|preferences/);
});

t.test('every user may look up names, but no other data', async (t) => {
  const page = await viewer.api.get<{ items: object[] }>('/users/directory', { query: { search: 'ada' } });
  t.strictSame(page.body.items, [{ id: admin.user.id, display_name: 'Ada Admin' }]);
  t.equal(
    (await viewer.api.get('/users/directory', { query: { search: 'example.org' } })).body.total,
    0,
    'addresses are not searched',
  );
  t.equal((await viewer.api.get('/users')).status, 403);
  t.equal((await viewer.api.get(`/users/${viewer.user.id}`)).status, 403);
  t.equal((await viewer.api.patch(`/users/${viewer.user.id}`, { role: 'admin' })).status, 403);
  t.equal((await client(app.origin).get('/users/directory')).status, 401);
});

t.test('names are found regardless of case, accents and composition', async (t) => {
  const all = ['İstanbul Ağa', 'ΟΔΥΣΣΕΥΣ', 'Jose\u0301 Núñez', 'Straße Klaus', '株式会社'];
  for (const [n, name] of all.entries())
    t.equal((await admin.api.post('/users', { email: `folded-${n}@example.org`, display_name: name })).status, 201);
  const found = async (search: string, path = '/users/directory') =>
    (await admin.api.get<Page>(path, { query: { search } })).body.items.map((u) => u.display_name);
  for (const [search, n] of [
    ['İstanbul', 0],
    ['istanbul', 0],
    ['ISTANBUL AGA', 0],
    ['ΟΔΥΣΣΕΥΣ', 1],
    ['οδυσσευς', 1],
    ['Jos\u00e9', 2],
    ['JOSE\u0301 NUN', 2],
    ['straße', 3],
    ['STRASSE', 3],
    ['株式', 4],
  ] as const) {
    t.strictSame(await found(search), [all[n]], search);
    t.strictSame(await found(search, '/users'), [all[n]], search);
  }
});

t.test('a log-in changes the account but not its version', async (t) => {
  const user = await makeUser(admin, 'viewer');
  const before = await admin.api.get<User>(`/users/${user.user.id}`);
  await login(app.origin, user.user.email);
  const after = await admin.api.get<User>(`/users/${user.user.id}`, {
    headers: { 'if-none-match': before.headers.get('etag')! },
  });
  t.equal(after.status, 200, 'a kept copy is stale');
  t.not(after.body.last_login_at, before.body.last_login_at);
  t.equal(after.body.version, before.body.version);
  t.equal(
    (
      await admin.api.patch(
        `/users/${user.user.id}`,
        { locale: 'en' },
        { headers: { 'if-match': before.headers.get('etag')! } },
      )
    ).status,
    200,
  );
});

t.test('a repeated request with one Idempotency-Key creates one user', async (t) => {
  const body = { email: 'once@example.org', display_name: 'Once', role: 'member' };
  const headers = { 'idempotency-key': 'make-once' };
  const [a, b] = [
    await admin.api.post<User>('/users', body, { headers }),
    await admin.api.post<User>('/users', body, { headers }),
  ];
  t.equal(a.status, 201);
  t.match(b, { status: 201, body: { id: a.body.id } });
  t.equal(b.headers.get('idempotent-replayed'), 'true');
});

t.test('the last active administrator remains, also with concurrent requests', async (t) => {
  const last = { status: 409, body: { code: 'last_admin' } };
  for (const change of [{ role: 'member' }, { is_active: false }])
    t.match(await first.api.patch(`/users/${first.user.id}`, change), last);
  t.match(await first.api.del(`/users/${first.user.id}`), last);
  t.equal(
    (await first.api.patch(`/users/${first.user.id}`, { display_name: 'Still here', role: 'admin', is_active: true }))
      .status,
    200,
  );

  type Act = (by: Session, id: string) => Promise<{ status: number }>;
  const acts: Act[] = [
    (by, id) => by.api.patch(`/users/${id}`, { role: 'viewer' }),
    (by, id) => by.api.patch(`/users/${id}`, { is_active: false }),
    (by, id) => by.api.del(`/users/${id}`),
  ];
  let survivor = first;
  for (let round = 0; round < 6; round++) {
    const rival = await makeUser(survivor, 'admin');
    const act = acts[round % 3]!;
    const answers = await Promise.all([act(survivor, survivor.user.id), act(rival, rival.user.id)]);
    t.strictSame(answers.map((a) => a.status).sort(), [answers.find((a) => a.status < 300)!.status, 409]);
    if (answers[1].status === 409) survivor = rival;
    const rows = await sql(admins.database, `select id from users where role = 'admin' and is_active`);
    t.strictSame(rows, [{ id: survivor.user.id }]);
  }
});

t.test('one of two administrators who demote each other concurrently remains', async (t) => {
  type Act = (by: Session, id: string) => Promise<{ status: number; body: { code?: string } }>;
  const acts: Act[] = [
    (by, id) => by.api.patch(`/users/${id}`, { role: 'viewer' }),
    (by, id) => by.api.patch(`/users/${id}`, { is_active: false }),
    (by, id) => by.api.del(`/users/${id}`),
  ];
  for (const [n, act] of acts.entries()) {
    const [row] = await sql<{ id: string; email: string }>(
      admins.database,
      `select id, email from users where role = 'admin' and is_active`,
    );
    const a = await login(admins.origin, row!.email);
    const b = await makeUser(a, 'admin');
    const other = acts[(n + 1) % 3]!;
    // Both requests have passed the permission check before either changes anything.
    const answers = await concurrently(admins.database, 'lock table users in share row exclusive mode', 2, () =>
      Promise.all([act(a, b.user.id), other(b, a.user.id)]),
    );
    t.equal(answers.filter((r) => r.status < 300).length, 1, JSON.stringify(answers.map((r) => r.status)));
    t.match(
      answers.find((r) => r.status >= 300),
      { status: 403, body: { code: 'forbidden' } },
      'the other one is no administrator any more and is refused',
    );
    t.equal((await sql(admins.database, `select id from users where role = 'admin' and is_active`)).length, 1);
  }
});
