/** An import is applied by its creator, or with all permissions its rows need; its rows show only what the reader may see. */
import t, { type Test } from 'tap';
import { makeUser, registerAdmin, testApp, type Session } from '../support/app.js';
import { applied, lines, rowsOf, settled, staged } from '../support/imports.js';
import { makeRoleUser } from '../support/roles.js';

const world = await testApp();
t.teardown(world.close);
const admin = await registerAdmin(world.origin);
const { api } = admin;
const user = async (key: string, permissions: string[]): Promise<Session> => {
  const answer = await api.post('/roles', {
    key,
    label: key,
    permissions: ['cards.import', 'cards.view', ...permissions],
  });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return await makeUser(admin, key);
};
const ALL = ['cards.create', 'cards.edit', 'relations.view', 'relations.manage', 'costs.view'];
const without = (key: string, missing: string) =>
  user(
    key,
    ALL.filter((permission) => permission !== missing),
  );
const [noCreate, noEdit, noRelations, noRelationView, noCosts, all] = [
  await without('no_create', 'cards.create'),
  await without('no_edit', 'cards.edit'),
  await without('no_relations', 'relations.manage'),
  await without('no_relation_view', 'relations.view'),
  await without('no_costs', 'costs.view'),
  await user('all', ALL),
];
const typed = (key: string, types: Record<string, Record<string, boolean>>) =>
  makeRoleUser(world, admin, key, { like: 'all', types });
const blind = await typed('blind', { Provider: { 'cards.view': false } });
const noCostsOfType = await typed('no_costs_of_type', { Application: { 'costs.view': false } });
const noEditOfType = await typed('no_edit_of_type', { Application: { 'cards.edit': false } });

let n = 0;
const fresh = (): string => `Imported ${++n}`;
const make = async (body = {}) => (await api.post('/cards', { type: 'Application', name: fresh(), ...body })).body;
const apply = (session: Session, id: string) => session.api.post(`/imports/${id}/apply`);
const state = async (id: string) => (await api.get<{ state: string }>(`/imports/${id}`)).body.state;

/** Imports rows as the administrator, checks that users without a permission cannot apply them, and applies them as another. */
async function checkApply(t: Test, rows: unknown[], refused: [Session, string][], permitted: Session): Promise<string> {
  const { id } = await staged(api, 'ndjson', lines(rows));
  for (const [session, permission] of refused) {
    t.match(
      await apply(session, id),
      { status: 403, body: { code: 'forbidden', required_permission: permission } },
      `${session.user.role} for ${permission}`,
    );
    t.equal(await state(id), 'ready');
  }
  t.strictSame(
    (await rowsOf(api, id)).map((row) => row.applied),
    rows.map(() => false),
    'nothing was written',
  );
  const done = await applied(permitted.api, id);
  t.match(done, { state: 'applied', applied_by: { id: permitted.user.id }, created_by: { id: admin.user.id } });
  t.strictSame(
    (await rowsOf(api, id)).map(({ verdict, errors }) => [verdict, errors]).filter(([verdict]) => verdict === 'failed'),
    [],
  );
  return id;
}

await t.test('another user needs all permissions of the rows', async (t) => {
  const card = await make();
  const id = await checkApply(t, [{ type: 'Application', name: fresh() }], [[noCreate, 'cards.create']], noEdit);
  t.equal(
    (await api.get(`/cards/${(await rowsOf(api, id))[0]!.id}`)).body['created_by'],
    noEdit.user.id,
    'it is created by the user who applied it',
  );
  await checkApply(
    t,
    [{ id: card.id, type: 'Application', description: 'new' }],
    [
      [noEdit, 'cards.edit'],
      [noEditOfType, 'cards.edit'],
    ],
    noCreate,
  );
  await checkApply(
    t,
    [{ id: card.id, type: 'Application', attributes: { costTotalAnnual: 777 } }],
    [
      [noEdit, 'cards.edit'],
      [noCosts, 'costs.view'],
      [noCostsOfType, 'costs.view'],
    ],
    all,
  );
  await checkApply(
    t,
    [{ type: 'Application', name: fresh(), attributes: { costTotalAnnual: 777 } }],
    [
      [noCosts, 'costs.view'],
      [noCostsOfType, 'costs.view'],
    ],
    all,
  );
  await checkApply(t, [{ type: 'Provider', name: fresh() }], [[blind, 'cards.view']], noCostsOfType);
  const [one, two, provider] = [await make(), await make(), await make({ type: 'Provider' })];
  const relation = (target: string, more = {}) => ({
    relation: { type: 'related', source: { id: one.id }, target: { id: target }, ...more },
  });
  await checkApply(
    t,
    [relation(two.id)],
    [
      [noRelations, 'relations.manage'],
      [noRelationView, 'relations.view'],
    ],
    blind,
  );
  await checkApply(t, [relation(provider.id)], [[blind, 'cards.view']], all);
  const existing = (await api.get('/relations', { query: { card_id: provider.id } })).body.items[0]!;
  await checkApply(
    t,
    [{ relation: { id: existing.id, type: 'related', description: 'new' } }],
    [
      [blind, 'cards.view'],
      [noRelations, 'relations.manage'],
    ],
    noCreate,
  );
  const component = await make({ type: 'ITComponent' });
  const withCost = {
    relation: {
      type: 'applicationToITComponent',
      source: { id: one.id },
      target: { id: component.id },
      attributes: { costTotalAnnual: 777 },
    },
  };
  await checkApply(t, [withCost], [[noCosts, 'costs.view']], all);
  await checkApply(
    t,
    [
      { type: 'Application', name: fresh() },
      { id: card.id, type: 'Application', description: 'last' },
      relation(component.id),
    ],
    [
      [noCreate, 'cards.create'],
      [noEdit, 'cards.edit'],
      [noRelations, 'relations.manage'],
    ],
    noCosts,
  );
});

await t.test(
  'rows without changes need no permission, and stakeholder roles do not permit applying imports of others',
  async (t) => {
    const card = await make({ attributes: { costTotalAnnual: 5 } });
    await checkApply(t, [{ id: card.id, type: 'Application', attributes: { costTotalAnnual: 5 } }], [], noCosts);
    await api.post(`/cards/${card.id}/stakeholders`, { user_id: noEdit.user.id, role: 'responsible' });
    const rows = [{ id: card.id, type: 'Application', description: 'by its stakeholder' }];
    await checkApply(t, rows, [[noEdit, 'cards.edit']], all);
    await api.patch(`/cards/${card.id}`, { description: null });
    const own = await staged(noEdit.api, 'ndjson', lines(rows));
    t.match(
      (await applied(noEdit.api, own.id)).counts.card,
      { update: 1 },
      'in an own import the stakeholder role counts',
    );
  },
);

await t.test('the creator applies it with the current permissions', async (t) => {
  const maker = await user('maker', ['cards.create', 'cards.edit']);
  const [kept, written] = [
    await staged(maker.api, 'ndjson', lines([{ type: 'Application', name: fresh() }])),
    await staged(maker.api, 'ndjson', lines([{ type: 'Application', name: fresh() }])),
  ];
  t.equal((await applied(maker.api, kept.id)).counts.card['create'], 1);
  await api.patch('/roles/maker', { permissions: { 'cards.create': false } });
  t.match((await applied(maker.api, written.id)).counts.card, { failed: 1 });
  t.match((await rowsOf(maker.api, written.id))[0]!.errors, [{ reason: 'The permission cards.create is required.' }]);
  const again = await staged(maker.api, 'ndjson', lines([{ type: 'Application', name: fresh() }]));
  t.match(again.counts.card, { invalid: 1 }, 'rows that the creator may not write are invalid, also for others');
  t.match((await applied(admin.api, again.id)).counts.card, { invalid: 1 });
});

await t.test('versions, states and keys are unchanged; without its creator other users may apply it', async (t) => {
  const { id, version } = await staged(api, 'ndjson', lines([{ type: 'Application', name: fresh() }]));
  t.equal(
    (await noCreate.api.post(`/imports/${id}/apply`, undefined, { headers: { 'if-match': `"${version - 1}"` } }))
      .status,
    412,
  );
  t.equal(
    (await noCreate.api.post(`/imports/${id}/apply`, undefined, { headers: { 'idempotency-key': 'refused-1' } }))
      .status,
    403,
  );
  t.equal((await apply(all, id)).status, 202);
  await settled(api, id);
  t.match(await apply(noCreate, id), { status: 409, body: { code: 'invalid_state' } });
  const leaver = await user('leaver', ALL);
  const left = await staged(leaver.api, 'ndjson', lines([{ type: 'Application', name: fresh() }]));
  t.equal((await api.del(`/users/${leaver.user.id}`)).status, 204);
  t.match(await apply(noCreate, left.id), { status: 403, body: { required_permission: 'cards.create' } });
  t.equal((await applied(all.api, left.id)).state, 'applied');
});

await t.test('rows show a reader nothing hidden from the reader', async (t) => {
  const [application, provider] = [
    await make({ attributes: { costTotalAnnual: 1 } }),
    await make({ type: 'Provider', name: 'Secret supplier' }),
  ];
  const related = (
    await api.post('/relations', {
      type: 'related',
      source_id: application.id,
      target_id: provider.id,
      description: 'old secret',
    })
  ).body;
  const { id } = await staged(
    api,
    'ndjson',
    lines([
      { id: application.id, type: 'Application', description: 'open', attributes: { costTotalAnnual: 777 } },
      { id: provider.id, type: 'Provider', description: 'new secret' },
      { type: 'Provider', name: 'Other secret supplier', attributes: { nonsense: 1 } },
      { relation: { id: related.id, type: 'related', description: 'new secret' } },
      {
        relation: {
          type: 'related',
          source: { id: provider.id },
          target: { id: application.id },
          description: 'another secret',
        },
      },
      { type: 'Provider', name: 'Third secret supplier' },
      {
        relation: {
          type: 'related',
          source: { type: 'Provider', path: [], name: 'Third secret supplier' },
          target: { id: application.id },
          description: 'third secret',
        },
      },
    ]),
  );
  const whole = await rowsOf(api, id);
  t.strictSame(
    whole.map(({ verdict }) => verdict),
    ['update', 'update', 'invalid', 'update', 'create', 'create', 'create'],
  );
  t.match(JSON.stringify(whole), /777.*new secret.*nonsense.*old secret.*another secret.*third secret/);
  const seen = await rowsOf(blind.api, id);
  t.notMatch(JSON.stringify(seen), /secret|nonsense/i);
  t.notOk(JSON.stringify(seen).includes(provider.id) || JSON.stringify(seen).includes(related.id));
  t.strictSame(
    seen.map(({ verdict }) => verdict),
    whole.map(({ verdict }) => verdict),
    'the verdicts are visible',
  );
  t.match(seen[0], {
    id: application.id,
    diff: [{ field: 'description' }, { field: 'attributes.costTotalAnnual', new: 777 }],
  });
  for (const session of [noCosts, noCostsOfType])
    t.notMatch(JSON.stringify(await rowsOf(session.api, id)), /(?<![\w-])777(?![\w-])/, session.user.role);
  t.strictSame(
    (await rowsOf(noRelationView.api, id))
      .filter(({ kind }) => kind === 'relation')
      .map(({ id: of, diff, errors }) => [of, diff, errors]),
    [
      [null, [], []],
      [null, [], []],
      [null, [], []],
    ],
  );
  const own = await rowsOf(
    blind.api,
    (
      await staged(
        blind.api,
        'ndjson',
        lines([
          { type: 'Provider', name: fresh() },
          { id: provider.id, type: 'Provider', description: 'x' },
        ]),
      )
    ).id,
  );
  t.strictSame(
    own.map(({ errors }) => errors.map(({ reason }) => reason)),
    [['cards of this type are not visible to you'], ['names no card', 'cards of this type are not visible to you']],
    'own rows show why they are refused',
  );
});
