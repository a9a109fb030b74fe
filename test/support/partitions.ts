import { systemContext } from '../../core/foundation/context.js';
import { Database } from '../../core/foundation/db/database.js';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';
import { SequencerSession } from '../../core/messaging/events/sequencer-repository.js';
import { createDatabase, sql, until, type EventStream, type TestApp } from './app.js';

const OLD = `insert into event_outbox (type, occurred_at, origin, subject_kind, subject_id, data)
  select 'metamodel.noticed', clock_timestamp() - make_interval(days => $1), 'test', 'metamodel', 'old ' || n, '{}' from generate_series(1, $2) n`;
/** Inserts events into the outbox. @param days their age in days */
export const put = (at: DatabaseConnection, days: number, times = 1) => sql(at, OLD, [days, times]);
/** Partitions of the log with their bounds, in order. */
export const partitions = async (at: DatabaseConnection) =>
  (
    await sql<{ name: string; bound: string }>(
      at,
      `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where inhparent = 'events'::regclass order by substring(pg_get_expr(c.relpartbound, c.oid) from '\\d+')::bigint`,
    )
  ).map(({ name, bound }) => `${name} ${/(\d+).*?(\d+)/.exec(bound)!.slice(1).join('..')}`);
/** The last assigned position. */
export const head = async (at: DatabaseConnection): Promise<number> =>
  Number((await sql<{ position: string }>(at, 'select position from event_head'))[0]!.position);
/** All positions of the log in ascending order. */
export const logged = async (at: DatabaseConnection): Promise<number[]> =>
  (await sql<{ position: string }>(at, 'select position from events order by position')).map(({ position }) =>
    Number(position),
  );
/** `length` consecutive positions. */
export const from = (first: number, length: number): number[] => Array.from({ length }, (_, i) => first + i);
/** The positions that a stream has received so far. */
export const ids = (stream: EventStream): number[] => stream.events.map((e) => Number(e.id));
/** Runs the daily job. @returns its result */
export const retention = async ({ app, database }: TestApp): Promise<unknown> => {
  const id = await app.services.jobs.submit(systemContext('test'), 'events.retention', {});
  return await until(
    async () =>
      (
        await sql<{ state: string; result: unknown }>(database, 'select state, result from jobs where id = $1', [id])
      ).find(({ state }) => state === 'done')?.result,
    20_000,
  );
};

/** A database whose log has a partition of 1,000 events for each age in days, and an empty last one. */
export async function logOf(ages: readonly number[]): Promise<DatabaseConnection> {
  const connection = await createDatabase();
  const database = new Database({ connection, max: 1 });
  const session = await SequencerSession.open(database);
  let at = 0;
  await session.ensureRoom(at, 1);
  for (const days of ages) {
    await put(connection, days, 1_000);
    at += (await session.move(at, 1_000))!;
    if (!(await session.closeMonth(at)) || (await session.closeMonth(at))) throw new Error('a month is closed once');
  }
  await session.close();
  await database.close();
  return connection;
}
