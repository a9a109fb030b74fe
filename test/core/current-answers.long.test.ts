/** Pages, totals and facets are current at the time of the request, after changes on any node. */
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import t, { type Test } from 'tap';
import { expectStatus, makeUser, registerAdmin, sql, testApp, until, type AnyBody } from '../support/app.js';

const one = await testApp();
t.teardown(one.close);
const two = await testApp({ database: one.database });
t.teardown(two.close);
const admin = await registerAdmin(one.origin);
const { api } = admin;

const CARDS = 800;
const made = expectStatus(
  await api.post('/cards/bulk', {
    operations: Array.from({ length: CARDS }, (_, n) => ({
      op: 'create',
      card: {
        type: n % 7 === 0 ? 'Interface' : 'Application',
        name: `Ledger ${n}`,
        ...(n % 7 !== 0 && { attributes: { numberOfUsers: n } }),
      },
    })),
  }),
  200,
  'the cards',
).body.results as { id: string }[];
const app = made[1]!.id;
const other = made[7]!.id;

const group = expectStatus(await api.post('/metamodel/tag-groups', { name: 'Colours' }), 201, 'a group of tags').body;
const tag = expectStatus(await api.post(`/metamodel/tag-groups/${group.id}/tags`, { name: 'Blue' }), 201, 'a tag').body;

const FACETS = '/cards/facets?search=ledger';
const TYPED = '/cards?type=Application&search=ledger&page_size=5';
const RANGE = '/cards?type=Application&attributes.numberOfUsers%5Bgte%5D=10';
const TYPE_FACETS = '/cards/facets?type=Application';
const ALL_FACETS = '/cards/facets?status=ACTIVE,ARCHIVED';
const QUESTIONS = [
  '/cards?search=ledger&page_size=5',
  '/cards?search=ledger&page_size=5&page=3',
  '/cards?search=ledger&sort_by=relevance',
  '/cards?search=ledger&total=exact&sort_by=updated_at&sort_dir=desc',
  TYPED,
  RANGE,
  `${RANGE}&search=ledger&page=2`,
  '/cards?type=Application&sort_by=attributes.numberOfUsers&page=3',
  FACETS,
  TYPE_FACETS,
  ALL_FACETS,
  '/cards?type=Application&search=ledger&sort_by=attributes.numberOfUsers',
  '/cards?search=ledger&page_size=100&sort_by=subtype',
];

const askOn = async (origin: string, path: string, token = admin.token): Promise<AnyBody> => {
  const answer = await fetch(`${origin}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
  if (answer.status !== 200) throw new Error(`${path} gave ${answer.status}`);
  return (await answer.json()) as AnyBody;
};
let asked = 0;
/** The same query with another spelling, so that no cached answer is used. */
const afresh = (path: string): Promise<AnyBody> =>
  askOn(
    one.origin,
    `${path}&updated_since=1970-01-01T00:00:${String(asked++ % 60).padStart(2, '0')}.${String(asked).padStart(6, '0')}Z`,
  );
/** An answer without the members that differ by spelling and time: the cursor, and the time of facets. */
const answerOf = ({ next_cursor, computed_at: _at, ...rest }: AnyBody): object => ({
  ...rest,
  more: next_cursor !== null,
});

/** Sends every query to both nodes and compares the answers with those of the same queries in another spelling. */
async function bothAnswer(t: Test, what: string): Promise<void> {
  for (const path of QUESTIONS) {
    const truth = answerOf(await afresh(path));
    for (const { origin } of [two, one]) {
      const answer = answerOf(await askOn(origin, path));
      // Finding the differences of equal answers takes longer than the answers.
      if (isDeepStrictEqual(answer, truth)) t.pass(`${what}: ${path}`);
      else t.strictSame(answer, truth, `${what}: ${path}`);
    }
  }
}

await t.test('a cursor continues', async (t) => {
  const seen: string[] = [];
  for (let path = TYPED, cursor: string | null = ''; cursor !== null && seen.length < 30; ) {
    const page = await askOn(one.origin, path);
    seen.push(...(page.items as { id: string }[]).map(({ id }) => id));
    cursor = page.next_cursor as string | null;
    path = `${TYPED}&cursor=${cursor}`;
  }
  const whole = await askOn(one.origin, TYPED.replace('page_size=5', 'page_size=30'));
  t.same(
    seen,
    (whole.items as { id: string }[]).map(({ id }) => id),
  );
});

const CHANGES: [what: string, change: () => Promise<{ status: number }>][] = [
  [
    'a card is made',
    () => api.post('/cards', { type: 'Application', name: 'Ledger of the new', attributes: { numberOfUsers: 11 } }),
  ],
  ['a card is named otherwise', () => api.patch(`/cards/${app}`, { name: 'Journal' })],
  ['it has its name again', () => api.patch(`/cards/${app}`, { name: 'Ledger 1' })],
  ['a description', () => api.patch(`/cards/${app}`, { description: 'first of all' })],
  ['a value', () => api.patch(`/cards/${app}`, { attributes: { numberOfUsers: 5_000 } })],
  ['a choice', () => api.patch(`/cards/${app}`, { attributes: { businessCriticality: 'missionCritical' } })],
  ['an approval', () => api.post(`/cards/${other}/approval`, { action: 'approve' })],
  ['a tag', () => api.put(`/cards/${app}/tags`, { tag_ids: [tag.id] })],
  ['the name of a tag', () => api.patch(`/metamodel/tag-groups/${group.id}/tags/${tag.id}`, { name: 'Green' })],
  ['an archived card', () => api.post(`/cards/${app}/archive`)],
  ['a restored card', () => api.post(`/cards/${app}/restore`)],
  ['a deleted card', () => api.del(`/cards/${made[2]!.id}`)],
  [
    'many at once',
    () =>
      api.post('/cards/bulk', {
        operations: made.slice(10, 60).map(({ id }, n) => ({ op: 'update', id, card: { name: `Journal ${n}` } })),
      }),
  ],
];

for (const [what, change] of CHANGES) {
  await t.test(`${what}: immediately on both nodes`, async (t) => {
    const { status } = await change();
    t.ok(status < 300, `${status}`);
    await bothAnswer(t, what);
  });
}

/** Blocks the assignment of positions in the log. @returns a function that ends it */
async function holdLog(t: Test): Promise<() => Promise<unknown>> {
  const client = new pg.Client(one.database);
  await client.connect();
  t.teardown(() => client.end());
  await client.query('begin');
  await client.query('select from event_head for update');
  return () => client.query('rollback');
}

await t.test('several versions of a card that are not in the event log yet', async (t) => {
  const goOn = await holdLog(t);
  expectStatus(
    await api.post('/cards', { type: 'Application', name: 'Ledger that waits', attributes: { numberOfUsers: 12 } }),
    201,
    'a card',
  );
  await bothAnswer(t, 'a new card');
  t.same(
    await sql(one.database, `select count(*)::int as n from event_outbox where type = 'card.created'`),
    [{ n: 1 }],
    'its event has no position yet',
  );
  for (const [name, numberOfUsers] of [
    ['Journal of all', 3],
    ['Ledger 1', 11],
  ] as const) {
    expectStatus(await api.patch(`/cards/${app}`, { name, attributes: { numberOfUsers } }), 200, name);
    await bothAnswer(t, name);
  }
  await goOn();
});

await t.test('each reader gets an answer by the current permissions', async (t) => {
  const PRICED = 600;
  const VALUED = '/cards?type=Application&attributes.costTotalAnnual%5Bgte%5D=0';
  const role = expectStatus(
    await api.post('/roles', { key: 'half', label: 'Half', permissions: ['cards.view'] }),
    201,
    'a role',
  ).body.key as string;
  await sql(
    one.database,
    `with r as (update roles set types = '{"Interface": {"cards.view": false}}' where key = $1) update revisions set revision = revision + 1 where kind = 'permissions'`,
    [role],
  );
  const half = await makeUser(admin, role);
  const { total } = await askOn(one.origin, QUESTIONS[0]!);
  t.ok(
    await until(async () => (await askOn(one.origin, QUESTIONS[0]!, half.token)).total < total),
    'a reader with a hidden type',
  );
  expectStatus(
    await api.post('/cards/bulk', {
      operations: made
        .filter(({ id }, n) => n % 7 !== 0 && id !== made[2]!.id)
        .slice(-PRICED)
        .map(({ id }) => ({ op: 'update', id, card: { attributes: { costTotalAnnual: 7 } } })),
    }),
    200,
    'costs',
  );
  for (const time of ['first', 'second', 'third'])
    t.equal((await askOn(one.origin, VALUED)).total, PRICED, `the ${time} time`);
  t.equal((await askOn(one.origin, VALUED, half.token)).total, 0, 'a reader who sees no costs');
  const mine = (await askOn(one.origin, `${VALUED}&page_size=1`)).items[0]!.id as string;
  const named = expectStatus(
    await api.post(`/cards/${mine}/stakeholders`, { user_id: half.user.id, role: 'responsible' }),
    201,
    'a stakeholder',
  ).body;
  const priced = VALUED.replace('/cards', '/cards/facets');
  for (const { origin } of [one, two])
    for (const path of [VALUED, priced])
      t.equal((await askOn(origin, path, half.token)).total, 1, `by a role: ${path}`);
  t.equal((await api.del(`/cards/${mine}/stakeholders/${named.id}`)).status < 300, true);
  for (const { origin } of [one, two])
    for (const path of [VALUED, priced])
      t.equal((await askOn(origin, path, half.token)).total, 0, `without it: ${path}`);
});

await t.test('a response always includes changes committed before the request', async (t) => {
  const path = '/cards?search=ledger&total=exact&page_size=1';
  const base = (await askOn(one.origin, path)).total;
  const STEPS = 60;
  let begun = 0;
  let done = 0;
  const read = new Map<string, number>();
  const reader = async (origin: string): Promise<void> => {
    while (done < STEPS) {
      const from = base + done;
      const { total } = await askOn(origin, path);
      read.set(origin, (read.get(origin) ?? 0) + 1);
      if (total < from || total > base + begun) t.fail(`${total} is not among ${from} to ${base + begun}`);
    }
  };
  const writer = async (): Promise<void> => {
    for (let n = 0; n < STEPS; n++) {
      begun++;
      expectStatus(await api.post('/cards', { type: 'Platform', name: `Ledger in a race ${n}` }), 201, 'a card');
      done++;
      // In some rounds both nodes answer more often before the next card.
      const enough = new Map(read);
      if (n % 4 === 0)
        await until(() =>
          [one.origin, two.origin].every((origin) => (read.get(origin) ?? 0) > (enough.get(origin) ?? 0) + 8),
        );
    }
  };
  await Promise.all([writer(), reader(one.origin), reader(two.origin)]);
  t.ok(
    [...read.values()].every((n) => n > STEPS),
    `${[...read.values()].join(' and ')} answers`,
  );
});

await t.test('after each of many random changes', async (t) => {
  const alive = new Set(made.slice(100, 130).map(({ id }) => id));
  const archived = new Set<string>();
  // A linear congruential generator (Numerical Recipes, 2nd ed., 7.1): the same steps each time.
  let seed = 20_261_121;
  const below = (n: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * n);
  };
  const anyOf = (ids: Set<string>): string => [...ids][below(ids.size)]!;
  const STEPS: [what: string, step: () => Promise<{ status: number; body: AnyBody }>][] = [
    [
      'made',
      async () => {
        const answer = await api.post('/cards', {
          type: ['Application', 'Interface', 'Objective'][below(3)],
          name: `${['Ledger', 'Journal'][below(2)]} ${below(1e9)}`,
          description: below(2) ? 'a ledger' : null,
        });
        alive.add(answer.body.id as string);
        return answer;
      },
    ],
    [
      'named',
      () =>
        api.patch(`/cards/${anyOf(alive)}`, {
          name: `${['Ledger', 'Journal', 'Subledger', 'LEDGÉR'][below(4)]} ${below(1e9)}`,
        }),
    ],
    [
      'described',
      () => api.patch(`/cards/${anyOf(alive)}`, { description: [null, 'of the ledger', 'of the journal'][below(3)] }),
    ],
    [
      'approved',
      () =>
        api.post(`/cards/${anyOf(alive)}/approval`, { action: (['approve', 'reject', 'reset'] as const)[below(3)] }),
    ],
    [
      'archived',
      async () => {
        const id = anyOf(alive);
        alive.delete(id);
        archived.add(id);
        return api.post(`/cards/${id}/archive`);
      },
    ],
    [
      'restored',
      async () => {
        const id = anyOf(archived);
        archived.delete(id);
        alive.add(id);
        return api.post(`/cards/${id}/restore`);
      },
    ],
    [
      'deleted',
      async () => {
        const id = anyOf(alive);
        alive.delete(id);
        return api.del(`/cards/${id}`);
      },
    ],
  ];
  const ROUNDS = 6;
  for (let n = 0; n < ROUNDS; n++) {
    for (let several = below(3); several >= 0; several--) {
      const [what, step] = STEPS[below(STEPS.length - (below(4) ? 1 : 0))]!;
      if (what === 'restored' && archived.size === 0) continue;
      const { status } = await step();
      t.ok(status < 300 || (what === 'approved' && status === 409), `${n}: ${what} ${status}`);
    }
    await bothAnswer(t, `round ${n}`);
  }
});
