import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, type AnyBody, type Session } from '../support/app.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const viewer = await makeUser(admin, 'viewer');
const { api } = admin;

const NOWHERE = '01900000-0000-7000-8000-00000000dead';
const post = async (path: string, body: unknown): Promise<AnyBody> => {
  const answer = await api.post(path, body);
  if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const make = (card: object): Promise<AnyBody> => post('/cards', { type: 'Application', ...card });
const list = async (query: Record<string, unknown>, who: Session = admin): Promise<AnyBody> =>
  (await who.api.get('/cards', { query: query as never })).body;
const names = (body: AnyBody): string[] => body.items.map((c) => c.name);
const found = async (query: Record<string, unknown>, who: Session = admin): Promise<string[]> =>
  names(await list({ page_size: 200, ...query }, who)).sort();

/** Reads a list to its end by cursor and by page. */
async function walks(
  query: Record<string, unknown>,
  who: Session = admin,
): Promise<{ byPage: string[]; byCursor: string[] }> {
  const byPage: string[] = [];
  const byCursor: string[] = [];
  for (let page = 1; ; page++) {
    const { items } = await list({ ...query, page, page_size: 3 }, who);
    if (items.length === 0) break;
    byPage.push(...items.map((c) => c.id));
  }
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const body: AnyBody = await list({ ...query, page_size: 3, ...(cursor && { cursor }) }, who);
    byCursor.push(...body.items.map((c) => c.id));
    cursor = body['next_cursor'] as string | null;
  }
  return { byPage, byCursor };
}

// ── data ──────────────────────────────────────────────────────────────────────────────────────
const KINDS = ['missionCritical', 'businessCritical', 'businessOperational', 'administrativeService'];
const a = await make({
  name: 'Alpha',
  attributes: {
    businessCriticality: KINDS[0],
    costTotalAnnual: 100,
    numberOfUsers: 9,
    productName: 'Größe eins',
    commercial: true,
  },
  external_id: 'A-1',
});
const b = await make({
  name: 'Beta',
  attributes: {
    businessCriticality: KINDS[1],
    costTotalAnnual: 2000,
    numberOfUsers: 10,
    productName: 'STRASSE zwei',
    commercial: false,
  },
});
const c = await make({
  name: 'Gamma',
  attributes: { businessCriticality: KINDS[0], costTotalAnnual: 30, numberOfUsers: 100, productName: 'Ünï 100%_x' },
});
const d = await make({ name: 'Delta', attributes: {} });
const e = await make({ name: 'Epsilon', attributes: { costTotalAnnual: 0, productName: '' } });
const ten = [a, b, c, d, e];
const root = await make({ type: 'BusinessCapability', name: 'Root' });
const mid = await make({ type: 'BusinessCapability', name: 'Mid', parent_id: root.id });
const leaf = await make({ type: 'BusinessCapability', name: 'Leaf', parent_id: mid.id });
const twig = await make({ type: 'BusinessCapability', name: 'A twig', parent_id: mid.id });
const gone = await make({ type: 'BusinessCapability', name: 'Gone', parent_id: mid.id });
await api.post(`/cards/${gone.id}/archive`);
const SCRIPTS = [
  'Größe Straße',
  'Москва Сервис',
  'Ἀθῆναι ΠΛΆΤΩΝΟΣ',
  '日本語システム基盤',
  'İstanbul Ödeme',
  'Cafe\u0301 Noir',
  'Rocket 🚀 launch',
  'ﬁnance ①',
];
for (const name of SCRIPTS) await make({ type: 'Objective', name });
const field = (await api.get('/metamodel/types/Application')).body['sections'] as unknown as {
  fields: { key: string; kind: string }[];
}[];
const kindOf = (key: string): string | undefined => field.flatMap((s) => s.fields).find((f) => f.key === key)?.kind;

t.test('the fields of these tests exist', async (t) => {
  t.same(['businessCriticality', 'costTotalAnnual', 'numberOfUsers', 'productName', 'commercial'].map(kindOf), [
    'single_select',
    'cost',
    'integer',
    'text',
    'boolean',
  ]);
});

t.test('attribute filters: exactly the right cards', async (t) => {
  const app = { type: 'Application' };
  const cases: [Record<string, unknown>, string[]][] = [
    [{ 'attributes.businessCriticality': KINDS[0] }, ['Alpha', 'Gamma']],
    [{ 'attributes.businessCriticality': `${KINDS[0]}, ${KINDS[1]}` }, ['Alpha', 'Beta', 'Gamma']],
    [{ 'attributes.businessCriticality[ne]': KINDS[0] }, ['Beta', 'Delta', 'Epsilon']],
    [{ 'attributes.numberOfUsers[gt]': 9 }, ['Beta', 'Gamma']],
    [{ 'attributes.numberOfUsers[gte]': 9, 'attributes.numberOfUsers[lt]': '100' }, ['Alpha', 'Beta']],
    [{ 'attributes.numberOfUsers': '9.0,100' }, ['Alpha', 'Gamma']],
    [{ 'attributes.numberOfUsers[lte]': '9.5' }, ['Alpha']],
    [{ 'attributes.commercial': 'true' }, ['Alpha']],
    [{ 'attributes.commercial[ne]': 'true' }, ['Beta', 'Delta', 'Epsilon', 'Gamma']],
    [{ 'attributes.productName[contains]': 'GRÖSSE' }, ['Alpha']],
    [{ 'attributes.productName[contains]': 'straße' }, ['Beta']],
    [{ 'attributes.productName[contains]': 'uni 100%_' }, ['Gamma']],
    [{ 'attributes.productName[contains]': '%' }, ['Gamma']],
    [{ 'attributes.productName[empty]': 'true' }, ['Delta', 'Epsilon']],
    [{ 'attributes.productName[empty]': 'false' }, ['Alpha', 'Beta', 'Gamma']],
    [{ 'attributes.costTotalAnnual[gte]': 0 }, ['Alpha', 'Beta', 'Epsilon', 'Gamma']],
    [{ 'attributes.costTotalAnnual[empty]': 'true' }, ['Delta']],
    [{ 'attributes.costTotalAnnual[gt]': 30, 'attributes.businessCriticality': KINDS[0] }, ['Alpha']],
  ];
  for (const [query, expected] of cases) {
    t.same(await found({ ...app, ...query }), expected, JSON.stringify(query));
    t.equal(
      (await list({ ...app, ...query, page_size: 1 })).total,
      expected.length,
      `total of ${JSON.stringify(query)}`,
    );
  }
});

t.test('invalid attribute filters are refused and named', async (t) => {
  const wrong: [string, string][] = [
    ['attributes.nope', 'x'],
    ['attributes.__proto__', 'x'],
    ['attributes.constructor[ne]', 'x'],
    ['attributes.', 'x'],
    ['attributes.productName[regex]', 'x'],
    ['attributes.productName[]', 'x'],
    ['attributes.productName[gt]', '5'],
    ['attributes.businessCriticality[contains]', 'x'],
    ['attributes.numberOfUsers', 'many'],
    ['attributes.numberOfUsers[gt]', '1e400'],
    ['attributes.numberOfUsers[gt]', ''],
    ['attributes.numberOfUsers', ''],
    ['attributes.commercial', 'yes'],
    ['attributes.productName[empty]', 'maybe'],
    ['attributes.numberOfUsers[lt]', '9'.repeat(400)],
    ["attributes.productName'--", 'x'],
    ['attributes.productName[contains]', ''],
  ];
  for (const [parameter, value] of wrong) {
    const { status, body } = await api.get('/cards', { query: { type: 'Application', [parameter]: value } });
    t.equal(status, 422, parameter);
    t.match(body.errors, [{ field: parameter, in: 'query' }], parameter);
  }
  t.equal((await api.get('/cards?attributes.productName=a&attributes.productName=b')).status, 422, 'given twice');
  t.equal(
    (await api.get('/cards', { query: { type: 'Provider', 'attributes.numberOfUsers': 1 } })).status,
    422,
    'no field of the listed type',
  );
  t.equal(
    (
      await api.get('/cards', {
        query: { 'attributes.productName': Array.from({ length: 101 }, (_, i) => i).join(',') },
      })
    ).status,
    422,
    'too many values',
  );
  t.equal((await api.get('/cards', { query: { attribute: 'x' } })).status, 422);
});

t.test('a key that is a number in one type and text in another is compared by the type of each value', async (t) => {
  // Written directly to the row, as an older metamodel may have stored it.
  await sql(database, `update card_contents set attributes = attributes || '{"numberOfUsers": "many"}' where id = $1`, [
    d.id,
  ]);
  t.same(await found({ type: 'Application', 'attributes.numberOfUsers[gt]': 0 }), ['Alpha', 'Beta', 'Gamma']);
  const sorted = names(await list({ type: 'Application', sort_by: 'attributes.numberOfUsers' }));
  t.same(sorted.slice(0, 3), ['Alpha', 'Beta', 'Gamma']);
  await sql(database, `update card_contents set attributes = attributes - 'numberOfUsers' where id = $1`, [d.id]);
});

t.test('sorts by attribute: typed, empty values last in both directions, cursor and pages agree', async (t) => {
  const order = async (sort_by: string, sort_dir: string) =>
    names(await list({ type: 'Application', sort_by, sort_dir }));
  t.same((await order('attributes.numberOfUsers', 'asc')).slice(0, 3), ['Alpha', 'Beta', 'Gamma']);
  t.same((await order('attributes.numberOfUsers', 'desc')).slice(0, 3), ['Gamma', 'Beta', 'Alpha']);
  t.same((await order('attributes.costTotalAnnual', 'asc')).slice(0, 4), ['Epsilon', 'Gamma', 'Alpha', 'Beta']);
  t.same(
    (await order('attributes.productName', 'asc')).slice(0, 3),
    ['Alpha', 'Beta', 'Gamma'],
    'folded: grösse, strasse, uni',
  );
  const every = [
    'name',
    'type',
    'subtype',
    'status',
    'approval_status',
    'data_quality',
    'created_at',
    'updated_at',
    'attributes.numberOfUsers',
    'attributes.productName',
    'attributes.commercial',
    'attributes.businessCriticality',
  ];
  for (const sort_by of every) {
    for (const sort_dir of ['asc', 'desc']) {
      const { byPage, byCursor } = await walks({ sort_by, sort_dir });
      t.same(byCursor, byPage, `${sort_by} ${sort_dir}`);
      t.equal(new Set(byPage).size, 17, `${sort_by} ${sort_dir}: each card once`);
    }
  }
  for (const sort_by of [
    'nope',
    'attributes.nope',
    'attributes.',
    '__proto__',
    'constructor',
    'relevance',
    'name; drop table cards',
  ]) {
    t.match(
      await api.get('/cards', { query: { sort_by } }),
      { status: 422, body: { errors: [{ field: 'sort_by', in: 'query' }] } },
      sort_by,
    );
  }
  const { body } = await api.get('/cards', { query: { sort_by: 'name', page_size: 1 } });
  t.equal(
    (await api.get('/cards', { query: { sort_by: 'attributes.numberOfUsers', cursor: body['next_cursor'] as string } }))
      .status,
    422,
    'a cursor of another sort',
  );
});

t.test('search in every script: words, prefixes, parts, symbols', async (t) => {
  const cases: [string, string[]][] = [
    ['groesse', []],
    ['grösse', ['Größe Straße']],
    ['GROSSE', ['Größe Straße']],
    ['strasse', ['Größe Straße']],
    ['москва', ['Москва Сервис']],
    ['СЕРВ', ['Москва Сервис']],
    ['αθηναι', ['Ἀθῆναι ΠΛΆΤΩΝΟΣ']],
    ['πλατωνος', ['Ἀθῆναι ΠΛΆΤΩΝΟΣ']],
    ['システム', ['日本語システム基盤']],
    ['日本語', ['日本語システム基盤']],
    ['istanbul', ['İstanbul Ödeme']],
    ['odeme', ['İstanbul Ödeme']],
    ['café', ['Cafe\u0301 Noir']],
    ['noir cafe', ['Cafe\u0301 Noir']],
    ['🚀', ['Rocket 🚀 launch']],
    ['rocket 🚀', ['Rocket 🚀 launch']],
    ['noir 🚀', []],
    ['finance 1', ['ﬁnance ①']],
    ['aunc', ['Rocket 🚀 launch']],
    ['日', ['日本語システム基盤']],
    ['ro', ['Rocket 🚀 launch']],
    ['la', []],
    ['%', []],
    ['_', []],
    [':*', []],
    ['\\', []],
    ["' or 1=1", []],
  ];
  for (const [search, expected] of cases) {
    t.same(await found({ type: 'Objective', search }), expected.sort(), `“${search}”`);
    t.same(
      await found({ type: 'Objective', search, sort_by: 'relevance' }),
      expected.sort(),
      `“${search}” by relevance`,
    );
    t.same(
      await found({ type: 'Objective', search, sort_by: 'data_quality' }),
      expected.sort(),
      `“${search}” by a sort no index serves`,
    );
    t.equal(
      (await list({ type: 'Objective', search, page: 2 })).total,
      expected.length,
      `total of “${search}” past the end`,
    );
  }
  t.match(await list({ search: 'alpha', total: 'exact' }), { total: 1, total_relation: 'eq' });
  t.equal((await api.get('/cards', { query: { search: 'x', total: 'roughly' } })).status, 422);
});

t.test('fields: only the requested members, and id', async (t) => {
  const { items } = await list({ ids: a.id, fields: 'name,attributes.numberOfUsers,lifecycle' });
  t.same(items, [{ id: a.id, name: 'Alpha', lifecycle: {}, attributes: { numberOfUsers: 9 } }]);
  t.same((await list({ ids: a.id, fields: 'id' })).items, [{ id: a.id }]);
  t.match((await list({ ids: a.id, fields: 'attributes' })).items, [{ attributes: a.attributes }]);
  for (const fields of ['name,nonsense', 'attributes.nope', '__proto__', 'attributes.constructor'])
    t.match(
      await api.get('/cards', { query: { fields } }),
      { status: 422, body: { errors: [{ field: 'fields' }] } },
      fields,
    );
});

t.test('facets count under the same filters', async (t) => {
  const { status, body } = await api.get('/cards/facets', { query: { type: 'Application' } });
  t.equal(status, 200);
  t.match(body, {
    total: 5,
    facets: {
      type: [{ value: 'Application', count: 5 }],
      status: [{ value: 'ACTIVE', count: 5 }],
      approval_status: [{ value: 'DRAFT', count: 5 }],
      tags: [],
    },
  });
  const facets = body['facets'] as unknown as Record<string, { value: string; count: number }[]>;
  t.same(facets['attributes.businessCriticality'], [
    { value: KINDS[0], count: 2 },
    { value: KINDS[1], count: 1 },
  ]);
  t.match(
    (
      await api.get('/cards/facets', {
        query: { type: 'Application', 'attributes.businessCriticality': KINDS[0]!, search: 'gamma' },
      })
    ).body,
    { total: 1 },
  );
  t.match((await api.get('/cards/facets', { query: { search: 'nothing at all' } })).body, {
    total: 0,
    facets: { type: [] },
  });
  for (const bad of [{ bogus: 1 }, { page: 1 }, { sort_by: 'name' }, { 'attributes.nope': 1 }])
    t.equal((await api.get('/cards/facets', { query: bad as never })).status, 422, JSON.stringify(bad));
  await sql(database, `insert into tag_groups (id, name, name_key, mode) values ($1, 'G', 'g', 'multi')`, [NOWHERE]);
  await sql(database, `insert into tags (id, group_id, name, name_key) values ($1, $1, 'Blue', 'blue')`, [NOWHERE]);
  await sql(database, `insert into card_tags (card_id, tag_id) values ($1, $3), ($2, $3)`, [a.id, b.id, NOWHERE]);
  t.match((await api.get('/cards/facets', { query: { type: 'Application' } })).body, {
    facets: { tags: [{ value: NOWHERE, label: 'Blue', count: 2 }] },
  });
  t.same(await found({ tag: NOWHERE }), ['Alpha', 'Beta']);
  // Facets of one type are counted by another statement than those of several, and must be equal if there are no other cards.
  const queries: Record<string, string>[] = [
    {},
    { status: 'ACTIVE,ARCHIVED' },
    { approval_status: 'REJECTED' },
    { search: 'gamma' },
    { subtype: 'nosuch' },
  ];
  for (const more of queries) {
    const of = async (type: string): Promise<object> => {
      const { computed_at, ...counts } = (await api.get('/cards/facets', { query: { type, ...more } })).body;
      t.match(computed_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      return counts;
    };
    t.strictSame(await of('Application'), await of('Application,Platform'), JSON.stringify(more));
  }
});

t.test('hierarchy: above, below, counts', async (t) => {
  const { body } = await api.get(`/cards/${mid.id}/hierarchy`);
  t.strictSame(
    body,
    {
      ancestors: [{ id: root.id, type: 'BusinessCapability', name: 'Root' }],
      children: [
        { id: twig.id, type: 'BusinessCapability', name: 'A twig', child_count: 0 },
        { id: leaf.id, type: 'BusinessCapability', name: 'Leaf', child_count: 0 },
      ],
      descendant_count: 2,
      truncated: false,
    },
    'archived cards are not among them',
  );
  t.match((await api.get(`/cards/${root.id}/hierarchy`, { query: { depth: 2 } })).body, {
    ancestors: [],
    descendant_count: 3,
    children: [{ id: mid.id, child_count: 2, children: [{ id: twig.id }, { id: leaf.id }] }],
  });
  t.notOk(
    'children' in ((await api.get(`/cards/${root.id}/hierarchy`)).body['children'] as unknown as object[])[0]!,
    'one level by default',
  );
  for (const depth of ['0', '11', '0x', '1.5', ''])
    t.equal((await api.get(`/cards/${mid.id}/hierarchy`, { query: { depth } })).status, 422, `depth ${depth}`);
  for (const id of [NOWHERE, 'abc']) t.equal((await api.get(`/cards/${id}/hierarchy`)).status, 404, id);
});

t.test('a viewer cannot infer costs from filter, sort, total, facet or cursor', async (t) => {
  const app = { type: 'Application' };
  for (const filter of ['', '[ne]', '[gt]', '[gte]', '[lt]', '[lte]', '[empty]']) {
    for (const value of filter === '[empty]' ? ['true', 'false'] : ['30', '100', '99999999']) {
      const query = { ...app, [`attributes.costTotalAnnual${filter}`]: value };
      t.match(await list(query, viewer), { total: 0, items: [] }, JSON.stringify(query));
      t.match(
        (await viewer.api.get('/cards/facets', { query: query as Record<string, string> })).body,
        { total: 0 },
        `facets of ${JSON.stringify(query)}`,
      );
    }
  }
  for (const sort_dir of ['asc', 'desc']) {
    const { byPage, byCursor } = await walks({ ...app, sort_by: 'attributes.costTotalAnnual', sort_dir }, viewer);
    const byId = ten.map((card) => card.id).sort();
    t.same(byPage, sort_dir === 'asc' ? byId : byId.reverse(), 'in the order of ids, as where nothing has a value');
    t.same(byCursor, byPage);
  }
  const shown = JSON.stringify([
    await list(app, viewer),
    await list({ ...app, fields: 'attributes.costTotalAnnual' }, viewer),
    (await viewer.api.get(`/cards/${b.id}`)).body,
  ]);
  t.notMatch(shown, /costTotalAnnual|\b2000\b/);
  t.match(JSON.stringify(await list(app)), /2000/, 'the administrator, who has a separate cache entry, sees them');

  await post(`/cards/${b.id}/stakeholders`, { user_id: viewer.user.id, role: 'responsible' });
  t.same(
    await found({ ...app, 'attributes.costTotalAnnual[gt]': 0 }, viewer),
    ['Beta'],
    'as stakeholder on the one card',
  );
  t.same(await found({ ...app, 'attributes.costTotalAnnual[ne]': 5 }, viewer), ['Beta']);
  t.equal(names(await list({ ...app, sort_by: 'attributes.costTotalAnnual' }, viewer))[0], 'Beta');
  t.match((await viewer.api.get(`/cards/${b.id}`)).body, { attributes: { costTotalAnnual: 2000 } });
  const costs = (await list(app, viewer)).items.filter((card) => 'costTotalAnnual' in (card.attributes as object));
  t.same(
    costs.map((card) => card.name),
    ['Beta'],
  );
  t.same(await found({ ...app, stakeholder_id: 'me' }, viewer), ['Beta']);
});

t.test('the name that equals the search comes first, whatever its characters', async (t) => {
  const spelt = [
    'C',
    'C#',
    'C++',
    'C++ Builder',
    '.NET',
    'NET',
    'ASP.NET',
    'R',
    'Ruby',
    'R&D',
    '***',
    'C/C++ C++',
    'A-B',
    'A B',
    'Ｆ＃',
  ];
  for (const name of spelt) await make({ type: 'Provider', name });
  // Far more names than are ranked begin with these letters.
  await sql(
    database,
    `with c as (
      insert into cards (id, type, name, name_key, search_name, search_text, created_at)
      select gen_random_uuid(), 'Provider', n, n, n, n, now() from (select p || 'a' || i as n from generate_series(1, 3000) i, unnest(array['c', 'r']) p) l returning *)
    insert into card_contents (id, type, status, name_key, updated_at, version) select id, type, status, name_key, created_at, 1 from c`,
  );
  const first = async (search: string, more = {}) =>
    (await list({ type: 'Provider', search, sort_by: 'relevance', ...more })).items[0]?.name;
  for (const name of spelt) {
    t.equal(await first(name), name, name);
    t.equal(await first(` ${name.toLowerCase()} `, { page_size: 1 }), name, `${name} in lower case`);
    t.equal(await first(name, { status: 'ACTIVE,ARCHIVED' }), name, `${name}, among archived cards too`);
  }
  t.same(names(await list({ type: 'Provider', search: '***' })), ['***'], 'in the order of names');
  t.equal((await list({ type: 'Provider', search: '**' })).total, 0);
  const { byPage, byCursor } = await walks({ type: 'Provider', search: 'CA299', sort_by: 'relevance' });
  t.same(byCursor, byPage);
  t.equal(new Set(byPage).size, byPage.length, 'each hit once');
});
