/** A search with more hits than are counted: its lower bound is cached for at most half a minute. */
import t from 'tap';
import { expectStatus, registerAdmin, testApp, until, type AnyBody } from '../support/app.js';

const HITS = 12_500;
const LEFT = 1_000;

const app = await testApp();
t.teardown(app.close);
const { api } = await registerAdmin(app.origin);
const ids: string[] = [];
for (let from = 0; from < HITS; from += 2_500) {
  const operations = Array.from({ length: 2_500 }, (_, n) => ({
    op: 'create',
    card: { type: 'Application', name: `Ledger ${from + n}` },
  }));
  ids.push(
    ...(
      expectStatus(await api.post('/cards/bulk', { operations }), 200, 'the cards').body.results as { id: string }[]
    ).map(({ id }) => id),
  );
}
const QUESTIONS = [
  '/cards?search=ledger&page_size=5',
  '/cards?search=ledger&page_size=5&sort_by=relevance',
  '/cards?search=ledger&page_size=5&page=3',
  '/cards?search=ledger&page_size=5&type=Application&sort_by=attributes.numberOfUsers',
];
const ask = async (path: string): Promise<AnyBody> => expectStatus(await api.get(path), 200, path).body;
const archive = async (from: number, to: number): Promise<void> => {
  for (let at = from; at < to; at += 2_500) {
    expectStatus(
      await api.post('/cards/bulk', {
        operations: ids.slice(at, Math.min(at + 2_500, to)).map((id) => ({ op: 'archive', id })),
      }),
      200,
      'archiving',
    );
  }
};

await t.test('cards that are archived one by one', async (t) => {
  for (const path of QUESTIONS) t.match(await ask(path), { total: 10_000, total_relation: 'gte' }, path);
  for (let n = 0; n < 3; n++) {
    await archive(n * 800, (n + 1) * 800);
    for (const path of QUESTIONS)
      t.match(await ask(path), { total: 10_000, total_relation: 'gte' }, `${path}: ${HITS - (n + 1) * 800} are left`);
  }
});

await t.test('most of them concurrently, with continuous requests', async (t) => {
  await archive(2_400, HITS - LEFT);
  for (const path of QUESTIONS) {
    // The lower bound is cached for half a minute after it was counted, also if it is requested meanwhile.
    const { total, total_relation } = await until(async () => {
      const page = await ask(path);
      return page.total_relation === 'eq' && page;
    }, 45_000);
    t.same([total, total_relation], [LEFT, 'eq'], path);
  }
});
