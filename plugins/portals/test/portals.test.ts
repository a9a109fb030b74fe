import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, until, type Session } from '../../../test/support/app.js';
import { change, createPortal, PUBLIC, visit, type Portal, type Visit } from './support.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const get = (path: string, init?: RequestInit) => visit(origin, path, init);
const make = async (path: string, body: object): Promise<string> => {
  const answer = await admin.api.post<{ id: string }>(path, body);
  if (answer.status !== 201) throw new Error(`POST ${path} gave ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.id;
};
const role = async (key: string, permissions: string[], types: object = {}): Promise<Session> => {
  const answer = await admin.api.post('/roles', { key, label: key, permissions, types });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return await makeUser(admin, key);
};
type Refusal = { errors: { field: string; reason: string }[]; code: string };
const refused = async (by: Session, body: object): Promise<string[]> => {
  const { status, body: problem } = await by.api.post<Refusal>('/portals', {
    title: 'Portal',
    type: 'Device',
    ...body,
  });
  if (status !== 422) return [`${status}`];
  return problem.errors.map(({ field, reason }) => `${field} ${reason}`);
};

/** A type of the test, so that its fields can be changed. */
const FIELDS = [
  { key: 'colour', kind: 'single_select', options: [{ key: 'red', label: 'Red', color: '#cc0000' }, { key: 'blue' }] },
  { key: 'tones', kind: 'multiple_select', options: [{ key: 'warm' }, { key: 'cold' }] },
  { key: 'weight', kind: 'number', unit: 'kg' },
  { key: 'since', kind: 'date' },
  { key: 'is_new', kind: 'boolean' },
  { key: 'notes', kind: 'multiline' },
  { key: 'price', kind: 'cost' },
  { key: 'margin', kind: 'number' },
  { key: 'owner', kind: 'user' },
  { key: 'part_of', kind: 'card_reference' },
];
const TYPE = { key: 'Device', label: 'Device', sections: [{ key: 'main', label: 'Main', fields: FIELDS }] };
await admin.api.post('/metamodel/types', TYPE);
const withFields = async (fields: object[]): Promise<void> => {
  const { status, body } = await admin.api.patch('/metamodel/types/Device', {
    sections: [{ key: 'main', label: 'Main', fields }],
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
};
const device = (name: string, attributes: object = {}, more: object = {}): Promise<string> =>
  make('/cards', { type: 'Device', name, attributes, ...more });

const lamp = await device(
  'Lamp',
  {
    colour: 'red',
    tones: ['warm'],
    weight: 2.5,
    since: '2024-02-01',
    is_new: true,
    notes: 'Bright',
    price: 90,
    margin: 7,
  },
  { description: 'Shines', alias: 'Glühwurm', external_id: 'ext-1' },
);
const table = await device('Table', { colour: 'blue', weight: 30, since: '2020-02-01', is_new: false, notes: 'Flat' });
const chair = await device('Chair', { margin: 3, price: 10 });
/** Removes values, without which a field can be removed or changed. */
const clear = async (...keys: string[]): Promise<void> => {
  for (const id of [lamp, table, chair])
    await admin.api.patch(`/cards/${id}`, { attributes: Object.fromEntries(keys.map((key) => [key, null])) });
};
const gone = await device('Gone');
await admin.api.post(`/cards/${gone}/archive`, {});
const other = await make('/cards', { type: 'Application', name: 'Shop' });

t.test('a portal is created, read, changed, found and deleted', async (t) => {
  const body = { slug: 'devices', title: 'Devices', type: 'Device', fields: ['description', 'attributes.colour'] };
  const key = { headers: { 'idempotency-key': 'one-portal' } };
  const made = await admin.api.post<Portal>('/portals', body, key);
  t.equal(made.status, 201, JSON.stringify(made.body));
  t.equal(made.headers.get('location'), `/api/v1/portals/${made.body.id}`);
  t.match(made.body, {
    ...body,
    costs: [],
    filters: {},
    visitor_filters: [],
    search_fields: ['name'],
    sort_by: 'name',
    sort_dir: 'asc',
    page_size: 25,
    is_published: false,
    page_url: `${PUBLIC}/devices/page`,
    problems: [],
    version: 1,
  });
  t.equal((await admin.api.post<Portal>('/portals', body, key)).body.id, made.body.id, 'the key makes it once');
  t.match(await admin.api.post('/portals', body), { status: 409, body: { code: 'portals_slug_taken' } });
  const one = `/portals/${made.body.id}`;
  const patch = (version: number) =>
    admin.api.patch<Portal>(one, { title: 'All devices' }, { headers: { 'if-match': `"${version}"` } });
  t.match(await patch(1), { status: 200, body: { title: 'All devices', version: 2 } });
  t.equal((await patch(1)).status, 412);
  const found = await admin.api.get<{ items: Portal[] }>('/portals', { query: { search: 'ALL dev', type: 'Device' } });
  t.same(
    found.body.items.map(({ slug }) => slug),
    ['devices'],
  );
  const history = await admin.api.get<{ items: unknown[] }>(`${one}/history`);
  t.equal(history.body.items.length, 2);
  const events = await until(async () => {
    const { body } = await admin.api.get<{ items: { type: string }[] }>('/events', {
      query: { subject_id: made.body.id },
    });
    return body.items.length === 2 && body.items;
  });
  t.same(events.map(({ type }) => type).sort(), ['portals.created', 'portals.updated']);
  t.equal((await admin.api.del(one)).status, 204);
  t.equal((await admin.api.get(one)).status, 404);
});

t.test('who may not manage portals', async (t) => {
  for (const kind of ['architect', 'member', 'viewer']) {
    const user = await makeUser(admin, kind);
    t.equal((await user.api.get('/portals')).status, 403, kind);
    t.equal((await user.api.post('/portals', { slug: 'x1', title: 'X', type: 'Device' })).status, 403, kind);
  }
  t.equal((await fetch(`${origin}/api/v1/portals`)).status, 401);
});

t.test('all faults of a portal are reported together', async (t) => {
  t.same(
    await refused(admin, {
      slug: 'faulty',
      fields: [
        'attributes.colour',
        'attributes.nothing',
        'attributes.owner',
        'data_quality',
        'attributes.price',
        'name',
      ],
      costs: ['attributes.margin'],
      filters: { 'attributes.weight': 'much', stakeholder_id: 'me', 'attributes.price[gt]': 5, parent_id: 'null' },
      visitor_filters: ['attributes.weight'],
      search_fields: ['attributes.notes'],
      sort_by: 'attributes.weight',
    }),
    [
      '/fields/1 names no field that can be published',
      '/fields/2 refers to a user or another card, which is not published',
      '/fields/3 names no field that can be published',
      '/fields/4 is a cost, and is not named in /costs',
      '/fields/5 names no field that can be published',
      '/costs/0 is not among the fields',
      '/filters/stakeholder_id names no field by which a publication can be filtered',
      '/filters/attributes.price[gt] is a cost: the cards that match would reveal it',
      '/filters/parent_id names no field by which a publication can be filtered',
      '/visitor_filters/0 is not among the fields',
      '/search_fields/0 is not among the fields',
      '/sort_by is not among the fields',
    ],
  );
  t.same(await refused(admin, { slug: 'faulty', filters: { 'attributes.weight': 'much' } }), [
    '/filters/attributes.weight must be a number',
  ]);
  t.same(await refused(admin, { slug: 'faulty', type: 'Nothing' }), ['/type names no card type']);
  t.same(await refused(admin, { slug: 'faulty', fields: ['subtype', 'subtype'] }), ['/fields/1 is there twice']);
});

t.test('a maker publishes only what this user sees', async (t) => {
  const poor = await role('poor', ['portals.manage', 'cards.view']);
  const costs = { fields: ['attributes.price'], costs: ['attributes.price'] };
  t.same(await refused(poor, { slug: 'poor', ...costs }), ['/fields/0 is a cost, which requires costs.view']);
  const rich = await role('rich', ['portals.manage', 'cards.view', 'costs.view'], { Device: { 'costs.view': false } });
  t.same(await refused(rich, { slug: 'rich', ...costs }), ['/fields/0 is a cost, which requires costs.view']);
  const blind = await role('blind', ['portals.manage', 'cards.view'], { Device: { 'cards.view': false } });
  t.same(await refused(blind, { slug: 'blind' }), ['/type names no card type']);

  const made = await createPortal(admin, { slug: 'costly', type: 'Device', ...costs, is_published: true });
  const patch = (by: Session, body: object) => by.api.patch<Refusal>(`/portals/${made.id}`, body);
  t.equal((await patch(poor, { title: 'Other' })).status, 200, 'what another user has published may remain');
  t.equal((await patch(blind, { title: 'Third' })).status, 200);
  t.match(await patch(blind, { fields: ['description'], costs: [] }), {
    status: 422,
    body: { errors: [{ field: '/type' }] },
  });
  t.match(
    await patch(poor, { filters: { subtype: 'other' } }),
    { status: 422, body: { errors: [{ field: '/fields/0' }] } },
    'other filters would publish the costs of other cards',
  );
  t.equal((await patch(poor, { is_published: false })).status, 200);
  t.match(await patch(poor, { is_published: true }), { status: 422, body: { errors: [{ field: '/fields/0' }] } });
  t.match(await patch(poor, { fields: ['attributes.weight'], costs: [], is_published: true }), { status: 200 });
  t.match(await patch(poor, costs), { status: 422, body: { errors: [{ field: '/fields/0' }] } });
  await admin.api.del(`/portals/${made.id}`);
});

t.test('what visitors see', async (t) => {
  const made = await createPortal(admin, {
    slug: 'shown',
    title: 'Shown',
    type: 'Device',
    fields: [
      'description',
      'attributes.weight',
      'attributes.tones',
      'attributes.colour',
      'attributes.is_new',
      'attributes.since',
    ],
    visitor_filters: [
      'attributes.colour',
      'attributes.tones',
      'attributes.weight',
      'attributes.is_new',
      'attributes.since',
    ],
    search_fields: ['name', 'description'],
  });
  t.equal((await get('shown')).status, 404, 'it is not published yet');
  await change(admin, made, { is_published: true });
  const about = await get('shown');
  t.equal(about.status, 200, 'at once');
  t.match(about.json, { slug: 'shown', title: 'Shown', type: { key: 'Device' }, page_size: 25, currency: null });
  t.match(about.json.fields![1], { key: 'attributes.weight', kind: 'number', unit: 'kg', options: [] });
  t.same(Object.keys(about.json).sort(), [
    'currency',
    'description',
    'fields',
    'filters',
    'has_search',
    'page_size',
    'slug',
    'sorts',
    'title',
    'type',
  ]);

  const all = await get('shown/cards');
  t.same(
    all.json.items.map(({ name }) => name),
    ['Chair', 'Lamp', 'Table'],
    'active cards of the type',
  );
  t.equal(all.json.total, 3);
  const shown = {
    id: lamp,
    name: 'Lamp',
    fields: {
      description: 'Shines',
      'attributes.weight': 2.5,
      'attributes.tones': ['warm'],
      'attributes.colour': 'red',
      'attributes.is_new': true,
      'attributes.since': '2024-02-01',
    },
  };
  t.same(all.json.items[1], shown);
  t.same((await get(`shown/cards/${lamp}`)).json, shown);
  for (const [query, names] of [
    ['attributes.colour=red', ['Lamp']],
    ['attributes.colour=red,blue', ['Lamp', 'Table']],
    ['attributes.tones=warm', ['Lamp']],
    ['attributes.weight%5Bgte%5D=3', ['Table']],
    ['attributes.since%5Blte%5D=2021-01-01', ['Table']],
    ['attributes.is_new=true', ['Lamp']],
    ['search=shin', ['Lamp']],
    ['search=LA%20mp', ['Lamp']],
    ['search=gl%C3%BChwurm', []],
    ['search=bright', []],
    ['search=ext-1', []],
    ['search=&attributes.colour=', ['Chair', 'Lamp', 'Table']],
    ['sort_by=attributes.weight&sort_dir=desc', ['Table', 'Lamp', 'Chair']],
    ['sort_by=attributes.since', ['Table', 'Lamp', 'Chair']],
    ['sort_by=attributes.colour', ['Table', 'Lamp', 'Chair']],
  ] as const) {
    const { status, json } = await get(`shown/cards?${query}`);
    t.equal(status, 200, query);
    t.same(
      json.items?.map(({ name }) => name),
      names,
      query,
    );
    t.equal(json.total, names.length, query);
  }
  const walked: string[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const { json }: Visit = await get(`shown/cards?page_size=2&sort_by=attributes.weight${next && `&cursor=${next}`}`);
    walked.push(...json.items.map(({ name }) => name));
    next = json.next_cursor;
  }
  t.same(walked, ['Lamp', 'Table', 'Chair']);
  t.match((await get('shown/cards?page_size=2')).headers.get('link'), /page=2>; rel="next"/);

  for (const path of [`cards/${other}`, `cards/${gone}`, 'cards/01900000-0000-7000-8000-00000000dead', 'cards/none'])
    t.match(await get(`shown/${path}`), { status: 404, json: { code: 'not_found' } }, path);
  await change(admin, made, { filters: { 'attributes.margin[gt]': 5 } });
  t.same((await get('shown/cards')).json.total, 1, 'filters of the portal may use fields that are not shown');
  t.equal((await get(`shown/cards/${table}`)).status, 404);
  t.same((await get('shown/cards?attributes.colour=blue')).json.total, 0, 'they hold besides those of visitors');
  await change(admin, made, { is_published: false });
  for (const path of ['shown', 'shown/cards', `shown/cards/${lamp}`, 'shown/page', `shown/page/${lamp}`])
    t.equal((await get(path)).status, 404, path);
  await change(admin, made, { is_published: true });
  t.equal((await get('shown')).status, 200);
  await admin.api.del(`/portals/${made.id}`);
  t.equal((await get('shown')).status, 404, 'it is deleted');
});

t.test('answers can be cached, and do not tell of hidden changes', async (t) => {
  await createPortal(admin, { slug: 'cached', type: 'Device', fields: ['attributes.colour'], is_published: true });
  for (const path of ['cached', 'cached/cards', `cached/cards/${lamp}`, 'cached/page', `cached/page/${lamp}`]) {
    const first = await get(path);
    t.equal(first.headers.get('cache-control'), 'public, max-age=60', path);
    t.notMatch(first.headers.get('vary'), /authorization/i, path);
    const etag = first.headers.get('etag')!;
    await admin.api.patch(`/cards/${lamp}`, { attributes: { margin: Math.random() }, description: `${Math.random()}` });
    const again = await until(async () => {
      const answer = await get(path, { headers: { 'if-none-match': `"x", W/${etag}` } });
      return answer.status === 304 && answer;
    });
    t.equal(again.text, '', path);
    t.equal(again.headers.get('etag'), etag, path);
    const session = await get(path, { headers: { authorization: `Bearer ${admin.token}` } });
    t.same([session.text, session.headers.get('etag')], [first.text, etag], 'the same for those who are logged in');
  }
  const before = (await get('cached/cards')).headers.get('etag');
  await admin.api.patch(`/cards/${lamp}`, { attributes: { colour: 'blue' } });
  t.ok(
    await until(async () => (await get('cached/cards')).headers.get('etag') !== before),
    'a change that is shown is seen',
  );
  await admin.api.patch(`/cards/${lamp}`, { attributes: { colour: 'red' } });
  await admin.api.patch('/settings/modules/portals', { settings: { max_age_seconds: 0 } });
  t.equal((await get('cached')).headers.get('cache-control'), 'public, no-cache');
  await admin.api.patch('/settings/modules/portals', { settings: { max_age_seconds: 60 } });
});

t.test('only GET', async (t) => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    for (const path of ['cached', 'cached/cards', `cached/cards/${lamp}`, 'cached/page'])
      t.equal((await get(path, { method })).status, 405, `${method} ${path}`);
  t.equal((await get('cached', { method: 'HEAD' })).status, 200);
});

t.test('costs are shown where they were chosen as costs, and a field that becomes one disappears', async (t) => {
  const fields = ['attributes.margin', 'attributes.price'];
  const made = await createPortal(admin, {
    slug: 'money',
    type: 'Device',
    fields,
    costs: ['attributes.price'],
    visitor_filters: ['attributes.margin'],
    sort_by: 'attributes.margin',
    is_published: true,
  });
  await admin.api.patch(`/cards/${lamp}`, { attributes: { margin: 8 } });
  await until(async () => (await get(`money/cards/${lamp}`)).json.fields?.['attributes.margin'] === 8);
  t.same((await get(`money/cards/${lamp}`)).json.fields, { 'attributes.margin': 8, 'attributes.price': 90 });
  t.match((await get('money')).json, { currency: /^[A-Z]{3}$/, sorts: ['name', ...fields] });
  await clear('margin');
  await withFields(FIELDS.map((field) => (field.key === 'margin' ? { ...field, kind: 'cost' } : field)));
  await admin.api.patch(`/cards/${lamp}`, { attributes: { margin: 9 } });
  await until(async () => (await get(`money/cards/${lamp}`)).json.fields?.['attributes.margin'] === undefined);
  // Other answers may be half a second older.
  const about = await until(async () => {
    const { json } = await get('money');
    return json.filters.length === 0 && json;
  });
  t.same(about['sorts'], ['name', 'attributes.price']);
  t.equal((await get('money/cards?sort_by=attributes.margin')).status, 422);
  t.equal((await get('money/cards?attributes.margin%5Bgte%5D=1')).status, 422);
  t.notMatch((await get('money/page')).text, /attributes\.margin|>margin</);
  const read = await admin.api.get<Portal>(`/portals/${made.id}`);
  t.same(read.body.problems, [{ field: '/fields/0', reason: 'is a cost, and is not named in /costs' }]);
  t.equal((await admin.api.patch(`/portals/${made.id}`, { title: 'Still' })).status, 200);
  await change(admin, made, { costs: fields });
  await until(async () => (await get(`money/cards/${lamp}`)).json.fields?.['attributes.margin'] === 9);
  await clear('margin');
  await withFields(FIELDS);
});

t.test('the metamodel changes while a portal is published', async (t) => {
  const made = await createPortal(admin, {
    slug: 'changing',
    type: 'Device',
    fields: ['attributes.weight', 'attributes.colour', 'attributes.notes'],
    filters: { 'attributes.is_new': true },
    search_fields: ['attributes.notes'],
    sort_by: 'attributes.weight',
    is_published: true,
  });
  t.equal((await get('changing/cards?search=bright')).json.total, 1);
  await clear('weight', 'notes');
  await withFields(FIELDS.filter(({ key }) => !['weight', 'notes'].includes(key)));
  await until(async () => (await get('changing')).json.fields?.length === 1);
  t.same((await get('changing/cards')).json.items, [
    { id: lamp, name: 'Lamp', fields: { 'attributes.colour': 'red' } },
  ]);
  const nothing = await get('changing/cards?search=brigh');
  t.match({ ...nothing }, { status: 200, text: /items/, json: { total: 0 } }, 'in no text nothing is found');
  t.equal((await get('changing/page')).status, 200);
  await clear('is_new');
  await withFields(FIELDS.filter(({ key }) => key !== 'is_new'));
  await until(async () => (await get('changing')).status === 404);
  t.pass('without its filter nothing is shown, rather than too much');
  t.match((await admin.api.get<Portal>(`/portals/${made.id}`)).body.problems, [
    { field: '/filters/attributes.is_new' },
  ]);
  await withFields(FIELDS);
  await until(async () => (await get('changing')).status === 200);

  await admin.api.post('/metamodel/types', { key: 'Brief', label: 'Brief' });
  const brief = await createPortal(admin, { slug: 'brief', type: 'Brief', is_published: true });
  t.equal((await get('brief')).status, 200);
  const { version } = (await admin.api.get('/metamodel/types/Brief')).body;
  t.equal((await admin.api.del('/metamodel/types/Brief', { headers: { 'if-match': `"${version}"` } })).status, 204);
  await until(async () => (await get('brief')).status === 404);
  t.same((await admin.api.get<Portal>(`/portals/${brief.id}`)).body.problems, [
    { field: '/type', reason: 'names no card type' },
  ]);
  t.match(await admin.api.patch(`/portals/${brief.id}`, { is_published: false }), { status: 200 });
  t.match(await admin.api.patch(`/portals/${brief.id}`, { is_published: true }), { status: 422 });
});

t.test('requests of an address can be limited', async (t) => {
  await admin.api.patch('/settings/modules/portals', { settings: { requests_per_minute: 3 } });
  const statuses: number[] = [];
  for (let i = 0; i < 5; i++) statuses.push((await get(i % 2 ? 'cached' : 'cached/cards')).status);
  t.same(statuses, [200, 200, 200, 429, 429], 'of all portals together');
  const refused = await get('cached/page');
  t.match(refused.headers.get('retry-after'), /^\d+$/);
  t.equal((await admin.api.get('/portals')).status, 200, 'other routes are not limited');
  await admin.api.patch('/settings/modules/portals', { settings: { requests_per_minute: 0 } });
  t.equal((await get('cached')).status, 200);
});

t.test('which routes are public is shown to administrators', async (t) => {
  const { body } = await admin.api.get('/settings/modules/portals');
  const routes = body['routes' as never] as { method: string; path: string; is_public: boolean }[];
  const open = routes.filter((route) => route.is_public);
  t.ok(open.every(({ method, path }) => method === 'GET' && path.startsWith(`${PUBLIC}/`)));
  t.equal(open.length, 5);
});

t.test('a workspace has at most 200 portals', async (t) => {
  await sql(
    database,
    `insert into portals_portals (id, slug, title, type, fields, costs, filters, visitor_filters, search_fields, sort_by, sort_dir,
       page_size, is_published, title_key, search_text, created_at, updated_at)
     select uuidv7(), 'many-' || n, 'Many', 'Device', '[]', '[]', '{}', '[]', '[]', 'name', 'asc', 25, false, 'many', 'many', now(), now()
     from generate_series(1, 200) n`,
  );
  t.match(await admin.api.post('/portals', { slug: 'last', title: 'Last', type: 'Device' }), {
    status: 409,
    body: { code: 'portals_too_many' },
  });
  await sql(database, "delete from portals_portals where slug like 'many-%'");
});

t.test('while the module is disabled there is no portal', async (t) => {
  await admin.api.patch('/settings/modules/portals', { enabled: false });
  for (const path of ['cached', 'cached/cards', `cached/cards/${lamp}`, 'cached/page'])
    t.equal((await get(path)).status, 404, path);
  t.equal((await admin.api.get('/portals')).status, 404);
  await admin.api.patch('/settings/modules/portals', { enabled: true });
  t.equal((await get('cached')).status, 200);
});
