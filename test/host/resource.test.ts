import t from 'tap';
import { Nullable, Strict, Type, resource } from '@lintel/sdk';
import { makeUser, sql, until, type AnyBody, type Session } from '../support/app.js';
import { BOOKS, libraryApp, makeLibrarian, NOWHERE } from '../support/library.js';
import { watchStatements } from '../support/statements.js';

interface Book {
  id: string;
  title: string;
  card_id: string;
  reader_id: string | null;
  shelf: string;
  price: number | null;
  due: string | null;
  read_at: string | null;
  mark: string;
  reader: string | null;
  changes: number;
  version: number;
  imprint: unknown;
  labels: string[];
  related: string[];
  updated_at: string;
}
interface Page {
  items: Book[];
  total: number;
  next_cursor: string | null;
}

// Before the app is built.
const watch = watchStatements();
const { origin, database, close, admin, viewer, member, architect, card } = await libraryApp();
t.teardown(close);
const [shop, ledger] = [await card('Shop'), await card('Ledger')];

const create = async (body: object, by: Session = member) =>
  (await by.api.post<Book>(BOOKS, { card_id: shop, ...body })).body;
const titles = async (query: Record<string, string | number | boolean>) =>
  (await viewer.api.get<Page>(BOOKS, { query: query as Record<string, string> })).body.items.map((b) => b.title);
const fields = (body: AnyBody) => body.errors.map((e) => e.field).sort();

t.test('a resource is created, read, changed and deleted', async (t) => {
  const body = {
    title: ' Patterns ',
    card_id: shop.toUpperCase(),
    reader_id: viewer.user.id,
    pages: 300,
    price: 12.5,
    due: '2026-02-03',
    read_at: '2026-01-15T11:00:00+01:00',
    related: [ledger.toUpperCase()],
    labels: ['Süß'],
    imprint: { publisher: 'Oak', year: 1977, town: null },
  };
  const created = await member.api.post<Book>(BOOKS, body);
  t.match(created, {
    status: 201,
    body: {
      ...body,
      title: 'Patterns',
      card_id: shop,
      read_at: '2026-01-15T10:00:00.000Z',
      related: [ledger],
      shelf: 'a',
      lent: false,
      changes: 1,
      mark: 'a/300',
      reader: viewer.user.display_name,
      created_by: member.user.id,
      version: 1,
    },
  });
  t.notOk(Object.keys(created.body).some((key) => ['title_key', 'search_text'].includes(key)));
  const path = `${BOOKS}/${created.body.id}`;
  t.equal(created.headers.get('location'), `/api/v1${path}`);
  const etag = created.headers.get('etag')!;
  t.match(etag, /^"1\..+"$/, 'derived fields are part of the entity tag');
  t.strictSame((await viewer.api.get(path)).body, created.body);
  t.equal((await viewer.api.get(path, { headers: { 'if-none-match': etag } })).status, 304);
  const changed = await member.api.patch<Book>(
    path,
    { price: null, due: null, imprint: { town: 'Kent', year: null }, labels: [] },
    { headers: { 'if-match': etag } },
  );
  t.match(changed, {
    status: 200,
    body: { price: null, due: null, labels: [], version: 2, changes: 2, title: 'Patterns' },
  });
  t.strictSame(changed.body.imprint, { publisher: 'Oak', town: 'Kent' });
  t.ok(changed.body.updated_at > created.body.updated_at);
  t.match(await member.api.patch(path, { title: 'Other', price: null }, { headers: { 'if-match': '"1"' } }), {
    status: 412,
    body: { current_version: 2, changed_fields: ['title'] },
  });
  t.match(await architect.api.del(path, { headers: { 'if-match': '"1"' } }), { status: 412 });
  t.equal((await architect.api.del(path, { headers: { 'if-match': '"2"' } })).status, 204);
  for (const answer of [
    await member.api.get(path),
    await member.api.patch(path, { title: 'x' }),
    await architect.api.del(path),
    await member.api.get(`${BOOKS}/1`),
    await member.api.get(`${path}/history`),
  ])
    t.equal(answer.status, 404);
  const {
    body: { items },
  } = await admin.api.get('/events', { query: { type: 'library_book.' } });
  t.strictSame(
    items.map((e) => e.type),
    ['library_book.deleted', 'library_book.updated', 'library_book.created'],
  );
  t.match(items[1], {
    subject: { kind: 'library_book', id: created.body.id, name: 'Patterns' },
    actor: { id: member.user.id },
    data: { version: 2 },
  });
});

t.test('equal values are no change, and the history lists the changes', async (t) => {
  const { id } = await create({
    title: 'Quiet',
    price: 0,
    read_at: '2026-01-15T10:00:00.500Z',
    related: [ledger],
    imprint: { publisher: 'Oak', town: null },
  });
  const path = `${BOOKS}/${id}`;
  await sql(database, 'update library_books set changes = 7 where id = $1', [id]);
  const same = await member.api.patch<Book>(path, {
    title: 'Quiet',
    price: -0,
    read_at: '2026-01-15T11:00:00.5+01:00',
    related: [ledger.toUpperCase()],
    imprint: {},
  });
  t.match(same.body, { version: 2, changes: 8 }, 'fields set by the module count');
  t.match((await member.api.patch(path, { pages: 5, lent: true })).body, { version: 3 });
  const history = await until(async () => {
    const { body } = await viewer.api.get<{
      items: {
        version: number;
        type: string;
        actor: { id: string };
        changes: { field: string; old: unknown; new: unknown }[];
      }[];
      total: number;
    }>(`${path}/history`);
    return body.total === 3 && body;
  }, 2_000);
  t.strictSame(
    history.items.map((e) => [e.version, e.type]),
    [
      [3, 'library_book.updated'],
      [2, 'library_book.updated'],
      [1, 'library_book.created'],
    ],
  );
  t.strictSame(history.items[0]!.changes, [
    { field: 'pages', old: null, new: 5 },
    { field: 'lent', old: false, new: true },
    { field: 'changes', old: 8, new: 9 },
  ]);
  t.equal((await viewer.api.get(`${path}/history`, { query: { page_size: 1, page: 2 } })).body.items.length, 1);
  t.strictSame(fields((await viewer.api.get(`${path}/history`, { query: { since: 'x' } })).body), ['since']);
  t.match(await architect.api.del(path), { status: 409, body: { code: 'invalid_state', detail: 'The book is lent.' } });
});

t.test('an unchanged document keeps its version', async (t) => {
  const made = (await member.api.post('/library/charters', { title: 'Still' })).body;
  const again = await member.api.patch(`/library/charters/${made.id}`, { title: 'Still', body: null });
  t.match(again, { status: 200, body: { version: 1 } });
  t.strictSame(
    (await admin.api.get('/events', { query: { type: 'library_charter.' } })).body.items.map((e) => e.type),
    ['library_charter.created'],
  );
});

t.test('every fault is named, and nothing is coerced', async (t) => {
  const wrong = await member.api.post(BOOKS, {
    title: ' ',
    shelf: 'z',
    pages: '3',
    price: '1',
    lent: 'yes',
    due: '2026-02-30',
    read_at: 'now',
    related: ['x'],
    imprint: { year: 'x' },
    changes: 4,
    mark: 'x',
    nothing: 1,
  });
  t.equal(wrong.status, 422);
  t.strictSame(fields(wrong.body), [
    '/card_id',
    '/changes',
    '/due',
    '/imprint/publisher',
    '/imprint/town',
    '/imprint/year',
    '/lent',
    '/mark',
    '/nothing',
    '/pages',
    '/price',
    '/read_at',
    '/related/0',
    '/shelf',
    '/title',
  ]);
  t.strictSame(
    fields(
      (
        await member.api.post(BOOKS, {
          title: 'x',
          card_id: NOWHERE,
          reader_id: NOWHERE,
          related: [shop, NOWHERE],
          price: 1.005,
        })
      ).body,
    ),
    ['/card_id', '/price', '/reader_id', '/related/1'],
  );
  const { id } = await create({ title: 'Faulty' });
  const path = `${BOOKS}/${id}`;
  t.strictSame(
    fields((await member.api.patch(path, { title: null, shelf: 'b', lent: null, imprint: { publisher: null } })).body),
    ['/imprint/publisher', '/lent', '/shelf', '/title'],
  );
  t.strictSame(
    fields((await member.api.patch(path, { imprint: { town: 'Kent' } })).body),
    ['/imprint/publisher'],
    'an object that a patch leaves incomplete',
  );
  t.strictSame(fields((await member.api.patch(path, { title: 'refused' })).body), ['/title']);
  t.equal((await member.api.patch(path, {})).status, 422);
  for (const body of [
    { price: 1e300 },
    { pages: 2 ** 31 },
    { pages: 2 ** 53 },
    { title: 'a\0b' },
    { title: '\ud800' },
    { imprint: JSON.parse('{"__proto__": {"publisher": "x"}}') as object },
    { read_at: '0000-01-01T00:00:00Z' },
  ])
    t.equal((await member.api.patch(path, body)).status, 422, JSON.stringify(body));
  t.equal((await member.api.post(BOOKS, '[', { headers: { 'content-type': 'application/json' } })).status, 400);
  const query = {
    page: 0,
    sort_by: 'search_text',
    shelf: 'a,z',
    card_id: 'x',
    pages_from: 'x',
    due_to: '2026-13-01',
    related: 'x',
    nothing: 1,
    search: 'x'.repeat(201),
  };
  t.strictSame(fields((await viewer.api.get(BOOKS, { query })).body), [
    'card_id',
    'due_to',
    'nothing',
    'page',
    'pages_from',
    'related',
    'search',
    'shelf',
    'sort_by',
  ]);
  t.match(await member.api.get(BOOKS, { query: { cursor: 'nonsense' } }), {
    status: 422,
    body: { code: 'invalid_cursor' },
  });
  t.match((await viewer.api.get(path)).body, { title: 'Faulty', version: 1 });
});

t.test('permissions', async (t) => {
  const { id } = await create({ title: 'Guarded' });
  const path = `${BOOKS}/${id}`;
  t.equal((await fetch(`${origin}/api/v1${BOOKS}`)).status, 401);
  t.match(await viewer.api.post(BOOKS, { title: 'x', card_id: shop }), {
    status: 403,
    body: { required_permission: 'library.manage' },
  });
  t.match(await viewer.api.patch(path, { title: 'x' }), { status: 403 });
  t.match(await member.api.del(path), { status: 403, body: { required_permission: 'library.delete' } });
});

t.test('a stakeholder role grants permissions on its card only', async (t) => {
  const { librarian, own } = await makeLibrarian({ admin, card });
  const other = await card('Other');
  const made = await librarian.api.post<Book>(BOOKS, { title: 'Mine', card_id: own });
  t.equal(made.status, 201, JSON.stringify(made.body));
  t.match(await librarian.api.post(BOOKS, { title: 'Not mine', card_id: other }), {
    status: 403,
    body: { required_permission: 'library.manage', or_card_permission: 'card.library_manage' },
  });
  const foreign = await create({ title: 'Foreign', card_id: other });
  t.equal((await librarian.api.patch(`${BOOKS}/${foreign.id}`, { title: 'x' })).status, 403);
  t.equal((await librarian.api.patch(`${BOOKS}/${made.body.id}`, { title: 'Mine still' })).status, 200);
  t.equal(
    (await librarian.api.patch(`${BOOKS}/${made.body.id}`, { card_id: other })).status,
    403,
    'moving it to another card is refused',
  );
  t.equal((await librarian.api.post(`/cards/${own}/books`, { title: 'By the card' })).status, 201);
  t.equal((await librarian.api.post(`/cards/${other}/books`, { title: 'By the card' })).status, 403);
  t.equal((await librarian.api.del(`${BOOKS}/${made.body.id}`)).status, 204);
  t.equal((await librarian.api.del(`${BOOKS}/${foreign.id}`)).status, 403);
});

t.test('a retry gets the first answer', async (t) => {
  const headers = { 'idempotency-key': 'book-1' };
  const tries = await Promise.all(
    Array.from({ length: 8 }, () => member.api.post<Book>(BOOKS, { title: 'Once', card_id: ledger }, { headers })),
  );
  for (const { status } of tries) t.ok(status === 201 || status === 409, String(status));
  t.equal(new Set(tries.filter((a) => a.status === 201).map((a) => a.body.id)).size, 1);
  const again = await member.api.post<Book>(BOOKS, { title: 'Once', card_id: ledger }, { headers });
  t.equal(again.headers.get('idempotent-replayed'), 'true');
  t.equal((await member.api.post(BOOKS, { title: 'Twice', card_id: ledger }, { headers })).status, 422);
  t.strictSame(await titles({ search: 'once' }), ['Once']);
});

t.test('one of several concurrent changes of a version succeeds, and a name is unique', async (t) => {
  const { id } = await create({ title: 'Contested' });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      member.api.patch(`${BOOKS}/${id}`, { pages: i + 1 }, { headers: { 'if-match': '"1"' } }),
    ),
  );
  t.strictSame(
    [answers.filter((a) => a.status === 200).length, answers.filter((a) => a.status === 412).length],
    [1, 19],
  );
  const same = await Promise.all(
    Array.from({ length: 10 }, () => member.api.post(BOOKS, { title: 'Taken', card_id: ledger })),
  );
  t.equal(same.filter((a) => a.status === 201).length, 1);
  t.match(
    same.find((a) => a.status !== 201),
    { status: 409, body: { code: 'library_taken' } },
  );
});

t.test('the list is filtered, sorted, searched and paged', async (t) => {
  const shelf = await card('Shelf');
  const put = (title: string, body: object = {}) => create({ title, card_id: shelf, ...body });
  await put('Zebra', { pages: 10, price: 5, due: '2026-01-01', labels: ['über', 'x'], related: [ledger] });
  await put('aardvark', { pages: 20, price: 500, due: '2026-06-01', shelf: 'b' });
  await put('Émile', { pages: null, lent: true, shelf: 'c', read_at: '2026-03-01T00:00:00Z' });
  const all = (query: Record<string, string | number | boolean>) => titles({ card_id: shelf, ...query });
  t.strictSame(await all({}), ['aardvark', 'Zebra', 'Émile']);
  t.strictSame(await all({ sort_by: 'pages' }), ['Zebra', 'aardvark', 'Émile'], 'empty values last');
  t.strictSame(await all({ sort_by: 'pages', sort_dir: 'desc' }), ['aardvark', 'Zebra', 'Émile']);
  t.strictSame(await all({ sort_by: 'due', sort_dir: 'desc' }), ['aardvark', 'Zebra', 'Émile']);
  t.strictSame(await all({ shelf: 'b,c' }), ['aardvark', 'Émile']);
  t.strictSame(await all({ lent: true }), ['Émile']);
  t.strictSame(await all({ pages_from: 11 }), ['aardvark']);
  t.strictSame(await all({ price_from: 5, price_to: 5 }), ['Zebra']);
  t.strictSame(await all({ due_from: '2026-01-01', due_to: '2026-05-31' }), ['Zebra']);
  t.strictSame(await all({ read_at_to: '2026-03-01T00:00:00Z' }), ['Émile']);
  t.strictSame(await all({ related: ledger.toUpperCase() }), ['Zebra']);
  t.strictSame(await all({ labels: 'x' }), ['Zebra']);
  t.strictSame(await all({ dear: true }), ['aardvark']);
  t.strictSame(await all({ search: 'UBER zebra' }), ['Zebra']);
  t.strictSame(await all({ search: 'emile%' }), ['Émile']);
  t.strictSame(await titles({ card_id: `${shelf},${NOWHERE}`, shelf: 'b' }), ['aardvark']);
  for (const sort_by of ['title', 'shelf', 'pages', 'price', 'due', 'created_at', 'updated_at']) {
    for (const sort_dir of ['asc', 'desc']) {
      const seen: string[] = [];
      let query: Record<string, string | number> = { sort_by, sort_dir, page_size: 4 };
      for (;;) {
        const { body } = await viewer.api.get<Page>(BOOKS, { query });
        seen.push(...body.items.map((b) => b.id));
        if (body.next_cursor === null) {
          t.equal(seen.length, body.total, `${sort_by} ${sort_dir}`);
          break;
        }
        query = { sort_by, sort_dir, page_size: 4, cursor: body.next_cursor };
      }
      t.equal(new Set(seen).size, seen.length, 'each once');
    }
  }
  const { headers, body } = await viewer.api.get<Page>(BOOKS, { query: { page: 2, page_size: 1, card_id: shelf } });
  t.match(body, { total: 3, total_relation: 'eq', page: 2, page_size: 1, items: [{ title: 'Zebra' }] });
  t.match(headers.get('link'), /rel="next"/);
  t.match(
    await viewer.api.get(BOOKS, { query: { cursor: body.next_cursor!, page_size: 1, card_id: ledger } }),
    { status: 422 },
    'a cursor of another list',
  );
});

t.test('a list without a total', async (t) => {
  const query = { page_size: 1, card_id: shop, sort_by: 'title' };
  const { total, total_relation, ...rest } = (await viewer.api.get(BOOKS, { query: { ...query, total: 'none' } })).body;
  t.same([total, total_relation], [null, 'none']);
  t.match((await viewer.api.get<Page>(BOOKS, { query })).body, rest, 'all else is the same');
  t.equal((await viewer.api.get(BOOKS, { query: { total: 'exact' } })).status, 422);
  const one = (await viewer.api.get<Page>(BOOKS, { query })).body.items[0]!;
  t.match((await viewer.api.get(`${BOOKS}/${one.id}/history`, { query: { total: 'none' } })).body, {
    total: null,
    items: [{ type: /^library/ }],
  });
});

t.test('a filter named total replaces the parameter of lists', async (t) => {
  const path = '/library/charters';
  const { number } = (await admin.api.post<{ number: number }>(path, { title: 'Rules', body: 'Be quiet.' })).body;
  t.match((await admin.api.get(path, { query: { total: number } })).body, {
    total: 1,
    total_relation: 'eq',
    items: [{ number }],
  });
  t.match((await admin.api.get(path, { query: { total: 1_000 } })).body, { total: 0, items: [] });
  t.equal((await admin.api.get(path, { query: { total: 'none' } })).status, 422);
});

t.test('below a card', async (t) => {
  const here = await card('Here');
  const made = await member.api.post<Book>(`/cards/${here}/books`, { title: 'Of here' });
  t.match(made, { status: 201, body: { card_id: here } });
  t.equal(made.headers.get('location'), `/api/v1${BOOKS}/${made.body.id}`);
  t.strictSame(fields((await member.api.post(`/cards/${here}/books`, { title: 'x', card_id: here })).body), [
    '/card_id',
  ]);
  t.match((await viewer.api.get<Page>(`/cards/${here}/books`)).body, { total: 1, items: [{ title: 'Of here' }] });
  t.strictSame(fields((await viewer.api.get(`/cards/${here}/books`, { query: { card_id: here } })).body), ['card_id']);
  const below = `/library/of/${here}/books`;
  t.match((await viewer.api.get(`${below}/${made.body.id}`)).body, { title: 'Of here' });
  t.match((await member.api.patch(`${below}/${made.body.id}`, { pages: 9 })).body, { pages: 9, version: 2 });
  t.equal((await viewer.api.get(`${below}/${made.body.id}/history`)).status, 200);
  for (const path of [
    `/cards/${NOWHERE}/books`,
    `/library/of/${NOWHERE}/books`,
    `/library/of/x/books`,
    `/library/of/${shop}/books/${made.body.id}`,
  ])
    t.equal((await viewer.api.get(path)).status, 404, path);
  t.equal((await member.api.post(`/cards/${NOWHERE}/books`, { title: 'x' })).status, 404);
  t.equal((await member.api.patch(`/library/of/${shop}/books/${made.body.id}`, { pages: 1 })).status, 404);
  t.equal((await architect.api.del(`/library/of/${shop}/books/${made.body.id}`)).status, 404);
  t.equal((await architect.api.del(`${below}/${made.body.id}`)).status, 204);
});

t.test('a deactivated user remains referenced, and cannot be referenced again', async (t) => {
  const gone = await makeUser(admin, 'viewer');
  const { id } = await create({ title: 'Lent out', reader_id: gone.user.id });
  t.equal((await admin.api.patch(`/users/${gone.user.id}`, { is_active: false })).status, 200);
  t.match(await member.api.patch(`${BOOKS}/${id}`, { reader_id: gone.user.id, pages: 4 }), {
    status: 200,
    body: { pages: 4 },
  });
  t.strictSame(fields((await member.api.post(BOOKS, { title: 'y', card_id: shop, reader_id: gone.user.id })).body), [
    '/reader_id',
  ]);
});

t.test('the number of statements of a list does not depend on its length', async (t) => {
  const few = await card('Few');
  await create({ title: 'Single', card_id: few, reader_id: viewer.user.id });
  // The first attempt also reads what is cached afterwards.
  const count = async (page: Record<string, string | number>): Promise<number> => {
    let least = Infinity;
    for (let i = 0; i < 3; i++)
      least = Math.min(least, (await watch.during(() => viewer.api.get(BOOKS, { query: page }))).statements.length);
    return least;
  };
  const one = await count({ card_id: few });
  t.ok(one > 0);
  t.equal(await count({ page_size: 200 }), one);
});

t.test('an inconsistent declaration is refused', async (t) => {
  const sound = {
    kind: 'x_y',
    table: 'x_ys',
    tag: 'x',
    operation: 'Y',
    label: 'a y',
    labels: 'ys',
    permissions: { view: 'x.view', manage: 'x.manage' },
    fields: { title: Type.String(), more: Nullable(Strict({})) },
    example: { title: 'x' },
  };
  t.doesNotThrow(() => resource(sound));
  for (const wrong of [
    { table: 'x; drop table users' },
    { fields: { 'a b': Type.String() } },
    { fields: { title: Type.Optional(Type.String()) } },
    { fields: { id: Type.String() } },
    { sorts: { more: true as const } },
    { sorts: { t: { column: 'a"', type: 'text' as const } } },
    { defaultSort: 'title' },
    { filters: { more: 'range' as const } },
    { filters: { other: 'any' as const } },
    { computed: { title: () => 1 } },
    { search: ['nothing' as 'title'] },
  ])
    t.throws(() => resource({ ...sound, ...wrong } as unknown as typeof sound), JSON.stringify(wrong));
});
