/** Bulk requests, transitions and linked cards of resources. */
import t from 'tap';
import { LinkedCards, Type, resource, type ResourceBulkRow, type ResourceService } from '@lintel/sdk';
import { expectStatus, sql, until, type AnyBody, type Session } from '../support/app.js';
import { noJobs } from '../support/jobs.js';
import { BOOKS, libraryApp, makeLibrarian, NOWHERE } from '../support/library.js';
import { watchStatements } from '../support/statements.js';

interface Bulk extends AnyBody {
  summary: Record<string, number>;
  results: ResourceBulkRow[];
}
interface Loan extends AnyBody {
  state: string;
  reference: string;
  renewals: number;
  returned_at: string | null;
  allowed_transitions: string[];
  cards: { card_id: string; part: string; note: string | null; card: { name: string } }[];
}

const watch = watchStatements();
const { app, database, close, admin, viewer, member, architect, card } = await libraryApp();
t.teardown(close);
const [shop, ledger] = [await card('Shop'), await card('Ledger')];
const { librarian, own } = await makeLibrarian({ admin, card });
const LOANS = '/library/loans';

const bulk = (path: string, operations: object[], more: object = {}, by: Session = architect) =>
  by.api.post<Bulk>(`${path}/bulk`, { operations, ...more });
const book = (title: string, more: object = {}) => ({ op: 'create', book: { title, card_id: shop, ...more } });
const rows = (body: Bulk) =>
  body.results.map(({ outcome, code }) => (code === undefined ? outcome : `${outcome} ${code}`));
const places = (body: Bulk) => body.results.flatMap(({ errors = [] }) => errors.map(({ field }) => field));
const lend = async (body: object = {}, by: Session = member) =>
  expectStatus(await by.api.post<Loan>(LOANS, { title: 'A loan', until: '2031-01-01', ...body }), 201, 'a loan').body;
const move = (id: string, to: string, more: object = {}, by: Session = architect) =>
  by.api.post<Loan>(`${LOANS}/${id}/transition`, { to, ...more });

t.test('operations are validated like single requests', async (t) => {
  const made = (await member.api.post(BOOKS, { title: 'There', card_id: shop, pages: 3 })).body;
  const { status, body } = await bulk(
    BOOKS,
    [
      book('Sound', { imprint: { publisher: 'Oak', town: null } }),
      { op: 'create', book: { title: 'No card' } },
      book('Nobody reads', { reader_id: NOWHERE }),
      book('refused'),
      book('Dear', { price: 1.005 }),
      book('Half', { imprint: { town: 'Kent' } }),
      { op: 'update', id: made.id, book: { shelf: 'b' } },
      { op: 'update', id: made.id, book: { pages: 4 }, version: 9 },
      { op: 'update', id: made.id.toUpperCase(), book: { pages: 4 }, version: 1 },
      { op: 'update', id: made.id, ref: 'x', book: { pages: 4 } },
      { op: 'delete', id: made.id, book: {} },
      { op: 'delete', id: made.id },
      { op: 'delete', id: made.id },
    ],
    { mode: 'per_row' },
  );
  t.equal(status, 200, JSON.stringify(body));
  t.strictSame(rows(body), [
    'created',
    ...Array<string>(6).fill('failed validation_failed'),
    'failed precondition_failed',
    'updated',
    'failed validation_failed',
    'failed validation_failed',
    'deleted',
    'failed not_found',
  ]);
  t.strictSame(places(body), [
    '/operations/1/book/card_id',
    '/operations/2/book/reader_id',
    '/operations/3/book/title',
    '/operations/4/book/price',
    '/operations/5/book/imprint/publisher',
    '/operations/6/book/shelf',
    '/operations/7/version',
    '/operations/9/ref',
    '/operations/10/book',
    '/operations/12',
  ]);
  t.strictSame((await viewer.api.get(`${BOOKS}/${body.results[0]!.id}`)).body['imprint'], {
    publisher: 'Oak',
    town: null,
  });
  for (const wrong of [
    [{ op: 'transition', id: made.id, to: 'x' }],
    [{ op: 'create', loan: {} }],
    [book('x', { changes: 3 })],
  ])
    t.equal((await bulk(BOOKS, wrong)).status, 422, JSON.stringify(wrong));
});

t.test('a row that the database refuses does not affect others', async (t) => {
  const operations = [book('One'), book('Taken'), book('Two'), book('taken'), book('Three')];
  const all = await bulk(BOOKS, operations);
  t.match(all, { status: 409, body: { code: 'library_taken' } });
  const { body } = await bulk(BOOKS, operations, { mode: 'per_row' });
  t.strictSame(rows(body), ['created', 'created', 'created', 'failed library_taken', 'created']);
  t.strictSame(places(body), ['/operations/3']);
});

t.test('permissions are checked for each operation, by role or by card', async (t) => {
  const foreign = (await member.api.post(BOOKS, { title: 'Foreign', card_id: shop })).body.id;
  const mine = (await librarian.api.post(BOOKS, { title: 'Mine', card_id: own })).body.id;
  const { body } = await bulk(
    BOOKS,
    [
      { op: 'update', id: mine, book: { pages: 1 } },
      { op: 'update', id: foreign, book: { pages: 1 } },
      { op: 'update', id: mine, book: { card_id: shop } },
      book('Elsewhere'),
      book('Here', { card_id: own }),
      { op: 'delete', id: foreign },
      { op: 'delete', id: mine },
    ],
    { mode: 'per_row' },
    librarian,
  );
  t.strictSame(rows(body), [
    'updated',
    'failed forbidden',
    'failed forbidden',
    'failed forbidden',
    'created',
    'failed forbidden',
    'deleted',
  ]);
  const removal = await bulk(BOOKS, [{ op: 'delete', id: foreign }], { mode: 'per_row' }, member);
  t.strictSame(rows(removal.body), ['failed forbidden'], 'deletion requires a separate permission');
});

t.test('below a path that contains the value of a field', async (t) => {
  const elsewhere = (await member.api.post(BOOKS, { title: 'At the shop', card_id: shop })).body.id;
  const { body } = await bulk(
    `/library/of/${ledger}/books`,
    [
      { op: 'create', ref: 'a', book: { title: 'At the ledger' } },
      { op: 'update', ref: 'a', book: { pages: 7 } },
      { op: 'update', id: elsewhere, book: { pages: 7 } },
    ],
    { mode: 'per_row' },
  );
  t.strictSame(rows(body), ['created', 'updated', 'failed not_found']);
  t.match((await viewer.api.get(`${BOOKS}/${body.results[0]!.id}`)).body, { card_id: ledger, pages: 7 });
  t.equal((await bulk(`/library/of/${NOWHERE}/books`, [{ op: 'create', book: { title: 'x' } }])).status, 404);
});

t.test('a change writes only changed columns', async (t) => {
  const { id } = (await member.api.post(BOOKS, { title: 'Exact', card_id: shop })).body;
  const exact = `{"publisher": "Oak", "year": 12345678901234567890, "town": null}`;
  await sql(database, 'update library_books set imprint = $2::jsonb where id = $1', [id, exact]);
  t.equal((await member.api.patch(`${BOOKS}/${id}`, { pages: 8 })).status, 200);
  t.match(await sql(database, `select imprint ->> 'year' as year, pages from library_books where id = $1`, [id]), [
    { year: '12345678901234567890', pages: 8 },
  ]);
});

t.test('the same statements for 60 operations as for 2', async (t) => {
  await noJobs(database);
  const sent = async (operations: object[], path = BOOKS): Promise<string[]> => {
    const { answer, statements } = await watch.during(() => bulk(path, operations, { mode: 'per_row' }));
    expectStatus(answer, 200, 'the bulk');
    t.notOk(answer.body.summary['failed'], JSON.stringify(answer.body.results.at(-1)));
    return statements.map(({ name, text }) => name ?? text);
  };
  const made = (n: number, from: number) => Array.from({ length: n }, (_, i) => book(`Many ${from + i}`));
  t.strictSame(await sent(made(60, 0)), await sent(made(2, 100)));
  const loans = (n: number) =>
    Array.from({ length: n }, (_, i) => [
      {
        op: 'create',
        ref: `l${i}`,
        loan: { title: `L${i}`, until: '2031-01-01', cards: [{ card_id: shop, part: 'half' }] },
      },
      { op: 'update', ref: `l${i}`, loan: { cards: [{ card_id: ledger, part: 'whole' }] } },
      { op: 'transition', ref: `l${i}`, to: 'lent' },
    ]).flat();
  t.strictSame(await sent(loans(60), LOANS), await sent(loans(2), LOANS));
});

t.test('a resource changes its state according to its transitions', async (t) => {
  const loan = await lend();
  t.match(loan, {
    state: 'asked',
    allowed_transitions: ['lent', 'refused'],
    renewals: 0,
    returned_at: null,
    version: 1,
  });
  t.notOk('number' in loan, 'an unseen field is omitted');
  t.match(loan.reference, /^L-\d+$/);
  t.match(await move(loan.id, 'returned'), {
    status: 409,
    body: { code: 'invalid_state', state: 'asked', to: 'returned', allowed: ['lent', 'refused'] },
  });
  t.match(await move(loan.id, 'refused', {}, member), { status: 403, body: { required_permission: 'library.delete' } });
  const timeless = await lend({ until: null });
  t.match(await move(timeless.id, 'lent'), { status: 422, body: { errors: [{ field: '/to' }] } });
  t.match(await move(loan.id, 'lent', { comment: 'no' }), { status: 422, body: { errors: [{ field: '/comment' }] } });
  t.match((await move(loan.id, 'lent', { comment: 'Enjoy' })).body, { state: 'lent', renewals: 0, version: 2 });
  t.match((await move(loan.id, 'lent')).body, { renewals: 1, version: 3 }, 'a transition to the same state counts');
  const returned = (await move(loan.id, 'returned')).body;
  t.match(returned, { state: 'returned', version: 4, allowed_transitions: [] });
  t.ok(Math.abs(Date.parse(returned.returned_at!) - Date.now()) < 60_000);
  for (const refused of [
    await member.api.patch(`${LOANS}/${loan.id}`, { title: 'x' }),
    await architect.api.del(`${LOANS}/${loan.id}`),
    await move(loan.id, 'lent'),
  ])
    t.match(refused, { status: 409, body: { code: 'invalid_state', state: 'returned' } });
  const events = await until(async () => {
    const { body } = await admin.api.get('/events', { query: { subject_id: loan.id } });
    return body.total === 4 && body.items;
  });
  t.match(events[0], {
    type: 'library_loan.transitioned',
    data: { from: 'lent', to: 'returned', version: 4, reference: loan.reference, was_transitioned: 'A loan' },
  });
  t.strictSame(
    (events[0]!['data'] as { changes: object[] }).changes,
    [{ field: 'state', old: 'lent', new: 'returned' }],
    'times set by a transition are not among the changes',
  );
  t.match(events[3], { data: { reference: loan.reference, was_created: 'A loan' } });
  const history = (await viewer.api.get(`${LOANS}/${loan.id}/history`)).body.items;
  t.strictSame(
    history.map((entry) => entry['comment']),
    [null, null, 'Enjoy', null],
  );
  t.match((await viewer.api.get(LOANS, { query: { state: 'returned' } })).body.items, [{ id: loan.id }]);
  t.match((await viewer.api.get(LOANS, { query: { search: loan.reference } })).body.items, [{ id: loan.id }]);
});

t.test('transitions in a bulk request, and derived fields of all rows', async (t) => {
  const { body } = await bulk(LOANS, [
    { op: 'create', ref: 'a', loan: { title: 'First', until: '2019-01-01' } },
    { op: 'create', ref: 'b', loan: { title: 'Second' } },
    { op: 'transition', ref: 'a', to: 'lent', comment: 'Here' },
    { op: 'transition', ref: 'a', to: 'returned' },
    { op: 'create', ref: 'c', loan: { title: 'Third' } },
    { op: 'delete', ref: 'c' },
  ]);
  t.strictSame(rows(body), ['created', 'created', 'transitioned', 'transitioned', 'created', 'deleted']);
  const numbers = body.results.map(({ reference }) => Number(reference!.slice(2)));
  const [a, b, , , c] = numbers as [number, number, number, number, number];
  t.strictSame(numbers, [a, a + 1, a, a, a + 2, a + 2]);
  t.ok(b < c);
  t.match((await viewer.api.get<Loan>(`${LOANS}/${body.results[0]!.id}`)).body, {
    title: 'First',
    reference: `L-${a}`,
    state: 'returned',
    returned_at: String,
    is_late: true,
    version: 3,
  });
  t.match((await viewer.api.get(LOANS, { query: { is_late: true } })).body.items, [{ title: 'First' }]);
  const failed = await bulk(LOANS, [
    { op: 'transition', id: body.results[1]!.id, to: 'lent' },
    { op: 'transition', id: body.results[1]!.id, to: 'returned' },
    { op: 'transition', id: body.results[1]!.id },
    { op: 'update', id: body.results[1]!.id, comment: 'x', loan: {} },
  ]);
  t.equal(failed.status, 422);
  t.strictSame(places(failed.body), ['/operations/0/to', '/operations/1', '/operations/2/to', '/operations/3/comment']);
  t.equal(
    (await bulk(LOANS, [{ op: 'create', loan: { title: 'refused together' } }])).status,
    500,
    'a fault of the module',
  );
});

t.test('linked cards: members of a link, permissions, and the largest number', async (t) => {
  const link = (card_id: string, part = 'whole', more: object = {}) => ({ card_id, part, ...more });
  const loan = await lend({ cards: [link(shop, 'half', { note: 'Mind the step' }), link(ledger.toUpperCase())] });
  t.match(
    new Map(loan.cards.map(({ card_id, part, note, card }) => [card_id, [part, note, card.name]])),
    new Map([
      [shop, ['half', 'Mind the step', 'Shop']],
      [ledger, ['whole', null, 'Ledger']],
    ]),
  );
  const path = `${LOANS}/${loan.id}`;
  const same = await member.api.patch<Loan>(path, {
    cards: [link(ledger), link(shop, 'half', { note: 'Mind the step' })],
  });
  t.match(same.body, { version: 1 }, 'the order is no difference');
  t.match((await member.api.patch<Loan>(path, { cards: [link(shop)] })).body, {
    version: 2,
    cards: [{ card_id: shop, part: 'whole', note: null }],
  });
  t.strictSame((await viewer.api.get<Loan>(path)).body.cards.length, 1);
  const faults = async (cards: object[]) =>
    (await member.api.patch(path, { cards })).body.errors.map(({ field }) => field).sort();
  t.strictSame(await faults([link(shop), link(shop), link(NOWHERE)]), ['/cards/1/card_id', '/cards/2/card_id']);
  t.strictSame(await faults([1, 2, 3, 4].map(() => link(shop))), ['/cards']);
  t.match((await viewer.api.get(LOANS, { query: { card_id: shop, card_part: 'whole' } })).body.items, [
    { id: loan.id },
  ]);
  t.equal((await viewer.api.get(LOANS, { query: { card_id: shop, card_part: 'half' } })).body.total, 0);
  t.match(await librarian.api.patch(path, { title: 'x' }), {
    status: 403,
    body: { required_permission: 'library.manage', or_card_permission: 'card.library_manage' },
  });
  const mine = await lend({ cards: [link(own)] }, librarian);
  t.equal((await librarian.api.patch(`${LOANS}/${mine.id}`, { title: 'Mine' })).status, 200);
  t.equal((await librarian.api.patch(`${LOANS}/${mine.id}`, { cards: [link(own), link(shop)] })).status, 403);
  t.equal((await librarian.api.post(LOANS, { title: 'Of no card' })).status, 403);
});

t.test('a module writes several in its own transaction', async (t) => {
  const { host, services } = app.services.modules.get('library')!;
  const { loans } = services as { loans: ResourceService };
  const ctx = host.systemContext('test');
  const made = await host.transactions.run(ctx, (uow) =>
    loans.writeIn(uow, [
      { op: 'create', ref: 'a', values: { title: 'By the module', until: '2031-01-01', renewals: 7 } },
      { op: 'transition', ref: 'a', to: 'lent', event: { type: 'library_loan.ended', data: { said: 'so' } } },
      { op: 'transition', ref: 'a', to: 'returned' },
      { op: 'update', ref: 'a', values: { renewals: 9 } },
    ]),
  );
  t.strictSame(
    made.map(({ outcome, version }) => [outcome, version]),
    [
      ['created', 1],
      ['transitioned', 2],
      ['transitioned', 3],
      ['updated', 4],
    ],
    'also in a read-only state',
  );
  t.match((await viewer.api.get(`${LOANS}/${made[0]!.id}`)).body, { state: 'returned', renewals: 9 });
  const ended = await until(async () => {
    const { body } = await admin.api.get('/events', { query: { type: 'library_loan.ended' } });
    return body.total === 1 && body.items[0];
  });
  t.match(ended, { data: { said: 'so', version: 2, changes: [{ field: 'state' }] } });
  t.notOk('from' in (ended['data'] as object));
  const before = (await viewer.api.get(LOANS)).body.total;
  await t.rejects(
    host.transactions.run(ctx, (uow) =>
      loans.writeIn(uow, [
        { op: 'create', values: { title: 'Undone' } },
        { op: 'delete', id: NOWHERE },
      ]),
    ),
    { code: 'not_found' },
  );
  t.equal((await viewer.api.get(LOANS)).body.total, before);
  const user = { ...ctx, permissions: { has: () => false, list: () => [] } };
  await t.rejects(loans.requireWrite(user, made[0]!.id), { code: 'forbidden' });
  await t.resolves(loans.requireWrite(ctx, made[0]!.id));
});

t.test('the filter value none finds resources without a value', async (t) => {
  const here = await card('Shelf');
  await member.api.post(BOOKS, { title: 'Unread', card_id: here });
  await member.api.post(BOOKS, { title: 'Read', card_id: here, reader_id: viewer.user.id });
  const titles = async (reader_id: string) =>
    (await viewer.api.get(BOOKS, { query: { card_id: here, reader_id } })).body.items.map((one) => one['title']);
  t.strictSame(await titles('none'), ['Unread']);
  t.strictSame(await titles(viewer.user.id), ['Read']);
  t.strictSame(await titles(`none,${viewer.user.id}`), ['Read', 'Unread']);
});

t.test('an inconsistent declaration is refused', async (t) => {
  const moves = { open: ['done'], done: [] };
  const sound = {
    kind: 'x_y',
    table: 'x_ys',
    tag: 'x',
    operation: 'Y',
    label: 'a y',
    labels: 'ys',
    permissions: { view: 'x.view', manage: 'x.manage' },
    fields: { title: Type.String(), cards: LinkedCards({}) },
    assigned: { state: Type.String({ enum: ['open', 'done'] }) },
    links: { field: 'cards' as const, table: 'x_cards', owner: 'y_id' },
    transitions: { field: 'state' as const, initial: 'open', moves },
    example: { title: 'x' },
  };
  t.doesNotThrow(() => resource(sound));
  for (const wrong of [
    { transitions: { ...sound.transitions, field: 'title' } },
    { transitions: { ...sound.transitions, initial: 'new' } },
    { transitions: { ...sound.transitions, moves: { open: ['gone'] } } },
    { transitions: { ...sound.transitions, readOnly: ['gone'] } },
    { transitions: { ...sound.transitions, permissions: { gone: 'x.y' } } },
    { transitions: { ...sound.transitions, times: { done: 'done_at' } } },
    { transitions: { ...sound.transitions, initial: "o'", moves: { "o'": [] } } },
    { transitions: { ...sound.transitions, body: { to: Type.Optional(Type.String()) } } },
    { transitions: { ...sound.transitions, body: { comment: Type.String() } } },
    { links: { ...sound.links, field: 'title' } },
    { links: { ...sound.links, owner: 'y; drop' } },
    { links: { ...sound.links, permission: 'card.x_y' }, card: { field: 'title', permission: 'card.x_y' } },
    { hidden: ['title'] },
    { derived: ['nothing'] },
    { columns: { state: 'a"' } },
    { reads: { n: '1' } },
    { reference: () => 'x' },
    { bulk: { member: 'ref' } },
  ])
    t.throws(() => resource({ ...sound, ...wrong } as unknown as typeof sound), JSON.stringify(wrong));
});
