import pg from 'pg';
import t from 'tap';
import { lockWaiters, registerAdmin, sql, testApp, until, type AnyBody } from '../support/app.js';

/** Bulk requests read cards without locks first. Cards that change before they are locked are processed again. */
const { origin, database, close } = await testApp();
t.teardown(close);
const { api } = await registerAdmin(origin);

let n = 0;
const key = () => `key-${++n}`;
const make = async (more: object = {}): Promise<AnyBody> =>
  (await api.post('/cards', { type: 'Application', name: `Card ${++n}`, ...more })).body;
const upsert = (card: AnyBody, more: object) => ({
  op: 'upsert',
  card: { type: 'Application', external_id: card.external_id, ...more },
});
const bulk = (operations: object[]) => api.post('/cards/bulk', { operations });
const outcomes = ({ body }: { body: AnyBody }): string[] =>
  (body.results as { outcome: string }[]).map((r) => r.outcome);

/** Runs `work` in a concurrent transaction, which is rolled back unless `work` commits. */
async function inOtherTransaction<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(database);
  await client.connect();
  try {
    await client.query('begin');
    return await work(client);
  } finally {
    await client.end();
  }
}
const untilLockWaiter = () => until(async () => (await lockWaiters(database)) > 0);
const CHANGE = `update card_contents set attributes = attributes || '{"productName": "theirs"}', version = version + 1 where id = $1`;

await t.test('unchanged cards are neither locked nor waited for', async (t) => {
  const [card, other] = [await make({ external_id: key(), description: 'same' }), await make()];
  const relation = { op: 'upsert', type: 'related', source_id: card.id, target_id: other.id };
  await api.post('/relations/bulk', { operations: [relation] });
  await inOtherTransaction(async (client) => {
    await client.query('select 1 from cards where id = $1 for update', [card.id]);
    await client.query('select 1 from relations where source_id = $1 for update', [card.id]);
    t.strictSame(outcomes(await bulk([upsert(card, { description: 'same' })])), ['unchanged']);
    t.strictSame(outcomes(await api.post('/relations/bulk', { operations: [relation] })), ['unchanged']);
  });
});

await t.test('a card that changes between reading and locking keeps both changes', async (t) => {
  const card = await make({ external_id: key() });
  const answer = await inOtherTransaction(async (client) => {
    await client.query(CHANGE, [card.id]);
    const pending = bulk([upsert(card, { description: 'ours' })]);
    await untilLockWaiter();
    await client.query('commit');
    return pending;
  });
  t.strictSame(outcomes(answer), ['updated']);
  t.match((await api.get(`/cards/${card.id}`)).body, {
    description: 'ours',
    attributes: { productName: 'theirs' },
    version: 3,
  });
});

await t.test('a version that was current when read and outdated when locked fails', async (t) => {
  const card = await make();
  const answer = await inOtherTransaction(async (client) => {
    await client.query(CHANGE, [card.id]);
    const pending = api.post('/cards/bulk', {
      mode: 'per_row',
      operations: [{ op: 'update', id: card.id, version: 1, card: { description: 'ours' } }],
    });
    await untilLockWaiter();
    await client.query('commit');
    return pending;
  });
  t.strictSame(outcomes(answer), ['failed']);
  t.equal((await api.get(`/cards/${card.id}`)).body.description, null);
});

await t.test('a parent archived between reading and locking gets no child', async (t) => {
  const parent = await make();
  const answer = await inOtherTransaction(async (client) => {
    await client.query(`update cards set status = 'ARCHIVED' where id = $1`, [parent.id]);
    await client.query('update card_contents set version = version + 1 where id = $1', [parent.id]);
    const pending = bulk([{ op: 'create', card: { type: 'Application', name: `Child ${++n}`, parent_id: parent.id } }]);
    await untilLockWaiter();
    await client.query('commit');
    return pending;
  });
  t.equal(answer.status, 422, JSON.stringify(answer.body));
  t.strictSame(await sql(database, 'select id from cards where parent_id = $1', [parent.id]), []);
});

await t.test('a relation that changes between reading and locking keeps both changes', async (t) => {
  const [source, target] = [await make(), await make()];
  const upsertRelation = (more: object) =>
    api.post('/relations/bulk', {
      operations: [{ op: 'upsert', type: 'related', source_id: source.id, target_id: target.id, ...more }],
    });
  await upsertRelation({});
  const answer = await inOtherTransaction(async (client) => {
    await client.query(`update relations set valid_from = '2026-01-01', version = version + 1 where source_id = $1`, [
      source.id,
    ]);
    const pending = upsertRelation({ description: 'ours' });
    await untilLockWaiter();
    await client.query('commit');
    return pending;
  });
  t.strictSame(outcomes(answer), ['updated']);
  t.match((await api.get('/relations', { query: { source_id: source.id } })).body.items[0], {
    description: 'ours',
    valid_from: '2026-01-01',
    version: 3,
  });
});
