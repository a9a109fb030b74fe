import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, until, type AnyBody, type Client } from '../support/app.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const { api } = admin;
const [member, viewer, architect] = [
  await makeUser(admin, 'member'),
  await makeUser(admin, 'viewer'),
  await makeUser(admin, 'architect'),
];

let n = 0;
const fresh = (prefix = 'L') => `${prefix} ${++n}`;
const REQUIRED = { attributes: { businessCriticality: 'missionCritical', timeModel: 'invest' } };
const make = async (more: object = {}, by: Client = api): Promise<AnyBody> => {
  const answer = await by.post('/cards', { type: 'Application', name: fresh(), ...more });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};
const get = async (id: string) => (await api.get(`/cards/${id}`)).body;
const decide = (id: string, action: string, by: Client = api, more: object = {}) =>
  by.post(`/cards/${id}/approval`, { action, ...more });
const archive = (id: string, body: unknown = {}) => api.post(`/cards/${id}/archive`, body);
const relate = (type: string, source_id: string, target_id: string) =>
  api.post('/relations', { type, source_id, target_id });
const eventsOf = async (id: string) =>
  await sql<{ type: string; data: Record<string, unknown> }>(
    database,
    `select type, data from (select position, type, data, subject_id from events union all select id + 1000000000, type, data, subject_id from event_outbox) e where subject_id = '${id}' order by position`,
  );
/** Creates a grandparent, parent, child and grandchild. */
const family = async () => {
  const g = await make();
  const p = await make({ parent_id: g.id });
  const c = await make({ parent_id: p.id });
  return { g, p, c, d: await make({ parent_id: c.id }) };
};

await t.test('approval: every transition, allowed or not', async (t) => {
  const legal: Record<string, string[]> = {
    DRAFT: ['approve', 'reject'],
    APPROVED: ['reject', 'reset'],
    REJECTED: ['approve', 'reset'],
    BROKEN: ['approve', 'reject', 'reset'],
  };
  const after = { approve: 'APPROVED', reject: 'REJECTED', reset: 'DRAFT' };
  const reach: Record<string, (id: string) => Promise<unknown>> = {
    DRAFT: async () => undefined,
    APPROVED: (id) => decide(id, 'approve'),
    REJECTED: (id) => decide(id, 'reject'),
    BROKEN: async (id) => {
      await decide(id, 'approve');
      await api.patch(`/cards/${id}`, { description: 'edit' });
    },
  };
  for (const [from, moves] of Object.entries(legal)) {
    for (const [action, to] of Object.entries(after)) {
      const card = await make(REQUIRED);
      await reach[from]!(card.id);
      t.equal((await get(card.id))['approval_status'], from);
      const { status, body } = await decide(card.id, action);
      if (moves.includes(action)) t.strictSame([status, body['approval_status']], [200, to], `${from} ${action}`);
      else t.strictSame([status, body.code], [409, 'invalid_state'], `${from} ${action}`);
    }
  }
  const card = await make(REQUIRED);
  t.equal((await decide(card.id, 'bless')).status, 422);
  t.equal((await api.post(`/cards/${card.id}/approval`, {})).status, 422);
  t.equal((await decide(card.id, 'approve', member.api)).status, 403);
  t.equal((await decide(card.id, 'approve', architect.api, { comment: 'Seen' })).status, 200);
  const events = await eventsOf(card.id);
  t.match(events.at(-1), { type: 'card.approved', data: { comment: 'Seen', version: 2 } });
});

await t.test('approval is refused while required values are missing', async (t) => {
  const card = await make({ attributes: { timeModel: 'invest' } });
  const refused = await decide(card.id, 'approve');
  t.strictSame(
    [refused.status, refused.body.code, refused.body['missing']],
    [409, 'approval_blocked', [{ kind: 'field', key: 'businessCriticality', label: 'Business criticality' }]],
  );
  t.equal((await decide(card.id, 'reject')).status, 200, 'an incomplete card can be rejected');
  await api.patch(`/cards/${card.id}`, REQUIRED);
  t.equal((await decide(card.id, 'approve')).status, 200);
});

await t.test('a substantive edit breaks an approval, by every write path', async (t) => {
  const parent = await make();
  const edits: Record<string, (id: string) => Promise<{ status: number }>> = {
    name: (id) => api.patch(`/cards/${id}`, { name: fresh() }),
    parent: (id) => api.patch(`/cards/${id}`, { parent_id: parent.id }),
    lifecycle: (id) => api.patch(`/cards/${id}`, { lifecycle: { active: '2024-01-01' } }),
    alias: (id) => api.patch(`/cards/${id}`, { alias: 'a' }),
    removal: (id) => api.patch(`/cards/${id}`, { attributes: { productName: null } }),
    bulk: (id) => api.post('/cards/bulk', { operations: [{ op: 'update', id, card: { description: 'x' } }] }),
    'JSON Patch': (id) =>
      api.send(
        'PATCH',
        `/cards/${id}`,
        JSON.stringify([{ op: 'add', path: '/attributes/productName', value: 'new' }]),
        { headers: { 'content-type': 'application/json-patch+json' } },
      ),
  };
  for (const [how, edit] of Object.entries(edits)) {
    const card = await make({ attributes: { ...REQUIRED.attributes, productName: 'p' } });
    await decide(card.id, 'approve');
    t.equal((await edit(card.id)).status, 200, how);
    t.equal((await get(card.id))['approval_status'], 'BROKEN', how);
  }
  const card = await make(REQUIRED);
  await decide(card.id, 'approve');
  await api.patch(`/cards/${card.id}`, { external_id: fresh('ext') });
  t.equal(
    (await get(card.id))['approval_status'],
    'APPROVED',
    'a change of the external id does not break the approval',
  );
});

await t.test('four eyes: the last editor cannot approve', async (t) => {
  t.equal((await api.patch('/metamodel/types/Platform', { approval_policy: { four_eyes: true } })).status, 200);
  const card = await make({ type: 'Platform' });
  t.strictSame(
    [(await decide(card.id, 'approve')).body.code, (await decide(card.id, 'approve', architect.api)).status],
    ['four_eyes', 200],
  );
  await architect.api.patch(`/cards/${card.id}`, { description: 'mine' });
  t.equal((await decide(card.id, 'approve', architect.api)).body.code, 'four_eyes');
  t.equal((await decide(card.id, 'reject', architect.api)).status, 200, 'but may reject');
  t.equal(
    (await decide(card.id, 'approve', architect.api)).body.code,
    'four_eyes',
    'approving does not change the last editor',
  );
  t.equal((await decide(card.id, 'approve')).status, 200);
});

await t.test('approval and a concurrent edit: content that was not reviewed is never approved', async (t) => {
  for (let i = 0; i < 10; i++) {
    const card = await make(REQUIRED);
    const [a, e] = await Promise.all([
      api.post(`/cards/${card.id}/approval`, { action: 'approve' }, { headers: { 'if-match': `"${card.version}"` } }),
      api.patch(`/cards/${card.id}`, { description: `r${i}` }),
    ]);
    t.equal(e.status, 200);
    t.equal((await get(card.id))['approval_status'], a.status === 200 ? 'BROKEN' : 'DRAFT', `${a.status}`);
  }
});

await t.test('archiving with children: refused without a strategy, and the effect of each strategy', async (t) => {
  const none = await family();
  const refused = await archive(none.p.id);
  t.strictSame([refused.status, refused.body.code, refused.body['child_count']], [409, 'children_present', 1]);
  t.strictSame([(await get(none.p.id))['status'], (await get(none.p.id)).version], ['ACTIVE', 1]);
  const cascade = await family();
  t.equal((await archive(cascade.p.id, { child_strategy: 'cascade' })).status, 200);
  t.strictSame(await Promise.all(['g', 'p', 'c', 'd'].map(async (k) => (await get(cascade[k as 'g'].id))['status'])), [
    'ACTIVE',
    'ARCHIVED',
    'ARCHIVED',
    'ARCHIVED',
  ]);
  t.match((await eventsOf(cascade.d.id)).at(-1), { type: 'card.archived' }, 'each has its event');
  const cut = await family();
  t.equal((await archive(cut.p.id, { child_strategy: 'disconnect' })).status, 200);
  t.match(await get(cut.c.id), { parent_id: null, level: 1, path: [], status: 'ACTIVE' });
  t.match(await get(cut.d.id), { parent_id: cut.c.id, level: 2, path: [cut.c.name] });
  const up = await family();
  t.equal((await archive(up.p.id, { child_strategy: 'reparent' })).status, 200);
  t.match(await get(up.c.id), { parent_id: up.g.id, level: 2 });
  t.match(await get(up.d.id), { level: 3, path: [up.g.name, up.c.name] });
  t.equal((await archive(up.g.id, { child_strategy: 'eat' })).status, 422);
  const root = await family();
  t.equal((await archive(root.g.id, { child_strategy: 'reparent' })).status, 200);
  t.equal((await get(root.p.id))['parent_id'], null, 'children of a root become roots');
});

await t.test('an impossible strategy: the name exists above, or a permission is missing', async (t) => {
  const { g, p, c } = await family();
  await make({ parent_id: g.id, name: c.name });
  const taken = await archive(p.id, { child_strategy: 'reparent' });
  t.strictSame([taken.status, taken.body.code], [409, 'name_taken']);
  t.equal((await get(c.id))['parent_id'], p.id, 'nothing moved');
  t.equal((await member.api.post(`/cards/${p.id}/archive`, { child_strategy: 'cascade' })).status, 403);
});

await t.test('deleting with children: the same choices, archived ones included', async (t) => {
  const { g, p, c, d } = await family();
  await archive(d.id);
  t.equal((await api.del(`/cards/${c.id}`)).body.code, 'children_present', 'an archived child is one');
  t.equal((await api.del(`/cards/${p.id}`, { query: { child_strategy: 'cascade' } })).status, 204);
  t.strictSame(
    await Promise.all([g, p, c, d].map(async ({ id }) => (await api.get(`/cards/${id}`)).status)),
    [200, 404, 404, 404],
  );
  const cut = await family();
  const { body } = await api.post('/cards/bulk', {
    operations: [{ op: 'delete', id: cut.c.id, child_strategy: 'reparent' }],
  });
  t.match(body['summary'], { deleted: 1 });
  t.match(await get(cut.d.id), { parent_id: cut.p.id, level: 3 });
});

await t.test('a cascade and a concurrent new child leave no active card below an archived one', async (t) => {
  for (let i = 0; i < 8; i++) {
    const { p, c } = await family();
    await Promise.all([
      archive(p.id, { child_strategy: 'cascade' }),
      api.post('/cards', { type: 'Application', name: fresh(), parent_id: c.id }),
    ]);
  }
  t.strictSame(
    await sql(
      database,
      `select c.id from cards c join cards p on p.id = c.parent_id where c.status = 'ACTIVE' and p.status <> 'ACTIVE'`,
    ),
    [],
  );
});

await t.test('archive impact shows the effects in advance', async (t) => {
  const { p, c, d } = await family();
  const capability = await make({ type: 'BusinessCapability' });
  await relate('applicationToBusinessCapability', d.id, capability.id);
  await relate('applicationToBusinessCapability', p.id, capability.id);
  await api.patch(`/cards/${c.id}`, REQUIRED);
  await decide(c.id, 'approve');
  const { body } = await api.get(`/cards/${p.id}/archive-impact`);
  t.strictSame(body as unknown, {
    child_count: 1,
    descendant_count: 2,
    approved_count: 1,
    related: [
      {
        id: capability.id,
        type: 'BusinessCapability',
        name: capability.name,
        relation_types: ['applicationToBusinessCapability'],
      },
    ],
    related_count: 1,
  });
  t.equal((await api.get('/cards/01900000-0000-7000-8000-00000000dead/archive-impact')).status, 404);
});

await t.test(
  'relations of an archived card are hidden and return; a place taken meanwhile is a conflict',
  async (t) => {
    const [source, target, other] = [await make(), await make({ type: 'BusinessCapability' }), await make()];
    await api.post('/metamodel/relation-types', {
      key: 'leads',
      label: 'leads',
      reverse_label: 'led by',
      source_type: 'Application',
      target_type: 'BusinessCapability',
      cardinality: '1:n',
    });
    const relation = (
      await until(async () => {
        const r = await relate('leads', source.id, target.id);
        return r.status === 201 && r;
      })
    ).body;
    const count = async () => (await api.get('/relations', { query: { card_id: target.id } })).body.total;
    await archive(source.id);
    t.strictSame(
      [
        await count(),
        (await api.get(`/relations/${relation.id}`)).status,
        (await api.patch(`/relations/${relation.id}`, { description: 'x' })).status,
      ],
      [0, 404, 404],
    );
    await api.post(`/cards/${source.id}/restore`, {});
    t.strictSame([await count(), (await api.get(`/relations/${relation.id}`)).status], [1, 200]);
    await archive(source.id);
    t.equal((await relate('leads', other.id, target.id)).status, 201, "what is hidden is in nobody's way");
    const restored = await api.post(`/cards/${source.id}/restore`, {});
    t.strictSame([restored.status, restored.body.code], [409, 'cardinality']);
    t.equal((await get(source.id))['status'], 'ARCHIVED');
  },
);

await t.test('archiving while 20 relate: a relation is never shown without its card', async (t) => {
  for (let i = 0; i < 4; i++) {
    const card = await make();
    const targets = await Promise.all(Array.from({ length: 20 }, () => make({ type: 'BusinessCapability' })));
    const answers = await Promise.all([
      archive(card.id),
      ...targets.map((target) => relate('applicationToBusinessCapability', card.id, target.id)),
    ]);
    t.equal(answers[0]!.status, 200);
    t.ok(
      answers.slice(1).every(({ status }) => [201, 409, 422].includes(status)),
      `${answers.map((a) => a.status).join(' ')}`,
    );
    t.equal((await api.get('/relations', { query: { card_id: card.id } })).body.total, 0);
  }
  t.strictSame(
    await sql(
      database,
      `select r.id from relations r join cards s on s.id = r.source_id join cards t on t.id = r.target_id where r.hidden <> (s.status <> 'ACTIVE' or t.status <> 'ACTIVE')`,
    ),
    [],
  );
});

await t.test('JSON Patch: tests, paths, atomicity, and routes that do not accept it', async (t) => {
  const card = await make({ description: 'd', attributes: { productName: 'a', numberOfUsers: 3 } });
  const patch = (operations: unknown, headers = {}) =>
    api.send('PATCH', `/cards/${card.id}`, JSON.stringify(operations), {
      headers: { 'content-type': 'application/json-patch+json', ...headers },
    });
  const { status, body } = await patch([
    { op: 'test', path: '/attributes/productName', value: 'a' },
    { op: 'replace', path: '/attributes/productName', value: 'b' },
    { op: 'remove', path: '/attributes/numberOfUsers' },
    { op: 'copy', from: '/description', path: '/alias' },
  ]);
  t.strictSame([status, body['attributes'], body['alias'], body.version], [200, { productName: 'b' }, 'd', 2]);
  t.equal(
    (
      await patch([
        { op: 'replace', path: '/description', value: 'no' },
        { op: 'test', path: '/alias', value: 'zzz' },
      ])
    ).body.code,
    'patch_test_failed',
  );
  for (const bad of [
    { op: 'replace', path: '/nope/x', value: 1 },
    { op: 'add', path: '/__proto__/x', value: 1 },
    { op: 'replace', path: '/status', value: 'ARCHIVED' },
    { op: 'add', path: '/status', value: 'ARCHIVED' },
    { op: 'bogus', path: '/name' },
    { op: 'replace', path: '', value: [] },
    { op: 'replace', path: '/name', value: 5 },
    { op: 'replace', path: '/lifecycle', value: 'x' },
    { op: 'remove', path: '/name' },
  ]) {
    t.equal((await patch([bad])).status, 422, JSON.stringify(bad));
  }
  t.strictSame([(await patch({ op: 'add' })).status, (await patch([])).status], [422, 422]);
  t.equal((await patch([{ op: 'replace', path: '/alias', value: 'x' }], { 'if-match': '"1"' })).status, 412);
  t.strictSame([(await get(card.id)).version, (await get(card.id))['description']], [2, 'd']);
  const key = { 'idempotency-key': 'json-patch-1' };
  const once = [
    { op: 'test', path: '/alias', value: 'd' },
    { op: 'replace', path: '/alias', value: 'e' },
  ];
  const [first, again] = [await patch(once, key), await patch(once, key)];
  t.strictSame(
    [first.status, again.status, again.body.version, again.headers.get('idempotent-replayed')],
    [200, 200, first.body.version, 'true'],
  );
  const relation = (
    await relate('applicationToBusinessCapability', card.id, (await make({ type: 'BusinessCapability' })).id)
  ).body;
  t.equal(
    (
      await api.send('PATCH', `/relations/${relation.id}`, '[]', {
        headers: { 'content-type': 'application/json-patch+json' },
      })
    ).status,
    415,
  );
});

await t.test('a caller who may not see costs cannot set them, nor infer them from responses', async (t) => {
  t.equal(
    (
      await api.post('/roles', {
        key: 'clerk',
        label: 'Clerk',
        permissions: ['cards.view', 'cards.create', 'cards.edit', 'cards.bulk', 'relations.view', 'relations.manage'],
      })
    ).status,
    201,
  );
  const clerk = await makeUser(admin, 'clerk');
  const card = await make({ attributes: { costTotalAnnual: 100 } });
  for (const cost of [100, 200, null]) {
    const { status, body } = await clerk.api.patch(`/cards/${card.id}`, { attributes: { costTotalAnnual: cost } });
    t.strictSame(
      [status, body['required_permission'], body.errors?.[0]?.field],
      [403, 'costs.view', undefined],
      `${cost}`,
    );
  }
  t.equal(
    (await clerk.api.post('/cards', { type: 'Application', name: fresh(), attributes: { costTotalAnnual: 1 } })).status,
    403,
  );
  const bulk = await clerk.api.post<{ results: { outcome: string; errors?: { field: string }[] }[] }>('/cards/bulk', {
    mode: 'per_row',
    operations: [
      { op: 'update', id: card.id, card: { attributes: { costTotalAnnual: 100 } } },
      { op: 'update', id: card.id, card: { description: 'fine' } },
    ],
  });
  t.strictSame(
    bulk.body.results.map((r) => [r.outcome, r.errors?.[0]?.field]),
    [
      ['failed', '/operations/0/card/attributes/costTotalAnnual'],
      ['updated', undefined],
    ],
  );
  const jsonPatch = await clerk.api.send(
    'PATCH',
    `/cards/${card.id}`,
    JSON.stringify([{ op: 'test', path: '/attributes/costTotalAnnual', value: 100 }]),
    { headers: { 'content-type': 'application/json-patch+json' } },
  );
  t.not(jsonPatch.status, 200, 'a test is no oracle either');
  const [component] = [await make({ type: 'ITComponent' })];
  const made = await clerk.api.post('/relations', {
    type: 'applicationToITComponent',
    source_id: card.id,
    target_id: component.id,
    attributes: { costTotalAnnual: 5 },
  });
  t.equal(made.status, 403);
  const relation = (
    await api.post('/relations', {
      type: 'applicationToITComponent',
      source_id: card.id,
      target_id: component.id,
      attributes: { costTotalAnnual: 5 },
    })
  ).body;
  t.strictSame(
    [
      (await clerk.api.patch(`/relations/${relation.id}`, { attributes: { costTotalAnnual: 5 } })).status,
      (await clerk.api.get(`/relations/${relation.id}`)).body['attributes'],
    ],
    [403, {}],
  );
  await api.post(`/cards/${card.id}/stakeholders`, { user_id: clerk.user.id, role: 'responsible' });
  t.equal(
    (
      await until(async () => {
        const r = await clerk.api.patch(`/cards/${card.id}`, { attributes: { costTotalAnnual: 300 } });
        return r.status === 200 && r;
      }, 1_000)
    ).status,
    200,
    'as responsible',
  );
  t.strictSame(
    (await clerk.api.get(`/relations/${relation.id}`)).body['attributes'],
    { costTotalAnnual: 5 },
    'and at either end of a relation',
  );
});

await t.test('score: mandatory relations count while they exist', async (t) => {
  const capability = await make({ type: 'BusinessCapability' });
  const app = await make();
  const score = async () => (await get(app.id))['data_quality'] as number;
  await api.patch(`/cards/${app.id}`, { description: 'd' });
  const described = await score();
  t.ok(described > (app['data_quality'] as number));
  t.equal(
    (
      await api.post('/metamodel/relation-types', {
        key: 'mustServe',
        label: 'serves',
        reverse_label: 'served by',
        source_type: 'Application',
        target_type: 'BusinessCapability',
        cardinality: 'n:m',
        source_mandatory: true,
      })
    ).status,
    201,
  );
  await until(async () => (await score()) < described, 6_000);
  const without = await score();
  const blocked = await api.patch(`/cards/${app.id}`, REQUIRED).then(() => decide(app.id, 'approve'));
  t.strictSame(blocked.body['missing'], [{ kind: 'relation', key: 'mustServe', label: 'serves' }]);
  const full = await score();
  const { body: relation } = await relate('mustServe', app.id, capability.id);
  t.ok((await score()) > full, 'in the same transaction');
  await archive(capability.id);
  t.equal(await score(), full, 'a relation to an archived card is none');
  await api.post(`/cards/${capability.id}/restore`, {});
  t.ok((await score()) > full);
  await api.del(`/relations/${relation.id}`);
  t.equal(await score(), full);
  await relate('mustServe', app.id, capability.id);
  await api.del(`/cards/${capability.id}`);
  t.equal(await score(), full, 'a relation to a deleted card does not count');
  t.ok(without < full);
  const { body } = await api.post<{ results: { id: string }[] }>('/cards/bulk', {
    operations: [
      { op: 'create', ref: 'c', card: { type: 'BusinessCapability', name: fresh() } },
      {
        op: 'create',
        card: { type: 'Application', name: fresh(), description: 'd', ...REQUIRED },
        relations: [{ type: 'mustServe', target: { ref: 'c' } }],
      },
    ],
  });
  t.ok(((await get(body.results[1]!.id))['data_quality'] as number) > full, 'made together with the card');
});

await t.test('20 relate one card at once: the score is that of all of them', async (t) => {
  const app = await make();
  const targets = await Promise.all(Array.from({ length: 20 }, () => make({ type: 'BusinessCapability' })));
  const answers = await Promise.all(
    targets.flatMap((target, i) => [
      relate('mustServe', app.id, target.id),
      api.patch(`/cards/${app.id}`, { description: `d${i}` }),
    ]),
  );
  t.ok(
    answers.every(({ status }) => [200, 201].includes(status)),
    `${answers.map((a) => a.status).join(' ')}`,
  );
  const score = (await get(app.id))['data_quality'];
  await api.patch(`/cards/${app.id}`, { alias: 'again' });
  t.equal((await get(app.id))['data_quality'], score, 'working it out anew gives the same');
});

await t.test("stakeholders of a viewer's card: they change the score", async (t) => {
  const card = await make();
  const { body } = await api.post(`/cards/${card.id}/stakeholders`, { user_id: viewer.user.id, role: 'responsible' });
  const held = (await get(card.id))['data_quality'] as number;
  t.ok(held > (card['data_quality'] as number));
  await api.del(`/cards/${card.id}/stakeholders/${body.id}`);
  t.equal((await get(card.id))['data_quality'], card['data_quality']);
});
