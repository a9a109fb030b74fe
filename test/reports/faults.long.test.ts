/** Reports when nodes are killed, and on two nodes: figures of a day, drawings, and answers that are kept. */
import pg from 'pg';
import t from 'tap';
import {
  client,
  createDatabase,
  expectStatus,
  makeUser,
  registerAdmin,
  sql,
  testApp,
  until,
  type Session,
} from '../support/app.js';
import { Nodes } from '../support/nodes.js';

const WAIT_MS = 60_000;

await t.test('figures of a day are complete after nodes were killed, and taken once by two nodes', async (t) => {
  const database = await createDatabase();
  const nodes = await Nodes.start(2, database);
  t.teardown(() => nodes.stop());
  const { token } = await registerAdmin(nodes.origin(0));
  const api = (n: number) => client(nodes.origin(n), token);
  const counts = { Application: 3, ITComponent: 2 };
  const ids: string[] = [];
  for (const [type, count] of Object.entries(counts))
    for (let n = 0; n < count; n++)
      ids.push(expectStatus(await api(0).post('/cards', { type, name: `${type} ${n}` }), 201, type).body.id as string);
  const relation = { type: 'applicationToITComponent', source_id: ids[0], target_id: ids[3] };
  expectStatus(await api(0).post('/relations', relation), 201, 'a relation');

  const jobs = async () =>
    await sql<{ state: string; attempts: number }>(
      database,
      `select state, attempts from jobs where type = 'reports.snapshot' order by created_at`,
    );
  const stored = async () =>
    await sql<{ type: string; total: number }>(
      database,
      `select type, total from reports_snapshots where day = (now() at time zone 'utc')::date and total > 0 order by type`,
    );
  const expected = Object.entries(counts).map(([type, total]) => ({ type, total }));
  const before = (await jobs()).length;

  // The job waits for this lock when its figures are to be stored, at which moment all nodes are killed.
  const lock = new pg.Client({ ...database });
  await lock.connect();
  t.teardown(() => lock.end());
  await lock.query('begin; lock table reports_snapshots in access exclusive mode');
  expectStatus(await api(0).post('/settings/jobs/schedules/reports.snapshot/run', {}), 202, 'running the schedule');
  const isWaiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%reports_snapshots%' and datname = current_database()`;
  await until(async () => (await sql(database, isWaiting)).length > 0, WAIT_MS);
  for (const n of [0, 1]) await nodes.kill(n);
  await lock.query('rollback');
  await until(async () => (await jobs())[before]?.state === 'done', WAIT_MS);
  // A node may have claimed it between the two kills.
  t.ok((await jobs())[before]!.attempts >= 2, 'the job ran again after the first attempt was killed');
  t.same(await stored(), expected, 'one row for each type');

  // Both nodes find at their start that the schedule was missed.
  await sql(database, `delete from cron_slots where job = 'reports.snapshot'`);
  await sql(
    database,
    `insert into cron_slots (job, slot, ran) values ('reports.snapshot', now() - interval '3 hours', false)`,
  );
  await Promise.all([0, 1].map((n) => nodes.kill(n)));
  await until(async () => (await jobs())[before + 1]?.state === 'done', WAIT_MS);
  t.equal((await jobs()).length, before + 2, 'one job for both nodes');
  t.same(await stored(), expected);

  // Nothing is left of a drawing whose node was killed.
  const draw = () => api(0).get<string>('/reports/dependencies', { query: { card_id: ids[0]!, format: 'svg' } });
  const drawing = draw().catch(() => undefined);
  await nodes.kill(0);
  await drawing;
  const { status, body } = await draw();
  t.equal(status, 200);
  t.match(String(body), /^<svg /);
});

await t.test('kept dashboards of two nodes never show a type that was hidden', async (t) => {
  const MANY = 50_001;
  const one = await testApp();
  t.teardown(one.close);
  const admin = await registerAdmin(one.origin);
  const seen = ['cards.view', 'relations.view', 'reports.view'];
  const role = { key: 'reader', label: 'Reader', permissions: seen };
  expectStatus(await admin.api.post('/roles', role), 201, 'a role');
  const reader: Session = await makeUser(admin, 'reader');
  await sql(
    one.database,
    `with c as (insert into cards (id, type, name, name_key, search_name, search_text, created_at)
      select gen_random_uuid(), case when i % 10 = 0 then 'ITComponent' else 'Application' end, 'A ' || i, 'a ' || i, '', '', now() from generate_series(1, ${MANY + 10_000}) i returning *)
    insert into card_contents (id, type, status, name_key, updated_at, version) select id, type, status, name_key, created_at, 1 from c`,
  );
  const two = await testApp({ database: one.database });
  t.teardown(two.close);
  const types = async (origin: string): Promise<string[]> => {
    const { status, body } = await client(origin, reader.token).get('/reports/dashboard');
    t.equal(status, 200);
    return (body['by_type'] as { type: string }[]).map(({ type }) => type);
  };
  const all = ['Application', 'ITComponent'];
  for (const origin of [one.origin, two.origin]) for (let n = 0; n < 2; n++) t.same(await types(origin), all);
  const rules = (isSeen: boolean) => ({ types: { ITComponent: isSeen ? null : { 'cards.view': false } } });
  expectStatus(await admin.api.patch('/roles/reader', rules(false)), 200, 'hiding a type');
  t.same(await types(one.origin), ['Application'], 'the node that made the change');
  // The other node is told of the change, within a second.
  await until(async () => (await types(two.origin)).length === 1, 2_000);
  for (let n = 0; n < 5; n++)
    for (const origin of [one.origin, two.origin]) t.same(await types(origin), ['Application']);
  expectStatus(await admin.api.patch('/roles/reader', rules(true)), 200, 'showing it again');
  for (const origin of [one.origin, two.origin]) await until(async () => (await types(origin)).length === 2, 2_000);
});
