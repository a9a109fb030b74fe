/** The rows read by the statement that numbers events: their number must not grow with the queue. */
import type pg from 'pg';
import t from 'tap';
import { Database } from '../../core/foundation/db/database.js';
import { SequencerSession } from '../../core/messaging/events/sequencer-repository.js';
import { createDatabase, sql } from '../support/app.js';

const BATCH = 200;
const QUEUE = 4_000;

interface PlanNode {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: PlanNode[];
}

/** The number of rows that all nodes of a plan returned or filtered, over all loops. */
function rowsOf(node: PlanNode): number {
  const own =
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)) *
    node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), own);
}

/** Gives access to the session of the sequencer, with its settings and plans. */
class Observed extends Database {
  client!: pg.Client;

  override async dedicated(name: string): Promise<pg.Client> {
    return (this.client = await super.dedicated(name));
  }
}

const connection = await createDatabase();
// Statistics of an empty table, as a queue often has: the planner then assumes that joins are cheap.
await sql(connection, 'vacuum (analyze) event_outbox');
const database = new Observed({ connection, max: 1 });
const session = await SequencerSession.open(database);
t.teardown(async () => {
  await session.close();
  await database.close();
});

/** Moves a batch with the statement of the session and rolls it back. @returns the number of rows read */
async function rowsOfBatch(limit: number): Promise<number> {
  const { client } = database;
  await client.query('begin');
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, timing off, format json) execute "sequencer-move"(0, ${limit})`,
  );
  const [{ n }] = (await client.query<{ n: number }>('select count(*)::int as n from event_outbox')).rows as [
    { n: number },
  ];
  t.equal(n, QUEUE - limit, `${limit} rows were taken`);
  await client.query('rollback');
  return rowsOf(rows[0]!['QUERY PLAN'][0].Plan);
}

await t.test('the number of rows read by a batch does not depend on the length of the queue', async (t) => {
  await session.ensureRoom(0, 1);
  // The plan is made while the queue is empty, as on a node that has just started.
  t.equal(await session.move(0, BATCH), 0);
  await sql(
    connection,
    `insert into event_outbox (type, occurred_at, origin, subject_kind, subject_id) select 'card.created', now(), 'api', 'card', n from generate_series(1, ${QUEUE}) n`,
  );
  for (const limit of [10, BATCH, 5 * BATCH]) {
    const rows = await rowsOfBatch(limit);
    t.ok(rows >= 2 * limit && rows <= 20 * limit + 50, `${rows} rows for ${limit}`);
  }
});

await t.test('the whole queue is moved, in order and without a gap', async (t) => {
  for (let head = 0; head < QUEUE; ) head += (await session.move(head, 5 * BATCH))!;
  const [moved] = await sql(
    connection,
    `select count(*)::int as n, min(position)::int as first, max(position)::int as last, bool_and(position = subject_id::bigint) as in_order from events`,
  );
  t.strictSame(moved, { n: QUEUE, first: 1, last: QUEUE, in_order: true });
  t.equal((await sql(connection, 'select from event_outbox')).length, 0);
});
