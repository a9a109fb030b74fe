/** `total=none` on every list: no hits are counted, and all else is as in the response with a total. */
import t from 'tap';
import type { Document } from '../../core/foundation/http/openapi-document.js';
import { expectStatus, registerAdmin, testApp, type AnyBody } from '../support/app.js';
import { watchStatements } from '../support/statements.js';

const watch = watchStatements();
const { origin, close } = await testApp();
t.teardown(async () => {
  watch.stop();
  await close();
});
const admin = await registerAdmin(origin);
const { api } = admin;
const make = async (path: string, body: object): Promise<AnyBody> =>
  expectStatus(await api.post(path, body), 201, `POST ${path}`).body;

const parent = await make('/cards', { type: 'Application', name: 'Parent' });
const cards: string[] = [];
for (let i = 1; i <= 5; i++) {
  const { id } = await make('/cards', { type: 'Application', name: `Card ${i}`, parent_id: parent.id });
  cards.push(id);
  await make('/relations', { type: 'related', source_id: parent.id, target_id: id });
  await make(`/cards/${parent.id}/comments`, { body: `Comment ${i}` });
  await make(`/cards/${parent.id}/documents`, { name: `Document ${i}`, url: 'https://example.org/' });
  await make(`/cards/${parent.id}/todos`, { title: `To-do ${i}`, assignee_id: admin.user.id });
  await make('/risks', { title: `Risk ${i}`, category: 'operational' });
  await make('/adr', { title: `Decision ${i}`, card_ids: [parent.id] });
  // Of another type than the events of this test, so that no delivery changes its status between two requests.
  await make('/webhooks', { url: 'https://example.org/', types: ['import.applied'] });
  await api.patch(`/cards/${parent.id}`, { description: `Description ${i}` });
}

const { paths, components } = (await api.get<Document>('/api/openapi.json')).body;
type Resolved = Record<string, never> & { $ref?: string };
const resolve = <T>(value: T): T => {
  const { $ref } = value as Resolved;
  if ($ref === undefined) return value;
  const [, , kind, name] = $ref.split('/') as [string, string, string, string];
  return (components as Record<string, Record<string, unknown>>)[kind]![name] as T;
};
interface Parameter {
  name: string;
  in: string;
  schema: { enum?: string[] };
}
interface PageSchema {
  properties?: Record<string, { type?: unknown; enum?: unknown }>;
}
/** All operations whose response is a page. */
const lists = Object.entries(paths).flatMap(([path, { get }]) => {
  const answer = get?.responses['200'] as { content?: Record<string, { schema: PageSchema }> } | undefined;
  const schema = answer?.content?.['application/json']?.schema;
  const page = schema && resolve(schema).properties;
  return page?.['total_relation']
    ? [{ path, page, parameters: (get!.parameters ?? []) as unknown as Parameter[] }]
    : [];
});

await t.test('every list documents it', async (t) => {
  t.ok(lists.length > 35, `${lists.length} lists`);
  for (const { path, page, parameters } of lists) {
    const total = parameters.map(resolve).find(({ name }) => name === 'total');
    t.ok(total?.schema.enum?.includes('none'), `${path} has the parameter`);
    t.same(page['total']!.type, ['integer', 'null'], `${path}: the total may be null`);
    t.same(page['total_relation']!.enum, ['eq', 'gte', 'none'], path);
  }
});

const IDS: Record<string, string> = {
  '/cards/{id}': `/cards/${parent.id}`,
  '/metamodel/types/{key}': '/metamodel/types/Application',
};
const urls = lists
  .map(({ path }) => Object.entries(IDS).reduce((url, [of, one]) => url.replace(of, one), path.replace('/api/v1', '')))
  .filter((url) => !url.includes('{'));
/** How often the statements of a request count rows. */
const counts = (statements: readonly { text: string }[]): number =>
  statements.reduce((n, { text }) => n + text.split(/count\(\*\)|from card_counts|max\(position\)/).length - 1, 0);

/** Lists whose rows are counts, or are computed from all findings that the caller sees: of each the cards are counted. */
const COMPUTED = [
  '/settings/jobs/summary',
  '/insightlens/duplicates',
  '/insightlens/compliance',
  '/insightlens/modernisation',
];

await t.test('no list counts, and the items and cursors are the same', async (t) => {
  t.ok(urls.length > 25, `${urls.length} lists`);
  let uncounted = 0;
  for (const url of urls) {
    // A statement that a module or the cache of rows adds must not differ between the two requests.
    const query = { page_size: 2, sort_dir: 'asc' };
    await api.get(url, { query });
    const plain = await watch.during(() => api.get(url, { query }));
    const none = await watch.during(() => api.get(url, { query: { ...query, total: 'none' } }));
    const { total, total_relation, ...rest } = expectStatus(none.answer, 200, url).body;
    t.same([total, total_relation], [null, 'none'], url);
    const { total: counted, total_relation: _, ...others } = plain.answer.body;
    t.equal(rest.next_cursor, others.next_cursor, `${url}: the cursor`);
    if (!/jobs|sessions/.test(url)) t.same(rest.items, others.items, `${url}: the items`);
    t.equal(rest.next_cursor !== null, counted > 2, `${url}: a next page if there is one`);
    t.equal(none.statements.length, plain.statements.length, `${url}: the number of statements`);
    const fewer = counts(plain.statements) - counts(none.statements);
    if (counts(plain.statements) > 0) uncounted++;
    // Lists held in memory run no statement that counts.
    const isInMemory = counts(plain.statements) === 0 || COMPUTED.includes(url);
    t.ok(fewer > 0 || isInMemory, `${url}: one count less, not ${fewer}`);
  }
  t.ok(uncounted > 15, `${uncounted} lists are counted in the database`);
});

await t.test('cards, relations, history, events and lists of modules: no statement counts at all', async (t) => {
  for (const url of [
    '/cards',
    '/relations',
    `/cards/${parent.id}/history`,
    '/events',
    '/adr',
    `/cards/${parent.id}/comments`,
  ]) {
    const { statements } = await watch.during(() => api.get(url, { query: { total: 'none', page_size: 2 } }));
    t.equal(counts(statements), 0, `${url}: ${statements.map(({ text }) => text).join('; ')}`);
  }
});

await t.test('all items are read by cursor and by page, without a total', async (t) => {
  for (const url of ['/cards', '/relations', `/cards/${parent.id}/history`, '/adr', '/risks', '/roles/permissions']) {
    const all = (await api.get(url, { query: { page_size: 200 } })).body.items;
    const byCursor: unknown[] = [];
    const byPage: unknown[] = [];
    let cursor: string | null | undefined;
    for (let page = 1; cursor !== null; page++) {
      const base = { page_size: 4, total: 'none' };
      const answer = await api.get(url, { query: { ...base, ...(cursor !== undefined && { cursor }) } });
      byCursor.push(...answer.body.items);
      byPage.push(...(await api.get(url, { query: { ...base, page } })).body.items);
      t.equal(answer.body.page, page, `${url}: the number of the page`);
      cursor = answer.body.next_cursor;
    }
    t.same(byCursor, all, `${url} by cursor`);
    t.same(byPage, all, `${url} by page`);
  }
});

await t.test('a cursor is valid with and without the parameter', async (t) => {
  for (const url of ['/cards', '/relations', '/events', '/risks']) {
    const { next_cursor } = (await api.get(url, { query: { page_size: 2 } })).body;
    const answer = await api.get(url, { query: { page_size: 2, cursor: next_cursor!, total: 'none' } });
    t.match(answer.body, { page: 2, total: null, items: [{}, {}] }, url);
    const back = await api.get(url, { query: { page_size: 2, cursor: answer.body.next_cursor! } });
    t.match(back.body, { page: 3, total_relation: 'eq' }, url);
  }
});

await t.test('Link has no last page, and next only if there is one', async (t) => {
  const rels = async (query: object): Promise<string[]> =>
    [
      ...(await api.get('/relations', { query: { total: 'none', ...query } })).headers
        .get('link')!
        .matchAll(/rel="(\w+)"/g),
    ].map(([, rel]) => rel!);
  t.same(await rels({ page_size: 2 }), ['first', 'next']);
  t.same(await rels({ page_size: 2, page: 2 }), ['first', 'prev', 'next']);
  t.same(await rels({ page_size: 2, page: 3 }), ['first', 'prev']);
  const next = (await api.get('/relations', { query: { total: 'none', page_size: 2 } })).headers.get('link')!;
  t.match(next, /total=none[^>]*page=2>; rel="next"/, 'the parameter is kept');
});

await t.test('other values are refused', async (t) => {
  for (const url of urls) {
    for (const total of ['all', '', 'None', 'none,exact', "none' or 1=1"]) {
      const { status, body } = await api.get(url, { query: { total } });
      t.equal(status, 422, `${url}?total=${total}`);
      t.match(body.errors, [{ field: 'total', in: 'query' }], url);
    }
  }
  t.equal(
    (await api.get('/users', { query: { total: 'exact' } })).status,
    422,
    'only lists of cards and relations accept exact',
  );
  t.equal((await api.get('/cards', { query: { total: 'exact' } })).status, 200);
});

await t.test('an empty list has no total either', async (t) => {
  t.match((await api.get('/cards', { query: { type: 'Provider', total: 'none' } })).body, {
    items: [],
    total: null,
    total_relation: 'none',
    next_cursor: null,
  });
  t.match((await api.get('/relations', { query: { type: 'nothing', total: 'none' } })).body, {
    items: [],
    total: null,
  });
});
