import { setTimeout as delay } from 'node:timers/promises';
import { openStream } from '../support/stream.js';
import type { Bench } from './bench.js';
import { percentile } from './load.js';
import { fanOut, neverReading } from './section-fan-out.js';

const SSE_P50_MS = 10;
const SSE_P99_MS = 50;
const WAIT_MS = 5_000;
/** The pause between changes varies, so that they are not synchronous with polling. */
const pause = (n: number): Promise<void> => delay(20 + ((n * 7) % 40));

/** The event stream: latency of one change to one receiver and to many, and receivers that do not read. */
export async function sse(bench: Bench): Promise<void> {
  await latency(bench);
  await fanOut(bench);
  // It takes longer than a run of size S, because the service ends connections that do not read only after 15 s.
  if (bench.scale.limitSeconds > 60) await neverReading(bench);
}

/** Time from the request of a change to its arrival at a receiver of the event stream, one change at a time. */
async function latency(bench: Bench): Promise<void> {
  const {
    service: { origin },
    admin,
    scale: { samples },
    add,
  } = bench;
  const stream = await openStream(origin, admin.token, { query: { types: 'card.' } });
  const latencies: number[] = [];
  try {
    for (let n = 0; n < samples; n++) {
      await pause(n);
      const name = `Streamed ${n}`;
      const began = performance.now();
      const [event] = await Promise.all([
        stream
          .waitFor((e) => e.event === 'card.created' && JSON.stringify(e.data).includes(`"${name}"`), WAIT_MS)
          .then(() => performance.now()),
        admin.api.post('/cards', { type: 'Platform', name }),
      ]);
      latencies.push(event - began);
    }
  } finally {
    stream.close();
  }
  const notifier = await notifyLatencies(bench);
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
  const limit = (share: number) => ({ name: 'insert, commit, NOTIFY', value: percentile(notifier, share), unit: 'ms' });
  add(
    {
      work: 'change → SSE receiver, idle, p50',
      figure: p50,
      unit: 'ms',
      limit: limit(0.5),
      ratio: p50 / percentile(notifier, 0.5),
      target: { text: `≤ ${SSE_P50_MS} ms`, holds: p50 <= SSE_P50_MS },
      note: 'from sending the request',
    },
    {
      work: 'change → SSE receiver, idle, p99',
      figure: p99,
      unit: 'ms',
      limit: limit(0.99),
      ratio: p99 / percentile(notifier, 0.99),
      target: { text: `≤ ${SSE_P99_MS} ms`, holds: p99 <= SSE_P99_MS },
    },
  );
}

/** The limit, without the service: a row is committed, and a listener on another connection is notified. */
async function notifyLatencies({ connect, scale: { samples } }: Bench): Promise<number[]> {
  const [writer, listener] = [await connect(), await connect()];
  try {
    await writer.query('create table if not exists bench_notify (n integer)');
    await listener.query('listen bench');
    const latencies: number[] = [];
    for (let n = 0; n < samples; n++) {
      await pause(n);
      const notified = new Promise<number>((resolve) => {
        listener.once('notification', () => resolve(performance.now()));
      });
      const began = performance.now();
      await writer.query('insert into bench_notify values ($1)', [n]);
      await writer.query('notify bench');
      latencies.push((await notified) - began);
    }
    return latencies;
  } finally {
    await Promise.all([writer.end(), listener.end()]);
  }
}
