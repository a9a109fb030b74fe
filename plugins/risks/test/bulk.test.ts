import pg from 'pg';
import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, until } from '../../../test/support/app.js';
import type { BulkView } from '../register/schemas.js';
import type { RiskView } from '../register/schemas.js';

const { database, origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const [member, architect] = [await makeUser(admin, 'member'), await makeUser(admin, 'architect')];
const shop = (await admin.api.post('/cards', { type: 'Application', name: 'Shop' })).body.id;
const NOWHERE = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
const risk = (title: string, more: object = {}) => ({ title, category: 'security', ...more });
const bulk = (body: object, by = architect, query: Record<string, string> = {}) =>
  by.api.post<BulkView & { code: string; errors: { field: string }[] }>('/risks/bulk', body, { query });
const count = async (table = 'risks_register') =>
  (await sql<{ n: number }>(database, `select count(*)::int as n from ${table}`))[0]!.n;
const last = async () => (await sql<{ last: number }>(database, 'select last from risks_counter'))[0]!.last;

t.test('all kinds of operations in one call, and what was made in it by ref', async (t) => {
  const kept = (await member.api.post<RiskView>('/risks', risk('Kept'))).body;
  const gone = (await member.api.post<RiskView>('/risks', risk('Gone'))).body;
  const answer = await bulk({
    operations: [
      {
        op: 'create',
        ref: 'new',
        risk: risk('New', {
          initial_probability: 'high',
          initial_impact: 'high',
          cards: [{ card_id: shop, role: 'affected' }],
        }),
      },
      { op: 'transition', ref: 'new', to: 'analysed', comment: 'In the same call' },
      { op: 'update', ref: 'new', risk: { description: 'Told later', cards: [] } },
      { op: 'update', id: kept.id.toUpperCase(), version: 1, risk: { title: 'Kept', category: 'financial' } },
      { op: 'transition', id: kept.id, to: 'accepted', rationale: 'x', expires_on: '2999-01-01' },
      { op: 'update', id: kept.id, risk: { title: 'Kept' } },
      { op: 'delete', id: gone.id, version: 1 },
      { op: 'create', ref: 'brief', risk: risk('Brief') },
      { op: 'delete', ref: 'brief' },
    ],
  });
  t.equal(answer.status, 200, JSON.stringify(answer.body));
  t.strictSame(
    answer.body.results.map(({ outcome, version }) => [outcome, version]),
    [
      ['created', 1],
      ['transitioned', 2],
      ['updated', 3],
      ['updated', 2],
      ['transitioned', 3],
      ['unchanged', 3],
      ['deleted', 1],
      ['created', 1],
      ['deleted', 1],
    ],
  );
  t.strictSame(answer.body.summary, { created: 2, transitioned: 2, updated: 2, unchanged: 1, deleted: 2 });
  const made = (await member.api.get<RiskView>(`/risks/${answer.body.results[0]!.id}`)).body;
  t.match(made, {
    title: 'New',
    status: 'analysed',
    description: 'Told later',
    initial_level: 'high',
    version: 3,
    reference: answer.body.results[0]!.reference,
  });
  t.strictSame(made.cards, []);
  t.match((await member.api.get(`/risks/${kept.id}`)).body, { category: 'financial', status: 'accepted', version: 3 });
  t.equal((await member.api.get(`/risks/${gone.id}`)).status, 404);
  const events = (await admin.api.get('/events', { query: { type: 'risks.' } })).body.items.slice(0, 8).reverse();
  t.strictSame(
    events.map((e) => e.type),
    [
      'risks.created',
      'risks.transitioned',
      'risks.updated',
      'risks.updated',
      'risks.transitioned',
      'risks.deleted',
      'risks.created',
      'risks.deleted',
    ],
  );
  t.ok(events.every((e) => e['change_id'] === answer.body.change_id));
  t.equal(await last(), 4, 'what is made and gone in one call has had its number too');
});

t.test('all or nothing: one that fails undoes all, and every fault is named', async (t) => {
  const [before, number] = [await count(), await last()];
  const { id } = (await member.api.post<RiskView>('/risks', risk('Here'))).body;
  const answer = await bulk({
    operations: [
      { op: 'create', risk: risk('Sound') },
      { op: 'create', risk: { title: 'x', owner_id: NOWHERE, cards: [{ card_id: NOWHERE, role: 'affected' }] } },
      { op: 'update', id: NOWHERE, risk: { title: 'x' } },
      { op: 'update', id, version: 7, risk: { title: 'x' } },
      { op: 'transition', id, to: 'closed' },
      { op: 'transition', id, to: 'accepted' },
      { op: 'delete', ref: 'nothing' },
      { op: 'delete', id, to: 'closed' },
      { op: 'update', id },
      { op: 'transition', id },
      { op: 'delete' },
    ],
  });
  t.match(answer, { status: 422, body: { code: 'validation_failed' } });
  t.strictSame(
    answer.body.errors.map((e) => e.field),
    [
      '/operations/1/risk/category',
      '/operations/1/risk/cards/0/card_id',
      '/operations/1/risk/owner_id',
      '/operations/2',
      '/operations/3/version',
      '/operations/4',
      '/operations/5/rationale',
      '/operations/5/expires_on',
      '/operations/6/ref',
      '/operations/7/to',
      '/operations/8/risk',
      '/operations/9/to',
      '/operations/10/id',
    ],
  );
  t.strictSame(
    answer.body.results.map((r) => r.code),
    [
      'validation_failed',
      'not_found',
      'precondition_failed',
      'risks_move_refused',
      'validation_failed',
      'validation_failed',
      'validation_failed',
      'validation_failed',
      'validation_failed',
      'validation_failed',
    ],
  );
  t.equal(await count(), before + 1);
  t.equal(await last(), number + 1);
});

t.test('per row: the sound ones are stored', async (t) => {
  const before = await count();
  const answer = await bulk(
    {
      mode: 'per_row',
      operations: [
        { op: 'create', ref: 'a', risk: risk('Sound') },
        { op: 'create', risk: { title: 'x' } },
        { op: 'transition', ref: 'a', to: 'monitoring' },
        { op: 'transition', ref: 'a', to: 'analysed' },
      ],
    },
    member,
  );
  t.match(answer, {
    status: 200,
    body: {
      summary: { created: 1, transitioned: 1, failed: 2 },
      results: [
        { outcome: 'created' },
        { outcome: 'failed' },
        { outcome: 'failed', code: 'risks_move_refused' },
        { outcome: 'transitioned', version: 2 },
      ],
    },
  });
  t.equal(await count(), before + 1);
  t.match(
    (
      await bulk(
        {
          mode: 'per_row',
          operations: [
            {
              op: 'transition',
              id: answer.body.results[0]!.id,
              to: 'accepted',
              rationale: 'x',
              expires_on: '2999-01-01',
            },
          ],
        },
        member,
      )
    ).body,
    { results: [{ outcome: 'failed', code: 'forbidden' }] },
  );
});

t.test('a dry run returns all results and stores nothing', async (t) => {
  const [before, number] = [await count(), await last()];
  const events = async () =>
    (
      await sql<{ n: number }>(
        database,
        'select (select count(*) from event_outbox)::int + (select count(*) from events)::int as n',
      )
    )[0]!.n;
  const said = await events();
  for (const mode of ['all_or_nothing', 'per_row']) {
    const answer = await bulk(
      {
        mode,
        operations: [
          { op: 'create', risk: risk('Dry') },
          { op: 'create', risk: { title: 'x' } },
        ],
      },
      architect,
      { dry_run: 'true' },
    );
    t.match(answer, { status: 200, body: { summary: { created: 1, failed: 1 } } }, mode);
  }
  t.strictSame([await count(), await last(), await events()], [before, number, said]);
});

t.test('an Idempotency-Key gives the outcome back', async (t) => {
  const before = await count();
  const body = { operations: [{ op: 'create', risk: risk('Once') }] };
  const [first, second] = [
    await architect.api.post('/risks/bulk', body, { headers: { 'idempotency-key': 'bulk' } }),
    await architect.api.post('/risks/bulk', body, { headers: { 'idempotency-key': 'bulk' } }),
  ];
  t.strictSame(second.body, first.body);
  t.equal(await count(), before + 1);
});

t.test('thousands in one call', async (t) => {
  const operations = Array.from({ length: 3_000 }, (_, i) => ({
    op: 'create',
    risk: risk(`R${i}`, { cards: [{ card_id: shop, role: 'affected' }] }),
  }));
  const many = await bulk({ operations });
  t.match(many.body, { summary: { created: 3_000 } });
  t.match(
    (await bulk({ operations: many.body.results.map(({ id }) => ({ op: 'transition', id, to: 'analysed' })) })).body,
    { summary: { transitioned: 3_000 } },
  );
});

t.test('a card deleted between the check and the write fails only its own row', async (t) => {
  const going = (await admin.api.post('/cards', { type: 'Application', name: 'Going' })).body.id;
  const operations = [0, 1, 2, 3, 4].map((i) => ({
    op: 'create',
    ref: `r${i}`,
    risk: risk(`G${i}`, { cards: [{ card_id: i === 3 ? going : shop, role: 'affected' }] }),
  }));
  const number = await last();
  const other = new pg.Client(database);
  await other.connect();
  try {
    await other.query('begin');
    await other.query('delete from cards where id = $1', [going]);
    const asked = bulk({
      mode: 'per_row',
      operations: [...operations, { op: 'transition', ref: 'r4', to: 'analysed' }],
    });
    await until(
      async () =>
        (
          await sql<{ n: number }>(
            database,
            `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%risks_cards%'`,
          )
        )[0]!.n > 0,
    );
    await other.query('commit');
    const { status, body } = await asked;
    t.equal(status, 200);
    t.match(body, {
      summary: { created: 4, failed: 1, transitioned: 1 },
      results: [{}, {}, {}, { outcome: 'failed' }, { outcome: 'created' }, { outcome: 'transitioned', version: 2 }],
    });
  } finally {
    await other.end();
  }
  t.equal(await last(), number + 4, 'and no number is lost');
});

t.test('what is no bulk', async (t) => {
  for (const body of [
    {},
    { operations: [] },
    { operations: [{ op: 'destroy' }] },
    { operations: [{ op: 'create', risk: risk('x'), extra: 1 }] },
    { mode: 'some', operations: [{ op: 'delete', id: NOWHERE }] },
    { operations: [{ op: 'create', risk: risk('a\0b') }] },
  ]) {
    t.equal((await bulk(body)).status, 422, JSON.stringify(body));
  }
});
