/** The answer to a write is what it wrote, also where another request deletes it before the answer is sent. */
import pg from 'pg';
import t from 'tap';
import { registerAdmin, sql, testApp, until } from '../support/app.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const { api } = await registerAdmin(origin);
const initiative = (await api.post('/cards', { type: 'Initiative', name: 'Move' })).body['id'] as string;
for (const id of ['adr', 'diagrams', 'ppm', 'reports', 'risks'])
  await api.patch(`/settings/modules/${id}`, { enabled: true });

async function session(): Promise<pg.Client> {
  const client = new pg.Client(database);
  await client.connect();
  t.teardown(() => client.end());
  return client;
}
const [holder, deleter] = [await session(), await session()];
const pidOf = async (client: pg.Client) =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid;
const deleterPid = await pidOf(deleter);
/** Waits until sessions wait for locks. */
const waiting = async (count: number, condition: string): Promise<unknown> =>
  await until(
    async () =>
      (
        await sql(
          database,
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and ${condition}`,
        )
      ).length >= count,
  );

/**
 * Sends a PATCH while its row is locked. Before it ends, another session waits for the table, and deletes the row as soon as the transaction of the
 * PATCH has ended: nobody can read the row in between.
 */
async function race(path: string, table: string, id: string, patch: Record<string, unknown>) {
  await holder.query(`begin; select from ${table} where id = '${id}' for update`);
  const answer = api.patch(`${path}/${id}`, patch);
  await waiting(1, `pid <> ${deleterPid}`);
  await deleter.query('begin');
  const deleted = deleter.query(
    `lock table ${table} in access exclusive mode; delete from ${table} where id = '${id}'; commit`,
  );
  await waiting(1, `pid = ${deleterPid}`);
  await holder.query('commit');
  await deleted;
  return await answer;
}

const CASES: [
  what: string,
  path: string,
  table: string,
  body: Record<string, unknown>,
  patch: Record<string, unknown>,
][] = [
  ['a resource of the SDK', '/risks', 'risks_register', { title: 'Fire', category: 'operational' }, { title: 'Flood' }],
  ['a decision', '/adr', 'adr_decisions', { title: 'Use it' }, { title: 'Avoid it' }],
  ['a diagram', '/diagrams', 'diagrams_diagrams', { name: 'Now' }, { name: 'Then' }],
  ['an item of a plan', `/ppm/initiatives/${initiative}/wbs`, 'ppm_wbs', { title: 'One' }, { title: 'Two' }],
];
for (const [what, path, table, body, patch] of CASES)
  await t.test(`${what} that is deleted right after it was changed`, async (t) => {
    const made = await api.post(path, body);
    t.equal(made.status, 201, JSON.stringify(made.body));
    const id = made.body['id'] as string;
    t.match(await race(path, table, id, patch), { status: 200, body: { id, version: 2, ...patch } });
    t.equal((await api.get(`${path}/${id}`)).status, 404);
  });
