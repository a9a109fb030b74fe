/** Why a user may or may not do something, without telling of what is hidden from the reader. */
import t from 'tap';
import { makeUser, registerAdmin, testApp, type Session } from '../support/app.js';
import { ApiTokens } from '../support/api-tokens.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const make = async (path: string, body: object): Promise<string> => {
  const answer = await admin.api.post(path, body);
  if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.id;
};
await make('/roles', {
  key: 'limited',
  label: 'Limited',
  permissions: ['cards.view', 'cards.edit', 'risks.view'],
  types: { Application: { 'cards.edit': false, 'cards.archive': true }, Provider: { 'cards.view': false } },
});
await make('/roles', {
  key: 'auditor',
  label: 'Auditor',
  permissions: ['roles.manage', 'users.manage', 'cards.view', 'stakeholders.view'],
  types: { Provider: { 'cards.view': false } },
});
const limited = await makeUser(admin, 'limited');
const viewer = await makeUser(admin, 'viewer');
const auditor = await makeUser(admin, 'auditor');
const [card, other, vendor] = [
  await make('/cards', { type: 'Application', name: 'Ledger' }),
  await make('/cards', { type: 'Application', name: 'Other' }),
  await make('/cards', { type: 'Provider', name: 'Secret vendor' }),
];
await make(`/cards/${card}/stakeholders`, { user_id: viewer.user.id, role: 'responsible' });
await make(`/cards/${vendor}/stakeholders`, { user_id: viewer.user.id, role: 'responsible' });

const explain = async (reader: Session, user: Session, permission: string, rest: Record<string, string> = {}) =>
  (await reader.api.get('/roles/explain', { query: { user_id: user.user.id, permission, ...rest } })).body;

t.test('the rule is named', async (t) => {
  const cases: [Session, string, Record<string, string>, object][] = [
    [viewer, 'cards.view', {}, { allowed: true, because: 'role viewer grants cards.view', by: 'role' }],
    [viewer, 'cards.edit', {}, { allowed: false, because: 'role viewer does not grant cards.edit', by: 'none' }],
    [admin, 'risks.manage', {}, { allowed: true, because: 'role admin grants risks.manage' }],
    [limited, 'cards.edit', {}, { allowed: true, because: 'role limited grants cards.edit', card_type: null }],
    [
      limited,
      'cards.edit',
      { card_type: 'Application' },
      { allowed: false, because: 'role limited does not grant cards.edit on Application', by: 'type_rule' },
    ],
    [
      limited,
      'cards.archive',
      { card_type: 'Application' },
      { allowed: true, because: 'role limited grants cards.archive on Application', by: 'type_rule' },
    ],
    [
      limited,
      'cards.edit',
      { card_id: card },
      {
        allowed: false,
        because: 'role limited does not grant cards.edit on Application, and no stakeholder role grants card.edit',
        card_type: 'Application',
      },
    ],
    [
      limited,
      'cards.edit',
      { card_id: vendor },
      { allowed: false, because: /does not grant cards.view on Provider, so that these cards do not exist/ },
    ],
    [
      viewer,
      'cards.edit',
      { card_id: card },
      { allowed: true, because: 'stakeholder role responsible grants card.edit', by: 'stakeholder_role' },
    ],
    [viewer, 'card.approve', { card_id: card }, { allowed: true, by: 'stakeholder_role' }],
    [viewer, 'card.approve', { card_id: other }, { allowed: false, by: 'none' }],
    [
      viewer,
      'adr.manage',
      { card_id: other },
      { because: 'role viewer does not grant adr.manage, and no stakeholder role grants card.adr_manage' },
    ],
  ];
  for (const [user, permission, rest, expected] of cases)
    t.match(
      await explain(admin, user, permission, rest),
      { permission, ...expected },
      `${user.user.role} ${permission}`,
    );
  const gone = await makeUser(admin, 'architect');
  await admin.api.patch(`/users/${gone.user.id}`, { is_active: false });
  t.match(await explain(admin, gone, 'cards.view'), { allowed: false, by: 'account' });
  t.match((await admin.api.get(`/users/${gone.user.id}/permissions`)).body, { total: 0 });
});

t.test('every explanation is true', async (t) => {
  for (const user of [admin, limited, viewer])
    for (const id of [card, other, vendor]) {
      const said = await explain(admin, user, 'cards.edit', { card_id: id });
      const { status } = await user.api.patch(`/cards/${id}`, { alias: `x${Math.random()}` });
      t.equal(status === 200, said['allowed'], `${user.user.role}: ${status}, ${String(said['because'])}`);
    }
});

t.test('nothing is told of what is hidden from the reader', async (t) => {
  const unknown = '01900000-0000-7000-8000-00000000dead';
  t.match(await explain(auditor, viewer, 'cards.edit', { card_id: vendor }), { status: 404 });
  const [hidden, absent] = [
    await explain(auditor, viewer, 'cards.edit', { card_id: vendor }),
    await explain(auditor, viewer, 'cards.edit', { card_id: unknown }),
  ];
  const { request_id: _a, ...one } = hidden;
  const { request_id: _b, ...two } = absent;
  t.same(one, two);
  t.match(await explain(auditor, viewer, 'cards.edit', { card_type: 'Provider' }), { status: 422 });
  const mine = await auditor.api.get(`/users/${viewer.user.id}/permissions`, { query: { page_size: 200 } });
  t.equal(mine.status, 200);
  t.notMatch(JSON.stringify(mine.body), /Provider|vendor/);
  const all = JSON.stringify((await admin.api.get(`/users/${viewer.user.id}/permissions?page_size=200`)).body);
  t.match(all, /Provider/);
  await make('/roles', { key: 'roles_only', label: 'R', permissions: ['roles.manage', 'cards.view'] });
  const blind = await makeUser(admin, 'roles_only');
  t.match(await explain(blind, viewer, 'cards.edit', { card_id: card }), {
    code: 'forbidden',
    required_permission: 'stakeholders.view',
  });
});

t.test('invalid questions', async (t) => {
  t.match(await explain(admin, viewer, 'cards.fly'), { errors: [{ field: 'permission', in: 'query' }] });
  t.match(await explain(admin, viewer, 'card.edit'), { errors: [{ field: 'card_id' }] });
  t.match(await explain(admin, viewer, 'cards.edit', { card_id: card, card_type: 'Application' }), {
    errors: [{ field: 'card_type' }],
  });
  t.match(await explain(admin, viewer, 'cards.edit', { card_type: 'Nothing' }), { errors: [{ field: 'card_type' }] });
  t.equal(
    (await viewer.api.get('/roles/explain', { query: { user_id: viewer.user.id, permission: 'x' } })).status,
    403,
  );
});

t.test('the permissions of a user as one list', async (t) => {
  const list = async (user: Session) =>
    (await admin.api.get(`/users/${user.user.id}/permissions`, { query: { page_size: 200 } })).body;
  const held = await list(limited);
  t.match(held.items, [
    {
      permission: 'cards.archive',
      card_types: ['Application'],
      because: 'role limited grants cards.archive on Application',
    },
    { permission: 'cards.edit', scope: 'application' },
    { permission: 'cards.view' },
    { permission: 'risks.view', card_types: null },
  ]);
  t.notOk((held.items[1]!['card_types'] as string[]).includes('Application'));
  t.match(
    (await list(viewer)).items.find((i) => i['permission'] === 'card.edit' && String(i['because']).includes('Appl')),
    { scope: 'card', card_types: ['Application'], stakeholder_role: 'responsible', cards: 1 },
  );
  const catalogue = (await admin.api.get('/roles/permissions', { query: { page_size: 1, scope: 'application' } })).body;
  t.equal((await list(admin)).items.filter((i) => i['scope'] === 'application').length, catalogue.total);
  const paged = await admin.api.get(`/users/${viewer.user.id}/permissions`, { query: { page_size: 5 } });
  const next = await admin.api.get(`/users/${viewer.user.id}/permissions`, {
    query: { page_size: 5, cursor: paged.body.next_cursor! },
  });
  t.notMatch(paged.body.items.at(-1), next.body.items[0]!);
});

t.test('the caller’s own permissions on a card', async (t) => {
  const can = async (user: Session, id: string) =>
    (await user.api.get<{ can: Record<string, { allowed: boolean }> }>(`/cards/${id}/permissions`)).body.can;
  t.match(await can(limited, card), {
    'cards.view': { allowed: true, by: 'role' },
    'card.archive': { allowed: true, because: 'role limited grants cards.archive on Application', by: 'type_rule' },
    'comments.view': { allowed: false },
    'cards.export': { allowed: false, by: 'none' },
  });
  const token = await new ApiTokens(origin).of(limited, ['cards.view']);
  t.match((await token.get<{ can: object }>(`/cards/${card}/permissions`)).body.can, {
    'cards.view': { allowed: true },
    'card.archive': {
      allowed: false,
      because: /the API token “Token 1” does not include cards.archive/,
      by: 'api_token',
    },
    'card.approve': { allowed: false, by: 'none' },
  });
});
