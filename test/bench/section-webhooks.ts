import { setTimeout as delay } from 'node:timers/promises';
import { expectStatus } from '../support/app.js';
import type { Bench } from './bench.js';
import type { CpuUse } from './cpu.js';
import type { Command, Reply } from './hook-receiver-process.js';
import { httpLanes, type Lane } from './load.js';
import { Helper } from './receivers.js';
import { requestBytes } from './wire.js';

const PER_SECOND = 240;
/** Connections that create cards, and that change one of so many. */
const CREATING = 2;
const CHANGING = 6;
const CARDS = 2_000;
const BULK = 2_000;
/** Longest wait for the deliveries that are due after the writes. */
const PATIENCE_MS = 60_000;
const POLL_MS = 20;

/** What writes at a fixed rate took. */
interface Paced {
  writes: number;
  seconds: number;
  use: CpuUse | undefined;
  statements: number;
}

/** Repeats the steps of the lanes at a fixed rate; slower only if all lanes are busy. */
async function paced(lanes: readonly Lane[], seconds: number): Promise<{ writes: number; seconds: number }> {
  const began = performance.now();
  let writes = 0;
  await Promise.all(
    lanes.map(async (lane) => {
      for (;;) {
        const at = began + (writes / PER_SECOND) * 1_000;
        if (at > began + seconds * 1_000) return;
        writes++;
        const wait = at - performance.now();
        if (wait > 0) await delay(wait);
        await lane.once();
      }
    }),
  );
  return { writes, seconds: (performance.now() - began) / 1_000 };
}

/**
 * Events at a fixed rate with one webhook: the share that arrives in the same time, and what each delivery takes in addition to
 * the same writes without a webhook.
 */
export async function webhooks(bench: Bench): Promise<void> {
  const {
    service: { port },
    admin,
    cpu,
    writes: meter,
    filled: { ids },
    scale,
    add,
  } = bench;
  const seconds = Math.max(5, scale.seconds * 10);
  const cards = ids.slice(0, CARDS);
  let n = 0;
  const text = (): string => `Sent ${++n} ${performance.now()}`;
  const create = (): Buffer => requestBytes('POST', '/api/v1/cards', admin.token, { type: 'Platform', name: text() });
  const change = (): Buffer =>
    requestBytes('PATCH', `/api/v1/cards/${cards[n % cards.length]!}`, admin.token, { description: text() });
  const write = async (): Promise<Paced> => {
    const lanes = [
      ...(await httpLanes(port, CREATING, 201, create)),
      ...(await httpLanes(port, CHANGING, 200, change)),
    ];
    const written = await meter.start();
    const stop = cpu.start();
    try {
      return { ...(await paced(lanes, seconds)), use: stop(), statements: (await written()).statements };
    } finally {
      for (const lane of lanes) await lane.close();
    }
  };
  await write();
  const alone = await write();
  const receiver = new Helper<Command, Reply>('./hook-receiver-process.js');
  try {
    const { port: to } = await receiver.ask({});
    const made = await admin.api.post('/webhooks', { url: `http://127.0.0.1:${to}/`, types: ['card.'] });
    const hook = expectStatus(made, 201, 'creating a webhook').body.id;
    for (const delayMs of [0, 20]) {
      await receiver.ask({ begin: { delayMs } });
      const with_ = await write();
      const arrived = (await receiver.ask({})).events;
      const { ms, reply } = await drained(receiver, with_.writes);
      const each = (of: 'node' | 'postgres'): number | undefined =>
        with_.use && alone.use && with_.use[of] / with_.writes - alone.use[of] / alone.writes;
      add({
        work: `webhook: ${PER_SECOND} events/s, receiver answers after ${delayMs} ms`,
        figure: arrived / with_.seconds,
        unit: 'deliveries/s',
        limit: { name: 'writes', value: with_.writes / with_.seconds, unit: '/s' },
        ratio: arrived / with_.writes,
        target: { text: `≥ 98 %, in order`, holds: arrived / with_.writes >= 0.98 && reply.disordered === 0 },
        node: each('node'),
        postgres: each('postgres'),
        note:
          `${with_.writes - arrived} left at the end, sent in ${ms.toFixed(0)} ms; ` +
          `${(with_.statements / with_.writes - alone.statements / alone.writes).toFixed(1)} statements each; ` +
          `${reply.requests} requests, ${reply.connections} connections; without a webhook ` +
          `${((alone.use?.node ?? 0) / alone.writes).toFixed(0)} + ${((alone.use?.postgres ?? 0) / alone.writes).toFixed(0)} µs, ${(alone.statements / alone.writes).toFixed(1)} statements a write`,
      });
    }
    await receiver.ask({ begin: { delayMs: 0 } });
    const operations = cards
      .slice(0, BULK)
      .map((id, i) => ({ op: 'update', id, card: { description: `At once ${i} ${performance.now()}` } }));
    const began = performance.now();
    const stop = cpu.start();
    const written = await meter.start();
    expectStatus(await admin.api.post('/cards/bulk', { mode: 'per_row', operations }), 200, 'changing cards');
    await drained(receiver, operations.length);
    const use = stop();
    add({
      work: `webhook: ${operations.length} events of one bulk request`,
      figure: operations.length / ((performance.now() - began) / 1_000),
      unit: 'deliveries/s',
      node: use && use.node / operations.length,
      postgres: use && use.postgres / operations.length,
      note: `${((await written()).statements / operations.length).toFixed(1)} statements each, the write included`,
    });
    await admin.api.del(`/webhooks/${hook}`);
  } finally {
    receiver.stop();
  }
}

/** Waits until so many events have arrived. @returns how long that took */
async function drained(receiver: Helper<Command, Reply>, events: number): Promise<{ ms: number; reply: Reply }> {
  const began = performance.now();
  for (;;) {
    const reply = await receiver.ask({});
    const ms = performance.now() - began;
    if (reply.events >= events) return { ms, reply };
    if (ms > PATIENCE_MS) throw new Error(`${reply.events} of ${events} events arrived`);
    await delay(POLL_MS);
  }
}
