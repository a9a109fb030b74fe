/**
 * The number of statements of a request. The numbers are part of the design: a change that needs another number must
 * change them here. `write-statements.test.ts` has those of single writes.
 */
import t from 'tap';
import { registerAdmin, testApp } from '../support/app.js';
import { watchStatements } from '../support/statements.js';

const watch = watchStatements();
const { origin, close } = await testApp();
t.teardown(close);
const { api } = await registerAdmin(origin);

/** Runs once to warm the caches, then counts. */
async function statementsOf(work: () => Promise<{ status: number }>, status: number): Promise<number> {
  await work();
  const { answer, statements } = await watch.during(work);
  t.equal(answer.status, status);
  return statements.length;
}

let n = 0;
const name = () => `Card ${++n}`;
const operations = (count: number) =>
  Array.from({ length: count }, () => ({ op: 'create', card: { type: 'Application', name: name() } }));
const parent = (await api.post('/cards', { type: 'Application', name: 'Parent' })).body;
await api.post('/cards/bulk', { operations: operations(300) });

await t.test('a list is one statement, regardless of the length of the page', async (t) => {
  for (const page_size of [1, 50, 200])
    t.equal(await statementsOf(() => api.get('/cards', { query: { page_size } }), 200), 1, `${page_size} rows`);
  t.equal(
    await statementsOf(
      () => api.get('/cards', { query: { type: 'Application', sort_by: 'updated_at', search: 'card' } }),
      200,
    ),
    1,
    'filtered, sorted, searched',
  );
});

await t.test('get is one statement', async (t) => {
  t.equal(await statementsOf(() => api.get(`/cards/${parent.id}`), 200), 1);
});

await t.test('create is one statement, which returns what it wrote', async (t) => {
  t.equal(await statementsOf(() => api.post('/cards', { type: 'Application', name: name() }), 201), 1);
});

await t.test('create below a parent adds one that reads the parent', async (t) => {
  t.equal(
    await statementsOf(() => api.post('/cards', { type: 'Application', name: name(), parent_id: parent.id }), 201),
    2,
  );
});

await t.test('bulk: the same number for 5 as for 500 operations', async (t) => {
  const few = await statementsOf(() => api.post('/cards/bulk', { operations: operations(5) }), 200);
  const many = await statementsOf(() => api.post('/cards/bulk', { operations: operations(500) }), 200);
  t.equal(many, few);
  t.equal(few, 4, 'begin, names, write, commit');
});

await t.test('relations: bulk and list do not grow with the rows', async (t) => {
  const cards = (await api.get('/cards', { query: { type: 'Application', page_size: 200 } })).body.items;
  const types = (from: number, to: number) =>
    cards.slice(from, to).map((c) => ({ op: 'upsert', type: 'related', source_id: parent.id, target_id: c.id }));
  const few = await statementsOf(() => api.post('/relations/bulk', { operations: types(0, 5) }), 200);
  const many = await statementsOf(() => api.post('/relations/bulk', { operations: types(0, 5) }), 200);
  t.equal(many, few);
  t.equal(await statementsOf(() => api.post('/relations/bulk', { operations: types(10, 150) }), 200), few);
  for (const page_size of [1, 100])
    t.equal(await statementsOf(() => api.get('/relations', { query: { page_size } }), 200), 1, `${page_size} rows`);
});
