/** Definitions in use cannot be removed, also while a node still writes with the previous metamodel. */
import t from 'tap';
import { client, makeUser, registerAdmin, sql, testApp, until } from '../../support/app.js';

const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(async () => {
  await Promise.all([one.close(), two.close()]);
});
const { database } = one;
const admin = await registerAdmin(one.origin);
const { api } = admin;
const viewer = await makeUser(admin, 'viewer');
const other = client(two.origin, admin.token);

const F = (key: string, kind = 'text', more: object = {}) => ({ key, label: key, kind, ...more });
const OPT = (...keys: string[]) => ({ options: keys.map((key) => ({ key })) });
const sections = (...fields: object[]) => ({ sections: [{ key: 'main', fields }] });
let n = 0;
const type = async (body: object, key = `Used${++n}`): Promise<string> => {
  const answer = await api.post(`/metamodel/types`, { key, label: key, ...body });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return key;
};
const relationType = async (body: object, key = `used${++n}`): Promise<string> => {
  const answer = await api.post('/metamodel/relation-types', {
    key,
    label: key,
    source_type: '*',
    target_type: '*',
    ...body,
  });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return key;
};
const card = async (body: object, client = api) => {
  const answer = await client.post('/cards', { name: `Card ${++n}`, ...body });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};
const known = (key: string, node: typeof one = two) =>
  until(() => node.app.services.metamodel.current.types.get(key), 1_000);

t.test('a card type: definitions in use cannot be removed, others can', async (t) => {
  const fields = [
    F('used'),
    F('free'),
    F('sel', 'single_select', OPT('a', 'b', 'c')),
    F('many', 'multiple_select', OPT('x', 'y', 'z')),
    F('num', 'number'),
  ];
  const key = await type({
    ...sections(...fields),
    has_hierarchy: true,
    allowed_parent_types: ['Application'],
    subtypes: [{ key: 's' }, { key: 'u' }],
    stakeholder_roles: [{ key: 'held' }, { key: 'vacant' }],
  });
  await api.patch(`/metamodel/types/${key}`, { allowed_parent_types: [key, 'Application'] });
  const root = await card({ type: key, subtype: 's', attributes: { used: 'x', sel: 'a', many: ['x', 'y'] } });
  const child = await card({ type: key, parent_id: root.id, attributes: { used: 'y', many: ['y'], num: 0 } });
  await api.post(`/cards/${child.id}/archive`);
  await api.post(`/cards/${root.id}/stakeholders`, { user_id: viewer.user.id, role: 'held' });
  const [used, free, sel, many, num] = fields as [object, object, object, object, object];
  const cases: [patch: object, counts: Record<string, number> | undefined][] = [
    [sections(free, sel, many, num), { 'fields.used': 2 }],
    [sections({ ...used, kind: 'multiline' }, free, sel, many, num), { 'fields.used': 2 }],
    [
      sections(used, free, { ...sel, ...OPT('b', 'c') }, { ...many, ...OPT('z') }, num),
      { 'options.sel.a': 1, 'options.many.x': 1, 'options.many.y': 2 },
    ],
    [sections(), { 'fields.used': 2, 'fields.sel': 1, 'fields.many': 2, 'fields.num': 1 }],
    [{ subtypes: [{ key: 'u' }] }, { 'subtypes.s': 1 }],
    [{ stakeholder_roles: [{ key: 'vacant' }] }, { 'stakeholder_roles.held': 1 }],
    [{ max_level: 1 }, { max_level: 1 }],
    [{ has_hierarchy: false }, { allowed_parent_types: 1 }],
    [{ allowed_parent_types: ['Application'] }, { allowed_parent_types: 1 }],
    [
      { ...sections(free, sel, many, num), subtypes: [] },
      { 'fields.used': 2, 'subtypes.s': 1 },
    ],
    // Definitions that are not in use, or changes that remove nothing.
    [
      {
        ...sections(
          { ...num, label: 'Number', weight: 3, required: true, min: 5 },
          { ...sel, label: 'Sel', ...OPT('c', 'a', 'd') },
          many,
          { ...used, pattern: '^z' },
          F('new'),
        ),
      },
      undefined,
    ],
    [{ subtypes: [{ key: 's', hidden_fields: ['used'] }] }, undefined],
    [{ stakeholder_roles: [{ key: 'held', permissions: ['card.edit'] }] }, undefined],
    [{ max_level: 2 }, undefined],
    [{ allowed_parent_types: [key] }, undefined],
  ];
  for (const [patch, counts] of cases) {
    const { status, body } = await api.patch(`/metamodel/types/${key}`, patch);
    t.equal(
      status,
      counts ? 409 : 200,
      `${JSON.stringify(patch).slice(0, 100)}: ${JSON.stringify(body).slice(0, 200)}`,
    );
    if (counts) t.match(body, { code: 'in_use', detail: /objects that use it/ });
    if (counts) t.strictSame(body['counts'], counts);
  }
  t.match(await api.del(`/metamodel/types/${key}`), { status: 409, body: { code: 'in_use', counts: { cards: 2 } } });
});

t.test('a relation type: definitions in use cannot be removed', async (t) => {
  const a = await card({ type: 'Application' });
  const [p, q] = [await card({ type: 'Provider' }), await card({ type: 'Provider' })];
  const fields = [F('w', 'number'), F('sel', 'single_select', OPT('a', 'b'))];
  const key = await relationType({ fields, allow_self: true });
  const relate = (source: string, target: string, attributes = {}) =>
    api.post('/relations', { type: key, source_id: source, target_id: target, attributes });
  for (const answer of [
    await relate(p.id, a.id, { w: 1, sel: 'a' }),
    await relate(q.id, a.id),
    await relate(a.id, a.id),
    await relate(p.id, q.id),
  ])
    t.equal(answer.status, 201);
  const cases: [patch: object, counts: Record<string, number>][] = [
    [{ fields: [] }, { 'fields.w': 1, 'fields.sel': 1 }],
    [{ fields: [fields[0], F('sel', 'single_select', OPT('b'))] }, { 'options.sel.a': 1 }],
    [{ source_type: 'Provider' }, { source_type: 1 }],
    [{ target_type: 'Application' }, { target_type: 1 }],
    [{ allow_self: false }, { allow_self: 1 }],
    [{ cardinality: '1:n' }, { cardinality: 1 }],
    [{ cardinality: '1:1' }, { cardinality: 2 }],
  ];
  for (const [patch, counts] of cases) {
    const { status, body } = await api.patch(`/metamodel/relation-types/${key}`, patch);
    t.strictSame([status, body['counts']], [409, counts], JSON.stringify(patch));
  }
  t.match(await api.del(`/metamodel/relation-types/${key}`), {
    status: 409,
    body: { code: 'in_use', counts: { relations: 4 } },
  });
  t.match(await api.patch(`/metamodel/relation-types/${key}`, { label: 'other', fields: [...fields, F('x')] }), {
    status: 200,
    body: { version: 2 },
  });
});

t.test('unused definitions can be removed, also a built-in type', async (t) => {
  const key = await type({});
  const child = await type({ has_hierarchy: true, allowed_parent_types: [key] });
  const relation = await relationType({ source_type: key });
  const { body: group } = await api.post('/metamodel/tag-groups', { name: key, restrict_to_types: [key] });
  t.match(await api.del(`/metamodel/types/${key}`), {
    status: 409,
    body: { counts: { cards: 0, relation_types: 1, child_types: 1, tag_groups: 1 } },
  });
  t.equal((await api.del(`/metamodel/relation-types/${relation}`)).status, 204);
  t.equal((await api.del(`/metamodel/types/${child}`)).status, 204);
  t.equal((await api.del(`/metamodel/tag-groups/${group.id}`)).status, 204);
  t.equal((await api.del(`/metamodel/types/${key}`, { headers: { 'if-match': '"9"' } })).status, 412);
  t.equal((await api.del(`/metamodel/types/${key}`, { headers: { 'if-match': '"1"' } })).status, 204);
  t.equal((await api.get(`/metamodel/types/${key}`)).status, 404);
  t.equal((await api.post('/cards', { type: key, name: 'x' })).status, 422);
  t.equal((await api.del('/metamodel/relation-types/platformSuccessor')).status, 204);
  t.match((await api.del('/metamodel/types/TechCategory')).body, { counts: { relation_types: 1 } });
});

t.test('usage counts values of cards, costs only with the permission', async (t) => {
  const key = await type({
    ...sections(F('a'), F('price', 'cost'), F('sel', 'multiple_select', OPT('x', 'y'))),
    subtypes: [{ key: 's' }],
  });
  const first = await card({ type: key, subtype: 's', attributes: { a: '1', price: 3, sel: ['x', 'y'] } });
  await card({ type: key, attributes: { sel: ['x'] } });
  await api.post(`/cards/${first.id}/stakeholders`, { user_id: viewer.user.id, role: 'observer' });
  await api.post(`/cards/${first.id}/archive`);
  const expected = {
    cards: 2,
    active: 1,
    archived: 1,
    fields: [
      { key: 'a', cards: 1 },
      { key: 'price', cards: 1 },
      {
        key: 'sel',
        cards: 2,
        options: [
          { key: 'x', cards: 2 },
          { key: 'y', cards: 1 },
        ],
      },
    ],
    subtypes: [{ key: 's', cards: 1 }],
    stakeholder_roles: [
      { key: 'responsible', stakeholders: 0 },
      { key: 'observer', stakeholders: 1 },
    ],
  };
  t.strictSame((await api.get<object>(`/metamodel/types/${key}/usage`)).body, expected);
  t.match((await viewer.api.get(`/metamodel/types/${key}/usage`)).body, {
    fields: [{ cards: 1 }, { key: 'price', cards: null }, { cards: 2 }],
  });
  t.equal((await api.get('/metamodel/types/Nope/usage')).status, 404);
});

t.test('a node with the previous metamodel cannot store removed definitions', async (t) => {
  const { metamodel } = two.app.services;
  const key = await type({ ...sections(F('gone'), F('kept')), stakeholder_roles: [{ key: 'r' }, { key: 's' }] });
  await known(key);
  const old = await card({ type: key });
  const relation = await relationType({ fields: [F('gone')] });
  await until(() => metamodel.current.relationTypes.get(relation), 1_000);
  const before = metamodel.current;
  t.equal(
    (await api.patch(`/metamodel/types/${key}`, { ...sections(F('kept')), stakeholder_roles: [{ key: 's' }] })).status,
    200,
  );
  t.equal((await api.patch(`/metamodel/relation-types/${relation}`, { fields: [] })).status, 200);
  /** Runs work with the previous metamodel on the other node, as if it had not received the change. */
  const outdated = async <T>(work: () => Promise<T>): Promise<T> => {
    Object.assign(metamodel, { held: before });
    (two.app.services.revisions as unknown as { current: Map<string, string> }).current.set(
      'metamodel',
      before.revision,
    );
    return await work();
  };
  const made = await outdated(() => other.post('/cards', { type: key, name: 'Stale', attributes: { gone: 'x' } }));
  t.match(
    made,
    { status: 422, body: { errors: [{ field: '/attributes/gone', reason: 'is unknown' }] } },
    'it is judged by the metamodel of now',
  );
  t.equal((await outdated(() => other.patch(`/cards/${old.id}`, { attributes: { gone: 'x' } }))).status, 422);
  t.match(await outdated(() => other.post(`/cards/${old.id}/stakeholders`, { user_id: viewer.user.id, role: 'r' })), {
    status: 422,
    body: { errors: [{ field: '/role' }] },
  });
  t.match(
    await outdated(() =>
      other.post('/relations', {
        type: relation,
        source_id: old.id,
        target_id: old.id.replace(/.$/, '0'),
        attributes: { gone: 'x' },
      }),
    ),
    { status: 422 },
  );
  t.equal(
    (await outdated(() => other.post('/cards', { type: key, name: 'Sound', attributes: { kept: 'x' } }))).status,
    201,
    'a valid value is stored',
  );
  t.strictSame(await sql(database, `select name from card_rows where type = $1 and attributes ? 'gone'`, [key]), []);
  t.strictSame(await sql(database, `select s.id from card_stakeholders s where s.card_id = $1`, [old.id]), []);
});

t.test('concurrent removals and writes: either the value is stored or the field is removed', async (t) => {
  for (let round = 0; round < 6; round++) {
    const key = await type({ ...sections(F('gone'), F('kept')) });
    await known(key);
    const writes = Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        (i % 2 ? api : other).post('/cards', { type: key, name: `R ${round} ${i}`, attributes: { gone: 'x' } }),
      ),
    );
    const [answers, removal] = await Promise.all([writes, api.patch(`/metamodel/types/${key}`, sections(F('kept')))]);
    const stored = answers.filter((a) => a.status === 201).length;
    t.ok(
      answers.every((a) => [201, 422].includes(a.status)),
      answers.map((a) => a.status).join(' '),
    );
    t.ok([200, 409].includes(removal.status), `removal ${removal.status}`);
    const [{ n: found } = { n: -1 }] = await sql<{ n: number }>(
      database,
      `select count(*)::int as n from card_rows where type = $1 and attributes ? 'gone'`,
      [key],
    );
    t.equal(found, stored);
    if (removal.status === 200) t.equal(found, 0, 'the field went, so no card has it');
  }
});

t.test('a type is deleted or its card is created, never a card without a type', async (t) => {
  for (let round = 0; round < 6; round++) {
    const key = await type({});
    const [made, gone] = await Promise.all([
      api.post('/cards', { type: key, name: `T ${round}` }),
      api.del(`/metamodel/types/${key}`),
    ]);
    t.ok(
      (made.status === 201 && gone.status === 409) || (made.status === 422 && gone.status === 204),
      `${made.status} ${gone.status}`,
    );
  }
});
