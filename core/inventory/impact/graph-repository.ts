import { setImmediate as breathe } from 'node:timers/promises';
import type pg from 'pg';
import { CopyRows } from '../../foundation/db/copy-rows.js';
import type { Database } from '../../foundation/db/database.js';
import { NEVER, RelationGraph } from './graph.js';
import type { Id } from './records.js';

/** One snapshot for all reads, with a longer timeout. */
const BEGIN = `begin isolation level repeatable read read only; set local statement_timeout = '10min'; set local idle_in_transaction_session_timeout = '1min'`;
const COUNTS = `select (select position from event_head)::text as position, (select count(*) from (select from cards limit $1) c)::int as cards,
  (select count(*) from (select from relations limit $1) r)::int as relations`;
const CARDS = `copy (select id, type, status = 'ACTIVE', name from cards order by id) to stdout (format binary)`;
const RELATIONS = 'copy (select id, type, source_id, target_id, valid_to from relations) to stdout (format binary)';
const FRESHNESS = {
  name: 'impact-freshness',
  text: `select h.position::text as head, (select max(id) from event_outbox)::text as last, exists (select from event_outbox where id <= $1) as waiting from event_head h`,
};

/** Sizes in bytes: the file header, the number of fields of a row, the length of a field. */
const HEADER = 19;
const COUNT = 2;
const LENGTH = 4;
/** Number of bytes after which to yield to the event loop. */
const TURN_BYTES = 512 * 1024;

interface Freshness {
  /** Position of the last event of the log. */
  head: number;
  /** The last row that has no position yet. */
  last: string | undefined;
  /** Whether rows up to the given one still have no position. */
  isWaiting: boolean;
}

/** The state of the log, from one snapshot. @param last a row to check, if any */
export async function readFreshness(db: Database, last: string | undefined): Promise<Freshness> {
  const [row] = await db.query<{ head: string; last: string | null; waiting: boolean }>(FRESHNESS, [last ?? null]);
  return { head: Number(row!.head), last: row!.last ?? undefined, isWaiting: row!.waiting };
}

interface LoadedGraph {
  graph: RelationGraph;
  /** Position of the last event included; later ones may be included, too. */
  position: number;
}

/**
 * Reads all cards and relations and the position of the log from one snapshot, on a dedicated connection.
 * @param most maximum number of cards or relations
 * @returns undefined where there are more
 * @throws the database's error, or where the signal is aborted
 */
export async function readGraph(db: Database, most: number, signal: AbortSignal): Promise<LoadedGraph | undefined> {
  const client = await db.dedicated('lintel-impact');
  const abort = (): void => void client.end().catch(() => undefined);
  signal.addEventListener('abort', abort);
  try {
    signal.throwIfAborted();
    await client.query(BEGIN);
    const {
      rows: [found],
    } = await client.query<{ position: string; cards: number; relations: number }>(COUNTS, [most + 1]);
    if (found!.cards > most || found!.relations > most) return undefined;
    const graph = new RelationGraph(found!);
    await copyRows(client, CARDS, (bytes, at) => readCard(graph, bytes, at));
    await copyRows(client, RELATIONS, (bytes, at) => readRelation(graph, bytes, at));
    signal.throwIfAborted();
    return { graph, position: Number(found!.position) };
  } finally {
    signal.removeEventListener('abort', abort);
    await client.end().catch(() => undefined);
  }
}

/** Reads the rows of a binary COPY. @param take called with the offset of the row's first field */
async function copyRows(
  client: pg.Client,
  statement: string,
  take: (bytes: Buffer, at: number) => void,
): Promise<void> {
  let rest: Buffer = Buffer.alloc(0);
  let at = HEADER;
  let turn = 0;
  const read = (chunk: Buffer): void => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    for (let end = endOfRow(bytes, at); end > 0; end = endOfRow(bytes, at)) {
      take(bytes, at + COUNT);
      at = end;
    }
    rest = bytes.subarray(Math.min(at, bytes.length));
    at = Math.max(0, at - bytes.length);
  };
  await new Promise<void>((resolve, reject) => {
    const rows = (chunk: Buffer): void => {
      try {
        read(chunk);
      } catch (error) {
        reject(error as Error);
      }
      turn += chunk.length;
      if (turn < TURN_BYTES) return;
      turn = 0;
      copy.pause();
      void breathe().then(() => copy.resume());
    };
    const copy = client.query(new CopyRows(statement, undefined, { rows, ended: resolve, failed: reject }));
  });
}

/** @returns offset of the next row; 0 where this one is incomplete or is the end marker */
function endOfRow(bytes: Buffer, from: number): number {
  if (from + COUNT > bytes.length) return 0;
  let at = from + COUNT;
  for (let fields = bytes.readInt16BE(from); fields !== 0; fields--) {
    if (fields < 0 || at + LENGTH > bytes.length) return 0;
    at += LENGTH + Math.max(0, bytes.readInt32BE(at));
  }
  return at <= bytes.length ? at : 0;
}

const idAt = (bytes: Buffer, at: number): Id => [
  bytes.readInt32BE(at),
  bytes.readInt32BE(at + 4),
  bytes.readInt32BE(at + 8),
  bytes.readInt32BE(at + 12),
];

function readCard(graph: RelationGraph, bytes: Buffer, from: number): void {
  const id = idAt(bytes, from + LENGTH);
  const type = from + LENGTH + 16 + LENGTH;
  const active = type + bytes.readInt32BE(type - LENGTH) + LENGTH;
  const name = active + 1 + LENGTH;
  const card = graph.addCard(id, bytes.toString('utf8', type, active - LENGTH), bytes[active] === 1);
  graph.setName(card, graph.names.addRaw(bytes, name, name + bytes.readInt32BE(name - LENGTH)));
}

function readRelation(graph: RelationGraph, bytes: Buffer, from: number): void {
  const id = idAt(bytes, from + LENGTH);
  const type = from + LENGTH + 16 + LENGTH;
  const source = type + bytes.readInt32BE(type - LENGTH) + LENGTH;
  const target = source + 16 + LENGTH;
  const validTo = target + 16;
  const isOpen = bytes.readInt32BE(validTo) < 0;
  graph.addRelation(
    id,
    bytes.toString('utf8', type, source - LENGTH),
    graph.card(idAt(bytes, source)),
    graph.card(idAt(bytes, target)),
    isOpen ? NEVER : bytes.readInt32BE(validTo + LENGTH),
  );
}
