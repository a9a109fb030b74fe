import { request } from 'node:http';
import type pg from 'pg';
import { client } from '../support/http.js';
import { until } from '../support/app.js';
import type { Bench } from './bench.js';
import { memoryOf, watchMemory } from './cpu.js';
import { percentile } from './load.js';
import { clock, Helper, Receivers } from './receivers.js';
import { makeSessions } from './sessions.js';

const STREAMS_PER_USER = 20;
const FAN_OUTS = 20;
const FAN_OUT_P99_MS = 150;
const BURST = 1_000;
const BURSTS = 3;
const BURST_PER_SECOND = 1_000_000;
const RECEIVER_KB = 12;
/** Time for the collection of garbage left by opening the streams. */
const SETTLE_MS = 2_000;
const OUTBOX = `insert into event_outbox (type, occurred_at, origin, subject_kind, subject_id, subject_type, subject_name, data)
  select 'card.updated', clock_timestamp(), 'bench', 'card', gen_random_uuid()::text, 'Platform', $1 || n, jsonb_build_object('version', n, 'text', $3::text) from generate_series(1, $2) n`;

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
/** The end of a sent event whose subject has this name. */
const named = (name: string): string => `"name":"${name}"}`;

/** Requests for `count` streams of events about cards, with the tokens in turn. */
export function streamRequests(tokens: readonly string[], count: number, headers = ''): string[] {
  return Array.from(
    { length: count },
    (_, n) =>
      `GET /api/v1/events/stream?types=card. HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tokens[n % tokens.length]!}\r\n${headers}\r\n`,
  );
}

/** Inserts events directly into the outbox; names end in 1 to `count`. @param text part of the data of each */
export async function putEvents(database: pg.Client, name: string, count: number, text = ''): Promise<void> {
  await database.query(OUTBOX, [name, count, text]);
}

/** The number of streams that the service has open. */
export async function openStreams({ service }: Bench): Promise<number> {
  return Number(
    /^lintel_event_streams (\d+)/m.exec((await client(service.origin).get<string>('/api/metrics')).body)?.[1],
  );
}

/**
 * Opens receivers and measures the memory of the server. The first tenth is opened before, so that memory taken by the
 * first use of code and heap does not count.
 * @returns memory per receiver in KB; undefined where the system does not report it
 */
async function openAll(
  receivers: Receivers,
  port: number,
  pid: number,
  requests: readonly string[],
): Promise<number | undefined> {
  const first = Math.ceil(requests.length / 10);
  await receivers.open(port, requests.slice(0, first));
  await pause(SETTLE_MS);
  const before = memoryOf(pid);
  await receivers.open(port, requests.slice(first));
  await pause(SETTLE_MS);
  const after = memoryOf(pid);
  return before === undefined || after === undefined
    ? undefined
    : ((after - before) * 1024) / (requests.length - first);
}

/** The bare server and its receivers. */
class Bare {
  private constructor(
    private readonly server: Helper<object, number>,
    private readonly port: number,
    readonly receivers: Receivers,
    readonly kilobytes: number | undefined,
  ) {}

  /** @param requests the requests of its receivers; their contents do not matter, because all get the same bytes */
  static async start(requests: readonly string[]): Promise<Bare> {
    const server = new Helper<object, number>('./bare-stream-process.js');
    const port = await server.ask({});
    const receivers = new Receivers();
    const kilobytes = await openAll(receivers, port, server.pid, requests);
    return new Bare(server, port, receivers, kilobytes);
  }

  /** Sends the bytes that one receiver got from the service to all. @returns latencies in ms from the request to each arrival */
  async send(text: string, end: string): Promise<number[]> {
    await this.post(Buffer.from(text, 'latin1'));
    let began = 0;
    const { at } = await this.receivers.arrivals(end, () => {
      began = clock();
      return this.post();
    });
    return at.map((time) => time - began);
  }

  stop(): void {
    this.server.stop();
    this.receivers.close();
  }

  private async post(body?: Buffer): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      request({ port: this.port, host: '127.0.0.1', method: 'POST', agent: false }, (response) =>
        response.resume().once('end', resolve),
      )
        .once('error', reject)
        .end(body);
    });
  }
}

/** Many receivers of one node, compared with a bare server that sends the same bytes to as many: one event, a burst, memory. */
export async function fanOut(bench: Bench): Promise<void> {
  const {
    service,
    admin,
    cpu,
    scale: { receivers: count },
    add,
  } = bench;
  const tokens = await makeSessions(bench, Math.ceil(count / STREAMS_PER_USER));
  const receivers = new Receivers();
  const database = await bench.connect();
  let bare: Bare | undefined;
  try {
    const requests = streamRequests(tokens, count);
    const each = await openAll(receivers, service.port, service.pid, requests);
    bare = await Bare.start(requests);

    const [one, oneBare]: [number[], number[]] = [[], []];
    for (let n = 0; n < FAN_OUTS; n++) {
      const name = `Fan-out ${n}`;
      let sent = 0;
      const { at, text } = await receivers.arrivals(named(name), () => {
        sent = clock();
        return admin.api.post('/cards', { type: 'Platform', name });
      });
      for (const time of at) one.push(time - sent);
      for (const ms of await bare.send(text, named(name))) oneBare.push(ms);
    }

    const [rates, ratesBare, micros]: [number[], number[], number[]] = [[], [], []];
    for (let n = 0; n < BURSTS; n++) {
      const stop = cpu.start();
      const sent = clock();
      const { at, text } = await receivers.arrivals(named(`Burst ${n}, ${BURST}`), () =>
        putEvents(database, `Burst ${n}, `, BURST),
      );
      const use = stop();
      rates.push(((count * BURST) / (Math.max(...at) - sent)) * 1_000);
      if (use) micros.push(use.node / (count * BURST));
      ratesBare.push(((count * BURST) / Math.max(...(await bare.send(text, named(`Burst ${n}, ${BURST}`))))) * 1_000);
    }

    const row = (share: number, text: string) => {
      const [figure, limit] = [percentile(one, share), percentile(oneBare, share)];
      return {
        work: `change → ${count} SSE receivers, ${text}`,
        figure,
        unit: 'ms',
        limit: { name: 'bare node:http', value: limit, unit: 'ms' },
        ratio: figure / limit,
      };
    };
    const p99 = row(0.99, 'p99');
    const [rate, rateBare] = [percentile(rates, 0.5), percentile(ratesBare, 0.5)];
    add(
      { ...row(0.5, 'p50'), note: 'from sending the request' },
      { ...p99, target: { text: `≤ ${FAN_OUT_P99_MS} ms`, holds: p99.figure <= FAN_OUT_P99_MS } },
      {
        work: `burst of ${BURST} events to ${count} receivers`,
        figure: rate,
        unit: '/s',
        limit: { name: 'bare, one write', value: rateBare, unit: '/s' },
        ratio: rate / rateBare,
        target: { text: `≥ ${BURST_PER_SECOND.toLocaleString('en')} /s`, holds: rate >= BURST_PER_SECOND },
        node: micros.length > 0 ? percentile(micros, 0.5) : undefined,
      },
    );
    if (each !== undefined && bare.kilobytes !== undefined) {
      add({
        work: 'memory of an SSE receiver',
        figure: each,
        unit: 'KB',
        limit: { name: 'bare node:http', value: bare.kilobytes, unit: 'KB' },
        ratio: each / bare.kilobytes,
        target: { text: `≤ ${RECEIVER_KB} KB`, holds: each <= RECEIVER_KB },
      });
    }
  } finally {
    bare?.stop();
    receivers.close();
    await database.end();
  }
  await until(async () => (await openStreams(bench)) === 0, 10_000);
}

const STUCK = 1_000;
const READERS = 100;
const EVENTS = 2_000;
const EVENT_BYTES = 4_096;
const BATCH = 50;
const STUCK_MB = 256;
/** Longest wait until the connections that do not read are ended; the service ends each after 15 s. */
const DROP_MS = 120_000;

/**
 * Receivers that never read, beside others that do: half of them are connected when the events are written, half request
 * all events afterwards. Events have 4 KB, so that they do not fit into the socket buffers of the system.
 */
export async function neverReading(bench: Bench): Promise<void> {
  const { service, add } = bench;
  const tokens = await makeSessions(bench, (STUCK + READERS) / STREAMS_PER_USER);
  const half = STUCK / 2 / STREAMS_PER_USER;
  const [readers, live, late] = [new Receivers(), new Receivers(), new Receivers()];
  const database = await bench.connect();
  let batches = 0;
  /** Writes a batch of events. @returns ms until the last one arrived, for each reader */
  const sendBatch = async (): Promise<number[]> => {
    const name = `Batch ${batches++}, `;
    const text = Buffer.from(Array.from({ length: EVENT_BYTES * 0.75 }, () => Math.random() * 256)).toString('base64');
    let sent = 0;
    const { at } = await readers.arrivals(named(`${name}${BATCH}`), () => {
      sent = clock();
      return putEvents(database, name, BATCH, text);
    });
    return at.map((time) => time - sent);
  };
  try {
    await readers.open(service.port, streamRequests(tokens.slice(2 * half), READERS));
    const [alone, beside]: [number[], number[]] = [[], []];
    for (let n = 0; n < EVENTS / BATCH / 2; n++) alone.push(...(await sendBatch()));
    const grown = watchMemory(service.pid);
    await live.open(service.port, streamRequests(tokens.slice(0, half), STUCK / 2), false);
    await until(async () => (await openStreams(bench)) >= READERS + STUCK / 2, 10_000);
    for (let n = 0; n < EVENTS / BATCH; n++) beside.push(...(await sendBatch()));
    await late.open(
      service.port,
      streamRequests(tokens.slice(half, 2 * half), STUCK / 2, 'Last-Event-ID: 0\r\n'),
      false,
    );
    const began = performance.now();
    await until(async () => (await openStreams(bench)) === READERS, DROP_MS);
    const seconds = (performance.now() - began) / 1_000;
    const megabytes = grown();
    const [p50, p50Alone] = [percentile(beside, 0.5), percentile(alone, 0.5)];
    add({
      work: `${BATCH} events → ${READERS} readers beside ${STUCK / 2} that never read, p50`,
      figure: p50,
      unit: 'ms',
      limit: { name: 'without those', value: p50Alone, unit: 'ms' },
      ratio: p50 / p50Alone,
      p50,
      p99: percentile(beside, 0.99),
      note: `the others were cut off ${seconds.toFixed(0)} s after the last event`,
    });
    if (megabytes !== undefined) {
      add({
        work: `memory grown by ${STUCK} that never read ${EVENTS} events`,
        figure: megabytes,
        unit: 'MB',
        limit: { name: 'all of it', value: (STUCK * EVENTS * EVENT_BYTES) / 1024 / 1024, unit: 'MB' },
        ratio: megabytes / ((STUCK * EVENTS * EVENT_BYTES) / 1024 / 1024),
        target: { text: `≤ ${STUCK_MB} MB`, holds: megabytes <= STUCK_MB },
      });
    }
  } finally {
    for (const group of [readers, live, late]) group.close();
    await database.end();
  }
}
