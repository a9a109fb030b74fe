/** The tags of a card: the allowed ones, and the effects of changing them. */
import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, until, type AnyBody } from '../support/app.js';
import { makeRoleUser } from '../support/roles.js';

const node = await testApp();
const { origin, database, close } = node;
t.teardown(close);
const admin = await registerAdmin(origin);
const member = await makeUser(admin, 'member');
const viewer = await makeUser(admin, 'viewer');
const blind = await makeRoleUser(node, admin, 'blind', {
  like: 'member',
  types: { Application: { 'cards.view': false } },
});
const limited = await makeRoleUser(node, admin, 'limited', {
  like: 'member',
  types: { Application: { 'cards.edit': false } },
});
const { api } = admin;

const NOWHERE = '01900000-0000-7000-8000-00000000dead';
const made = async (path: string, body: object): Promise<AnyBody> => {
  const answer = await api.post(path, body);
  if (answer.status !== 201) throw new Error(`POST ${path} gave ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};
let n = 0;
const make = (more: object = {}) => made('/cards', { type: 'Application', name: `Card ${++n}`, ...more });
const group = (body: object) => made('/metamodel/tag-groups', body);
const tag = (groupId: string, name: string) => made(`/metamodel/tag-groups/${groupId}/tags`, { name });

const multi = await group({ name: 'Regions', mode: 'multi' });
const [north, south] = [await tag(multi.id, 'North'), await tag(multi.id, 'South')];
const single = await group({ name: 'Stage', mode: 'single' });
const [early, late] = [await tag(single.id, 'Early'), await tag(single.id, 'Late')];
const foreign = await group({ name: 'For providers', mode: 'multi', restrict_to_types: ['Provider'] });
const provider = await tag(foreign.id, 'Preferred');

const put = (id: string, tag_ids: unknown, by = api, headers: Record<string, string> = {}) =>
  by.put(`/cards/${id}/tags`, { tag_ids }, { headers });
const names = ({ items }: AnyBody) => items.map((x) => x.name);

t.test('PUT replaces the tags: in the answer, the list, the card and the filter', async (t) => {
  const card = await make();
  const first = await put(card.id, [south.id, north.id, early.id]);
  t.equal(first.status, 200);
  t.same(names(first.body), ['Early', 'North', 'South']);
  t.match(first.body.items[0], { id: early.id, group_id: single.id, group_name: 'Stage', color: null });
  t.match(first.body, { total: 3, total_relation: 'eq', next_cursor: null });
  t.same(
    names(
      (await api.get(`/cards/${card.id}/tags`, { query: { sort_by: 'group', sort_dir: 'desc', page_size: 1 } })).body,
    ),
    ['Early'],
  );
  t.same(((await api.get(`/cards/${card.id}`)).body['tags'] as AnyBody[]).map((x) => x.name).sort(), [
    'Early',
    'North',
    'South',
  ]);
  t.equal((await api.get('/cards', { query: { tag: early.id } })).body.total, 1);
  t.same(
    names((await put(card.id, [late.id.toUpperCase(), north.id])).body),
    ['Late', 'North'],
    'replacing a tag of a single group, with an id in any case',
  );
  t.same(names((await put(card.id, [])).body), []);
  t.equal((await api.get('/cards', { query: { tag: early.id } })).body.total, 0);
});

t.test('every invalid tag is named by its position', async (t) => {
  const card = await make();
  await put(card.id, [north.id]);
  const { status, body } = await put(card.id, [NOWHERE, early.id, late.id, provider.id, south.id]);
  t.equal(status, 422);
  t.same(
    body.errors.map((e) => e.field),
    ['/tag_ids/0', '/tag_ids/2', '/tag_ids/3'],
  );
  t.match(
    body.errors.map((e) => e.reason),
    [/no tag/, /second tag of the group Stage/, /For providers, which is not allowed for a Application/],
  );
  t.same(
    (await put(card.id, [north.id, north.id.toUpperCase()])).body.errors.map((e) => e.field),
    ['/tag_ids/1'],
  );
  for (const wrong of [
    undefined,
    null,
    'x',
    north.id,
    ['abc'],
    [null],
    [5],
    [north.id, north.id],
    [{ id: north.id }],
    Array.from({ length: 501 }, () => north.id),
  ]) {
    t.equal((await put(card.id, wrong)).status, 422, JSON.stringify(wrong)?.slice(0, 60));
  }
  for (const body of ['[]', '{"tag_ids":[],"x":1}', '{"tag_ids":["\\u0000"]}', '{"__proto__":{},"tag_ids":[]}']) {
    t.equal(
      (await api.send('PUT', `/cards/${card.id}/tags`, body, { headers: { 'content-type': 'application/json' } }))
        .status,
      422,
      body,
    );
  }
  t.same(names((await api.get(`/cards/${card.id}/tags`)).body), ['North'], 'and nothing changed');
  t.equal(
    (await put((await make({ type: 'Provider' })).id, [provider.id])).status,
    200,
    'a card of an allowed type can have it',
  );
});

t.test(
  'version and approval are unchanged; the entity tag of the view changes, with score, event and history',
  async (t) => {
    const card = await make();
    await sql(database, `update cards set approval_status = 'APPROVED' where id = $1`, [card.id]);
    const before = await api.get(`/cards/${card.id}`);
    await put(card.id, [north.id, early.id]);
    await put(card.id, [early.id, north.id]);
    await put(card.id, [late.id]);
    const after = await api.get(`/cards/${card.id}`);
    t.match(after.body, { version: before.body.version, approval_status: 'APPROVED' });
    t.not(after.headers.get('etag'), before.headers.get('etag'));
    t.equal((await api.get(`/cards/${card.id}/history`)).body.total, 3, 'equal tags create no change');
    const told = async () =>
      (
        await api.get('/events', {
          query: { subject_id: card.id, type: 'card.tags_changed', sort_by: 'id', sort_dir: 'asc' },
        })
      ).body.items.map((e) => e['data']) as Record<'added' | 'removed', { name: string }[]>[];
    await until(async () => (await told()).length >= 2);
    const sorted = (tags: { name: string }[]) => tags.map((x) => x.name).sort();
    t.same(
      (await told()).map(({ added, removed }) => [sorted(added), sorted(removed)]),
      [
        [['Early', 'North'], []],
        [['Late'], ['Early', 'North']],
      ],
    );
  },
);

t.test('If-Match names the version of the card', async (t) => {
  const card = await make();
  t.equal((await put(card.id, [north.id], api, { 'if-match': '"1"' })).status, 200);
  const stale = await put(card.id, [south.id], api, { 'if-match': '"7"' });
  t.equal(stale.status, 412);
  t.match(stale.body, { code: 'precondition_failed', current_version: 1 });
});

t.test('a mandatory group counts in the score, in the same transaction', async (t) => {
  const card = await make({ type: 'Platform' });
  const mandatory = await group({ name: 'Mandatory', mode: 'multi', mandatory: true, restrict_to_types: ['Platform'] });
  const needed = await tag(mandatory.id, 'Needed');
  const score = async () => (await api.get(`/cards/${card.id}`)).body['data_quality'] as number;
  t.equal((await put(card.id, [needed.id])).status, 200);
  const tagged = await score();
  t.equal((await put(card.id, [])).status, 200);
  t.ok((await score()) < tagged, `${await score()} without, ${tagged} with`);
});

t.test('permissions: cards.edit, or card.edit as a stakeholder; rules per type apply', async (t) => {
  const card = await make();
  t.equal((await put(card.id, [north.id], member.api)).status, 200);
  const refused = await put(card.id, [], viewer.api);
  t.equal(refused.status, 403);
  t.match(refused.body, { required_permission: 'cards.edit', or_card_permission: 'card.edit' });
  t.equal((await put(card.id, [], limited.api)).status, 403, 'not on this type');
  t.equal((await put((await make({ type: 'Interface' })).id, [north.id], limited.api)).status, 200, 'on another');
  for (const user of [viewer, limited])
    await api.post(`/cards/${card.id}/stakeholders`, { user_id: user.user.id, role: 'responsible' });
  t.equal((await put(card.id, [south.id], viewer.api)).status, 200, 'as a stakeholder');
  t.equal(
    (await put(card.id, [north.id], limited.api)).status,
    200,
    'as a stakeholder, in spite of the rule for the type',
  );
  t.equal((await blind.api.get(`/cards/${card.id}/tags`)).status, 404, 'hidden');
  t.equal((await put(card.id, [], blind.api)).status, 404, 'hidden');
});

t.test(
  'a nonexistent card is a 404, tags of an archived one are read-only, those of a deleted one are removed',
  async (t) => {
    for (const id of [NOWHERE, 'abc'])
      t.same([(await api.get(`/cards/${id}/tags`)).status, (await put(id, [])).status], [404, 404], id);
    const card = await make();
    await put(card.id, [north.id]);
    await api.post(`/cards/${card.id}/archive`);
    t.same(names((await api.get(`/cards/${card.id}/tags`)).body), ['North']);
    t.match((await put(card.id, [])).body, { status: 409, code: 'invalid_state' });
    t.equal((await api.del(`/cards/${card.id}`)).status, 204);
    t.equal((await sql(database, 'select from card_tags where card_id = $1', [card.id])).length, 0);
  },
);

t.test(
  '20 concurrent changes of a single group on one card: one tag remains, and every change has its event',
  async (t) => {
    const card = await make();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => put(card.id, [i % 2 ? early.id : late.id])));
    t.ok(
      answers.every((a) => a.status === 200),
      answers.map((a) => a.status).join(' '),
    );
    t.equal((await sql(database, 'select from card_tags where card_id = $1', [card.id])).length, 1);
    const { total } = (await api.get(`/cards/${card.id}/history`)).body;
    await until(
      async () =>
        (await api.get('/events', { query: { subject_id: card.id, type: 'card.tags_changed' } })).body.total ===
        total - 1,
    );
    t.pass();
  },
);
