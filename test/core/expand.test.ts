/** `expand=` on cards and relations: contents, order, bounds, rights, and the number of statements. */
import t from 'tap';
import { client, expectStatus, makeUser, registerAdmin, testApp, type AnyBody, type Session } from '../support/app.js';
import { watchStatements } from '../support/statements.js';

const watch = watchStatements();
const { origin, close } = await testApp();
t.teardown(async () => {
  watch.stop();
  await close();
});
const admin = await registerAdmin(origin);
const { api } = admin;
const make = async (path: string, body: object): Promise<AnyBody> =>
  expectStatus(await api.post(path, body), 201, `POST ${path}`).body;
interface Rows {
  items: AnyBody[];
  truncated: boolean;
}
type Expanded = Omit<AnyBody, 'items'> & { relations: Rows; children: Rows; items: Expanded[] };
const get = async (path: string, query: Record<string, string | number> = {}, by: Session = admin): Promise<Expanded> =>
  expectStatus(await by.api.get<Expanded>(path, { query }), 200, `${path} ${JSON.stringify(query)}`).body;
const bulk = async (path: string, operations: object[]): Promise<string[]> =>
  (
    expectStatus(await api.post(path, { operations }), 200, path).body as unknown as { results: { id: string }[] }
  ).results.map(({ id }) => id);

const ALL = 'relations,parent,children,stakeholders';
const NAMES = ['children', 'parent', 'relations', 'stakeholders'];
const MOST = 50;

for (const key of ['Desk', 'Vault'])
  await make('/metamodel/types', {
    key,
    label: key,
    has_hierarchy: true,
    allowed_parent_types: ['Desk'],
    stakeholder_roles: [{ key: 'own', permissions: [] }],
    sections: [{ key: 'main', label: 'Main', fields: [{ key: 'fee', kind: 'cost' }] }],
  });
await api.patch('/metamodel/types/Desk', { allowed_parent_types: ['Desk', 'Vault'] });
for (const key of ['aTouches', 'bTouches'])
  await make('/metamodel/relation-types', { key, label: key, source_type: '*', target_type: '*', allow_self: true });
const root = await make('/cards', { type: 'Desk', name: 'Root' });
const card = await make('/cards', { type: 'Desk', name: 'Card', parent_id: root.id, attributes: { fee: 777 } });
const second = await make('/cards', { type: 'Desk', name: 'second child', parent_id: card.id });
const first = await make('/cards', { type: 'Desk', name: 'First child', parent_id: card.id });
const vault = await make('/cards', { type: 'Vault', name: 'zq-hidden child', parent_id: card.id });
const below = await make('/cards', { type: 'Desk', name: 'Below the vault', parent_id: vault.id });
const gone = await make('/cards', { type: 'Desk', name: 'Archived child', parent_id: card.id });
const relate = (type: string, source_id: string, target_id: string, more: object = {}) =>
  make('/relations', { type, source_id, target_id, ...more });
const incoming = await relate('bTouches', root.id, card.id);
const outgoing = await relate('aTouches', card.id, first.id, { valid_from: '2026-01-01' });
const self = await relate('bTouches', card.id, card.id);
const toVault = await relate('aTouches', card.id, vault.id);
await relate('aTouches', card.id, gone.id);
expectStatus(await api.post(`/cards/${gone.id}/archive`, {}), 200, 'archive');
const stake = await make(`/cards/${card.id}/stakeholders`, { user_id: admin.user.id, role: 'own' });

const nameOf = ({ id, type, name }: AnyBody) => ({ id, type, name });
const DEEP = {
  parent: nameOf(root),
  children: { items: [nameOf(first), nameOf(second), nameOf(vault)], truncated: false },
  relations: {
    items: [
      [outgoing, 'outgoing', first],
      [toVault, 'outgoing', vault],
      [incoming, 'incoming', root],
      [self, 'outgoing', card],
    ].map(([relation, direction, other]) => ({
      id: (relation as AnyBody).id,
      type: (relation as AnyBody).type,
      direction,
      valid_from: relation === outgoing ? '2026-01-01' : null,
      valid_to: null,
      card: nameOf(other as AnyBody),
    })),
    truncated: false,
  },
};

await t.test('a card and a list of cards have what was requested, and only that', async (t) => {
  const { relations, parent, children, ...rest } = await get(`/cards/${card.id}`, { expand: ALL });
  t.same({ parent, children, relations }, DEEP);
  t.same(rest, await get(`/cards/${card.id}`), 'all else is as without');
  t.match(rest, { stakeholders: [{ id: stake.id }] });
  const [listed] = (await get('/cards', { ids: card.id, expand: ALL })).items;
  t.same(listed, { ...rest, ...DEEP }, 'a list has the same');
  for (const name of ['relations', 'parent', 'children'] as const) {
    const one = await get(`/cards/${card.id}`, { expand: name });
    t.same(one, { ...rest, [name]: DEEP[name] }, name);
  }
  t.same(await get(`/cards/${card.id}`, { expand: ' , parent ,,parent' }), { ...rest, parent: DEEP.parent });
  t.same(await get(`/cards/${card.id}`, { expand: '' }), rest);
  const alone = await get(`/cards/${root.id}`, { expand: ALL });
  t.match(alone, { parent: null, children: { items: [nameOf(card)] } });
  const leaf = await get(`/cards/${second.id}`, { expand: 'relations,children' });
  t.match(leaf, { relations: { items: [], truncated: false }, children: { items: [], truncated: false } });
  t.equal(leaf.relations.items.length + leaf.children.items.length, 0);
});

await t.test('expansions have the order of the lists that continue them', async (t) => {
  const relations = (await get('/relations', { card_id: card.id, sort_by: 'type' })).items.map(({ id }) => id);
  t.same(
    DEEP.relations.items.map(({ id }) => id),
    relations,
  );
  const children = (await get('/cards', { parent_id: card.id })).items.map(({ id }) => id);
  t.same(
    DEEP.children.items.map(({ id }) => id),
    children,
  );
});

await t.test('with fields, expansions are added to the requested members', async (t) => {
  const [listed] = (await get('/cards', { ids: card.id, fields: 'name,attributes.fee', expand: ALL })).items;
  t.same(Object.keys(listed!).sort(), ['attributes', 'id', 'name', ...NAMES].sort());
  t.same((await get('/cards', { ids: card.id, fields: 'name', expand: 'parent' })).items, [
    { id: card.id, name: 'Card', parent: DEEP.parent },
  ]);
  const { status, body } = await api.get('/cards', { query: { fields: 'name,parent', expand: 'parent' } });
  t.equal(status, 422, 'an expansion is no member for fields');
  t.match(body.errors, [{ field: 'fields' }]);
});

await t.test('relations have the whole cards at their ends', async (t) => {
  const [source, target] = [await get(`/cards/${card.id}`), await get(`/cards/${first.id}`)];
  const plain = await get(`/relations/${outgoing.id}`);
  t.same(await get(`/relations/${outgoing.id}`, { expand: 'source_card,target_card' }), {
    ...plain,
    source_card: source,
    target_card: target,
  });
  t.same(await get(`/relations/${outgoing.id}`, { expand: 'target_card' }), { ...plain, target_card: target });
  const { items } = await get('/relations', { source_id: card.id, expand: 'source_card', total: 'none' });
  t.equal(items.length, 3);
  for (const item of items) t.same(item['source_card'], source);
});

await t.test('unknown names are listed together, also hostile ones', async (t) => {
  const ask = async (path: string, query: Record<string, string | number>) => {
    const { status, body } = await api.get(path, { query });
    t.equal(status, 422, `${path} ${JSON.stringify(query)}`);
    return body.errors!;
  };
  for (const path of ['/cards', `/cards/${card.id}`]) {
    const errors = await ask(path, { expand: 'parent,source_card,toString,relations' });
    t.match(errors, [{ field: 'expand', in: 'query', reason: /^source_card, toString: / }]);
    t.equal(errors.length, 1);
  }
  for (const path of ['/relations', `/relations/${outgoing.id}`])
    t.match(await ask(path, { expand: 'parent,target_card,x' }), [{ field: 'expand', reason: /^parent, x: / }]);
  for (const name of [
    "parent'; drop table cards; --",
    '__proto__',
    'constructor',
    'Parent',
    'parent.parent',
    '{"a":1}',
    'é\u202e',
    '*',
  ])
    for (const path of ['/cards', `/relations/${outgoing.id}`])
      t.match(await ask(path, { expand: name }), [
        { field: 'expand', reason: new RegExp(`^.{${name.trim().length}}: no`) },
      ]);
  t.match(await ask('/cards', { expand: 'x'.repeat(201) }), [{ field: 'expand' }]);
  t.match(await ask('/cards', { expand: 'x', page_size: 51 }), [{ field: 'expand' }, { field: 'page_size' }]);
  t.match(await ask('/relations', { expand: 'target_card', page_size: 200 }), [{ field: 'page_size' }]);
  t.equal((await api.get('/cards?expand=parent%00')).status, 422);
  t.equal((await api.get('/cards', { query: { expand: 'parent', page_size: MOST } })).status, 200);
  const unknown = '01900000-0000-7000-8000-00000000dead';
  t.equal((await api.get(`/cards/${unknown}`, { query: { expand: ALL } })).status, 404);
  t.equal((await api.get(`/relations/${unknown}`, { query: { expand: 'target_card' } })).status, 404);
});

await t.test('names and ids of cards with special characters are returned unchanged', async (t) => {
  const name = `"}],"x":{"\\ é\u{1f600} </script>' ,"parent_id":"`;
  const odd = await make('/cards', { type: 'Desk', name });
  const child = await make('/cards', { type: 'Desk', name: `${name} child`, parent_id: odd.id });
  t.match(await get(`/cards/${child.id}`, { expand: ALL }), { name: `${name} child`, parent: { id: odd.id, name } });
  t.match((await get('/cards', { ids: odd.id, fields: 'name', expand: ALL })).items, [
    { name, children: { items: [{ name: `${name} child` }] } },
  ]);
});

await t.test('the ETag changes with what is expanded, and its version can be used for changes', async (t) => {
  const ask = (headers: Record<string, string> = {}) =>
    api.get(`/cards/${second.id}`, { query: { expand: 'relations,children,parent' }, headers });
  const plain = (await api.get(`/cards/${second.id}`)).headers.get('etag');
  const before = (await ask()).headers.get('etag')!;
  t.not(before, plain);
  t.match(before, /^"1\.[\w-]+"$/);
  t.equal((await ask({ 'if-none-match': before })).status, 304);
  t.equal((await ask({ 'if-none-match': plain! })).status, 200, 'the tag of the plain card is not that of this one');
  const child = await make('/cards', { type: 'Desk', name: 'Later', parent_id: second.id });
  const after = await ask({ 'if-none-match': before });
  t.equal(after.status, 200, 'a child was added');
  t.match(after.body, { version: 1, children: { items: [{ id: child.id }] } });
  const tag = after.headers.get('etag')!;
  expectStatus(await api.patch(`/cards/${card.id}`, { name: 'Card renamed' }), 200, 'rename');
  t.equal((await ask({ 'if-none-match': tag })).status, 200, 'the parent was renamed');
  t.equal((await api.patch(`/cards/${second.id}`, { alias: 'x' }, { headers: { 'if-match': tag } })).status, 200);

  const relation = (headers: Record<string, string> = {}) =>
    api.get(`/relations/${incoming.id}`, { query: { expand: 'target_card' }, headers });
  const old = (await relation()).headers.get('etag')!;
  t.equal((await relation({ 'if-none-match': old })).status, 304);
  expectStatus(await api.patch(`/cards/${card.id}`, { alias: 'C' }), 200, 'change');
  t.equal(
    (await relation({ 'if-none-match': old })).status,
    200,
    'the card changed, but neither the relation nor a name',
  );
  expectStatus(await api.patch(`/cards/${card.id}`, { name: 'Card' }), 200, 'rename');
});

await t.test('each expansion has at most 50 rows per card, and says whether there are more', async (t) => {
  const hub = await make('/cards', { type: 'Desk', name: 'Hub' });
  const ids = await bulk(
    '/cards/bulk',
    Array.from({ length: MOST }, (_, i) => ({
      op: 'create',
      card: { type: 'Desk', name: `N ${i}`, parent: { id: hub.id } },
    })),
  );
  await bulk(
    '/relations/bulk',
    ids.map((id, i) => ({
      op: 'create',
      type: 'aTouches',
      source_id: i % 2 ? id : hub.id,
      target_id: i % 2 ? hub.id : id,
    })),
  );
  const exact = await get(`/cards/${hub.id}`, { expand: ALL });
  for (const { items, truncated } of [exact.relations, exact.children])
    t.same([items.length, truncated], [MOST, false], 'exactly as many as there are');
  const more = await make('/cards', { type: 'Desk', name: 'N more', parent_id: hub.id });
  const last = await relate('aTouches', more.id, hub.id);
  const cut = await get(`/cards/${hub.id}`, { expand: ALL });
  for (const { items, truncated } of [cut.relations, cut.children]) t.same([items.length, truncated], [MOST, true]);
  const next = await get('/relations', { card_id: hub.id, sort_by: 'type', page: 2, page_size: MOST });
  t.same(
    next.items.map(({ id }) => id),
    [last.id],
    'page 2 of the list has the rest',
  );
  t.same(
    (await get('/cards', { parent_id: hub.id, page: 2, page_size: MOST })).items.map(({ name }) => name),
    ['N more'],
  );
  const page = (await get('/cards', { ids: `${hub.id},${card.id}`, expand: ALL })).items;
  t.same(page.map(({ children }) => children.truncated).sort(), [false, true], 'the limit is for each card');
});

await t.test('the number of statements does not depend on the number of cards', async (t) => {
  const count = async (path: string, query: Record<string, string | number>, by: Session = admin): Promise<number> => {
    await get(path, query, by);
    await get(path, query, by);
    return (await watch.during(() => get(path, query, by))).statements.length;
  };
  for (const [expand, added] of [
    ['parent', 1],
    ['children', 1],
    ['relations', 1],
    ['stakeholders', 0],
    [ALL, 3],
  ] as const) {
    const plain = await count('/cards', { page_size: 1 });
    for (const page_size of [1, 10, 50])
      t.equal(await count('/cards', { page_size, expand }), plain + added, `${expand}: ${page_size} cards`);
    t.equal(await count(`/cards/${card.id}`, { expand }), 1 + added, `${expand}: one card`);
  }
  t.equal(await count('/cards', { type: 'Vault', search: 'nothing', expand: ALL }), 1, 'no card, nothing to expand');
  const few = await count('/relations', { page_size: 1, expand: 'source_card,target_card' });
  t.equal(few, 2);
  t.equal(await count('/relations', { page_size: 50, expand: 'source_card,target_card' }), few);
});

await make('/roles', {
  key: 'restricted',
  label: 'Restricted',
  permissions: ['cards.view', 'relations.view', 'stakeholders.view'],
  types: { Vault: { 'cards.view': false } },
});
await make('/roles', { key: 'narrow', label: 'Narrow', permissions: ['cards.view'] });
await make('/roles', {
  key: 'mixed',
  label: 'Mixed',
  permissions: ['cards.view', 'relations.view', 'stakeholders.view'],
  types: { Desk: { 'relations.view': false, 'stakeholders.view': false } },
});
const [restricted, narrow, mixed] = [
  await makeUser(admin, 'restricted'),
  await makeUser(admin, 'narrow'),
  await makeUser(admin, 'mixed'),
];

await t.test('hidden cards are neither shown nor counted, and costs are hidden', async (t) => {
  const text = async (path: string, query: Record<string, string | number>) =>
    JSON.stringify(await get(path, query, restricted));
  for (const round of [1, 2]) {
    const seen = await get(`/cards/${card.id}`, { expand: ALL }, restricted);
    t.same(seen.children.items, [nameOf(first), nameOf(second)], `children, ${round}`);
    t.same(
      seen.relations.items.map(({ id }: AnyBody) => id),
      [outgoing.id, incoming.id, self.id],
      'relations',
    );
    t.same((await get(`/cards/${below.id}`, { expand: 'parent' }, restricted)).parent, null, 'a hidden parent');
    t.notMatch(await text('/cards', { page_size: 50, expand: ALL }), /zq-hidden|:777\b/);
    t.notMatch(await text('/relations', { expand: 'source_card,target_card' }), /zq-hidden|:777\b/);
    t.equal((await restricted.api.get(`/cards/${vault.id}`, { query: { expand: ALL } })).status, 404);
    t.equal((await restricted.api.get(`/relations/${toVault.id}`, { query: { expand: 'target_card' } })).status, 404);
    // The same cards are read by a caller who may see all, so that nothing is shown from a cache.
    t.match(await get(`/relations/${outgoing.id}`, { expand: 'source_card' }), {
      source_card: { attributes: { fee: 777 } },
    });
    t.match(JSON.stringify(await get('/cards', { page_size: 50, expand: ALL })), /zq-hidden/);
  }
  const watched = async (page_size: number) =>
    (await watch.during(() => get('/relations', { page_size, expand: 'source_card,target_card' }, restricted)))
      .statements.length;
  t.equal(await watched(50), await watched(1), 'the number of statements does not depend on the number of relations');
});

await t.test('a hidden card beyond the limit does not show by `truncated`', async (t) => {
  const crowd = await make('/cards', { type: 'Desk', name: 'Crowd' });
  await bulk(
    '/cards/bulk',
    Array.from({ length: MOST + 1 }, (_, i) => ({
      op: 'create',
      card: { type: i < MOST ? 'Desk' : 'Vault', name: `C ${i}`, parent: { id: crowd.id } },
    })),
  );
  t.equal((await get(`/cards/${crowd.id}`, { expand: 'children' })).children.truncated, true);
  t.equal((await get(`/cards/${crowd.id}`, { expand: 'children' }, restricted)).children.truncated, false);
});

await t.test('relations and stakeholders require their permissions', async (t) => {
  for (const path of ['/cards', `/cards/${card.id}`]) {
    for (const [expand, required_permission] of [
      ['relations', 'relations.view'],
      ['parent,stakeholders', 'stakeholders.view'],
    ] as const) {
      const answer = await narrow.api.get(path, { query: { expand } });
      t.equal(answer.status, 403, `${path} ${expand}`);
      t.match(answer.body, { code: 'forbidden', required_permission });
    }
    t.equal((await narrow.api.get(path, { query: { expand: 'parent,children' } })).status, 200);
  }
  t.equal((await client(origin).get('/cards', { query: { expand: 'parent' } })).status, 401);
});

await t.test('rules of a role for a type decide for its cards', async (t) => {
  const one = await mixed.api.get(`/cards/${card.id}`, { query: { expand: 'stakeholders' } });
  t.equal(one.status, 403, 'as GET /cards/{id}/stakeholders');
  t.equal((await mixed.api.get(`/cards/${card.id}/stakeholders`)).status, 403);
  t.equal((await mixed.api.get(`/cards/${vault.id}`, { query: { expand: 'stakeholders' } })).status, 200);
  const { items } = await get(
    '/cards',
    { ids: `${card.id},${vault.id}`, fields: 'name', expand: 'stakeholders,relations' },
    mixed,
  );
  const byId = new Map(items.map((item) => [item.id, item]));
  t.notOk('stakeholders' in byId.get(card.id)!, 'omitted where they are hidden');
  t.ok('stakeholders' in byId.get(vault.id)!);
  for (const item of items)
    t.same(item['relations'], { items: [], truncated: false }, 'all have an end of the type Desk');
  t.same((await get('/relations', { card_id: vault.id }, mixed)).items, [], 'as the list of relations');
});
