import type pg from 'pg';
import type { Bench } from './bench.js';
import { makeCard } from './cards.js';
import { chunked, copyIn, copyOut } from './copy.js';
import { watchMemory } from './cpu.js';
import { median } from './load.js';
import { short, type Row } from './report.js';
import { requestBytes, Wire } from './wire.js';
import { randomNumbers } from './words.js';
import type { Written } from './writes.js';

const OPERATIONS = 10_000;
const CARDS_PER_SECOND = 4_000;
const UNCHANGED_PER_SECOND = 100_000;
const IMPORT_SECONDS = 20;
const IMPORT_MEGABYTES = 150;
const DRAIN_MS = 30_000;

interface Result {
  summary: Record<string, number>;
  results: { id: string }[];
}
interface Timed {
  perSecond: number;
  node: number | undefined;
  postgres: number | undefined;
  written: Written;
  steps: number;
  ids: string[];
}

/** Sends one batch and measures it. @throws unless all operations have the outcome */
async function send(
  { service: { port }, admin, cpu, writes }: Bench,
  path: string,
  operations: readonly unknown[],
  outcome: string,
): Promise<Timed> {
  const request = requestBytes('POST', path, admin.token, { operations });
  const wire = await Wire.open(port);
  try {
    const end = await writes.start();
    const stop = cpu.start();
    const began = performance.now();
    const reply = await wire.send(request, true);
    const seconds = (performance.now() - began) / 1_000;
    const use = stop();
    const written = await end();
    const text = reply.body!.toString();
    if (reply.status !== 200) throw new Error(`POST ${path} gave ${reply.status}: ${text.slice(0, 500)}`);
    const { summary, results } = JSON.parse(text) as Result;
    if (summary[outcome] !== operations.length)
      throw new Error(`of ${operations.length} operations not all were ${outcome}: ${JSON.stringify(summary)}`);
    const n = operations.length;
    return {
      perSecond: n / seconds,
      node: use && use.node / n,
      postgres: use && use.postgres / n,
      written,
      steps: n,
      ids: results.map((r) => r.id),
    };
  } finally {
    wire.close();
  }
}

/** Operations for cards with descriptions and attributes; half of them have a parent from the same call. */
function cardOperations(batch: number, op: 'create' | 'upsert', count = OPERATIONS): unknown[] {
  const random = randomNumbers(100 + batch);
  const roots = new Map<string, string[]>();
  return Array.from({ length: count }, (_, n) => {
    const card = { ...makeCard(random, n), external_id: `bulk-${batch}-${n}` };
    const known = roots.get(card.type) ?? [];
    const nests = !['Interface', 'Platform'].includes(card.type);
    const parent =
      nests && known.length > 0 && random() < 0.5 ? known[Math.floor(random() * known.length)]! : undefined;
    if (parent === undefined) roots.set(card.type, [...known.slice(-50), `r${n}`]);
    return {
      op,
      ref: `r${n}`,
      card: { ...card, name: `${card.name} bulk ${batch}`, ...(parent !== undefined && { parent: { ref: parent } }) },
    };
  });
}

/** Rows per second of COPY of the stored rows of a table or view into a table with the same columns and no index. */
async function copyRate(client: pg.Client, table: string, where: string): Promise<number> {
  const parts: Buffer[] = [];
  await copyOut(client, `copy (select * from ${table} where ${where}) to stdout`, (chunk) =>
    parts.push(Buffer.from(chunk)),
  );
  await client.query(`drop table if exists bench_copy; create table bench_copy as select * from ${table} limit 0`);
  const began = performance.now();
  await copyIn(client, 'copy bench_copy from stdin', chunked(parts.map((part) => part.toString())));
  return parts.length / ((performance.now() - began) / 1_000);
}

/** Waits until all events have their position. @returns the last position */
async function events(client: pg.Client): Promise<number> {
  for (const deadline = performance.now() + DRAIN_MS; ; ) {
    const {
      rows: [row],
    } = await client.query<{ waiting: boolean; position: string }>(
      'select exists (select from event_outbox) as waiting, position::text from event_head',
    );
    if (!row!.waiting) return Number(row!.position);
    if (performance.now() > deadline) throw new Error(`events still wait after ${DRAIN_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The batch with the median rate. */
const middle = (runs: readonly Timed[]): Timed =>
  runs.find((run) => run.perSecond === median(runs.map((r) => r.perSecond)))!;

function row(
  work: string,
  run: Timed,
  limit: { name: string; value: number } | undefined,
  target: number | undefined,
  note?: string,
): Row {
  return {
    work,
    figure: run.perSecond,
    unit: 'rows/s',
    ...(limit && { limit: { ...limit, unit: 'rows/s' }, ratio: run.perSecond / limit.value }),
    ...(target !== undefined && { target: { text: `≥ ${short(target)}/s`, holds: run.perSecond >= target } }),
    node: run.node,
    postgres: run.postgres,
    ...(note !== undefined && { note }),
  };
}

interface Batches {
  runs: Timed[];
  copy: number;
}
let cardBatches: Promise<Batches> | undefined;

/** Stores the batches of cards; sections that need them share one call. */
function storeCards(bench: Bench, client: pg.Client): Promise<Batches> {
  return (cardBatches ??= (async () => {
    await send(bench, '/api/v1/cards/bulk', cardOperations(0, 'create', OPERATIONS / 5), 'created');
    const grown = watchMemory(bench.service.pid);
    const runs: Timed[] = [];
    for (let batch = 1; batch <= bench.scale.bulks; batch++)
      runs.push(await send(bench, '/api/v1/cards/bulk', cardOperations(batch, 'create'), 'created'));
    const megabytes = grown();
    const copies: number[] = [];
    for (let batch = 1; batch <= bench.scale.bulks; batch++)
      copies.push(await copyRate(client, bench.cardRows, `external_id like 'bulk-${batch}-%'`));
    const copy = median(copies);
    bench.addWrite('bulk_create_cards', middle(runs), 'row');
    bench.add(
      row(
        'bulk: create 10,000 cards a request',
        middle(runs),
        { name: 'COPY, no index', value: copy },
        CARDS_PER_SECOND,
      ),
    );
    if (megabytes !== undefined) {
      bench.add({
        work: 'bulk: memory of the service above the start',
        figure: megabytes,
        unit: 'MB',
        target: { text: `≤ ${IMPORT_MEGABYTES} MB`, holds: megabytes <= IMPORT_MEGABYTES },
      });
    }
    return { runs, copy };
  })());
}

export async function bulk(bench: Bench): Promise<void> {
  const client = await bench.connect();
  try {
    await storeCards(bench, client);
    const before = await events(client);
    const runs: Timed[] = [];
    for (let batch = 1; batch <= bench.scale.bulks; batch++)
      runs.push(await send(bench, '/api/v1/cards/bulk', cardOperations(batch, 'upsert'), 'unchanged'));
    bench.addWrite('bulk_unchanged_cards', middle(runs), 'row');
    bench.add(
      row(
        'bulk: the same again as upsert, unchanged',
        middle(runs),
        undefined,
        UNCHANGED_PER_SECOND,
        `${(await events(client)) - before} events`,
      ),
    );
  } finally {
    await client.end();
  }
}

/** Relations from the cards of the bulk section to cards stored by `fill`, 10,000 per request. */
export async function relations(bench: Bench): Promise<void> {
  const {
    scale,
    filled: { ids: targets },
    add,
    addWrite,
  } = bench;
  const client = await bench.connect();
  try {
    const cards = await storeCards(bench, client);
    const sources = cards.runs[0]!.ids;
    const operations = (batch: number, op: 'create' | 'upsert') =>
      sources.slice(0, OPERATIONS).map((source_id, n) => ({
        op,
        type: 'related',
        source_id,
        target_id: targets[(n * 7 + batch * 131) % targets.length]!,
        attributes: { kind: 'bench' },
      }));
    const before = await events(client);
    const grown = watchMemory(bench.service.pid);
    const runs: Timed[] = [];
    for (let batch = 0; batch < scale.bulks; batch++)
      runs.push(await send(bench, '/api/v1/relations/bulk', operations(batch, 'create'), 'created'));
    const megabytes = grown();
    const copy = await copyRate(client, 'relations', `attributes = '{"kind":"bench"}'`);
    const stored = (await events(client)) - before;
    const run = middle(runs);
    addWrite('bulk_create_relations', run, 'row');
    const unchanged = await send(bench, '/api/v1/relations/bulk', operations(0, 'upsert'), 'unchanged');
    addWrite('bulk_unchanged_relations', unchanged, 'row');
    add(
      row(
        'bulk: create 10,000 relations a request',
        run,
        { name: 'COPY, no index', value: copy },
        undefined,
        `${megabytes === undefined ? '' : `${short(megabytes)} MB above the start, `}${stored} events`,
      ),
    );
    add(row('bulk: the same relations again, unchanged', unchanged, undefined, UNCHANGED_PER_SECOND));
    const seconds = (cardRate: number, relationRate: number) => 100_000 / cardRate + 300_000 / relationRate;
    const [import_, bare] = [seconds(middle(cards.runs).perSecond, run.perSecond), seconds(cards.copy, copy)];
    add({
      work: 'bulk: 100k cards + 300k relations',
      figure: import_,
      unit: 's',
      limit: { name: 'COPY, no index', value: bare, unit: 's' },
      ratio: import_ / bare,
      target: { text: `≤ ${IMPORT_SECONDS} s`, holds: import_ <= IMPORT_SECONDS },
      note: 'computed from the rates above',
    });
  } finally {
    await client.end();
  }
}
