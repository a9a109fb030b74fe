import { setTimeout as delay } from 'node:timers/promises';
import { openStream } from '../helper-stream.js';
import type { Bench } from './bench.js';
import { copyOut } from './copy.js';
import { watchMemory } from './cpu.js';
import { median, percentile } from './load.js';
import { short } from './report.js';
import { requestBytes, Wire } from './wire.js';

const SSE_P50_MS = 10;
const SSE_P99_MS = 50;
const WAIT_MS = 5_000;
/** The pause between changes varies, or they would keep step with whatever polls. */
const pause = (n: number): Promise<void> => delay(20 + (n * 7) % 40);
const EXPORT_SHARE = 0.7;
const EXPORT_MEGABYTES = 100;
const EXPORTS = 3;

/** From the moment a change is asked for until a receiver of the event stream has it, one at a time. */
export async function sse(bench: Bench): Promise<void> {
  const { service: { origin }, admin, scale: { samples }, add } = bench;
  const stream = await openStream(origin, admin.token, { query: { types: 'card.' } });
  const latencies: number[] = [];
  try {
    for (let n = 0; n < samples; n++) {
      await pause(n);
      const name = `Streamed ${n}`;
      const began = performance.now();
      const [event] = await Promise.all([
        stream.waitFor((e) => e.event === 'card.created' && JSON.stringify(e.data).includes(`"${name}"`), WAIT_MS).then(() => performance.now()),
        admin.api.post('/cards', { type: 'Platform', name }),
      ]);
      latencies.push(event - began);
    }
  } finally {
    stream.close();
  }
  const bell = await notifyLatencies(bench);
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
  const limit = (share: number) => ({ name: 'insert, commit, NOTIFY', value: percentile(bell, share), unit: 'ms' });
  add(
    { work: 'change → SSE receiver, idle, p50', figure: p50, unit: 'ms', limit: limit(0.5), ratio: p50 / percentile(bell, 0.5), target: { text: `≤ ${SSE_P50_MS} ms`, holds: p50 <= SSE_P50_MS }, note: 'from sending the request' },
    { work: 'change → SSE receiver, idle, p99', figure: p99, unit: 'ms', limit: limit(0.99), ratio: p99 / percentile(bell, 0.99), target: { text: `≤ ${SSE_P99_MS} ms`, holds: p99 <= SSE_P99_MS } },
  );
}

/** The same way without the service: a row is committed, and a listener on another connection is told. */
async function notifyLatencies({ connect, scale: { samples } }: Bench): Promise<number[]> {
  const [writer, listener] = [await connect(), await connect()];
  try {
    await writer.query('create table if not exists bench_notify (n integer)');
    await listener.query('listen bench');
    const latencies: number[] = [];
    for (let n = 0; n < samples; n++) {
      await pause(n);
      const told = new Promise<number>((resolve) => { listener.once('notification', () => resolve(performance.now())); });
      const began = performance.now();
      await writer.query('insert into bench_notify values ($1)', [n]);
      await writer.query('notify bench');
      latencies.push(await told - began);
    }
    return latencies;
  } finally {
    await Promise.all([writer.end(), listener.end()]);
  }
}

/** All active cards as NDJSON, against COPY of the same columns; both read and thrown away. */
export async function exported({ service: { port, pid }, connect, cpu, admin, add }: Bench): Promise<void> {
  const client = await connect();
  const wire = await Wire.open(port);
  try {
    const { rows: [count] } = await client.query<{ n: number }>(`select count(*)::int as n from cards where status = 'ACTIVE'`);
    const n = count!.n;
    const copy = `copy (select id, type, subtype, name, description, parent_id, path_ids, lifecycle, attributes, status, approval_status, data_quality, external_id,
      alias, created_by, updated_by, archived_at, created_at, updated_at, version from cards where status = 'ACTIVE') to stdout`;
    const request = requestBytes('GET', '/api/v1/cards/export', admin.token);
    const grown = watchMemory(pid);
    const [served, bare, bytes]: [number[], number[], number[]] = [[], [], []];
    const uses: { node: number; postgres: number }[] = [];
    for (let i = 0; i < EXPORTS; i++) {
      const stop = cpu.start();
      const began = performance.now();
      const reply = await wire.send(request);
      if (reply.status !== 200) throw new Error(`the export gave ${reply.status}`);
      served.push(n / ((performance.now() - began) / 1_000));
      bytes.push(reply.bytes);
      const use = stop();
      if (use) uses.push(use);
      const copyBegan = performance.now();
      await copyOut(client, copy);
      bare.push(n / ((performance.now() - copyBegan) / 1_000));
    }
    const megabytes = grown();
    const share = median(served.map((rate, i) => rate / bare[i]!));
    add({
      work: `export ${short(n)} cards as NDJSON`, figure: median(served), unit: 'rows/s', limit: { name: 'COPY TO STDOUT', value: median(bare), unit: 'rows/s' }, ratio: share,
      target: { text: `≥ ${EXPORT_SHARE * 100} %`, holds: share >= EXPORT_SHARE }, note: `${short(median(bytes) / 1024 / 1024)} MB`,
      ...(uses.length > 0 && { node: median(uses.map((u) => u.node)) / n, postgres: median(uses.map((u) => u.postgres)) / n }),
    });
    if (megabytes !== undefined) add({ work: 'export: memory of the service above the start', figure: megabytes, unit: 'MB', target: { text: `≤ ${EXPORT_MEGABYTES} MB`, holds: megabytes <= EXPORT_MEGABYTES } });
  } finally {
    wire.close();
    await client.end();
  }
}
