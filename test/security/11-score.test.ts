/**
 * The score of a card does not reveal to users who may not see costs whether they are filled: in the card, its entity tag, lists,
 * their order and exports. A user who sees the costs of a card by a stakeholder role gets the score with them.
 */
import t from 'tap';
import {
  expectStatus,
  makeUser,
  registerAdmin,
  sql,
  testApp,
  until,
  type AnyBody,
  type Client,
} from '../support/app.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const viewer = await makeUser(admin, 'viewer');
const owner = await makeUser(admin, 'viewer');
const inheriting = await makeUser(admin, 'viewer');

const make = async (body: object): Promise<AnyBody> =>
  expectStatus(await admin.api.post('/cards', body), 201, 'creating a card').body;
/** Pairs of cards that differ only in the cost, which is filled in the second card. */
const pairs: [AnyBody, AnyBody][] = [];
for (let n = 0; n < 6; n++) {
  const attributes = Object.fromEntries(
    ['numberOfUsers', 'businessCriticality', 'technicalSuitability']
      .slice(0, n % 4)
      .map((key, i) => [key, [n, 'businessCritical', 'fullyAppropriate'][i]]),
  );
  const shape = (name: string, more: object) => ({
    type: 'Application',
    name,
    ...(n > 3 && { description: 'x' }),
    attributes: { ...attributes, ...more },
  });
  pairs.push([await make(shape(`Empty ${n}`, {})), await make(shape(`Filled ${n}`, { costTotalAnnual: 918_273 }))]);
}
const objective = await make({ type: 'Objective', name: 'Free of costs', description: 'x' });
expectStatus(
  await admin.api.post(`/cards/${pairs[1]![1].id}/stakeholders`, { user_id: owner.user.id, role: 'responsible' }),
  201,
  'naming a stakeholder',
);
expectStatus(
  await admin.api.post(`/cards/${pairs[1]![0].id}/stakeholders`, { user_id: owner.user.id, role: 'responsible' }),
  201,
  'naming a stakeholder',
);

const score = async (api: Client, id: string): Promise<number> =>
  (await api.get(`/cards/${id}`)).body['data_quality'] as number;
const QUERY = { type: 'Application', page_size: '200' };
const listed = async (api: Client, query: Record<string, string>): Promise<AnyBody[]> =>
  (await api.get('/cards', { query: { ...QUERY, ...query } })).body.items;

t.test('both cards of a pair have the same score for a viewer, and not for an administrator', async (t) => {
  for (const [n, [empty, filled]] of pairs.entries()) {
    if (n === 1) continue;
    t.equal(await score(viewer.api, filled.id), await score(viewer.api, empty.id), `pair ${n}`);
    t.ok((await score(admin.api, filled.id)) > (await score(admin.api, empty.id)), `pair ${n} for an administrator`);
  }
  t.equal(
    await score(viewer.api, objective.id),
    await score(admin.api, objective.id),
    'without costs there is one score',
  );
});

t.test('setting and removing a cost changes neither score nor entity tag of a viewer', async (t) => {
  const [{ id }] = pairs[2]!;
  const [tags, scores] = [new Set<string>(), new Set<number>()];
  for (const value of [null, 1, null, 2]) {
    expectStatus(
      await admin.api.patch(`/cards/${id}`, { attributes: { costTotalAnnual: value } }),
      200,
      'setting a cost',
    );
    const answer = await viewer.api.get(`/cards/${id}`);
    tags.add(String(answer.headers.get('etag')).replace(/^"\d+/, '"'));
    scores.add(answer.body['data_quality'] as number);
  }
  t.equal(scores.size, 1, 'score');
  t.equal(tags.size, 1, 'entity tag, but for the version');
  expectStatus(await admin.api.patch(`/cards/${id}`, { attributes: { costTotalAnnual: null } }), 200, 'taking it back');
});

t.test('a caller who sees the costs of a card gets the score with them', async (t) => {
  for (const { id } of pairs[1]!) t.equal(await score(owner.api, id), await score(admin.api, id));
  t.equal(
    await score(owner.api, pairs[3]![1].id),
    await score(viewer.api, pairs[3]![1].id),
    'other cards have the score without costs',
  );
});

t.test('lists and exports show the score of the card', async (t) => {
  for (const api of [admin.api, viewer.api, owner.api]) {
    const scores = new Map(await Promise.all(pairs.flat().map(async ({ id }) => [id, await score(api, id)] as const)));
    for (const card of await listed(api, {})) t.equal(card['data_quality'], scores.get(card.id), 'list');
    for (const format of ['json', 'ndjson', 'csv']) {
      const text = (await api.get('/cards/export', { query: { type: 'Application', format } })).body as unknown;
      const cards = format === 'json' ? (text as AnyBody[]) : String(text).trim().split('\n');
      for (const [id, wanted] of scores) {
        if (format === 'json')
          t.equal((cards as AnyBody[]).find((card) => card.id === id)!['data_quality'], wanted, 'JSON');
        else if (format === 'ndjson')
          t.equal(
            (JSON.parse((cards as string[]).find((line) => line.includes(id))!) as AnyBody)['data_quality'],
            wanted,
            'NDJSON',
          );
        else
          t.match(
            (cards as string[]).find((line) => line.startsWith(id)),
            new RegExp(`,ACTIVE,DRAFT,${wanted},`),
            'CSV',
          );
      }
    }
  }
});

t.test('sorting by the score uses the shown score, by page and by cursor', async (t) => {
  for (const [who, api] of Object.entries({ admin: admin.api, viewer: viewer.api, owner: owner.api })) {
    for (const sort_dir of ['asc', 'desc']) {
      for (const query of [
        {},
        { search: 'filled' },
        { tag: objective.id },
        { 'attributes.numberOfUsers[gte]': '0' },
        { status: 'ACTIVE,ARCHIVED' },
      ] as Record<string, string>[]) {
        const sorted = { ...query, sort_by: 'data_quality', sort_dir };
        const all = await listed(api, sorted);
        const sign = sort_dir === 'asc' ? 1 : -1;
        const wanted = [...(await listed(api, query))].sort(
          (a, b) => sign * ((a['data_quality'] as number) - (b['data_quality'] as number) || (a.id < b.id ? -1 : 1)),
        );
        t.same(
          all.map(({ id }) => id),
          wanted.map(({ id }) => id),
          `${who} ${JSON.stringify(sorted)}`,
        );
        const paged: string[] = [];
        for (let cursor: string | null | undefined; ; ) {
          const { body } = await api.get('/cards', {
            query: { type: 'Application', page_size: '5', ...sorted, ...(cursor && { cursor }) },
          });
          paged.push(...(body.items as AnyBody[]).map(({ id }) => id));
          cursor = body.next_cursor as string | null;
          if (!cursor) break;
        }
        t.same(
          paged,
          wanted.map(({ id }) => id),
          `${who} by cursor`,
        );
        const second = (
          await api.get('/cards', { query: { type: 'Application', page_size: '4', page: '2', ...sorted } })
        ).body.items as AnyBody[];
        t.same(
          second.map(({ id }) => id),
          wanted.slice(4, 8).map(({ id }) => id),
          `${who} second page`,
        );
      }
    }
  }
});

t.test('a role that hides the costs of one type', async (t) => {
  expectStatus(
    await admin.api.post('/roles', {
      key: 'partly',
      label: 'Partly',
      permissions: ['cards.view', 'costs.view', 'stakeholders.view', 'cards.export'],
    }),
    201,
    'making a role',
  );
  await sql(
    database,
    `with r as (update roles set types = '{"Application": {"costs.view": false}}' where key = 'partly') update revisions set revision = revision + 1 where kind = 'permissions'`,
    [],
  );
  const partly = await makeUser(admin, 'partly');
  const component = await make({ type: 'ITComponent', name: 'Priced part', attributes: { costTotalAnnual: 5 } });
  const [empty, filled] = pairs[4]!;
  await until(async () => (await score(partly.api, filled.id)) === (await score(viewer.api, filled.id)));
  t.equal(await score(partly.api, filled.id), await score(partly.api, empty.id));
  t.equal(
    await score(partly.api, component.id),
    await score(admin.api, component.id),
    'another type is shown with costs',
  );
  const all = (await partly.api.get('/cards', { query: { sort_by: 'data_quality', page_size: '200' } })).body
    .items as AnyBody[];
  const scores = all.map((card) => card['data_quality'] as number);
  t.same(
    scores,
    [...scores].sort((a, b) => a - b),
  );
  t.equal(new Set(all.map(({ id }) => id)).size, all.length);
});

t.test('a field that becomes a cost does not count in the score without costs any more', async (t) => {
  const [{ id }] = pairs[3]!;
  const change = async (edit: (fields: object[]) => object[]): Promise<void> => {
    const {
      sections: [first, ...rest],
    } = (await admin.api.get('/metamodel/types/Application')).body as unknown as { sections: { fields: object[] }[] };
    expectStatus(
      await admin.api.patch('/metamodel/types/Application', {
        sections: [{ ...first, fields: edit(first!.fields) }, ...rest],
      }),
      200,
      'changing the type',
    );
  };
  const before = await score(viewer.api, id);
  await change((fields) => [...fields, { key: 'planned', label: 'Planned', kind: 'number', weight: 5 }]);
  await until(async () => (await score(viewer.api, id)) < before, 60_000);
  const counted = await score(admin.api, id);
  await change((fields) =>
    fields.map((field) => ((field as { key: string }).key === 'planned' ? { ...field, kind: 'cost' } : field)),
  );
  await until(async () => (await score(viewer.api, id)) === before, 60_000);
  t.equal(await score(admin.api, id), counted, 'it still counts in the score with costs');
});

t.test('an inherited role above shows the score with costs below', async (t) => {
  expectStatus(
    await admin.api.post('/metamodel/types/Application/stakeholder-roles', {
      key: 'family',
      label: 'Family',
      permissions: { 'card.view_costs': true },
      inherited: true,
    }),
    201,
    'a role that is inherited',
  );
  const parent = await make({ type: 'Application', name: 'Above' });
  const child = await make({
    type: 'Application',
    name: 'Below',
    parent_id: parent.id,
    attributes: { costTotalAnnual: 7 },
  });
  expectStatus(
    await admin.api.post(`/cards/${parent.id}/stakeholders`, { user_id: inheriting.user.id, role: 'family' }),
    201,
    'naming a stakeholder',
  );
  t.equal(await score(inheriting.api, child.id), await score(admin.api, child.id));
  t.not(await score(viewer.api, child.id), await score(admin.api, child.id));
  const all = await listed(inheriting.api, { sort_by: 'data_quality', sort_dir: 'desc' });
  const scores = all.map((card) => card['data_quality'] as number);
  t.same(
    scores,
    [...scores].sort((a, b) => b - a),
  );
});
