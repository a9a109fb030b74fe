import t from 'tap';
import { client, makeUser, openStream, registerAdmin, sql, testApp, until, type AnyBody } from '../support/app.js';

const { app, origin, database, close } = await testApp({ config: { outboundAllow: ['127.0.0.2'] } });
t.teardown(close);
const admin = await registerAdmin(origin);
const viewer = await makeUser(admin, 'viewer');
const { api } = admin;
const URL_1 = 'https://hooks.example.org/a-key-in-the-path?token=hunter2';

interface Hook extends AnyBody {
  secret: string & { is_set: boolean };
  owner: { id: string } | null;
  is_active: boolean;
  types: string[];
}
const make = async (body: object = {}, as = api): Promise<Hook> => {
  const answer = await as.post<Hook>('/webhooks', { url: URL_1, ...body });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};
const get = async (id: string): Promise<Hook> => (await api.get<Hook>(`/webhooks/${id}`)).body;
const eventsOf = async (id: string): Promise<AnyBody[]> =>
  (await api.get('/events', { query: { subject_id: id, sort_by: 'id', sort_dir: 'asc' } })).body.items;

t.test('a webhook is created, read, changed and deleted; its secret is shown once', async (t) => {
  const answer = await api.post<Hook>('/webhooks', {
    name: ' Pipeline ',
    url: 'HTTPS://Hooks.Example.org:443/x#part',
    types: ['card.', 'relation.created'],
    conditions: [{ field: 'subject.type', op: 'eq', value: 'Application' }],
  });
  t.match(answer, {
    status: 201,
    body: {
      name: 'Pipeline',
      url: 'https://hooks.example.org/x',
      types: ['card.', 'relation.created'],
      conditions: [{ field: 'subject.type', op: 'eq', value: 'Application' }],
      is_active: true,
      disabled_reason: null,
      owner: { id: admin.user.id, display_name: 'Ada Admin' },
      previous_secret_until: null,
      version: 1,
      status: {
        pending: 0,
        failing_since: null,
        last_attempt_at: null,
        last_success_at: null,
        last_status: null,
        last_error: null,
      },
    },
  });
  const { id, secret } = answer.body;
  t.equal(answer.headers.get('location'), `/api/v1/webhooks/${id}`);
  t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  t.equal(Buffer.from(secret.slice(6), 'base64').length, 32);
  const read = await api.get<Hook>(`/webhooks/${id}`);
  t.strictSame(read.body.secret, { is_set: true });
  t.equal((await api.get(`/webhooks/${id}`, { headers: { 'if-none-match': read.headers.get('etag')! } })).status, 304);
  const patched = await api.patch<Hook>(
    `/webhooks/${id}`,
    { name: null, types: [] },
    { headers: { 'if-match': '"1"' } },
  );
  t.match(patched, { status: 200, body: { name: null, types: [], version: 2, secret: { is_set: true } } });
  t.match(await api.patch(`/webhooks/${id}`, { name: 'X', is_active: true }, { headers: { 'if-match': '"1"' } }), {
    status: 412,
    body: { current_version: 2, changed_fields: ['name'] },
  });
  t.equal(
    (await api.patch<Hook>(`/webhooks/${id}`, { types: [] })).body.version,
    2,
    'an equal value creates no version',
  );
  t.match((await api.get<{ items: Hook[]; total: number }>('/webhooks', { query: { is_active: 'true' } })).body, {
    total: 1,
    items: [{ id, secret: { is_set: true } }],
  });
  t.equal((await api.get('/webhooks', { query: { is_active: 'false' } })).body.total, 0);
  t.notMatch(
    JSON.stringify([read.body, patched.body, (await api.get<object>('/webhooks')).body, await eventsOf(id)]),
    secret.slice(6, 30),
  );
  const stored = await sql<{ text: string }>(database, 'select (w.*)::text as text from webhooks w');
  t.notMatch(JSON.stringify(stored), secret.slice(6, 30), 'the secret is not in the row');
  t.equal((await sql(database, 'select from secrets where name = $1', [`webhook.${id}`])).length, 1);
  t.equal((await api.del(`/webhooks/${id}`, { headers: { 'if-match': '"1"' } })).status, 412);
  t.equal((await api.del(`/webhooks/${id}`, { headers: { 'if-match': '"2"' } })).status, 204);
  t.equal((await api.get(`/webhooks/${id}`)).status, 404);
  t.equal((await sql(database, `select from secrets where starts_with(name, 'webhook.')`)).length, 0);
});

t.test(
  'every change has an event, without the secret and without parts of the address that may be secret',
  async (t) => {
    const { id } = await make({ name: 'Told' });
    await api.patch(`/webhooks/${id}`, { url: 'https://other.example.org/hunter2', is_active: false });
    const rotated = await api.post<Hook>(`/webhooks/${id}/rotate-secret`, undefined, {
      headers: { 'if-match': '"2"' },
    });
    t.match(rotated, { status: 200, body: { version: 3, secret: /^whsec_/, previous_secret_until: String } });
    t.equal(
      (await api.post(`/webhooks/${id}/rotate-secret`, undefined, { headers: { 'if-match': '"2"' } })).status,
      412,
    );
    await api.del(`/webhooks/${id}`);
    const events = await eventsOf(id);
    t.match(events, [
      {
        type: 'webhook.created',
        subject: { kind: 'webhook', id, name: 'Told' },
        actor: { id: admin.user.id },
        data: { url: 'https://hooks.example.org', types: [], is_active: true },
      },
      {
        type: 'webhook.updated',
        data: {
          changes: [
            { field: 'url', old: 'https://hooks.example.org', new: 'https://other.example.org' },
            { field: 'is_active', old: true, new: false },
          ],
        },
      },
      { type: 'webhook.secret_rotated' },
      { type: 'webhook.deleted' },
    ]);
    t.equal(events.length, 4);
    t.notMatch(JSON.stringify(events), /hunter2|a-key-in|whsec_/);
    const kept = await make();
    await api.patch(`/webhooks/${kept.id}`, { url: 'https://hooks.example.org/another-key' });
    t.match(
      (await eventsOf(kept.id)).at(-1),
      { type: 'webhook.updated', data: { changes: [{ field: 'url' }] } },
      'a change of the path is shown as one of the address',
    );
  },
);

t.test('only users who manage webhooks see them, their deliveries and their events', async (t) => {
  const { id } = await make();
  const calls: [string, string, unknown?][] = [
    ['GET', '/webhooks'],
    ['POST', '/webhooks', { url: URL_1 }],
    ['GET', `/webhooks/${id}`],
    ['PATCH', `/webhooks/${id}`, { name: 'X' }],
    ['DELETE', `/webhooks/${id}`],
    ['POST', `/webhooks/${id}/rotate-secret`],
    ['POST', `/webhooks/${id}/test`],
    ['GET', `/webhooks/${id}/deliveries`],
    ['GET', `/webhooks/${id}/deliveries/${id}`],
    ['POST', `/webhooks/${id}/deliveries/${id}/redeliver`],
  ];
  for (const [method, path, body] of calls) {
    t.match(
      await viewer.api.send(method, path, body),
      { status: 403, body: { required_permission: 'webhooks.manage' } },
      `${method} ${path}`,
    );
    t.equal((await client(origin).send(method, path, body)).status, 401, `${method} ${path}`);
  }
  await api.post('/roles', { key: 'hooker', label: 'Hooks', permissions: ['webhooks.manage'] });
  const manager = await makeUser(admin, 'hooker');
  const streams = [await openStream(origin, viewer.token), await openStream(origin, manager.token)];
  await api.patch(`/webhooks/${id}`, { name: 'Renamed' });
  await streams[1]!.waitFor(({ event }) => event === 'webhook.updated');
  await api.post('/cards', { type: 'TechCategory', name: 'After it' });
  await streams[0]!.waitFor(({ event }) => event === 'card.created');
  t.notOk(streams[0]!.events.some(({ event }) => event.startsWith('webhook.')));
  t.equal((await manager.api.get(`/webhooks/${id}`)).status, 200);
  for (const stream of streams) stream.close();
});

t.test('a nonexistent webhook is a 404', async (t) => {
  const { id } = await make();
  const nowhere = '01900000-0000-7000-8000-00000000dead';
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate-secret'],
    ['POST', '/test'],
    ['GET', '/deliveries'],
    ['GET', `/deliveries/${nowhere}`],
    ['POST', `/deliveries/${nowhere}/redeliver`],
  ] as const) {
    for (const webhook of ['x', nowhere])
      t.equal(
        (await api.send(method, `/webhooks/${webhook}${path}`, method === 'PATCH' ? { name: 'X' } : undefined)).status,
        404,
        `${method} ${webhook}${path}`,
      );
  }
  for (const delivery of ['x', nowhere])
    t.equal((await api.post(`/webhooks/${id}/deliveries/${delivery}/redeliver`)).status, 404);
});

t.test('hostile values are a 422 that names their field', async (t) => {
  const { id } = await make();
  const count = async () => (await api.get('/webhooks')).body.total;
  const before = await count();
  const refused: [object, string][] = [
    [{}, ''],
    [{ url: 'x' }, '/url'],
    [{ url: 'ftp://example.org/' }, '/url'],
    [{ url: 'javascript:alert(1)' }, '/url'],
    [{ url: 'http://' }, '/url'],
    [{ url: 'https://user:pw@example.org/' }, '/url'],
    [{ url: 'https://:pw@example.org/' }, '/url'],
    [{ url: `https://example.org/${'x'.repeat(2_100)}` }, '/url'],
    [{ url: `https://example.org/${'ü'.repeat(1_000)}` }, '/url'],
    [{ url: 'https://example.org/\u0000' }, ''],
    [{ url: 'https://exa mple.org/' }, '/url'],
    [{ url: 'http://[::1' }, '/url'],
    [{ url: 'http://example.org:99999/' }, '/url'],
    [{ url: 7 }, '/url'],
    [{ url: null }, '/url'],
    [{ url: URL_1, name: '' }, '/name'],
    [{ url: URL_1, name: '  ' }, '/name'],
    [{ url: URL_1, name: 'a\nb' }, '/name'],
    [{ url: URL_1, name: 'x'.repeat(201) }, '/name'],
    [{ url: URL_1, types: ['Card.'] }, '/types/0'],
    [{ url: URL_1, types: ['card..x'] }, '/types/0'],
    [{ url: URL_1, types: ['#'] }, '/types/0'],
    [{ url: URL_1, types: ['card.', 'card.'] }, '/types'],
    [{ url: URL_1, types: 'card.' }, '/types'],
    [{ url: URL_1, types: null }, '/types'],
    [{ url: URL_1, types: Array.from({ length: 101 }, (_, i) => `a${i}`) }, '/types'],
    [{ url: URL_1, secret: 'whsec_AAAA' }, ''],
    [{ url: URL_1, owner_id: viewer.user.id }, ''],
    [{ url: URL_1, is_active: 'true' }, '/is_active'],
    [{ url: URL_1, disabled_reason: null }, ''],
    [{ url: URL_1, version: 1 }, ''],
    ...(
      [
        [{ field: 'nothing', op: 'eq', value: 1 }, 'field'],
        [{ field: 'data', op: 'eq', value: 1 }, ''],
        [{ field: 'data.__proto__.x y', op: 'eq', value: 1 }, 'field'],
        [{ field: 'actor.email', op: 'eq', value: 'x' }, 'field'],
        [{ field: 'constructor', op: 'exists' }, 'field'],
        [{ field: 'type', op: 'like', value: 'x' }, 'op'],
        [{ field: 'type', op: 'eq' }, 'value'],
        [{ field: 'type', op: 'eq', value: ['x'] }, 'value'],
        [{ field: 'type', op: 'in', value: 'x' }, 'value'],
        [{ field: 'type', op: 'in', value: [] }, 'value'],
        [{ field: 'type', op: 'in', value: [{}] }, 'value'],
        [{ field: 'type', op: 'exists', value: 'yes' }, 'value'],
        [{ field: 'type', op: 'contains', value: null }, 'value'],
        [{ field: 'type', op: 'contains' }, 'value'],
        [{ field: 'type', op: 'eq', value: { a: 1 } }, 'value'],
        [{ field: 'type', op: 'eq', value: 'x'.repeat(1_001) }, 'value'],
        [{ op: 'eq', value: 1 }, ''],
        [{ field: 'type', op: 'eq', value: 1, more: 1 }, ''],
        [7, ''],
      ] as [object, string][]
    ).map(([condition, member]): [object, string] => [
      { url: URL_1, conditions: [condition] },
      member === '' ? '/conditions' : `/conditions/0/${member}`,
    ]),
    [{ url: URL_1, conditions: Array.from({ length: 21 }, () => ({ field: 'type', op: 'exists' })) }, '/conditions'],
  ];
  for (const [body, field] of refused) {
    if (JSON.stringify(body).includes('"data","op"')) continue;
    const answer = await api.post<{ code: string; errors: { field: string }[] }>('/webhooks', body);
    t.match(answer, { status: 422, body: { code: 'validation_failed' } }, JSON.stringify(body).slice(0, 120));
    if (field !== '')
      t.ok(
        answer.body.errors.some((e) => e.field.startsWith(field)),
        `${JSON.stringify(body).slice(0, 120)}: ${JSON.stringify(answer.body.errors)}`,
      );
    const { url, ...rest } = body as { url?: unknown };
    const patch = url === URL_1 ? rest : body;
    if (Object.keys(patch).length > 0)
      t.equal((await api.patch(`/webhooks/${id}`, patch)).status, 422, `PATCH ${JSON.stringify(patch).slice(0, 120)}`);
  }
  t.match(
    await api.post('/webhooks', {
      url: URL_1,
      conditions: [
        { field: 'a b', op: 'eq', value: 1 },
        { field: 'x', op: 'in', value: 1 },
      ],
    }),
    { status: 422 },
  );
  t.match(
    await api.post<{ errors: object[] }>('/webhooks', {
      url: URL_1,
      conditions: [
        { field: 'x', op: 'eq' },
        { field: 'type', op: 'in', value: 1 },
      ],
    }),
    {
      body: {
        errors: [{ field: '/conditions/0/field' }, { field: '/conditions/0/value' }, { field: '/conditions/1/value' }],
      },
    },
    'all faults are named',
  );
  t.equal((await api.patch(`/webhooks/${id}`, {})).status, 422);
  for (const query of ['sort_by=owner_id', 'is_active=yes', 'other=1', 'page_size=0', 'cursor=x'])
    t.equal((await api.get(`/webhooks?${query}`)).status, 422, query);
  for (const query of ['state=done', 'state=', 'type=', 'sort_by=state', 'other=1', 'subject_id='])
    t.equal((await api.get(`/webhooks/${id}/deliveries?${query}`)).status, 422, query);
  t.equal(await count(), before);
  t.equal((await get(id)).version, 1);
});

t.test('an address that may not be called is refused when it is written, in every notation', async (t) => {
  const { id } = await make();
  for (const host of [
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '0177.0.0.1',
    '127.0.0.1.',
    '①②⑦.⓪.⓪.①',
    '0',
    '10.0.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[fe80::1]',
    '[fd00::1]',
    '[2002:7f00:1::]',
    '224.0.0.1',
    '255.255.255.255',
  ]) {
    t.match(
      await api.post('/webhooks', { url: `http://${host}/hook` }),
      { status: 422, body: { errors: [{ field: '/url', reason: /OUTBOUND_ALLOW/ }] } },
      host,
    );
    t.equal((await api.patch(`/webhooks/${id}`, { url: `https://${host}:8443/hook` })).status, 422, host);
  }
  for (const host of [
    '127.0.0.2',
    '127.0.0.2:81',
    '[::ffff:127.0.0.2]',
    '8.8.8.8',
    '[2606:4700::1111]',
    'hooks.intern',
  ])
    t.equal((await api.post('/webhooks', { url: `http://${host}/hook`, is_active: false })).status, 201, host);
});

t.test('an answer with a secret is never replayed', async (t) => {
  const key = { headers: { 'idempotency-key': 'once' } };
  const [first, second] = [
    await api.post<Hook>('/webhooks', { url: URL_1 }, key),
    await api.post<Hook>('/webhooks', { url: URL_1 }, key),
  ];
  t.notOk(second.headers.get('idempotent-replayed'));
  t.not(first.body?.secret, second.body?.secret);
  const stored = await sql<{ text: string }>(
    database,
    `select coalesce(string_agg(k::text, ' '), '') as text from idempotency_keys k`,
  );
  t.notMatch(stored[0]!.text, /whsec_/);
  const { id } = await make();
  const patch = () =>
    api.patch<Hook>(`/webhooks/${id}`, { name: 'Again' }, { headers: { 'idempotency-key': 'patch-once' } });
  t.equal((await patch()).body.version, 2);
  const replay = await patch();
  t.match([replay.headers.get('idempotent-replayed'), replay.body.version], ['true', 2]);
});

t.test('concurrent changes: each is stored or refused, and none is lost', async (t) => {
  const { id } = await make();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      api.patch(`/webhooks/${id}`, { name: `Racing ${i}` }, { headers: { 'if-match': '"1"' } }),
    ),
  );
  t.strictSame(answers.map((a) => a.status).sort(), [200, ...Array.from({ length: 11 }, () => 412)]);
  await Promise.all(Array.from({ length: 12 }, (_, i) => api.patch(`/webhooks/${id}`, { name: `Further ${i}` })));
  t.equal((await get(id)).version, 14);
  const rotated = await Promise.all(Array.from({ length: 4 }, () => api.post<Hook>(`/webhooks/${id}/rotate-secret`)));
  t.equal(new Set(rotated.map((a) => a.body.secret)).size, 4);
  const gone = await Promise.all([
    api.del(`/webhooks/${id}`),
    api.patch(`/webhooks/${id}`, { name: 'Late' }),
    api.post(`/webhooks/${id}/rotate-secret`),
    api.del(`/webhooks/${id}`),
  ]);
  t.ok(
    gone.every((a) => a.status < 500),
    JSON.stringify(gone.map((a) => a.status)),
  );
  t.strictSame([gone[0].status, gone[3].status].sort(), [204, 404]);
  t.equal(
    (await sql(database, 'select from secrets where starts_with(name, $1)', [`webhook.${id}`])).length,
    0,
    'no secret outlives its webhook',
  );
  const made = await Promise.all(Array.from({ length: 6 }, () => make({ is_active: false })));
  t.equal(new Set(made.map((h) => h.id)).size, 6);
});

t.test('the user who changes what is sent or where becomes the owner', async (t) => {
  const manager = await makeUser(admin, 'hooker');
  const { id } = await make({ types: ['card.'] });
  const ownerAfter = async (patch: object, by = manager): Promise<string | undefined> => {
    await by.api.patch(`/webhooks/${id}`, patch);
    return (await get(id)).owner?.id;
  };
  t.equal(await ownerAfter({ name: 'Another name' }), admin.user.id);
  t.equal(await ownerAfter({ is_active: false }), admin.user.id);
  t.equal(await ownerAfter({ is_active: true }), admin.user.id, 'an owner with the permission is unchanged');
  t.equal(await ownerAfter({ url: URL_1 }), admin.user.id, 'the address it has is no change');
  t.equal(await ownerAfter({ url: 'https://elsewhere.example.org/' }), manager.user.id);
  t.equal(await ownerAfter({ types: ['relation.'] }, admin), admin.user.id);
  t.equal(await ownerAfter({ conditions: [{ field: 'origin', op: 'eq', value: 'api' }] }), manager.user.id);
  t.match((await eventsOf(id)).at(-1), {
    data: { changes: [{ field: 'conditions' }, { field: 'owner_id', old: admin.user.id, new: manager.user.id }] },
  });
});

t.test('lists are paged and sorted', async (t) => {
  const made = await Promise.all(
    ['c', 'a', 'b'].map((name) =>
      make({ name: `list ${name}`, url: `https://list-${name}.example.org/`, is_active: false }),
    ),
  );
  const pages = async (query: Record<string, string | number>) =>
    (await api.get<{ items: Hook[]; next_cursor: string | null; total: number }>('/webhooks', { query })).body;
  const names = (await pages({ sort_by: 'name', page_size: 200 })).items
    .map((h) => h.name)
    .filter((name) => name?.startsWith('list '));
  t.strictSame(names, ['list a', 'list b', 'list c']);
  const all: string[] = [];
  for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
    const page = await pages({
      sort_by: 'url',
      sort_dir: 'desc',
      page_size: 5,
      ...(cursor === null ? {} : { cursor }),
    });
    all.push(...page.items.map((h) => h.id));
    cursor = page.next_cursor;
  }
  const total = (await pages({})).total;
  t.equal(new Set(all).size, total);
  t.ok(made.every(({ id }) => all.includes(id)));
  t.ok(await until(() => app.services.events.head > 0));
});
