/** A supplier with thousands of cards of one name: read, shown and merged as a whole. */
import t from 'tap';
import { testApp, until, type AnyBody } from '@lintel/sdk/testing';
import module from '../index.js';

const app = await testApp({ module });
t.teardown(app.close);
const { admin } = app;
const PATH = app.prefix;
const architect = await app.asUser('architect');

const bulk = async (cards: readonly object[]): Promise<string[]> => {
  const ids: string[] = [];
  for (let i = 0; i < cards.length; i += 1_000) {
    const operations = cards.slice(i, i + 1_000).map((card) => ({ op: 'create', card }));
    const { status, body } = await admin.post('/cards/bulk', { operations });
    t.equal(status, 200, JSON.stringify(body).slice(0, 500));
    ids.push(...(body['results'] as { id: string }[]).map(({ id }) => id));
  }
  return ids;
};
const ended = async (id: unknown): Promise<AnyBody> =>
  await until(async () => {
    const { body } = await architect.get(`${PATH}/runs/${String(id)}`);
    return ['done', 'failed', 'cancelled'].includes(String(body['state'])) && body;
  }, 30_000);
const analyse = async (kind: string): Promise<void> => {
  const { body } = await architect.post(`${PATH}/${kind}/analyse`);
  t.match(await ended(body.id), { state: 'done' }, kind);
};
const suppliers = async (): Promise<AnyBody[]> => {
  const items: AnyBody[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { body, status } = await architect.get(`${PATH}/suppliers`, {
      query: { page_size: 200, ...(cursor && { cursor }) },
    });
    t.equal(status, 200, JSON.stringify(body).slice(0, 300));
    items.push(...body.items);
    cursor = body['next_cursor'] as string | null;
  }
  return items;
};
const named = async (name: string): Promise<string> =>
  String((await suppliers()).find((one) => one['name'] === name)!['id']);
const change = (id: string, body: object) => architect.patch(`${PATH}/suppliers/${id}`, body);

const n = 2_500;

t.test('a supplier of thousands of cards with one name is decided about as a whole', async (t) => {
  const [top] = await bulk([{ type: 'Provider', name: 'Top' }]);
  // The name of a card is unique below its parent: each has one of its own.
  const holders = await bulk(
    Array.from({ length: n }, (_, i) => ({ type: 'Provider', name: `Holder ${i} ${i * 7}`, parent_id: top })),
  );
  await bulk(holders.map((parent_id) => ({ type: 'Provider', name: 'Same Name Ltd', parent_id })));
  const began = performance.now();
  await analyse('suppliers');
  t.comment(`${Math.round(performance.now() - began)} ms for ${2 * n} cards`);
  const id = await named('Same Name Ltd');
  t.equal((await suppliers()).find((one) => one['id'] === id)!['cards'], n);
  const into = await named('Top');
  t.equal((await change(into, { merge: [id] })).status, 200);
  const after = await suppliers();
  t.equal(
    after.find((one) => one['id'] === id),
    undefined,
    'all of its cards have gone',
  );
  t.equal(after.find((one) => one['id'] === into)!['cards'], n + 1);
});
