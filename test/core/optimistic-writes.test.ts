/**
 * Single writes read without a lock and write if the row is still the one they read. Each test changes the row between
 * both steps: another transaction changes it, the request waits for that transaction, and finds the change.
 */
import pg from 'pg';
import t from 'tap';
import { lockWaiters, registerAdmin, testApp, until, type AnyBody } from '../support/app.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const { api } = await registerAdmin(origin);

let n = 0;
const make = async (more: object = {}): Promise<AnyBody> =>
  (await api.post('/cards', { type: 'TechCategory', name: `Card ${++n}`, ...more })).body;

/** Sends requests while another transaction holds its changes, and commits when all requests wait for it. */
async function contend<T>(change: (rival: pg.Client) => Promise<unknown>, ...requests: (() => Promise<T>)[]) {
  const rival = new pg.Client(database);
  await rival.connect();
  try {
    await rival.query('begin');
    await change(rival);
    const pending = Promise.all(requests.map((send) => send()));
    await until(async () => (await lockWaiters(database)) >= requests.length);
    await rival.query('commit');
    return await pending;
  } finally {
    await rival.end();
  }
}

await t.test('a card whose ancestor moves while its description changes keeps its new path', async (t) => {
  const [home, top] = [await make(), await make()];
  const card = await make({ parent_id: top.id });
  const [answer] = await contend(
    async (rival) => {
      await rival.query('update cards set parent_id = $2, path_ids = array[$2]::uuid[] where id = $1', [
        top.id,
        home.id,
      ]);
      await rival.query('update cards set path_ids = array[$2, $3]::uuid[] where id = $1', [card.id, home.id, top.id]);
    },
    () => api.patch(`/cards/${card.id}`, { description: 'ours' }),
  );
  t.match(answer, { status: 200, body: { description: 'ours', path: [home.name, top.name], level: 3 } });
  t.match((await api.get(`/cards/${card.id}`)).body, { path: [home.name, top.name], level: 3 });
});
