/** The history of a card: changes, authors, and the part visible to a reader. */
import t from 'tap';
import { client, expectStatus, makeUser, registerAdmin, sql, testApp, type AnyBody } from '../support/app.js';
import { makeRoleUser } from '../support/roles.js';

interface Entry {
  version: number;
  at: string;
  actor: { id: string; display_name: string } | null;
  origin: string;
  change_id: string;
  request_id: string | null;
  changes: { field: string; old: unknown; new: unknown }[];
}
interface History {
  items: Entry[];
  total: number;
  total_relation: string;
  page: number;
  next_cursor: string | null;
}

const node = await testApp();
const { app, origin, database, close } = node;
t.teardown(close);
const admin = await registerAdmin(origin);
const member = await makeUser(admin, 'member');
const viewer = await makeUser(admin, 'viewer');
const { api } = admin;
const blind = await makeRoleUser(node, admin, 'blind', {
  like: 'member',
  types: { Application: { 'cards.view': false } },
});

const NOWHERE = '01900000-0000-7000-8000-00000000dead';
let n = 0;
const make = async (more: object = {}): Promise<AnyBody> =>
  expectStatus(await api.post('/cards', { type: 'Application', name: `Card ${++n}`, ...more }), 201, 'making a card')
    .body;
const history = async (id: string, by = api, query: Record<string, string | number> = {}): Promise<History> =>
  expectStatus(await by.get<History>(`/cards/${id}/history`, { query }), 200, 'reading the history').body;
const changed = (entry: Entry | undefined) =>
  Object.fromEntries((entry?.changes ?? []).map((c) => [c.field, [c.old, c.new]]));

t.test('the first version lists all values that were set, and no derived ones', async (t) => {
  const parent = await make();
  const card = await make({
    description: 'd',
    alias: 'al',
    external_id: `x-${n}`,
    parent_id: parent.id,
    lifecycle: { active: '2024-01-01' },
    attributes: { costTotalAnnual: 5, commercial: false },
  });
  const { items, total, total_relation, next_cursor } = await history(card.id);
  t.same([total, total_relation, next_cursor, items.length], [1, 'eq', null, 1]);
  t.same(changed(items[0]), {
    type: [null, 'Application'],
    name: [null, card.name],
    description: [null, 'd'],
    alias: [null, 'al'],
    external_id: [null, card['external_id']],
    parent_id: [null, parent.id],
    status: [null, 'ACTIVE'],
    approval_status: [null, 'DRAFT'],
    'lifecycle.active': [null, '2024-01-01'],
    'attributes.commercial': [null, false],
    'attributes.costTotalAnnual': [null, 5],
  });
});

t.test(
  'one row per change, the newest first: old and new values per field and attribute, author, time and origin',
  async (t) => {
    const card = await make({
      attributes: { productName: 'a', numberOfUsers: 1 },
      lifecycle: { plan: '2020-01-01', active: '2021-01-01' },
    });
    const requestId = 'history-test-1';
    expectStatus(
      await member.api.patch(
        `/cards/${card.id}`,
        { name: `${card.name} x`, attributes: { productName: 'b', numberOfUsers: null }, lifecycle: { plan: null } },
        { headers: { 'x-request-id': requestId } },
      ),
      200,
      'a change',
    );
    expectStatus(await api.post(`/cards/${card.id}/archive`), 200, 'archiving');
    expectStatus(await api.post(`/cards/${card.id}/restore`), 200, 'restoring');
    const { items, total } = await history(card.id);
    t.equal(total, 4);
    t.same(
      items.map((e) => e.version),
      [4, 3, 2, 1],
    );
    t.same(items.slice(0, 2).map(changed), [{ status: ['ARCHIVED', 'ACTIVE'] }, { status: ['ACTIVE', 'ARCHIVED'] }]);
    t.same(changed(items[2]), {
      name: [card.name, `${card.name} x`],
      'lifecycle.plan': ['2020-01-01', null],
      'attributes.numberOfUsers': [1, null],
      'attributes.productName': ['a', 'b'],
    });
    t.match(items[2], {
      actor: { id: member.user.id, display_name: member.user.display_name },
      origin: 'api',
      request_id: requestId,
    });
    t.equal(items[3]!.actor?.id, admin.user.id);
    for (const { at, change_id } of items) {
      t.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      t.equal(
        (await sql(database, 'select 1 from changes where id = $1', [change_id])).length,
        1,
        'the change is there',
      );
    }
    t.same(
      items.map((e) => e.at),
      items
        .map((e) => e.at)
        .sort()
        .reverse(),
    );
    t.equal((await history(card.id, api, { sort_dir: 'asc' })).items[0]!.version, 1);
  },
);

t.test('tags and stakeholders have rows in order, without a new version', async (t) => {
  const group = NOWHERE.replace('dead', '0001');
  await sql(database, `insert into tag_groups (id, name, name_key, mode) values ($1, 'History', 'history', 'multi')`, [
    group,
  ]);
  const [red, blue] = ['01', '02'].map((x) => NOWHERE.replace('dead', `00a${x}`.slice(-4))) as [string, string];
  await sql(
    database,
    `insert into tags (id, group_id, name, name_key) values ($1, $3, 'Red', 'red'), ($2, $3, 'Blue', 'blue')`,
    [red, blue, group],
  );
  const card = await make();
  expectStatus(await member.api.put(`/cards/${card.id}/tags`, { tag_ids: [red] }), 200, 'tagging');
  expectStatus(await api.patch(`/cards/${card.id}`, { alias: 'z' }), 200, 'a change');
  expectStatus(await api.put(`/cards/${card.id}/tags`, { tag_ids: [blue] }), 200, 'tagging');
  const stakeholder = expectStatus(
    await api.post(`/cards/${card.id}/stakeholders`, { user_id: viewer.user.id, role: 'observer' }),
    201,
    'a stakeholder',
  ).body;
  expectStatus(await api.del(`/cards/${card.id}/stakeholders/${stakeholder.id}`), 204, 'none');
  const { items, total } = await history(card.id);
  t.equal(total, 6);
  t.same(
    items.map((e) => e.version),
    [2, 2, 2, 2, 1, 1],
  );
  t.same(items[4]!.changes, [{ field: 'tags', old: [], new: [{ id: red, name: 'Red' }] }]);
  t.equal(items[4]!.actor?.id, member.user.id);
  t.same(changed(items[3]), { alias: [null, 'z'] });
  t.same(items[2]!.changes, [{ field: 'tags', old: [{ id: red, name: 'Red' }], new: [{ id: blue, name: 'Blue' }] }]);
  for (const entry of items.slice(0, 2)) t.match(entry.changes[0]?.field, /^stakeholders/);
  t.equal((await api.get(`/cards/${card.id}`)).body.version, 2);
});

t.test('pages and cursors return every row once, in order, while more are added', async (t) => {
  const card = await make();
  for (let i = 0; i < 6; i++) expectStatus(await api.patch(`/cards/${card.id}`, { alias: `a${i}` }), 200, 'a change');
  const seen: number[] = [];
  for (let page = await history(card.id, api, { page_size: 2 }); ; ) {
    seen.push(...page.items.map((e) => e.version));
    if (page.next_cursor === null) break;
    expectStatus(await api.patch(`/cards/${card.id}`, { alias: `during ${seen.length}` }), 200, 'a change');
    page = await history(card.id, api, { page_size: 2, cursor: page.next_cursor });
  }
  t.same(seen, [7, 6, 5, 4, 3, 2, 1]);
  t.same(
    (await history(card.id, api, { page_size: 3, page: 2, sort_dir: 'asc' })).items.map((e) => e.version),
    [4, 5, 6],
  );
  const other = await make();
  const { next_cursor } = await history(card.id, api, { page_size: 1 });
  t.equal(
    (await api.get(`/cards/${other.id}/history`, { query: { cursor: next_cursor! } })).status,
    422,
    'of another card',
  );
  for (const query of [
    { page_size: 0 },
    { page: 'x' },
    { bogus: 1 },
    { sort_by: 'version' },
    { cursor: 'rubbish' },
  ] as Record<string, string | number>[]) {
    t.equal((await api.get(`/cards/${card.id}/history`, { query })).status, 422, JSON.stringify(query));
  }
});

t.test(
  'costs: a reader without the permission gets the row without values; one with it, by role or as a stakeholder, gets all',
  async (t) => {
    const card = await make({ attributes: { costTotalAnnual: 4711, productName: 'p' } });
    expectStatus(await api.patch(`/cards/${card.id}`, { attributes: { costTotalAnnual: 4712 } }), 200, 'a cost');
    expectStatus(
      await api.patch(`/cards/${card.id}`, { attributes: { costTotalAnnual: 4713 }, alias: 'q' }),
      200,
      'a cost and more',
    );
    const seen = await history(card.id, viewer.api);
    t.same(
      seen.items.map((e) => e.changes.map((c) => c.field)),
      [['alias'], [], ['type', 'name', 'status', 'approval_status', 'attributes.productName']],
    );
    t.equal(seen.total, 3);
    t.notMatch(JSON.stringify(seen), /(?<![\w-])471[123](?![\w-])|cost/i);
    t.match(JSON.stringify(await history(card.id, member.api)), /4711.*4712|4712.*4711/);
    expectStatus(
      await api.post(`/cards/${card.id}/stakeholders`, { user_id: viewer.user.id, role: 'responsible' }),
      201,
      'a stakeholder',
    );
    t.same(changed((await history(card.id, viewer.api)).items[2]), { 'attributes.costTotalAnnual': [4711, 4712] });
  },
);

t.test('values of a field that was a cost, or no longer exists, stay hidden', async (t) => {
  const card = await make({ attributes: { productName: 'secret' } });
  t.match(JSON.stringify(await history(card.id, viewer.api)), /secret/, 'an ordinary field');
  // A previous metamodel in which the field was a cost, and a field that exists only in an old version.
  await sql(
    database,
    `insert into metamodel_revisions (revision, at, summary, doc) select max(revision) + 1, now(), 'test', $1 from metamodel_revisions`,
    [
      JSON.stringify({
        types: [{ key: 'Application', doc: { sections: [{ fields: [{ key: 'productName', kind: 'cost' }] }] } }],
      }),
    ],
  );
  await sql(
    database,
    `insert into card_versions (id, version, at, change_id, metamodel_revision, changes)
      select id, 2, at, change_id, metamodel_revision, '[{"field": "attributes.forgotten", "old": "gone", "new": null}]' from card_versions where id = $1`,
    [card.id],
  );
  await sql(
    database,
    `update revisions set revision = (select max(revision) from metamodel_revisions) + 1 where kind = 'metamodel'`,
  );
  await app.services.revisions.refresh();
  t.notMatch(JSON.stringify(await history(card.id, viewer.api)), /secret|productName|gone|forgotten/);
  t.match(JSON.stringify(await history(card.id, member.api)), /secret/);
});

t.test('a field changed from a cost to a number shows no value from before the change', async (t) => {
  const fields = (kind: string) => [
    { key: 'main', label: 'Main', fields: [{ key: 'fee', label: 'Fee', kind, required: false, weight: 1 }] },
  ];
  expectStatus(
    await api.post('/metamodel/types', { key: 'Tariff', label: 'Tariff', sections: fields('cost') }),
    201,
    'making a type',
  );
  const card = await make({ type: 'Tariff', attributes: { fee: 4714 } });
  expectStatus(await api.patch(`/cards/${card.id}`, { attributes: { fee: null } }), 200, 'emptying the field');
  expectStatus(await api.patch('/metamodel/types/Tariff', { sections: fields('number') }), 200, 'changing the kind');
  t.equal(app.services.metamodel.current.types.get('Tariff')?.fields.byKey.get('fee')?.kind, 'number');
  const seen = await history(card.id, viewer.api);
  t.equal(seen.total, 2);
  t.notMatch(JSON.stringify(seen), /\b4714\b|\bfee\b/);
  t.match(JSON.stringify(await history(card.id, member.api)), /4714/);
});

t.test('a hidden or nonexistent card has no history', async (t) => {
  const card = await make();
  t.equal((await blind.api.get(`/cards/${card.id}/history`)).status, 404, 'of a type that is hidden');
  const other = expectStatus(await api.post('/cards', { type: 'Interface', name: `Card ${++n}` }), 201, 'a card').body;
  t.equal((await history(other.id, blind.api)).total, 1, 'of another type');
  t.equal((await client(origin).get(`/cards/${card.id}/history`)).status, 401);
  expectStatus(await api.del(`/cards/${card.id}`), 204, 'deleting');
  for (const id of [card.id, NOWHERE, 'abc', '%00', 'null'])
    t.equal((await api.get(`/cards/${id}/history`)).status, 404, id);
});

t.test('changes by a deleted user remain in the history', async (t) => {
  const gone = await makeUser(admin, 'member');
  const card = await make();
  expectStatus(await gone.api.patch(`/cards/${card.id}`, { alias: 'theirs' }), 200, 'a change');
  expectStatus(await api.del(`/users/${gone.user.id}`), 204, 'deleting the user');
  t.same((await history(card.id)).items[0]!.actor, { id: gone.user.id, display_name: 'Deleted user' });
});
