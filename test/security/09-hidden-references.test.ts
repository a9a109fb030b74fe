/** References to hidden cards are not resolved, and responses about other cards contain no hidden one. */
import t from 'tap';
import {
  expectStatus,
  makeUser,
  registerAdmin,
  sql,
  testApp,
  until,
  type AnyBody,
  type Session,
} from '../support/app.js';
import { HIDES_VAULT, hiddenWorld, MARK, NOWHERE, stored } from '../support/hidden.js';
import { staged, type ImportRow } from '../support/imports.js';
import { makeRoleUser } from '../support/roles.js';

const test = await testApp();
const { app, origin, database, close } = test;
t.teardown(close);
const admin = await registerAdmin(origin);
const reader = await makeRoleUser(test, admin, 'blind', { like: 'architect', types: HIDES_VAULT });
const world = await hiddenWorld(admin, reader);
const { vault, desk, below, inner, leaf, sibling, make } = world;

interface View extends AnyBody {
  path: (string | null)[];
  parent_id: string | null;
  attributes: Record<string, unknown>;
}
const roleOf = async (key: string, permissions: string[], types: object = {}): Promise<Session> => {
  await sql(database, `insert into roles (key, label, permissions, types) values ($1, $1, $2, $3)`, [
    key,
    JSON.stringify(permissions),
    JSON.stringify(types),
  ]);
  await sql(database, `update revisions set revision = revision + 1 where kind = 'permissions'`);
  await until(() => app.services.rbac.permissionsOf(key).has(permissions[0]!), 2_000);
  return makeUser(admin, key);
};
const errorsOf = (answer: { body: AnyBody }): unknown => answer.body.errors;

t.test('a role without cards.view can neither edit nor create cards', async (t) => {
  const editor = await roleOf('edits', ['cards.edit']);
  t.equal((await editor.api.get(`/cards/${desk}`)).status, 403);
  t.equal((await editor.api.patch(`/cards/${desk}`, { name: 'Changed' })).status, 404);
  t.equal(
    (await editor.api.patch(`/cards/${desk}`, { name: 'Changed' }, { headers: { 'if-match': '"99"' } })).status,
    404,
    'before the version is checked',
  );
  t.equal((await admin.api.get(`/cards/${desk}`)).body.name, 'Desk root');
  const maker = await roleOf('makes', ['cards.create']);
  t.match(await maker.api.post('/cards', { type: 'Desk', name: 'Made' }), {
    status: 403,
    body: { required_permission: 'cards.view' },
  });
});

t.test('a permission for one type passes the check of the route, and applies to cards of this type', async (t) => {
  const one = await roleOf('one_type', ['reports.view'], {
    Desk: { 'cards.view': true, 'cards.edit': true, 'cards.create': true, 'comments.view': true },
  });
  t.match(
    (await one.api.get<{ items: AnyBody[] }>('/cards', { query: { page_size: 200 } })).body.items.every(
      ({ type }) => type === 'Desk',
    ),
    true,
  );
  t.equal((await one.api.get(`/cards/${desk}`)).status, 200);
  t.equal((await one.api.get(`/cards/${vault}`)).status, 404);
  t.equal((await one.api.patch(`/cards/${desk}`, { description: 'by type' })).status, 200);
  t.equal((await one.api.post('/cards', { type: 'Desk', name: 'By type' })).status, 201);
  t.match(await one.api.post('/cards', { type: 'Application', name: 'By type' }), { status: 403 });
  t.equal((await one.api.get(`/cards/${desk}/comments`)).status, 200);
  t.equal((await one.api.get(`/cards/${desk}/documents`)).status, 403);
  t.equal((await one.api.get('/users')).status, 403, 'permissions that are not about cards cannot be granted per type');
  const less = await roleOf(
    'but_desks',
    ['cards.view', 'stakeholders.view', 'comments.view', 'documents.view', 'cards.export', 'relations.view'],
    {
      Desk: {
        'stakeholders.view': false,
        'comments.view': false,
        'documents.view': false,
        'cards.export': false,
        'relations.view': false,
      },
    },
  );
  for (const part of ['stakeholders', 'comments', 'documents'])
    t.equal((await less.api.get(`/cards/${desk}/${part}`)).status, 403, part);
  t.notMatch(JSON.stringify((await less.api.get('/cards/export?format=ndjson')).body), /"type":"Desk"/);
  t.equal((await less.api.get<{ total: number }>('/relations')).body.total, 0);
  t.equal((await less.api.get(`/relations/${world.relation}`)).status, 404);
});

t.test('a rule for a type cannot grant a permission that is not about cards', async (t) => {
  const sly = await roleOf('sly', ['cards.view'], {
    Desk: { 'users.manage': true, 'settings.manage': true, 'roles.manage': true },
  });
  for (const path of ['/users', '/roles', '/settings/smtp']) t.equal((await sly.api.get(path)).status, 403, path);
});

t.test('responses: names and ids of hidden cards are null, attributes with them are omitted', async (t) => {
  const shown = (await reader.api.get<View>(`/cards/${below}`)).body;
  t.match(shown, { path: [null], parent_id: null, level: 2 });
  t.strictSame(shown.attributes, { note: 'plain' });
  t.match((await reader.api.get<View>(`/cards/${leaf}`)).body, { path: ['Desk root', null], parent_id: null });
  const listed = (await reader.api.get<{ items: View[] }>('/cards', { query: { type: 'Desk', page_size: 200 } })).body
    .items;
  t.match(
    listed.find(({ id }) => id === leaf),
    { path: ['Desk root', null], parent_id: null },
  );
  const patched = expectStatus(
    await reader.api.patch<View>(`/cards/${below}`, { description: 'changed' }),
    200,
    'a change',
  ).body;
  t.match(patched, { path: [null], parent_id: null });
  t.strictSame(patched.attributes, { note: 'plain' });
  const made = expectStatus(
    await reader.api.post<View>('/cards', { type: 'Desk', name: 'Below it', parent_id: leaf }),
    201,
    'a card below',
  ).body;
  t.strictSame(made.path, ['Desk root', null, 'Desk leaf']);
  t.match(
    (await admin.api.get<View>(`/cards/${made.id}`)).body.path,
    ['Desk root', `${MARK} inner`, 'Desk leaf'],
    'a caller who sees all cards gets the names',
  );
  t.match(
    (await admin.api.get<View>(`/cards/${below}`)).body,
    { parent_id: vault, attributes: { twin: inner } },
    'the stored card is unchanged',
  );
  t.strictSame((await reader.api.get<View>(`/relations/${world.relation}`)).body.attributes, { fee: 5 });
  const csv = String((await reader.api.get('/cards/export', { query: { format: 'csv', type: 'Desk' } })).body);
  t.match(
    csv.split('\n').find((line) => line.startsWith(leaf)),
    /,Desk root \/ ,/,
  );
  const parents = (
    await reader.api.get<{ items: View[] }>('/cards', { query: { parent_id: 'null', type: 'Desk', page_size: 200 } })
  ).body.items.map(({ id }) => id);
  t.ok(parents.includes(below) && parents.includes(leaf), 'cards shown without a parent are found by parent_id=null');
});

t.test('null for a hidden parent leaves the card below it', async (t) => {
  t.equal((await reader.api.patch(`/cards/${below}`, { parent_id: null })).status, 200);
  const {
    body: { results },
  } = await reader.api.post<{ results: AnyBody[] }>('/cards/bulk', {
    operations: [{ op: 'update', id: leaf, card: { parent_id: null } }],
  });
  t.match(results, [{ outcome: 'unchanged' }]);
  t.equal((await admin.api.get<View>(`/cards/${below}`)).body.parent_id, vault);
  t.equal((await admin.api.get<View>(`/cards/${leaf}`)).body.parent_id, inner);
});

t.test('the history contains no id of a hidden card', async (t) => {
  await admin.api.patch(`/cards/${sibling}`, { parent_id: inner });
  await admin.api.patch(`/cards/${sibling}`, { parent_id: vault });
  await admin.api.patch(`/cards/${sibling}`, { parent_id: desk });
  const text = JSON.stringify((await reader.api.get(`/cards/${sibling}/history`)).body);
  t.notOk(text.includes(inner) || text.includes(vault), text);
  t.ok(JSON.stringify((await admin.api.get(`/cards/${sibling}/history`)).body).includes(inner));
});

t.test('references to a hidden card in every form get the response for a nonexistent one', async (t) => {
  const before = await stored(test, world);
  const pairs: [real: object, unknown: object][] = [
    [{ parent_id: vault }, { parent_id: NOWHERE }],
    [{ parent: { id: vault } }, { parent: { id: NOWHERE } }],
    [{ parent: { type: 'Vault', external_id: `${MARK}-1` } }, { parent: { type: 'Vault', external_id: 'none' } }],
    [{ parent: { type: 'Vault', name: `${MARK} root` } }, { parent: { type: 'Vault', name: 'none' } }],
    [
      { parent: { type: 'Desk', path: [`${MARK} root`], name: 'Desk below' } },
      { parent: { type: 'Desk', path: ['none'], name: 'Desk below' } },
    ],
    [{ attributes: { twin: inner } }, { attributes: { twin: NOWHERE } }],
  ];
  for (const [real, unknown] of pairs) {
    for (const send of [
      (card: object) => reader.api.post('/cards', { type: 'Desk', name: 'Named', ...card }),
      (card: object) => reader.api.patch(`/cards/${desk}`, card),
      (card: object) =>
        reader.api.post('/cards/bulk', {
          operations: [{ op: 'create', card: { type: 'Desk', name: 'Named', ...card } }],
        }),
    ]) {
      const [one, other] = [await send(real), await send(unknown)];
      t.match([one.status, other.status], [422, 422], JSON.stringify(real));
      t.strictSame(errorsOf(one), errorsOf(other), JSON.stringify(real));
    }
  }
  const ends: [object, object][] = [
    [{ target_id: inner }, { target_id: NOWHERE }],
    [{ target: { type: 'Vault', external_id: `${MARK}-2` } }, { target: { type: 'Vault', external_id: 'none' } }],
    [{ target: { type: 'Vault', name: `${MARK} inner` } }, { target: { type: 'Vault', name: 'none' } }],
    [
      { target: { type: 'Desk', path: ['Desk root', `${MARK} inner`], name: 'Desk leaf' } },
      { target: { type: 'Desk', path: ['Desk root', 'none'], name: 'Desk leaf' } },
    ],
    [
      { target_id: sibling, attributes: { twin: vault } },
      { target_id: sibling, attributes: { twin: NOWHERE } },
    ],
  ];
  for (const [real, unknown] of ends) {
    for (const send of [
      (end: object) => reader.api.post('/relations', { type: 'touches', source_id: desk, ...end }),
      (end: object) =>
        reader.api.post('/relations/bulk', {
          operations: [{ op: 'upsert', type: 'touches', source_id: desk, ...end }],
        }),
    ]) {
      const [one, other] = [await send(real), await send(unknown)];
      t.match([one.status, other.status], [422, 422], JSON.stringify(real));
      t.strictSame(errorsOf(one), errorsOf(other), JSON.stringify(real));
    }
  }
  const rows = async (id: string, relation: string): Promise<unknown> =>
    (
      await reader.api.post<{ results: unknown }>('/cards/bulk', {
        mode: 'per_row',
        operations: [
          { op: 'update', id, card: { name: 'x' } },
          { op: 'archive', id },
          { op: 'delete', id, child_strategy: 'cascade' },
          { op: 'approve', id },
          { op: 'upsert', id, card: { type: 'Vault', name: 'x' } },
          { op: 'update', id, version: 99, card: {} },
        ],
      })
    ).body.results ?? relation;
  t.strictSame(await rows(vault, ''), await rows(NOWHERE, ''));
  const bulk = async (id: string): Promise<unknown> =>
    (
      await reader.api.post<{ results: unknown }>('/relations/bulk', {
        mode: 'per_row',
        operations: [
          { op: 'update', id, description: 'x' },
          { op: 'delete', id },
        ],
      })
    ).body.results;
  t.strictSame(await bulk(world.hiddenRelation), await bulk(NOWHERE));
  const upserts = await Promise.all(
    [`${MARK}-1`, 'none'].map((external_id) =>
      reader.api.post<{ results: unknown }>('/cards/bulk', {
        mode: 'per_row',
        operations: [{ op: 'upsert', card: { type: 'Vault', external_id, name: 'x' } }],
      }),
    ),
  );
  t.strictSame(
    upserts[0]!.body.results,
    upserts[1]!.body.results,
    'cards of a hidden type are not created, whether the key exists or not',
  );
  t.match(await reader.api.post('/cards', { type: 'Vault', name: 'x', external_id: `${MARK}-1` }), {
    status: 403,
    body: { required_permission: 'cards.view' },
  });
  t.equal(await stored(test, world), before);
});

t.test('hidden children prevent archiving and deleting, and are not counted', async (t) => {
  const before = await stored(test, world);
  for (const child_strategy of [undefined, 'cascade', 'disconnect', 'reparent']) {
    const answer = await reader.api.post(
      `/cards/${desk}/archive`,
      child_strategy === undefined ? {} : { child_strategy },
    );
    if (child_strategy === undefined)
      t.match(
        answer,
        { status: 409, body: { code: 'children_present', child_count: 1 } },
        'one of two children is visible',
      );
    else t.match(answer, { status: 409, body: { code: 'conflict' } }, child_strategy);
  }
  const parent = await make('/cards', { type: 'Desk', name: 'With a hidden child' });
  const child = await make('/cards', { type: 'Vault', name: `${MARK} child`, parent_id: parent });
  for (const answer of [
    await reader.api.post(`/cards/${parent}/archive`, {}),
    await reader.api.del(`/cards/${parent}`),
    await reader.api.del(`/cards/${parent}?child_strategy=cascade`),
  ]) {
    t.match(answer, { status: 409, body: { code: 'conflict' } });
    t.notMatch(JSON.stringify(answer.body), /child_count|Vault|zq-hidden/);
  }
  t.match((await admin.api.get(`/cards/${child}`)).body, { status: 'ACTIVE', parent_id: parent });
  t.match(
    await reader.api.post(`/cards/${leaf}/archive`, { child_strategy: 'reparent' }),
    { status: 409, body: { code: 'conflict' } },
    'no card is moved below a hidden one',
  );
  t.equal(await stored(test, world), before);
});

t.test('an import neither matches nor shows hidden cards', async (t) => {
  const file = [
    { id: vault, type: 'Desk', name: 'By id' },
    { id: NOWHERE, type: 'Desk', name: 'By id' },
    { type: 'Desk', name: 'Below a hidden one', parent: { id: vault } },
    { type: 'Desk', name: 'Below none', parent: { id: NOWHERE } },
  ]
    .map((row) => JSON.stringify(row))
    .join('\n');
  const { id } = await staged(reader.api, 'ndjson', `${file}\n`);
  const rows = (await reader.api.get<{ items: ImportRow[] }>(`/imports/${id}/rows`)).body.items;
  t.strictSame(
    rows.map(({ verdict, errors, id: target }) => [verdict, errors, target])[0],
    rows.map(({ verdict, errors, id: target }) => [verdict, errors, target])[1],
  );
  t.match(rows[0], { verdict: 'invalid', errors: [{ field: 'id', reason: 'names no card' }] });
  t.match(rows[2], { verdict: 'invalid', errors: [{ field: 'parent', reason: 'names no card' }] });
  t.strictSame(rows[2]!.errors, rows[3]!.errors);
  const open = await staged(
    admin.api,
    'ndjson',
    `${JSON.stringify({ id: below, type: 'Desk', name: 'Desk below', parent: { id: inner }, attributes: { twin: vault } })}\n`,
  );
  const text = JSON.stringify((await reader.api.get(`/imports/${open.id}/rows`)).body);
  t.match(text, /"verdict":"update"/);
  t.notOk(text.includes(vault) || text.includes(inner), text);
});

t.test(
  'costs of a relation are visible if the role shows those of both ends, or a stakeholder role those of one end',
  async (t) => {
    const half = await makeRoleUser(test, admin, 'half', {
      like: 'architect',
      types: { Application: { 'costs.view': false } },
    });
    const application = await make('/cards', { type: 'Application', name: 'Closed costs' });
    const id = await make('/relations', {
      type: 'touches',
      source_id: desk,
      target_id: application,
      attributes: { fee: 77 },
    });
    const fee = async (session: Session): Promise<unknown> =>
      (await session.api.get<View>(`/relations/${id}`)).body.attributes['fee'];
    t.equal(await fee(admin), 77);
    t.equal(await fee(half), undefined);
    t.match(await half.api.patch(`/relations/${id}`, { attributes: { fee: 78 } }), { status: 403 });
    t.equal((await half.api.get<{ total: number }>('/relations', { query: { 'attributes.fee': 77 } })).body.total, 0);
    const preview = await staged(
      half.api,
      'ndjson',
      `${JSON.stringify({ id: application, type: 'Application', name: 'Closed costs', attributes: { costTotalAnnual: 1 } })}\n`,
    );
    t.match((await half.api.get<{ items: ImportRow[] }>(`/imports/${preview.id}/rows`)).body.items, [
      { verdict: 'invalid' },
    ]);
    await make(`/cards/${application}/stakeholders`, { user_id: half.user.id, role: 'responsible' });
    t.equal(await fee(half), 77);
    const own = await staged(
      half.api,
      'ndjson',
      `${JSON.stringify({ id: application, type: 'Application', name: 'Closed costs', attributes: { costTotalAnnual: 1 } })}\n`,
    );
    const shown = (await half.api.get<{ items: ImportRow[] }>(`/imports/${own.id}/rows`)).body.items;
    t.match(
      shown,
      [{ verdict: 'update', diff: [{ field: 'attributes.costTotalAnnual', new: 1 }] }],
      'as in the write path',
    );
    t.strictSame(
      (await reader.api.get<{ items: ImportRow[] }>(`/imports/${own.id}/rows`)).body.items[0]!.diff.length,
      1,
    );
  },
);
