import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, until } from '../../support/app.js';
import type { Metamodel } from '../../../core/inventory/metamodel/index.js';

const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(async () => {
  await Promise.all([one.close(), two.close()]);
});
const { database } = one;
const admin = await registerAdmin(one.origin);
const { api } = admin;
const viewer = await makeUser(admin, 'viewer');
const GROUPS = '/metamodel/tag-groups';
const NOWHERE = '01900000-0000-7000-8000-00000000dead';

const group = async (body: object) => {
  const answer = await api.post(GROUPS, body);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.id;
};
const tag = async (groupId: string, name: string) => (await api.post(`${GROUPS}/${groupId}/tags`, { name })).body.id;
const card = async (type: string, name: string) => (await api.post('/cards', { type, name })).body.id;
/** Inserts a tag of a card directly, as a node with an outdated metamodel may do. */
const put = (cardId: string, tagId: string) =>
  sql(database, 'insert into card_tags (card_id, tag_id) values ($1, $2)', [cardId, tagId]);
const jobs = () =>
  sql<{ payload: { types: string[] | null }; wait: number }>(
    database,
    `select payload, extract(epoch from run_at - created_at)::float8 as wait from jobs where type = 'cards.rescore' order by id`,
  );
const compiled = (node: typeof one): Metamodel => node.app.services.metamodel.current;

t.test('groups and tags are made, read, changed and deleted', async (t) => {
  const made = await api.post(GROUPS, { name: '  Cloud  ' });
  t.match(made, {
    status: 201,
    body: { name: 'Cloud', mode: 'multi', mandatory: false, restrict_to_types: [], tags: [], version: 1 },
  });
  const path = `${GROUPS}/${made.body.id}`;
  t.equal(made.headers.get('location'), `/api/v1${path}`);
  const { body: rehost, status } = await api.post(`${path}/tags`, { name: 'Rehost', color: '#123456' });
  t.match([status, rehost], [201, { name: 'Rehost', color: '#123456', description: null, version: 1 }]);
  await tag(made.body.id, 'Another');
  t.match((await viewer.api.get(path)).body, { tags: [{ name: 'Another' }, { name: 'Rehost', id: rehost.id }] });
  t.match((await viewer.api.get(`${path}/tags`)).body, { total: 2, items: [{ name: 'Another' }, { name: 'Rehost' }] });
  t.match((await viewer.api.get(GROUPS)).body, { total: 1, items: [{ tags: [{}, {}] }] });
  t.match((await viewer.api.get(`${path}/tags/${rehost.id}`)).headers.get('etag'), '"1"');
  const shown = (await api.get(path)).headers.get('etag')!;
  t.match(shown, /^"1\./, 'the tags are part of the response');
  t.match(
    await api.patch(
      `${path}/tags/${rehost.id}`,
      { name: 'Re-host', color: null, description: 'd' },
      { headers: { 'if-match': '"1"' } },
    ),
    { status: 200, body: { name: 'Re-host', color: null, description: 'd', version: 2 } },
  );
  t.not((await api.get(path)).headers.get('etag'), shown);
  t.match(await api.patch(path, { name: 'Sky', mode: 'single' }, { headers: { 'if-match': shown } }), {
    status: 200,
    body: { name: 'Sky', mode: 'single', version: 2 },
  });
  t.match(await api.patch(path, { name: 'X' }, { headers: { 'if-match': '"1"' } }), {
    status: 412,
    body: { current_version: 2, changed_fields: ['name'] },
  });
  t.match((await api.patch(path, { name: 'Sky' })).body, { version: 2 }, 'nothing changed');
  t.equal((await api.del(`${path}/tags/${rehost.id}`)).status, 204);
  t.equal((await api.get(`${path}/tags/${rehost.id}`)).status, 404);
  t.equal((await api.del(path)).status, 204);
  t.equal((await api.get(path)).status, 404);
  const events = await sql<{ type: string }>(
    database,
    `select type from (select type, subject_kind, occurred_at from events union all select type, subject_kind, occurred_at from event_outbox) e where subject_kind = 'metamodel' and type like 'metamodel.tag%' order by occurred_at`,
  );
  t.strictSame(
    events.map((e) => e.type.slice('metamodel.'.length)),
    [
      'tag_group_created',
      'tag_created',
      'tag_created',
      'tag_updated',
      'tag_group_updated',
      'tag_deleted',
      'tag_group_deleted',
    ],
  );
});

t.test('names are unique without case, and hostile values are refused', async (t) => {
  const id = await group({ name: 'Straße' });
  await tag(id, 'One');
  t.match(await api.post(GROUPS, { name: ' STRASSE ' }), { status: 409, body: { code: 'name_taken' } });
  t.match(await api.post(`${GROUPS}/${id}/tags`, { name: 'ONE' }), { status: 409, body: { code: 'name_taken' } });
  const answers = await Promise.all(Array.from({ length: 20 }, () => api.post(GROUPS, { name: 'Race' })));
  t.strictSame(
    [201, 409].map((s) => answers.filter((a) => a.status === s).length),
    [1, 19],
  );
  const bad: object[] = [
    {},
    { name: '' },
    { name: ' ' },
    { name: 'a\u0000' },
    { name: '\ud800' },
    { name: 5 },
    { name: 'x'.repeat(201) },
    { name: 'a', mode: 'all' },
    { name: 'a', mandatory: 'yes' },
    { name: 'a', key: 'k' },
    { name: 'a', restrict_to_types: ['Nope'] },
    { name: 'a', restrict_to_types: ['Application', 'Application'] },
    { name: 'a', restrict_to_types: 'Application' },
  ];
  for (const body of bad) t.equal((await api.post(GROUPS, body)).status, 422, JSON.stringify(body));
  t.match((await api.post(GROUPS, { name: 'a', restrict_to_types: ['Application', 'constructor'] })).body.errors, [
    { field: '/restrict_to_types/1' },
  ]);
  for (const body of [{}, { name: null }, { name: 'x', color: 'blue' }, { name: 'x', group: 1 }])
    t.equal((await api.post(`${GROUPS}/${id}/tags`, body)).status, 422, JSON.stringify(body));
  // Square ligatures, which are decomposed in the key: they give the longest keys.
  const long = Array.from({ length: 200 }, (_, i) => String.fromCodePoint(0x3300 + ((i * i * 7 + i * 31) % 88))).join(
    '',
  );
  t.ok([201, 422].includes((await api.post(GROUPS, { name: long })).status), 'a long key is stored or refused');
  for (const path of [
    `${GROUPS}/abc`,
    `${GROUPS}/${NOWHERE}`,
    `${GROUPS}/abc/tags`,
    `${GROUPS}/${NOWHERE}/tags`,
    `${GROUPS}/${id}/tags/abc`,
    `${GROUPS}/${id}/tags/${NOWHERE}`,
  ])
    t.equal((await api.get(path)).status, 404, path);
  t.equal((await api.post(`${GROUPS}/${NOWHERE}/tags`, { name: 'x' })).status, 404);
  for (const [method, path] of [
    ['POST', GROUPS],
    ['PATCH', `${GROUPS}/${id}`],
    ['DELETE', `${GROUPS}/${id}`],
    ['POST', `${GROUPS}/${id}/tags`],
  ] as const)
    t.match(await viewer.api.send(method, path, method === 'DELETE' ? undefined : { name: 'No' }), {
      status: 403,
      body: { required_permission: 'tags.manage' },
    });
});

t.test('a change cannot forbid tags that cards have', async (t) => {
  const id = await group({ name: 'In use' });
  const [a, b, c] = [await tag(id, 'A'), await tag(id, 'B'), await tag(id, 'C')];
  const [app, provider] = [await card('Application', 'Tagged'), await card('Provider', 'Tagged')];
  await put(app, a);
  await put(app, b);
  await put(provider, a);
  t.match(await api.patch(`${GROUPS}/${id}`, { mode: 'single' }), {
    status: 409,
    body: { code: 'in_use', counts: { mode: 1 } },
  });
  t.match(await api.patch(`${GROUPS}/${id}`, { restrict_to_types: ['Application'] }), {
    status: 409,
    body: { counts: { restrict_to_types: 1 } },
  });
  t.match(await api.del(`${GROUPS}/${id}/tags/${a}`), { status: 409, body: { counts: { cards: 2 } } });
  t.match(await api.del(`${GROUPS}/${id}`), { status: 409, body: { counts: { cards: 2 } } });
  t.equal((await api.del(`${GROUPS}/${id}/tags/${c}`)).status, 204);
  await sql(database, 'delete from card_tags where tag_id = $1', [b]);
  t.equal(
    (await api.patch(`${GROUPS}/${id}`, { mode: 'single', restrict_to_types: ['Provider', 'Application'] })).status,
    200,
  );
  await t.rejects(put(app, b), { code: '23514', constraint: 'card_tags_single' }, 'and the database holds to it');
  await t.rejects(put(await card('Interface', 'Untagged'), b), { code: '23514', constraint: 'card_tags_restricted' });
});

t.test('the compiled metamodel contains them on every node within a second', async (t) => {
  const all = await group({ name: 'Live', mode: 'single', mandatory: true });
  const some = await group({ name: 'Live too', mandatory: true, restrict_to_types: ['Application'] });
  const id = await tag(all, 'T');
  const seen = await until(
    () => compiled(two).tags.has(id) && compiled(two).tagGroups.get(some) && compiled(two),
    1_000,
  );
  t.equal(seen.tags.get(id), all);
  t.match(seen.tagGroups.get(all), {
    id: all,
    name: 'Live',
    mode: 'single',
    mandatory: true,
    restrictToTypes: [],
    tags: [{ id, name: 'T' }],
  });
  t.strictSame([...seen.mandatoryGroups('Application')].sort(), [all, some].sort());
  t.strictSame(seen.mandatoryGroups('Provider'), [all]);
  await Promise.all([all, some].map((g) => api.patch(`${GROUPS}/${g}`, { mandatory: false })));
  await until(() => compiled(two).mandatoryGroups('Application').length === 0, 1_000);
  t.strictSame(compiled(one).mandatoryGroups('Application'), []);
});

t.test('changes that affect scores queue a job for the affected types only', async (t) => {
  const rescored = async (what: string, work: () => Promise<{ status: number }>, expected: (string[] | null)[]) => {
    const before = (await jobs()).length;
    const { status } = await work();
    t.ok(status < 300, `${what}: ${status}`);
    const made = (await jobs()).slice(before);
    t.strictSame(
      made.map((j) => j.payload.types),
      expected,
      what,
    );
    for (const { wait } of made) t.ok(wait > 0.3 && wait < 1.5, `after ${wait} s, on every node`);
  };
  const types = '/metamodel/types';
  const F = (key: string, more = {}) => ({ key, kind: 'text', ...more });
  const sections = (...fields: object[]) => ({ sections: [{ key: 'main', fields }] });
  await rescored(
    'a new type',
    () => api.post(types, { key: 'Sc', label: 'Sc', ...sections(F('a'), F('b')), subtypes: [{ key: 's' }] }),
    [],
  );
  const patch = (body: object) => () => api.patch(`${types}/Sc`, body);
  await rescored('a label', patch({ label: 'Score', ...sections(F('a', { label: 'A', required: true }), F('b')) }), []);
  await rescored('a weight of a field', patch(sections(F('a', { weight: 2 }), F('b'))), [['Sc']]);
  await rescored('a field less', patch(sections(F('a', { weight: 2 }))), [['Sc']]);
  await rescored('a hidden field', patch({ subtypes: [{ key: 's', hidden_fields: ['a'] }] }), [['Sc']]);
  await rescored('a weight', patch({ quality_weights: { lifecycle: 0 } }), [['Sc']]);
  await rescored('a role more', () => api.post(`${types}/Sc/stakeholder-roles`, { key: 'extra' }), [['Sc']]);
  await rescored(
    'permissions of a role',
    () => api.patch(`${types}/Sc/stakeholder-roles/extra`, { permissions: ['card.edit'] }),
    [],
  );
  const relation = (key: string, more: object) =>
    api.post('/metamodel/relation-types', { key, label: key, source_type: 'Sc', target_type: 'Provider', ...more });
  await rescored('a relation type', () => relation('scPlain', {}), []);
  await rescored('a mandatory side', () => relation('scMust', { source_mandatory: true }), [['Sc']]);
  await rescored(
    'also the other side',
    () => api.patch('/metamodel/relation-types/scMust', { target_mandatory: true }),
    [['Provider']],
  );
  await rescored('an end of it', () => api.patch('/metamodel/relation-types/scMust', { target_type: '*' }), [null]);
  await rescored('without it', () => api.del('/metamodel/relation-types/scMust'), [null]);
  await rescored('a group that is not mandatory', () => api.post(GROUPS, { name: 'May' }), []);
  const made = (await api.post(GROUPS, { name: 'Must', restrict_to_types: ['Sc'] })).body.id;
  await rescored('a group some must have', () => api.patch(`${GROUPS}/${made}`, { mandatory: true }), [['Sc']]);
  await rescored('a group all must have', () => api.patch(`${GROUPS}/${made}`, { restrict_to_types: [] }), [null]);
  await rescored('without the group', () => api.del(`${GROUPS}/${made}`), [null]);
});

t.test('lists sort names as cards do, and cursors remain valid after their row is deleted', async (t) => {
  const [id, other] = [await group({ name: 'Read on' }), await group({ name: 'Another list' })];
  const ids = new Map<string, string>();
  for (const name of ['Zeta', 'alpha', 'Ärger', 'beta', 'ЖУК', 'жаба']) ids.set(name, await tag(id, name));
  const page = async (query: Record<string, string | number>, of = id) =>
    api.get(`${GROUPS}/${of}/tags`, { query: { page_size: 2, ...query } });
  const names = (body: { items?: unknown }) => (body.items as { name: string }[]).map(({ name }) => name);
  t.strictSame(
    names((await page({ page_size: 9 })).body),
    ['alpha', 'beta', 'Zeta', 'Ärger', 'жаба', 'ЖУК'],
    'case does not count',
  );
  const first = (await page({})).body;
  t.equal((await api.del(`${GROUPS}/${id}/tags/${ids.get('beta')}`)).status, 204, 'the last one of the page');
  const cursor = first['next_cursor'] as string;
  const second = (await page({ cursor })).body;
  t.strictSame([names(first), names(second), second['total']], [['alpha', 'beta'], ['Zeta', 'Ärger'], 5]);
  t.strictSame(names((await page({ cursor: second['next_cursor'] as string })).body), ['жаба', 'ЖУК']);
  for (const answer of [
    await page({ cursor, sort_dir: 'desc' }),
    await page({ cursor, sort_by: 'created_at' }),
    await page({ cursor }, other),
    await page({ cursor: `${cursor.slice(0, -3)}_` }),
  ]) {
    t.match(answer, { status: 422, body: { code: 'invalid_cursor' } });
  }
});
