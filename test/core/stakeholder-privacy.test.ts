/** Without stakeholders.view no response shows stakeholders, except the caller's own roles. */
import t from 'tap';
import {
  client,
  makeUser,
  openStream,
  registerAdmin,
  sql,
  testApp,
  until,
  type AnyBody,
  type Client,
  type RequestOptions,
} from '../support/app.js';

const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(async () => {
  await Promise.all([one.close(), two.close()]);
});
const admin = await registerAdmin(one.origin);
const { api } = admin;
const make = async (path: string, body: object): Promise<AnyBody> => {
  const answer = await api.post(path, body);
  if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};
await make('/roles', {
  key: 'blind',
  label: 'Blind',
  permissions: ['cards.view', 'cards.edit', 'cards.export', 'relations.view', 'comments.view', 'documents.view'],
});
// A type whose score does not depend on stakeholders, so that nothing else changes with them.
await make('/metamodel/types', {
  key: 'Thing',
  label: 'Thing',
  has_hierarchy: true,
  quality_weights: { stakeholder_role: 0 },
  stakeholder_roles: [
    { key: 'own', permissions: ['card.edit'] },
    { key: 'watch', permissions: [] },
  ],
});
const [blind, viewer, known] = [
  await makeUser(admin, 'blind'),
  await makeUser(admin, 'viewer'),
  await makeUser(admin, 'viewer'),
];
const thing = (name: string) => make('/cards', { type: 'Thing', name });
const [card, bare] = [await thing('Card'), await thing('Bare')];
const stake = await make(`/cards/${card.id}/stakeholders`, { user_id: known.user.id, role: 'own' });
const SECRET = new RegExp(`${known.user.id}|${known.user.display_name}|"stakeholders"`);

const LISTS: Record<string, string>[] = [
  {},
  { type: 'Thing' },
  { fields: 'stakeholders' },
  { fields: 'name,stakeholders' },
  { search: 'card' },
  { sort_by: 'updated_at' },
  { search: known.user.display_name },
];
const asked: { path: string; query?: Record<string, string> }[] = [
  ...LISTS.map((query) => ({ path: '/cards', query })),
  ...['csv', 'json', 'ndjson'].map((format) => ({ path: '/cards/export', query: { format } })),
  { path: '/cards/facets' },
  ...[card, bare].flatMap(({ id }) =>
    ['', '/history', '/permissions', '/hierarchy', '/impact', '/archive-impact'].map((sub) => ({
      path: `/cards/${id}${sub}`,
    })),
  ),
  { path: '/relations' },
];
const answerOf = async (by: Client, { path, query }: (typeof asked)[number]): Promise<string> => {
  const { status, body, headers } = await by.get(path, query ? { query } : {});
  return `${status} ${headers.get('etag')} ${typeof body === 'string' ? body : JSON.stringify(body)}`;
};
const tag = async (by: Client, id: string): Promise<string> => (await by.get(`/cards/${id}`)).headers.get('etag')!;

t.test('no response contains a stakeholder, regardless of earlier readers', async (t) => {
  for (let round = 0; round < 3; round++) {
    for (const { origin } of [one, two]) {
      for (const q of asked) {
        t.notMatch(await answerOf(client(origin, blind.token), q), SECRET, `${q.path} ${new URLSearchParams(q.query)}`);
        await answerOf(client(origin, admin.token), q);
      }
      t.match((await client(origin, admin.token).get(`/cards/${card.id}`)).body, {
        stakeholders: [{ user_id: known.user.id }],
      });
      t.match(
        (await client(origin, viewer.token).get('/cards', { query: { type: 'Thing' } })).body.items
          .map((c) => (c['stakeholders'] as unknown[]).length)
          .sort(),
        [0, 1],
      );
      t.notOk(
        'stakeholders' in (await client(origin, blind.token).get(`/cards/${bare.id}`)).body,
        'omitted and not empty, because there may be some',
      );
    }
  }
  t.equal((await blind.api.get(`/cards/${card.id}/stakeholders`)).status, 403);
  const exported = (await blind.api.get<string>('/cards/export', { query: { format: 'ndjson' } })).body;
  t.strictSame(
    exported
      .trim()
      .split('\n')
      .map((line) => Object.keys(JSON.parse(line) as object).sort()),
    [card, bare].map(() =>
      Object.keys(card)
        .filter((key) => key !== 'stakeholders')
        .sort(),
    ),
    'the rest is all there',
  );
  t.notMatch(
    JSON.stringify((await blind.api.patch(`/cards/${card.id}`, { description: 'changed' })).body),
    SECRET,
    'also not in the answer to a change',
  );
});

t.test('entity tags: the view without stakeholders has another one, which does not change with them', async (t) => {
  const conditional = async (etag: string): Promise<number> =>
    (await blind.api.get(`/cards/${bare.id}`, { headers: { 'if-none-match': etag } } as RequestOptions)).status;
  const [full, less] = [await tag(api, bare.id), await tag(blind.api, bare.id)];
  t.match([full, less], [/^"1"$/, /^"1\.[\w-]+"$/]);
  t.strictSame([await conditional(full), await conditional(less)], [200, 304]);
  const { id } = await make(`/cards/${bare.id}/stakeholders`, { user_id: known.user.id, role: 'watch' });
  t.not(await tag(api, bare.id), full);
  t.equal(await conditional(less), 304, 'a change would reveal a new stakeholder');
  t.equal(
    (
      await blind.api.patch(`/cards/${bare.id}`, { description: 'd' }, {
        headers: { 'if-match': less },
      } as RequestOptions)
    ).status,
    200,
    'and it does for If-Match',
  );
  t.equal((await api.del(`/cards/${bare.id}/stakeholders/${id}`)).status, 204);
});

t.test('stakeholder_id accepts only the caller', async (t) => {
  for (const path of ['/cards', '/cards/facets', '/cards/export']) {
    for (const stakeholder_id of [
      known.user.id,
      `${blind.user.id},${known.user.id}`,
      '0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e21',
    ]) {
      t.match(
        await blind.api.get(path, { query: { stakeholder_id } }),
        { status: 403, body: { required_permission: 'stakeholders.view' } },
        `${path} ${stakeholder_id}`,
      );
    }
    t.equal((await blind.api.get(path, { query: { stakeholder_id: 'none' } })).status, 422);
    for (const stakeholder_id of ['me', blind.user.id, blind.user.id.toUpperCase()])
      t.equal((await blind.api.get(path, { query: { stakeholder_id } })).status, 200, `${path} ${stakeholder_id}`);
  }
  t.equal((await viewer.api.get('/cards', { query: { stakeholder_id: known.user.id } })).body.total, 1);
  await make(`/cards/${bare.id}/stakeholders`, { user_id: blind.user.id, role: 'own' });
  t.match((await blind.api.get('/cards', { query: { stakeholder_id: 'me' } })).body, {
    total: 1,
    items: [{ id: bare.id }],
  });
  t.match(await blind.api.get(`/cards/${bare.id}/permissions`), { body: { can: { 'card.edit': { allowed: true } } } });
});

t.test('events show that a role changed, without the user', async (t) => {
  const [seeing, resumed, live] = [
    await openStream(two.origin, viewer.token),
    await openStream(one.origin, blind.token, { lastEventId: 0 }),
    await openStream(two.origin, blind.token),
  ];
  await api.del(`/cards/${card.id}/stakeholders/${stake.id}`);
  const isIt = ({ event, data }: { event: string; data: unknown }) =>
    event === 'card.stakeholder_removed' && (data as { subject: string }).subject === card.id;
  t.match((await seeing.waitFor(isIt)).data, { data: { stakeholder: { user_id: known.user.id } } });
  for (const stream of [resumed, live]) {
    t.equal((await stream.waitFor(isIt)).event, 'card.stakeholder_removed');
    t.notMatch(JSON.stringify(stream.events), SECRET);
  }
  for (const stream of [seeing, resumed, live]) stream.close();
});

t.test('a rule against a type hides those of its cards, and of no others', async (t) => {
  await make(`/cards/${card.id}/stakeholders`, { user_id: known.user.id, role: 'own' });
  const app = await make('/cards', { type: 'Application', name: 'App' });
  await make(`/cards/${app.id}/stakeholders`, { user_id: known.user.id, role: 'responsible' });
  await sql(one.database, `update roles set types = '{"Thing": {"stakeholders.view": false}}' where key = 'viewer'`);
  await sql(one.database, `update revisions set revision = revision + 1 where kind = 'permissions'`);
  await until(async () => !('stakeholders' in (await viewer.api.get(`/cards/${card.id}`)).body), 3_000);
  t.match((await viewer.api.get(`/cards/${app.id}`)).body, { stakeholders: [{ user_id: known.user.id }] });
  t.strictSame(
    (await viewer.api.get('/cards', { query: { stakeholder_id: known.user.id } })).body.items.map((c) => c.id),
    [app.id],
  );
  const exported = (await viewer.api.get<string>('/cards/export', { query: { format: 'ndjson' } })).body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as AnyBody);
  t.strictSame(
    exported.map((c) => [c['type'], 'stakeholders' in c]),
    [
      ['Thing', false],
      ['Thing', false],
      ['Application', true],
    ],
  );
  t.notMatch(await answerOf(viewer.api, { path: `/cards/${card.id}/history` }), SECRET);
  t.match(await answerOf(viewer.api, { path: `/cards/${app.id}/history` }), new RegExp(known.user.id));
});
