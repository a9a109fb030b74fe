import t from 'tap';
import { makeUser, registerAdmin, sql, testApp } from '../../support/app.js';

const { app, origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const { api } = admin;
const viewer = await makeUser(admin, 'viewer');
const architect = await makeUser(admin, 'architect');

interface TypeBody {
  key: string;
  version: number;
  sections: { key: string; label: string; fields: { key: string; label: string; weight: number }[] }[];
  [member: string]: unknown;
}
const TYPES = '/metamodel/types';
const RELATION_TYPES = '/metamodel/relation-types';
const F = (key: string, kind = 'text', more: object = {}) => ({ key, label: key, kind, ...more });
const one = (fields: object[]) => ({ sections: [{ key: 'main', label: 'Main', fields }] });
let n = 0;
const fresh = (prefix = 'Type') => `${prefix}${++n}`;
const make = async (more: object = {}) =>
  (await api.post<TypeBody>(TYPES, { key: fresh(), label: 'Made', ...more })).body;
const said = async (id: string) =>
  sql<{ type: string; data: { changes: { field: string; old: unknown; new: unknown }[] } }>(
    database,
    `select type, data from (select type, data, subject_id, occurred_at from events union all select type, data, subject_id, occurred_at from event_outbox) e where subject_id = $1 and type like 'metamodel.%' order by occurred_at`,
    [id],
  );

t.test('key and label are sufficient; everything else has defaults', async (t) => {
  const { status, body, headers } = await api.post<TypeBody>(TYPES, { key: 'Sensor', label: 'Sensor' });
  t.equal(status, 201, JSON.stringify(body));
  const { updated_at, stakeholder_roles, sort_order, ...rest } = body;
  t.strictSame(rest, {
    approval_policy: { four_eyes: false },
    key: 'Sensor',
    label: 'Sensor',
    category: 'custom',
    has_hierarchy: false,
    allowed_parent_types: [],
    subtypes: [],
    sections: [],
    quality_weights: { description: 1, lifecycle: 1, relation: 1, tag_group: 1, stakeholder_role: 1 },
    translations: {},
    is_hidden: false,
    built_in: false,
    version: 1,
  });
  t.match(updated_at, /Z$/);
  t.strictSame(
    (stakeholder_roles as { key: string }[]).map((r) => r.key),
    ['responsible', 'observer'],
  );
  t.equal(sort_order, 140, 'after the last');
  t.equal(headers.get('etag'), '"1"');
  t.equal(headers.get('location'), '/api/v1/metamodel/types/Sensor');
  t.strictSame((await viewer.api.get<TypeBody>(`${TYPES}/Sensor`)).body, body);
  t.equal((await api.get(`${TYPES}/Sensor`, { headers: { 'if-none-match': '"1"' } })).status, 304);
  t.match((await make({ has_hierarchy: true })).allowed_parent_types, [/^Type/], 'a parent is of the same type');
  t.equal((await api.post('/cards', { type: 'Sensor', name: 'S-1' })).status, 201, 'and cards can be made at once');
  t.match(await said('Sensor'), [{ type: 'metamodel.type_created' }]);
});

t.test('values sent are stored, together with the defaults of absent ones', async (t) => {
  const body = await make({
    description: 'd',
    icon: 'i',
    color: '#aabbcc',
    category: 'own',
    has_hierarchy: true,
    max_level: 3,
    subtypes: [{ key: 'a', hidden_fields: ['x'] }],
    sections: [
      {
        key: 's',
        fields: [
          F('x', 'number', {
            min: 0,
            max: 5,
            weight: 0,
            required: true,
            default: 3,
            unit: 'm',
            help: 'h',
            group: 'g',
            readonly: true,
          }),
          { key: 'y', kind: 'single_select', options: [{ key: 'o' }] },
        ],
      },
    ],
    quality_weights: { lifecycle: 0 },
    stakeholder_roles: [
      { key: 'own', permissions: ['card.edit'] },
      { key: 'no', permissions: { 'card.edit': false, 'card.archive': true } },
    ],
    translations: { de: { label: 'Fühler' } },
    is_hidden: true,
    sort_order: 5,
  });
  t.match(body, {
    max_level: 3,
    subtypes: [{ key: 'a', label: 'a', hidden_fields: ['x'] }],
    quality_weights: { lifecycle: 0, relation: 1 },
    sort_order: 5,
    is_hidden: true,
    translations: { de: { label: 'Fühler' } },
    stakeholder_roles: [
      { key: 'own', label: 'own', permissions: { 'card.edit': true } },
      { key: 'no', permissions: { 'card.archive': true } },
    ],
    sections: [
      {
        label: 's',
        fields: [
          { label: 'x', required: true, weight: 0, default: 3, readonly: true },
          { label: 'y', required: false, weight: 1, options: [{ key: 'o', label: 'o' }] },
        ],
      },
    ],
  });
  t.notOk('card.edit' in (body['stakeholder_roles'] as { permissions: object }[])[1]!.permissions);
});

t.test('every error of a definition is reported, each with its position', async (t) => {
  const fields = [
    F('a'),
    F('a'),
    F('1a'),
    F('toString'),
    F('sel', 'single_select'),
    F('opt', 'multiple_select', { options: [{ key: 'o' }, { key: 'o' }, { key: 'x-y' }] }),
    F('num', 'number', { min: 5, max: 1 }),
    F('pat', 'text', { pattern: '(' }),
    F('patn', 'number', { pattern: 'a' }),
    F('mint', 'text', { min: 1 }),
    F('optt', 'text', { options: [{ key: 'o' }] }),
    F('calc', 'calculated'),
    F('defn', 'integer', { default: 1.5 }),
    F('defs', 'single_select', { options: [{ key: 'o' }], default: 'p' }),
    F('defp', 'text', { pattern: '^A', default: 'b' }),
    F('defu', 'user', { default: admin.user.id }),
    F('pct', 'percentage', { min: 101 }),
    F('big', 'number', { max: 1e15 }),
  ];
  const body = {
    key: 'bad key',
    label: 'Bad',
    allowed_parent_types: ['Nope', 'Application', 'Application'],
    subtypes: [{ key: 's', hidden_fields: ['nofield', 'a', 'a'] }, { key: 's' }],
    sections: [
      { key: 'm', fields },
      { key: 'm', fields: [F('sel')] },
    ],
    stakeholder_roles: [
      { key: 'r', permissions: ['card.fly'] },
      { key: 'r', permissions: { 'cards.view': true }, inherited: true },
    ],
    archimate: ['Node', 'Thing', 'Thing'],
  };
  const { status, body: problem } = await api.post(TYPES, body);
  t.equal(status, 422);
  const at = (i: number, more = '') => `/sections/0/fields/${i}${more}`;
  t.strictSame(
    problem.errors.map((e) => e.field).sort(),
    [
      '/key',
      '/allowed_parent_types/0',
      '/allowed_parent_types/2',
      '/subtypes/0/hidden_fields/0',
      '/subtypes/0/hidden_fields/2',
      '/subtypes/1/key',
      '/sections/1/key',
      '/sections/1/fields/0/key',
      at(1, '/key'),
      at(2, '/key'),
      at(3, '/key'),
      at(4, '/options'),
      at(5, '/options/1/key'),
      at(5, '/options/2/key'),
      at(6, '/max'),
      at(7, '/pattern'),
      at(8, '/pattern'),
      at(9, '/min'),
      at(10, '/options'),
      at(11, '/kind'),
      at(12, '/default'),
      at(13, '/default'),
      at(14, '/default'),
      at(15, '/default'),
      at(16, '/max'),
      at(17, '/max'),
      '/stakeholder_roles/0/permissions/card.fly',
      '/stakeholder_roles/1/permissions/cards.view',
      '/stakeholder_roles/1/key',
      '/archimate/0',
      '/archimate/2',
    ].sort(),
  );
  t.match(
    problem.errors.find((e) => e.field === at(11, '/kind')),
    { reason: /calculated fields/ },
  );
  const relation = await api.post(RELATION_TYPES, {
    key: 'x y',
    label: 'l',
    source_type: 'Nope',
    target_type: '**',
    fields: [F('a', 'single_select'), F('a')],
  });
  t.strictSame(relation.body.errors.map((e) => e.field).sort(), [
    '/fields/0/options',
    '/fields/1/key',
    '/key',
    '/source_type',
    '/target_type',
  ]);
  const many = await api.post(TYPES, {
    key: fresh(),
    label: 'l',
    sections: [0, 1].map((s) => ({ key: `s${s}`, fields: Array.from({ length: 251 }, (_, i) => F(`f${s}_${i}`)) })),
  });
  t.match(many, { status: 422, body: { errors: [{ field: '/sections' }] } });
});

t.test('hostile values are refused or stored unchanged', async (t) => {
  const KEYS = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'valueOf',
    'hasOwnProperty',
    '',
    ' ',
    'a b',
    'é',
    'a'.repeat(64),
    'a\u0000',
    '\ud800',
    '*',
    '1',
    '_a',
    "a'] , (select 1)}",
    5,
    null,
    true,
    [],
    {},
  ];
  for (const key of KEYS) {
    t.equal((await api.post(TYPES, { key, label: 'L' })).status, 422, `type ${JSON.stringify(key)}`);
    t.equal(
      (await api.post(TYPES, { key: fresh(), label: 'L', ...one([{ key, kind: 'text' }]) })).status,
      422,
      `field ${JSON.stringify(key)}`,
    );
    t.equal(
      (await api.post(RELATION_TYPES, { key, label: 'L', source_type: '*', target_type: '*' })).status,
      422,
      `relation type ${JSON.stringify(key)}`,
    );
  }
  const BODIES: object[] = [
    {},
    { key: fresh() },
    { label: 'L' },
    { key: fresh(), label: '' },
    { key: fresh(), label: ' ' },
    { key: fresh(), label: 'x'.repeat(201) },
    { key: fresh(), label: 'a\nb' },
    { key: fresh(), label: 'L', unknown: 1 },
    { key: fresh(), label: 'L', built_in: true },
    { key: fresh(), label: 'L', version: 3 },
    { key: fresh(), label: 'L', max_level: 0 },
    { key: fresh(), label: 'L', max_level: 101 },
    { key: fresh(), label: 'L', sort_order: 1e9 },
    { key: fresh(), label: 'L', color: 'red' },
    { key: fresh(), label: 'L', quality_weights: { description: -1 } },
    { key: fresh(), label: 'L', quality_weights: { other: 1 } },
    { key: fresh(), label: 'L', translations: { x: { label: 'l' } } },
    { key: fresh(), label: 'L', ...one([F('a', 'nope')]) },
    { key: fresh(), label: 'L', ...one([F('a', 'text', { weight: 1e9 })]) },
    { key: fresh(), label: 'L', ...one([F('a', 'text', { unknown: 1 })]) },
    { key: fresh(), label: 'L', ...one([F('a', 'number', { min: '1' })]) },
    {
      key: fresh(),
      label: 'L',
      ...one([F('a', 'single_select', { options: Array.from({ length: 1_001 }, (_, i) => ({ key: `o${i}` })) })]),
    },
    { key: fresh(), label: 'L', ...one([F('a', 'text', { pattern: '(?i)[ab]*a[ab]{900}c$' })]) },
    { key: fresh(), label: 'L', ...one([F('a', 'text', { pattern: 'a'.repeat(501) })]) },
    { key: fresh(), label: 'L', stakeholder_roles: [{ key: 'r', permissions: ['toString'] }] },
    { key: fresh(), label: 'L', stakeholder_roles: [{ key: 'r', permissions: { a: 1 } }] },
  ];
  for (const body of BODIES) t.equal((await api.post(TYPES, body)).status, 422, JSON.stringify(body).slice(0, 120));
  t.equal((await api.post(TYPES, [])).status, 422);
  for (const path of ['nope', 'a b', '__proto__', 'constructor', 'toString', '%00', 'a'.repeat(64)]) {
    for (const base of [TYPES, RELATION_TYPES]) {
      const url = `${base}/${encodeURIComponent(path)}`;
      t.equal((await api.get(url)).status, 404, url);
      t.equal((await api.patch(url, { label: 'L' })).status, 404, url);
      t.equal((await api.del(url)).status, 404, url);
    }
    t.equal((await api.get(`${TYPES}/Application/stakeholder-roles/${encodeURIComponent(path)}`)).status, 404, path);
  }
  const strange = '<script>alert(1)</script> \u202e Ünï 日本語 🚀 %s $1';
  const kept = await make({
    label: strange,
    ...one([F('a', 'text', { label: strange, help: 'a\nb', default: strange })]),
  });
  t.match(kept, { label: strange, sections: [{ fields: [{ label: strange, help: 'a\nb', default: strange }] }] });
  t.equal(Object.keys({}).length, 0);
  t.equal(({} as Record<string, unknown>)['label'], undefined, 'no prototype was touched');
});

t.test('a change is a merge patch: lists are replaced completely, null removes', async (t) => {
  const { key } = await make({
    description: 'd',
    icon: 'i',
    color: '#000000',
    max_level: 2,
    translations: { de: { label: 'a', x: 'y' }, fr: { label: 'b' } },
    ...one([F('a'), F('b')]),
  });
  const path = `${TYPES}/${key}`;
  const changed = await api.patch<TypeBody>(
    path,
    {
      label: 'New',
      description: null,
      max_level: null,
      quality_weights: { relation: 2 },
      translations: { de: { x: null }, fr: null },
      ...one([F('b'), F('c', 'number')]),
    },
    { headers: { 'if-match': '"1"' } },
  );
  t.match(changed, {
    status: 200,
    body: { label: 'New', icon: 'i', quality_weights: { relation: 2, lifecycle: 1 }, version: 2 },
  });
  t.strictSame(changed.body['translations'], { de: { label: 'a' } });
  t.notOk('description' in changed.body || 'max_level' in changed.body);
  t.strictSame(
    changed.body.sections[0]!.fields.map((f) => f.key),
    ['b', 'c'],
  );
  t.equal(changed.headers.get('etag'), '"2"');
  t.strictSame(
    (await said(key))
      .at(-1)!
      .data.changes.map((c) => c.field)
      .sort(),
    [
      'description',
      'fields.a',
      'fields.c',
      'label',
      'max_level',
      'quality_weights.relation',
      'sections.main',
      'translations',
    ],
  );
  t.match((await api.patch(path, { label: 'New' })).body, { version: 2 }, 'nothing changed');
  t.equal((await said(key)).length, 2, 'and there is no event');
  t.match(await api.patch(path, { label: 'Other', icon: 'i' }, { headers: { 'if-match': '"1"' } }), {
    status: 412,
    body: { current_version: 2, changed_fields: ['label'] },
  });
  for (const body of [{}, { key: 'X' }, { label: null }, { sections: null }, { built_in: true }])
    t.equal((await api.patch(path, body)).status, 422, JSON.stringify(body));
  t.match(await api.patch(path, { has_hierarchy: true }), { status: 200, body: { allowed_parent_types: [key] } });
  t.match(await api.patch(path, { subtypes: [{ key: 's', hidden_fields: ['a'] }] }), {
    status: 422,
    body: { errors: [{ field: '/subtypes/0/hidden_fields/0' }] },
  });
});

t.test('relation types: defaults, ends and rules follow the definition', async (t) => {
  const key = fresh('rel');
  const made = await api.post(RELATION_TYPES, {
    key,
    label: 'goes to',
    source_type: 'Provider',
    target_type: 'Application',
  });
  t.match(made, {
    status: 201,
    body: {
      label: 'goes to',
      reverse_label: 'goes to',
      cardinality: 'n:m',
      fields: [],
      source_mandatory: false,
      allow_self: false,
      built_in: false,
      version: 1,
    },
  });
  const rule = async () =>
    (
      await sql(
        database,
        'select source_type, target_type, one_source, one_target, allow_self from relation_types where key = $1',
        [key],
      )
    )[0];
  t.strictSame(await rule(), {
    source_type: 'Provider',
    target_type: 'Application',
    one_source: false,
    one_target: false,
    allow_self: false,
  });
  const [p, a] = await Promise.all([
    api.post('/cards', { type: 'Provider', name: key }),
    api.post('/cards', { type: 'Application', name: key }),
  ]);
  t.equal((await api.post('/relations', { type: key, source_id: p.body.id, target_id: a.body.id })).status, 201);
  t.match(
    await api.patch(`${RELATION_TYPES}/${key}`, {
      cardinality: '1:1',
      source_type: '*',
      allow_self: true,
      fields: [F('w', 'number')],
    }),
    { status: 200, body: { version: 2, fields: [{ weight: 0 }] } },
  );
  t.strictSame(await rule(), {
    source_type: '*',
    target_type: 'Application',
    one_source: true,
    one_target: true,
    allow_self: true,
  });
  t.strictSame(
    await sql(database, 'select rule_source, one_source, one_target from relations where type = $1', [key]),
    [{ rule_source: '*', one_source: true, one_target: true }],
    'relations carry the rule of now',
  );
  t.strictSame(
    (await said(key)).map((e) => e.type),
    ['metamodel.relation_type_created', 'metamodel.relation_type_updated'],
  );
});

t.test('a key is created once by concurrent requests, and a retry creates nothing', async (t) => {
  for (const [path, body] of [
    [TYPES, { label: 'L' }],
    [RELATION_TYPES, { label: 'L', source_type: '*', target_type: '*' }],
  ] as const) {
    const key = fresh('race');
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.post(path, { key, ...body })));
    t.strictSame(
      [201, 409].map((s) => answers.filter((a) => a.status === s).length),
      [1, 19],
      path,
    );
    t.ok(answers.every((a) => a.status === 201 || a.body.code === 'key_taken'));
  }
  const headers = { 'idempotency-key': 'type-once' };
  const first = await api.post<TypeBody>(TYPES, { key: 'Once', label: 'Once' }, { headers });
  const again = await api.post<TypeBody>(TYPES, { key: 'Once', label: 'Once' }, { headers });
  t.strictSame(
    [first.status, again.status, again.headers.get('idempotent-replayed'), again.body],
    [201, 201, 'true', first.body],
  );
  t.equal((await api.del(`${TYPES}/Once`)).status, 204);
  const gone = await api.post(TYPES, { key: 'Once', label: 'Once' }, { headers });
  t.strictSame([gone.status, gone.headers.get('location')], [404, null], 'a replay after deletion has no Location');
  const { key } = await make();
  const patches = await Promise.all(
    Array.from({ length: 10 }, (_, i) => api.patch(`${TYPES}/${key}`, { description: `${i}` })),
  );
  t.strictSame(
    patches.map((p) => p.body.version).sort((a, b) => a - b),
    [2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    'each change has its version',
  );
});

t.test('a caller without metamodel.manage cannot change the metamodel', async (t) => {
  const calls: [string, string, object?][] = [
    ['POST', TYPES, { key: 'No', label: 'No' }],
    ['PATCH', `${TYPES}/Application`, { label: 'No' }],
    ['DELETE', `${TYPES}/Application`],
    ['POST', RELATION_TYPES, {}],
    ['PATCH', `${RELATION_TYPES}/related`, {}],
    ['DELETE', `${RELATION_TYPES}/related`],
    ['POST', `${TYPES}/Application/stakeholder-roles`, {}],
    ['PATCH', `${TYPES}/Application/stakeholder-roles/observer`, {}],
    ['DELETE', `${TYPES}/Application/stakeholder-roles/observer`],
  ];
  for (const [method, path, body] of calls)
    t.match(
      await viewer.api.send(method, path, body),
      { status: 403, body: { required_permission: 'metamodel.manage' } },
      `${method} ${path}`,
    );
  t.equal((await architect.api.post(TYPES, { key: 'ByArchitect', label: 'Yes' })).status, 201);
  t.equal(app.services.metamodel.current.types.get('Application')!.definition.label, 'Application');
});

t.test('revisions contain author and changes, the latest first, and the whole metamodel', async (t) => {
  interface Revisions {
    items: {
      revision: number;
      at: string;
      actor: { id: string; display_name: string } | null;
      change_id: string;
      summary: string;
    }[];
    total: number;
    next_cursor: string;
  }
  const { key } = await make();
  await architect.api.patch(`${TYPES}/${key}`, { label: 'Renamed', is_hidden: true });
  const { body } = await viewer.api.get<Revisions>('/metamodel/revisions', { query: { page_size: 2 } });
  t.match(body.items[0], {
    actor: { id: architect.user.id, display_name: architect.user.display_name },
    summary: `card type ${key} changed: label, is_hidden`,
  });
  t.match(body.items[1], { actor: { id: admin.user.id }, summary: `card type ${key} created` });
  t.equal(body.items[0]!.revision, body.items[1]!.revision + 1);
  t.equal(
    String(body.items[0]!.revision),
    app.services.metamodel.current.revision,
    'the revision is that of the metamodel',
  );
  const next = await viewer.api.get<Revisions>('/metamodel/revisions', {
    query: { page_size: 2, cursor: body.next_cursor },
  });
  t.equal(next.body.items[0]!.revision, body.items[1]!.revision - 1);
  const first = await viewer.api.get<Revisions>('/metamodel/revisions', {
    query: { sort_by: 'revision', sort_dir: 'asc', page_size: 1 },
  });
  t.match(first.body.items[0], { actor: null, summary: 'The default metamodel' });
  const then = await app.services.metamodel.at(body.items[0]!.revision);
  t.strictSame(
    [then?.types.get(key)?.definition.label, then?.types.size],
    ['Renamed', app.services.metamodel.current.types.size],
  );
  t.equal(
    (await app.services.metamodel.at(body.items[1]!.revision))?.types.get(key)?.definition.label === 'Renamed',
    false,
    'and the previous values',
  );
  t.equal((await viewer.api.get('/metamodel/revisions', { query: { bogus: 1 } })).status, 422);
});
