/**
 * The work of bulk requests grows with the number of operations, and not with its square: processor time of cascades over many trees, and
 * the number of statements if the database would refuse many rows. Runs in a process of its own: it measures processor time.
 */
import t from 'tap';
import { registerAdmin, testApp, threadTime, type AnyBody } from '../support/app.js';
import { watchStatements } from '../support/statements.js';

const watch = watchStatements();
const { origin, close } = await testApp();
t.teardown(close);
t.teardown(() => watch.stop());
const { api } = await registerAdmin(origin);
type Answer = AnyBody & { summary: Record<string, number>; results: { id: string; outcome: string }[] };
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const bulk = async (operations: object[], mode = 'all_or_nothing', path = '/cards/bulk'): Promise<Answer> => {
  const { status, body } = await api.post<Answer>(path, { mode, operations });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body).slice(0, 500)}`);
  return body;
};
let names = 0;
const create = async (type: string, parents: readonly (string | null)[]): Promise<string[]> => {
  const { results } = await bulk(
    parents.map((parent_id) => ({ op: 'create', card: { type, name: `Card ${++names}`, parent_id } })),
  );
  return results.map(({ id }) => id);
};
const roots = (n: number, type = 'BusinessCapability') =>
  create(
    type,
    times(n, () => null),
  );

for (const op of ['archive', 'delete'])
  await t.test(`${op} with a cascade over many trees`, async (t) => {
    const spent = async (n: number): Promise<number> => {
      const parents = await roots(n);
      await create('BusinessCapability', parents);
      const before = threadTime();
      await bulk(parents.map((id) => ({ op, id, child_strategy: 'cascade' })));
      return threadTime() - before;
    };
    await spent(500);
    const [few, many] = [await spent(500), await spent(4_000)];
    t.ok(many < 20 * few, `${few.toFixed(0)} ms for 500 trees, ${many.toFixed(0)} ms for 4,000`);
  });

/** @returns the statements of a bulk request with n operations */
const statements = async (work: () => Promise<Answer>): Promise<[number, Answer]> => {
  const { answer, statements: sent } = await watch.during(work);
  return [sent.length, answer];
};

await t.test('relations that exist already are refused together', async (t) => {
  const [sources, [target]] = [await roots(200, 'Application'), await roots(1)];
  const operations = sources.map((source_id) => ({
    op: 'create',
    type: 'applicationToBusinessCapability',
    source_id,
    target_id: target,
  }));
  await bulk(operations, 'per_row', '/relations/bulk');
  const [n, { summary }] = await statements(() => bulk(operations, 'per_row', '/relations/bulk'));
  t.strictSame(summary, { failed: 200 });
  t.ok(n < 60, `${n} statements`);
});

await t.test('moves that are too deep for what is below are refused together', async (t) => {
  await api.patch('/metamodel/types/BusinessCapability', { max_level: 5 });
  const cards = await roots(300);
  const operations = cards.slice(1).map((id, i) => ({ op: 'update', id, card: { parent_id: cards[i] } }));
  const [n, { summary }] = await statements(() => bulk(operations.reverse(), 'per_row'));
  t.ok(summary['failed']! >= 50 && summary['updated']! >= 50, JSON.stringify(summary));
  t.ok(n < 120, `${n} statements`);
});

await t.test('many operations name a card by the same name', async (t) => {
  const parents = await roots(300);
  await bulk(
    parents.map((parent_id) => ({ op: 'create', card: { type: 'BusinessCapability', name: 'Same', parent_id } })),
  );
  const { answer, statements: sent } = await watch.during(() =>
    bulk(
      parents.map((_, i) => ({
        op: 'create',
        card: { type: 'BusinessCapability', name: `Below ${i}`, parent: { type: 'BusinessCapability', name: 'Same' } },
      })),
      'per_row',
    ),
  );
  t.strictSame(answer.summary, { failed: 300 });
  const sought = sent.find(({ name }) => name === 'cards-placed')?.values[0] as string;
  t.equal((JSON.parse(sought) as unknown[]).length, 1, 'it is searched once');
});
