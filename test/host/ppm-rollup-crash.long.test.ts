/**
 * The service is killed after a change of a plan, before or while its card is written: the card gets the values within 10 s, by a node
 * that is started again or by another one.
 */
import pg from 'pg';
import t from 'tap';
import { client, createDatabase, expectStatus, makeUser, registerAdmin, sql, until } from '../support/app.js';
import { lockWaiters, urlOf } from '../support/database.js';
import { dataFolder, startService } from '../support/service.js';
import { Initiative } from '../../plugins/ppm/test/amount-support.js';

const KILLS = 6;
const LIMIT_MS = 10_000;
const SECRET = Buffer.alloc(32, 'crash').toString('base64');

const database = await createDatabase();
const folder = await dataFolder();
const start = () =>
  startService({ dataDir: folder.path, env: { DATABASE_URL: urlOf(database), LINTEL_SECRET_KEY: SECRET } });
let node = await start();
t.teardown(async () => {
  await node.stop();
  await folder.remove();
});
const admin = await registerAdmin(node.origin);
const member = await makeUser(admin, 'architect');
const plans = await Promise.all(['One', 'Two', 'Three'].map((name) => Initiative.make(member, name)));

t.test(`${KILLS} kills`, async (t) => {
  let budget = 0;
  let pending = 0;
  for (let round = 0; round < KILLS; round++) {
    const by = { ...member, api: client(node.origin, member.token) };
    const amount = 1_000 + round;
    // The last write may be less than five seconds ago: the next one is then queued for later.
    const answers = await Promise.all(plans.map((plan) => plan.budget(by, amount)));
    await node.kill9();
    t.strictSame(
      answers.map(({ status }) => status),
      [201, 201, 201],
    );
    budget += amount;
    const [left] = await sql<{ n: number }>(
      database,
      'select count(*)::int as n from ppm_plans where rollup_due_at is not null',
    );
    pending += left!.n;
    node = await start();
    const after = { ...member, api: client(node.origin, member.token) };
    const begin = performance.now();
    for (const plan of plans) {
      t.equal((await plan.figures(after))['budget'], budget, 'figures of the module are current at once');
      await plan.rolledUp(after, { costBudget: budget }, LIMIT_MS - (performance.now() - begin));
    }
    t.comment(`round ${round}: written ${Math.round(performance.now() - begin)} ms after the restart`);
  }
  t.ok(pending > KILLS, `${pending} writes were queued when the service was killed`);
  const rows = await until(async () => {
    const found = await sql<{ rolled_up: object; is_due: boolean }>(
      database,
      'select rolled_up, rollup_due_at is not null as is_due from ppm_plans',
    );
    return found.every(({ is_due }) => !is_due) && found;
  });
  t.strictSame(
    rows.map(({ rolled_up }) => rolled_up),
    plans.map(() => ({ costBudget: true })),
  );
});

t.test('a kill while the card is written', async (t) => {
  const holder = new pg.Client(database);
  await holder.connect();
  t.teardown(() => holder.end());
  let amount = 1e6;
  for (const by of ['another node', 'the same one, restarted']) {
    const plan = plans[0]!;
    const on = { ...member, api: client(node.origin, member.token) };
    const budget = (await plan.figures(on))['budget'] as number;
    await holder.query('begin');
    await holder.query('select from cards where id = $1 for no key update', [plan.id]);
    expectStatus(await plan.budget(on, ++amount), 201, 'a budget');
    await until(async () => (await lockWaiters(database)) >= 1, 20_000);
    const second = by === 'another node' ? await start() : undefined;
    const [running] = await sql<{ n: number }>(
      database,
      `select count(*)::int as n from jobs where type = 'ppm.roll_up' and state = 'running'`,
    );
    t.equal(running!.n, 1, 'the job is in its write');
    await node.kill9();
    await holder.query('rollback');
    let begin = performance.now();
    if (second) node = second;
    else {
      node = await start();
      // A start takes as long as the machine lets it.
      begin = performance.now();
    }
    const after = { ...member, api: client(node.origin, member.token) };
    await plan.rolledUp(after, { costBudget: budget + amount }, LIMIT_MS - (performance.now() - begin));
    t.comment(`${by}: written after ${Math.round(performance.now() - begin)} ms`);
  }
});
