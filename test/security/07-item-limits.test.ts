/** The numbers of items of a card and of a user are limited, also for concurrent requests. */
import { request as httpRequest } from 'node:http';
import t from 'tap';
import {
  client,
  expectStatus,
  login,
  makeUser,
  nextAddress,
  PASSWORD,
  registerAdmin,
  sql,
  testApp,
  until,
  type Answer,
} from '../support/app.js';
import { upload } from '../support/imports.js';

const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(async () => {
  await Promise.all([one.close(), two.close()]);
});
const { database } = one;
const admin = await registerAdmin(one.origin);
const MOST = 5;
const users = await Promise.all(Array.from({ length: MOST + 5 }, () => makeUser(admin, 'viewer')));
const members = await Promise.all(Array.from({ length: 3 }, () => makeUser(admin, 'member')));
const group = (await admin.api.post('/metamodel/tag-groups', { name: 'Group', mode: 'multi' })).body;
const tags = await Promise.all(
  Array.from(
    { length: MOST + 1 },
    async (_, i) => (await admin.api.post(`/metamodel/tag-groups/${group.id}/tags`, { name: `Tag ${i}` })).body.id,
  ),
);
const card = (await admin.api.post('/cards', { type: 'Application', name: 'One' })).body;
const role = (await admin.api.get<{ stakeholder_roles: { key: string }[] }>('/metamodel/types/Application')).body
  .stakeholder_roles[0]!.key;
expectStatus(
  await admin.api.patch('/settings', {
    card_limits: { comments: MOST, documents: MOST, todos: MOST, stakeholders: MOST, tags: MOST },
  }),
  200,
  'limits',
);
await until(() => two.app.services.settings.current.card_limits.todos === MOST);
const nodes = [client(one.origin, admin.token), client(two.origin, admin.token)];

const counted: [string, string, (i: number) => object][] = [
  ['comments', 'card_comments', (i) => ({ body: `Comment ${i}` })],
  ['documents', 'card_documents', (i) => ({ name: `Document ${i}`, url: `https://example.org/${i}` })],
  ['todos', 'card_todos', (i) => ({ title: `To-do ${i}` })],
  ['stakeholders', 'card_stakeholders', (i) => ({ user_id: users[i]!.user.id, role })],
];

for (const [path, table, body] of counted) {
  t.test(`${path}: at most the configured number, with concurrent requests on two nodes`, async (t) => {
    const answers: Answer[] = await Promise.all(
      Array.from({ length: MOST + 5 }, (_, i) => nodes[i % 2]!.post(`/cards/${card.id}/${path}`, body(i))),
    );
    t.equal(answers.filter(({ status }) => status === 201).length, MOST);
    for (const answer of answers.filter(({ status }) => status !== 201))
      t.match(answer, { status: 409, body: { code: 'limit_reached', limit: MOST } });
    t.equal((await sql(database, `select from ${table} where card_id = $1`, [card.id])).length, MOST);
    const gone = answers.find(({ status }) => status === 201)!.body;
    t.equal((await nodes[0]!.del(`/cards/${card.id}/${path}/${gone.id}`)).status, 204);
    const free = answers.findIndex(({ status }) => status !== 201);
    t.equal(
      (await nodes[1]!.post(`/cards/${card.id}/${path}`, body(free))).status,
      201,
      'a deleted item does not count',
    );
  });
}

for (const [path, table, body] of counted.slice(0, 3)) {
  t.test(`${path}: one user takes a share of a card, and leaves room for others`, async (t) => {
    const { id } = (await admin.api.post('/cards', { type: 'Application', name: `Shared ${path}` })).body;
    const most = 10;
    await admin.api.patch('/settings', { card_limits: { [path]: most } });
    await until(() => two.app.services.settings.current.card_limits[path as 'todos'] === most);
    const greedy = [one, two].map(({ origin }) => client(origin, members[0]!.token));
    const answers: Answer[] = await Promise.all(
      Array.from({ length: 6 }, (_, i) => greedy[i % 2]!.post(`/cards/${id}/${path}`, body(i))),
    );
    t.equal(answers.filter(({ status }) => status === 201).length, 2, 'a fifth');
    for (const answer of answers.filter(({ status }) => status !== 201))
      t.match(answer, { status: 409, body: { code: 'limit_reached', limit: 2, detail: /of one user/ } });
    t.equal((await members[1]!.api.post(`/cards/${id}/${path}`, body(0))).status, 201, 'another user has an own share');
    for (let i = 3; i < most; i++)
      t.equal((await admin.api.post(`/cards/${id}/${path}`, body(i))).status, 201, 'an administrator has no share');
    t.match(await admin.api.post(`/cards/${id}/${path}`, body(most)), {
      status: 409,
      body: { code: 'limit_reached', limit: most },
    });
    t.match(
      await members[2]!.api.post(`/cards/${id}/${path}`, body(0)),
      { status: 409, body: { code: 'limit_reached', limit: most } },
      'the card is full for all',
    );
    t.equal((await sql(database, `select from ${table} where card_id = $1`, [id])).length, most);
    await admin.api.patch('/settings', { card_limits: { [path]: MOST } });
    await until(() => two.app.services.settings.current.card_limits[path as 'todos'] === MOST);
  });
}

t.test('tags: no more than are set, and fewer are always allowed', async (t) => {
  const put = (ids: readonly string[]) => nodes[0]!.put(`/cards/${card.id}/tags`, { tag_ids: ids });
  t.match(await put(tags), { status: 409, body: { code: 'limit_reached', limit: MOST } });
  t.equal((await put(tags.slice(1))).status, 200);
  await admin.api.patch('/settings', { card_limits: { tags: 2 } });
  t.equal((await put(tags.slice(2))).status, 200, 'removing tags from a card that has more than the new limit');
  t.match(await put(tags.slice(0, 4)), { status: 409, body: { code: 'limit_reached', limit: 2 } });
});

t.test('limits are numbers above 0, visible to users who manage settings', async (t) => {
  const faults = await admin.api.patch('/settings', {
    card_limits: { comments: 0, tags: 501, others: 1 },
    write_limits: { per_minute: 0 },
  });
  t.strictSame(faults.body.errors.map(({ field }) => field).sort(), [
    '/card_limits/comments',
    '/card_limits/others',
    '/card_limits/tags',
    '/write_limits/per_minute',
  ]);
  t.match((await admin.api.get('/settings')).body, {
    card_limits: { comments: MOST, documents: MOST },
    write_limits: { per_minute: null },
  });
});

t.test('sessions of a user: a new one ends the least recently used one', async (t) => {
  const [user] = users as [(typeof users)[number]];
  t.equal((await user.api.get('/auth/me')).status, 200);
  await sql(
    database,
    `insert into sessions (id, user_id, created_at, last_used_at, expires_at)
    select gen_random_uuid(), $1, clock_timestamp() - interval '1 hour', clock_timestamp() - interval '1 hour' + n * interval '1 s', clock_timestamp() + interval '1 day' from generate_series(1, 99) n`,
    [user.user.id],
  );
  await sql(
    database,
    `update sessions set last_used_at = clock_timestamp() - interval '2 hours' where id = (select id from sessions where user_id = $1 order by created_at desc limit 1)`,
    [user.user.id],
  );
  const next = await login(one.origin, user.user.email);
  t.equal(
    (await sql(database, 'select from sessions where user_id = $1 and ended_at is null', [user.user.id])).length,
    100,
  );
  await until(async () => (await client(two.origin, user.token).get('/auth/me')).status === 401);
  t.equal((await next.api.get('/auth/me')).status, 200);
  t.equal(
    (
      await client(one.origin).post(
        '/auth/login',
        { email: user.user.email, password: PASSWORD },
        { from: nextAddress() },
      )
    ).status,
    200,
    'further log-ins are possible',
  );
});

t.test('uploads and imports of a user are limited', async (t) => {
  // Uploads that are never completed.
  const open = Array.from({ length: 4 }, () => {
    const request = httpRequest(`${one.origin}/api/v1/imports?file_name=x.csv`, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'text/csv', 'content-length': '1000000' },
    });
    request.on('error', () => undefined).write('type,name\n');
    return request;
  });
  await until(async () => (await sql(database, 'select from files')).length === 4);
  t.match(await upload(admin.api, 'csv', 'type,name\nProvider,Fifth'), {
    status: 429,
    body: { code: 'rate_limited' },
    headers: { get: Function },
  });
  for (const request of open) request.destroy();
  await until(async () => (await sql(database, 'select from files')).length === 0);
  const first = await upload(admin.api, 'csv', 'type,name\nProvider,First');
  t.equal(first.status, 202);
  await sql(
    database,
    `insert into imports (id, state, format, file_name, size, options, created_by)
    select gen_random_uuid(), 'ready', 'csv', 'x.csv', 1, '{}', $1 from generate_series(1, 99)`,
    [admin.user.id],
  );
  t.match(await upload(admin.api, 'csv', 'type,name\nProvider,Too many'), {
    status: 409,
    body: { code: 'limit_reached', limit: 100 },
  });
  t.equal((await sql(database, 'select from files')).length, 1, 'the refused file is not stored');
  t.equal((await admin.api.del(`/imports/${first.body.id}`)).status, 204);
  t.equal((await upload(admin.api, 'csv', 'type,name\nProvider,Again')).status, 202);
});
