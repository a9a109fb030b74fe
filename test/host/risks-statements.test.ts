/** The number of statements for risks does not depend on the number of rows. */
import t from 'tap';
import { expectStatus, registerAdmin, testApp } from '../support/app.js';
import { watchStatements } from '../support/statements.js';

interface Bulk {
  results: { id: string }[];
}

const watch = watchStatements();
const { origin, close } = await testApp();
t.teardown(close);
const { api, user } = await registerAdmin(origin);
const cards: string[] = [];
for (let i = 0; i < 40; i++)
  cards.push(expectStatus(await api.post('/cards', { type: 'Application', name: `App ${i}` }), 201, 'a card').body.id);
for (let i = 1; i < 40; i++)
  expectStatus(
    await api.post('/relations', { type: 'related', source_id: cards[0], target_id: cards[i] }),
    201,
    'a relation',
  );
const risk = (i: number, linked = 1) => ({
  title: `Risk ${i}`,
  category: 'security',
  owner_id: user.id,
  initial_probability: 'high',
  initial_impact: 'high',
  cards: cards.slice(0, linked).map((card_id) => ({ card_id, role: 'affected' })),
});
const made = expectStatus(
  await api.post<Bulk>('/risks/bulk', {
    operations: Array.from({ length: 120 }, (_, i) => ({ op: 'create', risk: risk(i, 1 + (i % 30)) })),
  }),
  200,
  'risks',
).body.results.map(({ id }) => id);
const [one, many] = [made[0]!, made[29]!];
for (const id of [one, many])
  for (let i = 0; i < (id === one ? 1 : 30); i++)
    expectStatus(
      await api.post(`/risks/${id}/mitigations`, { title: `m ${i}`, owner_id: user.id }),
      201,
      'a mitigation',
    );

/** The number of statements of a repeated read, because the first one may fill caches. */
async function statementsOfRead(path: string, query: Record<string, number> = {}): Promise<number> {
  expectStatus(await api.get(path, { query }), 200, path);
  return await statementsOf(() => api.get(path, { query }));
}

async function statementsOf(work: () => Promise<{ status: number }>): Promise<number> {
  const { answer, statements } = await watch.during(work);
  if (answer.status >= 300) throw new Error(`the request gave ${answer.status}`);
  return statements.length;
}

// Below a card one more statement checks that it is visible, whatever the module does.
for (const [path, most] of [
  ['/risks', 4],
  [`/cards/${cards[0]}/risks`, 5],
] as const) {
  t.test(`GET ${path.replace(/[0-9a-f-]{36}/, '{id}')}: independent of the length of the page`, async (t) => {
    const few = await statementsOfRead(path, { page_size: 1 });
    t.equal(await statementsOfRead(path, { page_size: 100 }), few);
    t.ok(few <= most, String(few));
  });
}

for (const path of ['', '/cards', '/mitigations', '/history', '/propagation?depth=2&direction=both']) {
  t.test(`GET /risks/{id}${path}: independent of the number of rows`, async (t) => {
    const few = await statementsOfRead(`/risks/${one}${path}`);
    t.equal(await statementsOfRead(`/risks/${many}${path}`), few);
  });
}

t.test('metrics and matrix', async (t) => {
  t.ok((await statementsOfRead('/risks/metrics')) <= 2);
  t.equal(await statementsOfRead('/risks/matrix'), 1);
});

t.test('POST /risks/bulk: the same number for 300 operations as for 2', async (t) => {
  const create = (n: number) =>
    api.post('/risks/bulk', { operations: Array.from({ length: n }, (_, i) => ({ op: 'create', risk: risk(i, 2) })) });
  t.equal(await statementsOf(() => create(300)), await statementsOf(() => create(2)));
  const move = (ids: readonly string[]) =>
    api.post('/risks/bulk', {
      mode: 'per_row',
      operations: ids.flatMap((id) => [
        { op: 'update', id, risk: { title: 'Renamed', cards: [] } },
        { op: 'transition', id, to: 'analysed' },
      ]),
    });
  t.equal(await statementsOf(() => move(made.slice(0, 60))), await statementsOf(() => move(made.slice(60, 61))));
  const remove = (ids: readonly string[]) =>
    api.post('/risks/bulk', { operations: ids.map((id) => ({ op: 'delete', id })) });
  t.equal(await statementsOf(() => remove(made.slice(0, 50))), await statementsOf(() => remove(made.slice(50, 51))));
});
