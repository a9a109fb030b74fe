/**
 * A user with an inherited role on a card has its permissions below it, and nowhere else. Below, every response
 * is that for a user who may see costs; elsewhere that for a user who may not.
 */
import t from 'tap';
import {
  client,
  makeUser,
  openStream,
  registerAdmin,
  testApp,
  until,
  type AnyBody,
  type Client,
  type RequestOptions,
} from '../support/app.js';

const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(async () => {
  await Promise.all([one.close(), two.close()]);
});
const admin = await registerAdmin(one.origin);
const { api } = admin;
const make = async (path: string, body: object): Promise<AnyBody> => {
  const answer = await api.post(path, body);
  if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const READ = ['cards.view', 'cards.export', 'relations.view', 'stakeholders.view', 'comments.view', 'documents.view'];
const role = async (key: string, permissions: string[]): Promise<void> => {
  await make('/roles', { key, label: key, permissions: [...READ, ...permissions] });
};
await role('reader', []);
await role('costly', ['costs.view']);
await role('clerk', ['cards.edit', 'cards.create', 'cards.bulk', 'relations.manage']);

const ALL = [
  'edit',
  'archive',
  'approve',
  'manage_stakeholders',
  'manage_relations',
  'manage_documents',
  'manage_comments',
  'create_comments',
  'view_costs',
].map((verb) => `card.${verb}`);
const SIGHT = ['card.view_costs'];
await make('/metamodel/types', {
  key: 'Domain',
  label: 'Domain',
  has_hierarchy: true,
  stakeholder_roles: [
    { key: 'steward', label: 'Steward', permissions: ALL, inherited: true },
    { key: 'local', permissions: ALL },
  ],
});
await make('/metamodel/types', {
  key: 'System',
  label: 'System',
  has_hierarchy: true,
  allowed_parent_types: ['Domain', 'System'],
  stakeholder_roles: [
    { key: 'watcher', permissions: SIGHT },
    { key: 'sponsor', permissions: SIGHT, inherited: true },
  ],
  sections: [
    {
      key: 's',
      fields: [
        { key: 'price', kind: 'cost' },
        { key: 'users', kind: 'integer' },
      ],
    },
  ],
});
await make('/metamodel/relation-types', {
  key: 'feeds',
  label: 'feeds',
  source_type: 'System',
  target_type: 'System',
  fields: [{ key: 'fee', kind: 'cost' }],
});

const [reader, costly, heir, clerk, local] = [
  await makeUser(admin, 'reader'),
  await makeUser(admin, 'costly'),
  await makeUser(admin, 'reader'),
  await makeUser(admin, 'clerk'),
  await makeUser(admin, 'reader'),
];
const domain = (name: string, parent_id: string | null = null) => make('/cards', { type: 'Domain', name, parent_id });
const system = (name: string, parent_id: string, price: number) =>
  make('/cards', { type: 'System', name, parent_id, attributes: { price, users: price % 7 } });
const [own, foreign] = [await domain('Own'), await domain('Foreign')];
const [mid, other] = [await domain('Mid', own.id), await domain('Other', foreign.id)];
const below: AnyBody[] = [];
const outside: AnyBody[] = [];
for (let i = 0; i < 4; i++) {
  below.push(await system(`Below ${i}`, mid.id, 91_827_360 + i));
  outside.push(await system(`Outside ${i}`, other.id, 71_727_370 + i));
}
below.push(await system('Below deep', below[0]!.id, 91_827_369));
const feed = (source: AnyBody, target: AnyBody, fee: number) =>
  make('/relations', { type: 'feeds', source_id: source.id, target_id: target.id, attributes: { fee } });
const fed = {
  within: await feed(below[0]!, below[1]!, 91_827_380),
  across: await feed(outside[0]!, below[2]!, 91_827_381),
  without: await feed(outside[1]!, outside[2]!, 71_727_390),
};
const stake = (card: AnyBody, user: { id: string }, key: string) =>
  make(`/cards/${card.id}/stakeholders`, { user_id: user.id, role: key });
const held = await stake(own, heir.user, 'steward');
await stake(own, local.user, 'local');
await stake(own, clerk.user, 'steward');

const FIELD = 'attributes.price';
const LISTS: Record<string, string>[] = [
  {},
  { type: 'System' },
  { type: 'System', page_size: '2', page: '2' },
  ...['asc', 'desc'].map((sort_dir) => ({ type: 'System', sort_by: FIELD, sort_dir })),
  ...['', '[ne]', '[gt]', '[gte]', '[lt]', '[lte]'].flatMap((op) =>
    ['91827361', '71727371'].map((value) => ({ [`${FIELD}${op}`]: value })),
  ),
  { [`${FIELD}[empty]`]: 'true' },
  { [`${FIELD}[empty]`]: 'false' },
  { search: 'deep' },
  { search: 'e', sort_by: 'relevance' },
  { search: '91827361' },
  { fields: `id,${FIELD}` },
  { fields: 'attributes' },
];
const FILES: Record<string, string>[] = [
  {},
  { [FIELD]: '91827361' },
  { [`${FIELD}[ne]`]: '71727371' },
  { [`${FIELD}[lte]`]: '91827361' },
];
interface Question {
  path: string;
  query?: Record<string, string>;
}
/** All requests about the cards below a root. */
function questions(root: AnyBody, cards: readonly AnyBody[]): Question[] {
  const within = (path: string, query: Record<string, string>): Question => ({
    path,
    query: { root_id: root.id, ...query },
  });
  return [
    ...LISTS.map((q) => within('/cards', q)),
    ...FILES.flatMap((q) => [
      within('/cards/facets', q),
      ...['csv', 'ndjson'].map((format) => within('/cards/export', { format, ...q })),
    ]),
    ...cards.flatMap(({ id }) =>
      ['', '/history', '/hierarchy', '/impact', '/archive-impact'].map((sub) => ({ path: `/cards/${id}${sub}` })),
    ),
  ];
}
const EDGES = Object.values(fed).map(({ id }): Question => ({ path: `/relations/${id}` }));
const answerOf = async (by: Client, { path, query }: Question): Promise<string> => {
  const { status, body, headers } = await by.get(path, query ? { query } : {});
  return `${status} ${headers.get('etag')} ${typeof body === 'string' ? body : JSON.stringify(body)}`.replace(
    /"(request_id|computed_at)":"[^"]*"/,
    '',
  );
};
/** Sends the requests of a user to both nodes, and those of a similar one to one node. @returns those with different answers */
async function differentAnswers(asked: readonly Question[], who: string, like: string): Promise<string[]> {
  const differs = new Set<string>();
  const theirs = client(one.origin, like);
  await Promise.all(
    asked.map(async (q) => {
      const expected = await answerOf(theirs, q);
      for (const { origin } of [one, two]) {
        const mine = await answerOf(client(origin, who), q);
        if (mine !== expected) differs.add(`${q.path} ${new URLSearchParams(q.query)}: ${mine} is not ${expected}`);
      }
    }),
  );
  return [...differs];
}

const BELOW = questions(own, below);
const OUTSIDE = questions(foreign, outside);

t.test('costs are visible below, and hidden elsewhere', async (t) => {
  t.strictSame(await differentAnswers(BELOW, heir.token, costly.token), [], 'below');
  t.strictSame(await differentAnswers(OUTSIDE, heir.token, reader.token), [], 'outside');
  t.strictSame(
    await differentAnswers([...BELOW, ...OUTSIDE], local.token, reader.token),
    [],
    'a role that is not inherited opens nothing below',
  );
  t.strictSame(await differentAnswers(BELOW, heir.token, costly.token), [], 'nor from caches');
  t.match(await answerOf(heir.api, BELOW[0]!), /91827369/);
  t.notMatch(
    (
      await Promise.all(
        [...OUTSIDE, { path: '/cards' }, { path: '/cards/export', query: { format: 'csv' } }].map((q) =>
          answerOf(heir.api, q),
        ),
      )
    ).join(' '),
    /7172737/,
  );
  const sorted = await heir.api.get('/cards', { query: { type: 'System', sort_by: FIELD, page_size: 3 } });
  const next = await heir.api.get('/cards', {
    query: { type: 'System', sort_by: FIELD, page_size: 3, cursor: String(sorted.body['next_cursor']) },
  });
  t.strictSame(
    [...sorted.body.items, ...next.body.items].map((c) => c.id).slice(0, 5),
    below.map((c) => c.id),
    'those that are open sort by their values, across pages',
  );
});

t.test('costs of relations are visible if either end is below', async (t) => {
  const fee = /918273|717273/;
  t.strictSame(await Promise.all(EDGES.map(async (q) => fee.test(await answerOf(heir.api, q)))), [true, true, false]);
  t.strictSame(await Promise.all(EDGES.map(async (q) => fee.test(await answerOf(local.api, q)))), [
    false,
    false,
    false,
  ]);
  const list = async (query: Record<string, string>) =>
    (await heir.api.get('/relations', { query: { type: 'feeds', ...query } })).body.items;
  t.strictSame(
    (await list({}))
      .filter((r) => fee.test(JSON.stringify(r)))
      .map((r) => r.id)
      .sort(),
    [fed.within.id, fed.across.id].sort(),
  );
  t.strictSame(
    (await list({ 'attributes.fee[gt]': '0' })).map((r) => r.id).sort(),
    [fed.within.id, fed.across.id].sort(),
  );
  t.strictSame(await list({ 'attributes.fee': '71727390' }), []);
});

t.test('entity tags: a card below has that of the view with costs', async (t) => {
  const conditional = async (by: Client, path: string, etag: string): Promise<number> =>
    (await by.get(path, { headers: { 'if-none-match': etag } } as RequestOptions)).status;
  const tag = async (by: Client, path: string) => (await by.get(path)).headers.get('etag')!;
  const path = `/cards/${below[3]!.id}`;
  t.strictSame(
    [
      await conditional(heir.api, path, await tag(costly.api, path)),
      await conditional(reader.api, path, await tag(heir.api, path)),
      await conditional(heir.api, path, await tag(reader.api, path)),
    ],
    [304, 200, 200],
  );
});

/** Every write that a stakeholder role can permit, on one card. */
const writes = (by: Client, card: AnyBody, n: number): Promise<{ status: number }>[] => [
  by.patch(`/cards/${card.id}`, { description: `by heir ${n}` }),
  by.put(`/cards/${card.id}/tags`, { tag_ids: [] }),
  by.post(`/cards/${card.id}/comments`, { body: 'hello' }),
  by.post(`/cards/${card.id}/documents`, { name: 'Plan', url: 'https://example.org/plan' }),
  by.post(`/cards/${card.id}/stakeholders`, {
    user_id: reader.user.id,
    role: card['type'] === 'Domain' ? 'local' : 'watcher',
  }),
  by.post(`/cards/${card.id}/approval`, { action: 'reject' }),
  by.patch(`/cards/${card.id}`, { attributes: { users: n } }, {
    headers: { 'content-type': 'application/merge-patch+json' },
  } as RequestOptions),
];
t.test('writes below require the permissions of the role', async (t) => {
  const [made, far] = [await system('Written', below[1]!.id, 5), await system('Not written', other.id, 5)];
  const statuses = async (by: Client, card: AnyBody) =>
    (await Promise.all(writes(by, card, 1))).map((r) => Math.floor(r.status / 100));
  t.strictSame(await statuses(heir.api, made), [2, 2, 2, 2, 2, 2, 2]);
  t.strictSame(await statuses(heir.api, far), [4, 4, 4, 4, 4, 4, 4]);
  t.strictSame(await statuses(local.api, made), [4, 4, 4, 4, 4, 4, 4]);
  t.match(
    await heir.api.patch(`/cards/${made.id}`, { attributes: { price: 6 } }),
    { status: 200, body: { attributes: { price: 6 } } },
    'costs can be set by users who see them',
  );
  const stale = await heir.api.patch(`/cards/${made.id}`, { description: 'x' }, { headers: { 'if-match': '"1"' } });
  t.equal(stale.status, 412);
  // In the order of the changes, which were made at the same time.
  t.strictSame(
    [...(stale.body['changed_fields'] as string[])].sort(),
    ['approval_status', 'attributes.price', 'attributes.users', 'description'],
    'and are named among the changed fields',
  );
  t.equal((await heir.api.post(`/cards/${made.id}/archive`)).status, 200);
  t.equal((await heir.api.post(`/cards/${made.id}/restore`)).status, 200);
  t.equal((await heir.api.post(`/cards/${far.id}/archive`)).status, 403);
  const related = (source: AnyBody, target: AnyBody) =>
    heir.api.post('/relations', { type: 'feeds', source_id: source.id, target_id: target.id, attributes: { fee: 7 } });
  const mine = await related(made, far);
  t.match(mine, { status: 201, body: { attributes: { fee: 7 } } }, 'a relation with an end below');
  t.equal((await related(far, outside[3]!)).status, 403, 'and none without');
  t.match(await heir.api.patch(`/relations/${mine.body.id}`, { attributes: { fee: 8 } }), {
    status: 200,
    body: { attributes: { fee: 8 } },
  });
  t.strictSame(
    [
      (await heir.api.del(`/relations/${fed.without.id}`)).status,
      (await heir.api.del(`/relations/${mine.body.id}`)).status,
    ],
    [403, 204],
  );
  const comment = await make(`/cards/${made.id}/comments`, { body: 'of an administrator' });
  t.equal((await heir.api.del(`/cards/${made.id}/comments/${comment.id}`)).status, 204);
  const bulk = await clerk.api.post<{ results: { outcome: string }[] }>('/cards/bulk', {
    mode: 'per_row',
    operations: [
      ...[made, far].map(({ id }) => ({ op: 'update', id, card: { attributes: { price: 9 } } })),
      ...[made, far].map(({ id }) => ({ op: 'archive', id })),
      { op: 'create', card: { type: 'System', name: 'New below', parent_id: mid.id, attributes: { price: 1 } } },
      { op: 'create', card: { type: 'System', name: 'New outside', parent_id: other.id, attributes: { price: 1 } } },
    ],
  });
  t.strictSame(
    bulk.body.results.map((r) => r.outcome),
    ['updated', 'failed', 'archived', 'failed', 'created', 'failed'],
  );
  t.match(
    await clerk.api.post('/cards', {
      type: 'System',
      name: 'Another below',
      parent_id: mid.id,
      attributes: { price: 2 },
    }),
    { status: 201, body: { attributes: { price: 2 } } },
  );
  t.equal((await api.del(`/cards/${made.id}`)).status, 204);
});

t.test('permissions are explained by the card above, with its name if it is visible', async (t) => {
  const { body } = await heir.api.get<{ can: Record<string, { allowed: boolean; because: string }> }>(
    `/cards/${below[4]!.id}/permissions`,
  );
  for (const key of ALL)
    t.strictSame(body.can[key], {
      allowed: true,
      because: `stakeholder role steward on Domain “Own” above grants ${key}`,
      by: 'stakeholder_role',
    });
  t.match(await heir.api.get(`/cards/${outside[0]!.id}/permissions`), {
    body: { can: { 'card.edit': { allowed: false } } },
  });
  t.match(await local.api.get(`/cards/${below[0]!.id}/permissions`), {
    body: { can: { 'card.edit': { allowed: false } } },
  });
  t.match(await heir.api.get(`/cards/${own.id}/permissions`), {
    body: { can: { 'card.edit': { because: 'stakeholder role steward grants card.edit' } } },
  });
  t.strictSame(
    (await heir.api.get('/cards', { query: { stakeholder_id: 'me' } })).body.items.map((c) => c.id),
    [own.id],
    'stakeholders are unchanged',
  );
  t.strictSame((await api.get(`/cards/${below[0]!.id}`)).body['stakeholders'], []);
});

t.test('the definition of the role is that of the type of the card on which it is held', async (t) => {
  const sponsor = await makeUser(admin, 'reader');
  await stake(outside[0]!, sponsor.user, 'sponsor');
  await stake(outside[1]!, sponsor.user, 'watcher');
  const [under, beside] = [await system('Sponsored', outside[0]!.id, 31), await system('Watched', outside[1]!.id, 32)];
  const price = async (card: AnyBody) =>
    ((await sponsor.api.get(`/cards/${card.id}`)).body['attributes'] as Record<string, number>)['price'];
  t.strictSame(
    [await price(under), await price(beside), await price(outside[1]!), await price(outside[2]!)],
    [31, undefined, 71_727_371, undefined],
  );
  t.equal(
    (await sponsor.api.patch(`/cards/${under.id}`, { description: 'x' })).status,
    403,
    'it grants only its permissions',
  );
  for (const { id } of [under, beside]) await api.del(`/cards/${id}`);
});

t.test('a user cannot gain permissions by moving a card', async (t) => {
  const wanted = outside[2]!;
  const move = (by: Client, id: string, parent_id: string) => by.patch(`/cards/${id}`, { parent_id });
  t.match(await move(clerk.api, wanted.id, mid.id), {
    status: 403,
    body: { required_permission: 'stakeholders.manage', detail: /card\.view_costs/ },
  });
  t.match(
    await clerk.api.patch(`/cards/${wanted.id}`, [{ op: 'replace', path: '/parent_id', value: mid.id }], {
      headers: { 'content-type': 'application/json-patch+json' },
    } as RequestOptions),
    { status: 403 },
  );
  t.match(
    await clerk.api.post('/cards/bulk', {
      mode: 'per_row',
      operations: [
        { op: 'create', ref: 'n', card: { type: 'System', name: 'Stepping stone', parent_id: mid.id } },
        { op: 'update', id: wanted.id, card: { parent: { ref: 'n' } } },
        { op: 'update', id: other.id, card: { parent_id: mid.id } },
      ],
    }),
    { body: { results: [{ outcome: 'created' }, { outcome: 'failed' }, { outcome: 'failed' }] } },
  );
  t.equal((await move(clerk.api, below[4]!.id, mid.id)).status, 200, 'moving within the tree changes nothing');
  t.equal((await move(clerk.api, below[4]!.id, below[0]!.id)).status, 200);
  for (const parent of [foreign, other])
    t.equal((await move(clerk.api, wanted.id, parent.id)).status, 200, 'moving elsewhere adds no permission');
});

t.test('moving a card changes permissions immediately', async (t) => {
  const MOVED = [...questions(mid, below), ...EDGES];
  t.equal((await api.patch(`/cards/${mid.id}`, { parent_id: foreign.id })).status, 200);
  t.strictSame(await differentAnswers(MOVED, heir.token, reader.token), [], 'moved away');
  t.equal((await client(two.origin, heir.token).patch(`/cards/${below[4]!.id}`, { description: 'no' })).status, 403);
  t.equal((await api.patch(`/cards/${mid.id}`, { parent_id: own.id })).status, 200);
  t.strictSame(await differentAnswers(questions(mid, below), heir.token, costly.token), [], 'and back');
  t.equal((await client(two.origin, heir.token).patch(`/cards/${below[4]!.id}`, { description: 'yes' })).status, 200);
});

t.test('events use the permissions at delivery, and replayed responses the current ones', async (t) => {
  const streams = [await openStream(one.origin, heir.token), await openStream(two.origin, heir.token)];
  const asClerk = await openStream(two.origin, reader.token);
  const change = async (card: AnyBody, price: number, fits: (text: string) => boolean, on = streams): Promise<void> => {
    const { version } = (await api.patch(`/cards/${card.id}`, { attributes: { price } })).body;
    for (const stream of on) {
      const { data } = await stream.waitFor(
        (e) =>
          (e.data as { subject: string }).subject === card.id &&
          JSON.stringify(e.data).includes(`"version":${version}`),
      );
      t.ok(fits(JSON.stringify(data)), `${card['name']} to ${price}`);
    }
  };
  await change(below[4]!, 55_001, (text) => text.includes('55001'));
  await change(below[4]!, 55_002, (text) => !/(?<![\w-])5500\d/.test(text), [asClerk]);
  await change(outside[3]!, 55_003, (text) => !/(?<![\w-])5500\d/.test(text));
  const key = { headers: { 'idempotency-key': 'inherited-1' } };
  const send = (by: Client) => by.patch(`/cards/${below[4]!.id}`, { description: 'once' }, key);
  t.match(JSON.stringify((await send(clerk.api)).body), /55002/);
  await api.patch(`/cards/${mid.id}`, { parent_id: foreign.id });
  await change(below[4]!, 55_004, (text) => !/(?<![\w-])5500\d/.test(text));
  const again = await send(clerk.api);
  t.strictSame([again.status, again.headers.get('idempotent-replayed')], [200, 'true']);
  t.notMatch(JSON.stringify(again.body), /\b5500\b/);
  await api.patch(`/cards/${mid.id}`, { parent_id: own.id });
  await change(below[4]!, 55_005, (text) => text.includes('55005'));
  for (const stream of [...streams, asClerk]) stream.close();
});

t.test('changes of the permissions and inheritance of a role apply on every node within a second', async (t) => {
  const there = client(two.origin, heir.token);
  const edit = async () => (await there.patch(`/cards/${below[3]!.id}`, { description: String(Math.random()) })).status;
  const sees = async () => /"price"/.test(await answerOf(there, { path: `/cards/${below[3]!.id}` }));
  t.equal((await api.patch('/metamodel/types/Domain/stakeholder-roles/steward', { inherited: false })).status, 200);
  await until(async () => (await edit()) === 403 && !(await sees()), 1_000);
  t.strictSame(await differentAnswers(BELOW, heir.token, reader.token), [], 'not inherited any more');
  t.equal((await api.patch('/metamodel/types/Domain/stakeholder-roles/steward', { inherited: true })).status, 200);
  await until(async () => (await edit()) === 200 && (await sees()), 1_000);
});

t.test('a removed role loses its effect on all nodes immediately', async (t) => {
  t.strictSame(await differentAnswers(BELOW, heir.token, costly.token), [], 'still there');
  t.equal((await api.del(`/cards/${own.id}/stakeholders/${held.id}`)).status, 204);
  t.strictSame(await differentAnswers([...BELOW, ...EDGES], heir.token, reader.token), [], 'gone');
  for (const { origin } of [one, two])
    t.equal((await client(origin, heir.token).patch(`/cards/${below[0]!.id}`, { description: 'no' })).status, 403);
});
