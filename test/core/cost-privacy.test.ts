/**
 * Users who may not see costs cannot infer them. Costs have unique digits and are redistributed between two reads: the
 * responses for a viewer must be equal.
 */
import t from 'tap';
import {
  client,
  makeUser,
  openStream,
  registerAdmin,
  testApp,
  until,
  type AnyBody,
  type Client,
  type RequestOptions,
} from '../support/app.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const { api } = admin;
const viewer = await makeUser(admin, 'viewer');
const CLERK = ['cards.view', 'cards.edit', 'cards.bulk', 'cards.export', 'relations.view', 'relations.manage'];
if ((await api.post('/roles', { key: 'clerk', label: 'Clerk', permissions: CLERK })).status !== 201)
  throw new Error('no clerk');
const clerk = await makeUser(admin, 'clerk');

const COSTS = [918273641, 918273642.5, 918273643, 918273644];
const SECRET = /91827364/;
const make = async (path: string, body: object): Promise<AnyBody> => {
  const answer = await api.post(path, body);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};
const apps: AnyBody[] = [];
for (const [i, cost] of COSTS.entries())
  apps.push(
    await make('/cards', {
      type: 'Application',
      name: `Priced ${i}`,
      attributes: { costTotalAnnual: cost, numberOfUsers: i },
    }),
  );
const free = await make('/cards', { type: 'Application', name: 'Priced without' });
const initiative = await make('/cards', {
  type: 'Initiative',
  name: 'Priced plan',
  attributes: { costBudget: COSTS[0], costActual: COSTS[1] },
});
const component = await make('/cards', {
  type: 'ITComponent',
  name: 'Priced part',
  attributes: { costTotalAnnual: COSTS[2] },
});
const relations = await Promise.all(
  apps.map((app, i) =>
    make('/relations', {
      type: 'applicationToITComponent',
      source_id: app.id,
      target_id: component.id,
      attributes: { costTotalAnnual: COSTS[i]! },
    }),
  ),
);
await make('/relations', { type: 'initiativeToApplication', source_id: initiative.id, target_id: apps[0]!.id });

/** Redistributes the costs, so that every comparison between two cards is reversed. */
async function reverse(): Promise<void> {
  for (const list of [apps, relations]) {
    const values = await Promise.all(
      list.map(
        async ({ id }) =>
          (
            (await api.get(`/${list === apps ? 'cards' : 'relations'}/${id}`)).body['attributes'] as Record<
              string,
              unknown
            >
          )['costTotalAnnual'],
      ),
    );
    for (const [i, { id }] of list.entries())
      await api.patch(`/${list === apps ? 'cards' : 'relations'}/${id}`, {
        attributes: { costTotalAnnual: values[values.length - 1 - i] },
      });
  }
}

const FIELD = 'attributes.costTotalAnnual';
const LIST: Record<string, string>[] = [
  ...['asc', 'desc'].map((sort_dir) => ({ sort_by: FIELD, sort_dir })),
  ...['asc', 'desc'].map((sort_dir) => ({ sort_by: FIELD, sort_dir, page_size: '2' })),
  ...COSTS.map((cost) => ({ [FIELD]: `${cost}` })),
  { [FIELD]: COSTS.join(',') },
  ...COSTS.map((cost) => ({ [`${FIELD}[ne]`]: `${cost}` })),
  ...['gt', 'gte', 'lt', 'lte'].flatMap((op) => COSTS.map((cost) => ({ [`${FIELD}[${op}]`]: `${cost}` }))),
  { [`${FIELD}[gt]`]: '0', [`${FIELD}[lt]`]: '918273643' },
  ...['true', 'false'].map((empty) => ({ [`${FIELD}[empty]`]: empty })),
  { search: '918273641' },
  { search: 'Priced', sort_by: 'relevance' },
  { fields: `id,${FIELD}` },
  { fields: 'attributes' },
];
const list = (query: Record<string, string>) => ({ path: '/cards', query: { type: 'Application', ...query } });
const asked: { path: string; query?: Record<string, string> }[] = [
  ...LIST.map(list),
  ...LIST.filter((q) => !('sort_by' in q) && !('fields' in q)).flatMap((q) => [
    { ...list(q), path: '/cards/facets' },
    ...['csv', 'json', 'ndjson'].map((format) => ({
      path: '/cards/export',
      query: { type: 'Application', format, ...q },
    })),
  ]),
  ...[...apps, free, initiative, component].flatMap(({ id }) =>
    ['', '/history', '/hierarchy', '/impact', '/archive-impact', '/permissions'].map((sub) => ({
      path: `/cards/${id}${sub}`,
    })),
  ),
  { path: '/relations' },
  ...relations.map(({ id }) => ({ path: `/relations/${id}` })),
  ...['[gt]', '[lt]', '', '[ne]', '[empty]'].map((op) => ({
    path: '/relations',
    query: { type: 'applicationToITComponent', [`${FIELD}${op}`]: op === '[empty]' ? 'false' : '918273643' },
  })),
  { path: '/metamodel/types/Application/usage' },
];
/** An answer without the values that every change of a card affects: versions, times, and cursors of them. */
const answerOf = async (by: Client, { path, query }: (typeof asked)[number]): Promise<string> => {
  const { status, body } = await by.get(path, query ? { query } : {});
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return `${status} ${text}`
    .replace(
      /"(version|updated_at|computed_at|next_cursor|request_id|at|change_id|valid_from)":("[^"]*"|\d+|null)/g,
      '',
    )
    .replace(/\d{4}-\d\d-\d\d[T ][\d:.]+(Z|\+00)?,\d+/g, '');
};
const nameOf = ({ path, query }: (typeof asked)[number]) =>
  `${path.replace(/[0-9a-f-]{36}/, ':id')} ${new URLSearchParams(query)}`;

await t.test('no answer holds a cost, and none changes when only costs do', async (t) => {
  for (const [who, session] of [
    ['viewer', viewer],
    ['clerk', clerk],
  ] as const) {
    const before = await Promise.all(asked.map((q) => answerOf(session.api, q)));
    await reverse();
    const after = await Promise.all(asked.map((q) => answerOf(session.api, q)));
    for (const [i, q] of asked.entries()) {
      t.notMatch(`${before[i]} ${after[i]}`, SECRET, `${who} ${nameOf(q)} contains no cost`);
      // The history shows that a card changed, without the cost.
      if (!q.path.endsWith('/history')) t.equal(after[i], before[i], `${who} ${nameOf(q)} is the same`);
    }
  }
  const seen = await api.get('/cards', { query: { type: 'Application', [`${FIELD}[gte]`]: '918273643' } });
  t.equal(seen.body.total, 2, 'a user who may see costs gets them');
});

await t.test('events: neither the stream nor a resume over the log', async (t) => {
  const [live, resumed] = [
    await openStream(origin, viewer.token),
    await openStream(origin, viewer.token, { lastEventId: 0 }),
  ];
  await reverse();
  const name = `Marker ${Date.now()}`;
  const { id } = await make('/cards', { type: 'Application', name });
  for (const stream of [live, resumed]) {
    await stream.waitFor(({ data }) => (data as { subject: string }).subject === id);
    t.notMatch(JSON.stringify(stream.events), SECRET);
    stream.close();
  }
  t.match(
    JSON.stringify((await api.get('/events', { query: { page_size: 200 } })).body),
    SECRET,
    'the audit trail has them for users who may see costs',
  );
});

await t.test('a replayed answer has the current permissions', async (t) => {
  const key = { headers: { 'idempotency-key': 'cost-1' } };
  const member = await makeUser(admin, 'member');
  const send = () => member.api.patch(`/cards/${apps[0]!.id}`, { description: 'mine' }, key);
  t.match(JSON.stringify((await send()).body), SECRET);
  t.equal((await api.patch(`/users/${member.user.id}`, { role: 'clerk' })).status, 200);
  const again = await until(async () => {
    const r = await send();
    return !SECRET.test(JSON.stringify(r.body)) && r;
  }, 1_000);
  t.strictSame([again.status, again.headers.get('idempotent-replayed')], [200, 'true']);
});

await t.test(
  'entity tags: the full one differs from the redacted one, and a 304 reveals nothing about costs',
  async (t) => {
    const path = `/cards/${apps[1]!.id}`;
    const tag = async (by: Client) => (await by.get(path)).headers.get('etag')!;
    const conditional = (by: Client, etag: string): Promise<number> =>
      by.get(path, { headers: { 'if-none-match': etag } } as RequestOptions).then((r) => r.status);
    const [full, redacted] = [await tag(api), await tag(viewer.api)];
    t.not(full, redacted);
    t.strictSame(
      [await conditional(viewer.api, full), await conditional(viewer.api, redacted), await conditional(api, redacted)],
      [200, 304, 200],
    );
    t.match((await viewer.api.get(path)).headers.get('vary'), /authorization/i);
  },
);

await t.test('a 412 has no cost among the changed fields', async (t) => {
  const { version } = (await api.get(`/cards/${apps[2]!.id}`)).body;
  await api.patch(`/cards/${apps[2]!.id}`, { attributes: { costTotalAnnual: COSTS[0]! + 1, numberOfUsers: 77 } });
  const stale = await clerk.api.patch(
    `/cards/${apps[2]!.id}`,
    { description: 'x' },
    { headers: { 'if-match': `"${version}"` } },
  );
  t.strictSame([stale.status, stale.body['changed_fields']], [412, ['attributes.numberOfUsers']]);
});

await t.test('a stakeholder with the permission sees the costs of that card only', async (t) => {
  t.equal(
    (await api.post(`/cards/${apps[3]!.id}/stakeholders`, { user_id: viewer.user.id, role: 'responsible' })).status,
    201,
  );
  const own = await until(async () => {
    const r = await viewer.api.get(`/cards/${apps[3]!.id}`);
    return SECRET.test(JSON.stringify(r.body)) && r.body;
  }, 1_000);
  const cost = (own['attributes'] as Record<string, number>)['costTotalAnnual']!;
  const ids = async (query: Record<string, string>) =>
    (await viewer.api.get('/cards', { query: { type: 'Application', ...query } })).body.items.map((c) => c.id);
  t.strictSame(await ids({ [`${FIELD}[gt]`]: '0' }), [own.id]);
  t.strictSame(await ids({ [FIELD]: COSTS.join(',') }), COSTS.includes(cost) ? [own.id] : []);
  t.equal(
    (await ids({ sort_by: FIELD, sort_dir: 'desc' }))[0],
    own.id,
    'it is sorted by its value, the others as empty',
  );
  const { body } = await viewer.api.get<string>('/cards/export', { query: { format: 'csv', type: 'Application' } });
  t.equal(body.match(/91827364/g)?.length, 1);
  t.match(JSON.stringify((await viewer.api.get(`/cards/${own.id}/history`)).body), SECRET);
  t.equal((await client(origin).get(`/cards/${own.id}`)).status, 401);
});
