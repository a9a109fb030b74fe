/** Schedules on two nodes: one run for each slot, and races of those who start, decide and end runs. */
import t from 'tap';
import type { Config } from '../../config/schema.js';
import { systemContext } from '../../core/foundation/context.js';
import { expectStatus, login, PASSWORD, registerAdmin, sql, testApp, until } from '../support/app.js';
import { SOURCE_FOLDER, SourceServer, Synchronisation, landscape } from './cmdbsync-support.js';

const SLOTS = 30;
const source = await new SourceServer().listen();
const config: Partial<Config> = { pluginsDir: SOURCE_FOLDER, outboundAllow: ['127.0.0.1'], logLevel: 'fatal' };
const one = await testApp({ config });
const { database } = one;
const two = await testApp({ config, database });
t.teardown(async () => {
  await Promise.all([one.close(), two.close()]);
  await source.close();
});
const admin = await registerAdmin(one.origin);
const other = await login(two.origin, admin.user.email, PASSWORD);
const { api } = admin;
const sync = await Synchronisation.make(database, admin, source.url);
const { table } = landscape(api, database, source);
/** What the schedule of the module does each minute, on both nodes at once. */
const minute = async (): Promise<void> => {
  const jobs = await Promise.all(
    [one, two].map(({ app }) => app.services.jobs.submit(systemContext('cron'), 'cmdbsync.schedule', {})),
  );
  await until(async () => {
    const rows = await sql<{ state: string }>(database, 'select state from jobs where id = any($1)', [jobs]);
    return rows.every(({ state }) => state === 'done');
  }, 20_000);
};

await t.test('two nodes start one run for each slot', async (t) => {
  const mapping = await sync.mapping({ table_name: table('slots', 3), schedule: '* * * * *' });
  for (let i = 0; i < SLOTS; i++) {
    // The clock: the next slot has just begun.
    await sql(
      database,
      `update cmdbsync_mappings set next_run_at = date_trunc('minute', now()) - $2 * interval '1 minute' where id = $1`,
      [mapping, SLOTS - i],
    );
    await minute();
    await until(async () => {
      const { body } = await api.get('/cmdbsync/runs', { query: { mapping_id: mapping } });
      return body.total === i + 1 && body.items.every(({ state }) => state === 'done');
    }, 20_000);
  }
  const runs = await sql<{ slot: Date; n: number }>(
    database,
    'select slot, count(*)::int as n from cmdbsync_runs where mapping_id = $1 group by slot',
    [mapping],
  );
  t.equal(runs.length, SLOTS, 'a run for each slot');
  t.ok(
    runs.every(({ n }) => n === 1),
    'and only one',
  );
  const [{ next_run_at }] = (await sql<{ next_run_at: Date }>(
    database,
    'select next_run_at from cmdbsync_mappings where id = $1',
    [mapping],
  )) as [{ next_run_at: Date }];
  t.ok(next_run_at.getTime() > Date.now() - 60_000, 'the next slot is the next minute');
});

await t.test('of 20 starts at once on two nodes one succeeds', async (t) => {
  const mapping = await sync.mapping({ table_name: table('starts', 3) });
  // The other system never answers.
  source.before = () => new Promise(() => undefined);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => [api, other.api][i % 2]!.post(`/cmdbsync/mappings/${mapping}/runs`, {})),
  );
  t.equal(answers.filter(({ status }) => status === 201).length, 1);
  t.ok(answers.every(({ status, body }) => status === 201 || (status === 409 && body.code === 'cmdbsync_run_active')));
  const run = answers.find(({ status }) => status === 201)!.body.id;
  await until(async () => (await api.get(`/cmdbsync/runs/${run}`)).body.state === 'reading');
  const key = { headers: { 'idempotency-key': `cancel-${run}` } };
  expectStatus(await other.api.post(`/cmdbsync/runs/${run}/cancel`, {}, key), 200, 'cancelled');
  const repeated = await other.api.post(`/cmdbsync/runs/${run}/cancel`, {}, key);
  t.match(repeated, { status: 200, body: { id: run, state: 'cancelled' } }, 'a repetition has the same answer');
  t.equal(repeated.headers.get('idempotent-replayed'), 'true');
  const [job] = await sql<{ job_id: string }>(database, 'select job_id from cmdbsync_runs where id = $1', [run]);
  await until(
    async () => (await sql(database, `select from jobs where id = $1 and state = 'done'`, [job!.job_id])).length > 0,
    10_000,
  );
  t.pass('its job does not wait for the other system');
  source.before = () => false;
  t.match(await sync.run(mapping), { state: 'done', counts: { create: 3 } }, 'after it was cancelled another one runs');
});

await t.test('decisions at once are taken once, and end with a run that is done', async (t) => {
  const mapping = await sync.mapping({ table_name: table('decisions', 20), auto_apply: false });
  const run = await sync.run(mapping);
  t.match(run, { state: 'review', counts: { create: 20 } });
  const records = await sync.records(run.id);
  const answers = await Promise.all(
    records.flatMap(({ id }) =>
      [api, other.api].map((by) => by.post(`/cmdbsync/records/${id}/resolve`, { take: 'create' })),
    ),
  );
  t.ok(
    answers.every(({ status }) => status === 200 || status === 409),
    'decided or refused',
  );
  t.equal(answers.filter(({ status }) => status === 200).length, 20, 'each record once');
  t.match(await sync.ended(run.id), { state: 'done', counts: { applied: 20 } });
});
