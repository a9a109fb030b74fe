import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from './bench.js';

/** V8 collects the garbage of the start during this time. */
const SETTLE_MS = 45_000;
/** Time in a run that is too short for it. */
const SHORT_MS = 5_000;
const STATEMENTS = 8;
const PERCENT = 1;
const SHOWN = 8;
const TOP = `select left(regexp_replace(query, '\\s+', ' ', 'g'), 60) as query, calls::float8 as calls from pg_stat_statements order by calls desc limit ${SHOWN}`;

/** A node without clients: its statements and processor time, and those of PostgreSQL. */
export async function idle({ cpu, connect, scale: { seconds, limitSeconds }, add }: Bench): Promise<void> {
  await delay(limitSeconds > 60 ? SETTLE_MS : SHORT_MS);
  const length = Math.max(10, seconds * 10);
  const client = await connect();
  try {
    await client.query('select pg_stat_statements_reset()');
    const stop = cpu.start();
    await delay(length * 1_000);
    const use = stop();
    const { rows } = await client.query<{ query: string; calls: number }>(TOP);
    const [{ calls }] = (
      await client.query<{ calls: number }>(
        `select sum(calls)::float8 as calls from pg_stat_statements where query not like '%pg_stat_statements%'`,
      )
    ).rows as [{ calls: number }];
    add({
      work: 'idle: statements',
      figure: calls / length,
      unit: '/s',
      target: { text: `≤ ${STATEMENTS}`, holds: calls / length <= STATEMENTS },
      note: rows.map((row) => `${(row.calls / length).toFixed(1)} ${row.query}`).join('; '),
    });
    if (!use) return;
    const [node, postgres] = [use.node, use.postgres].map((micros) => micros / length / 10_000) as [number, number];
    add({
      work: 'idle: processor time',
      figure: node + postgres,
      unit: '% of a core',
      target: { text: `≤ ${PERCENT} %`, holds: node + postgres <= PERCENT },
      note: `service ${node.toFixed(2)} %, PostgreSQL ${postgres.toFixed(2)} %`,
    });
  } finally {
    await client.end();
  }
}
