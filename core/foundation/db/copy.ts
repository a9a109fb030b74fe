import type { Readable } from 'node:stream';
import pg from 'pg';
import { CopyStream, type CopyFrame } from './copy-stream.js';
import type { ReadSource } from './database.js';
import { Bindings } from './list-query.js';
import type { Pace } from './reader-pace.js';

/** A reader that is slower is gone, or means to keep the connection. */
const PACE: Pace = { graceMs: 30_000, bytesPerSecond: 32 * 1_024 };
/** However fast the reader: nobody keeps a connection for longer. */
const TOTAL_MS = 900_000;
/**
 * One snapshot for what is asked before and for the rows. The time of a statement of ours does not do for one that
 * goes on as long as its reader takes; a reader that left is noticed while nothing is sent yet.
 */
const BEGIN = `begin isolation level repeatable read read only; set local statement_timeout = '16min';
  set local idle_in_transaction_session_timeout = '16min'; set local work_mem = '32MB'; set local client_connection_check_interval = '1s'`;

/** A name of ours as a literal; what comes from outside is bound. */
export const literal = (text: string): string => pg.escapeLiteral(text).trimStart();

const ARRAY_ESCAPES = /["\\]/g;

/** An array as PostgreSQL reads it. */
function arrayLiteral(values: readonly unknown[]): string {
  return `{${values.map((v) => (v === null || v === undefined ? 'NULL' : `"${asText(v).replace(ARRAY_ESCAPES, '\\$&')}"`)).join(',')}}`;
}

function asText(value: unknown): string {
  if (Array.isArray(value)) return arrayLiteral(value);
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * Bindings for COPY, which takes none: the values are settings of the transaction, and the statement reads them. A
 * value is no part of any SQL text. Each is a subquery of its own, which is run once and not for each row.
 */
export class SettingBindings extends Bindings {
  override add(value: unknown): string {
    if (value === null || value === undefined) return 'null';
    this.values.push(asText(value));
    const read = `(select current_setting('lintel.p${this.values.length}'))`;
    if (typeof value === 'number' || typeof value === 'bigint') return `${read}::numeric`;
    return typeof value === 'boolean' ? `${read}::boolean` : read;
  }

  /** Makes the values known to the transaction of the client. */
  async set(client: pg.ClientBase): Promise<void> {
    if (this.values.length === 0) return;
    await client.query(
      `select ${this.values.map((_, i) => `set_config('lintel.p${i + 1}', $${i + 1}, true)`).join(', ')}`,
      this.values,
    );
  }
}

export interface CopySource extends CopyFrame {
  bindings: SettingBindings;
  /** Connections that statements may run on at the same time, at most; 1 where absent. */
  connections?: number;
  /** `copy (…) to stdout …` for each of so many connections; of one the rows are not marked, of more as CopyStream says. */
  texts(connections: number): readonly string[];
}

export interface CopyOptions {
  /** How fast the reader must be, asked again and again. */
  pace?: () => Pace;
  /** Milliseconds the connections are held at most. */
  totalMs?: number;
  /** One connection, whatever is prepared. */
  isAlone?: boolean;
}

/**
 * Streams rows straight from COPY, as fast as the reader takes them, all of one snapshot. The connections go back to
 * the pool at the end, and are closed, which ends the statements, when the reader leaves early.
 * @param prepare says what is copied; may read in the same snapshot
 * @returns a stream whose first row is there, or whose end is reached
 * @throws what the database refuses before the first row
 */
export async function copyOut(
  from: ReadSource,
  prepare: (client: pg.ClientBase) => Promise<CopySource>,
  { pace = () => PACE, totalMs = TOTAL_MS, isAlone = false }: CopyOptions = {},
): Promise<Readable> {
  const clients = [await from.connect()];
  const [client] = clients as [pg.PoolClient];
  let stream: CopyStream;
  try {
    await client.query(BEGIN);
    const source = await prepare(client);
    await source.bindings.set(client);
    if (!isAlone) clients.push(...(await beside(from, client, source.bindings, (source.connections ?? 1) - 1)));
    stream = new CopyStream(clients, source.texts(clients.length), source, {
      pace,
      totalMs,
      broke: (error) => from.broke?.(error),
    });
  } catch (error) {
    for (const one of clients) one.release(error as Error);
    // Whatever keeps connections from sharing a snapshot, one has its own.
    if (error instanceof Unshared) return await copyOut(from, prepare, { pace, totalMs, isAlone: true });
    throw error;
  }
  try {
    await stream.open();
    return stream;
  } catch (error) {
    stream.destroy(error as Error);
    throw error;
  }
}

/** The snapshot of a transaction cannot be shared, and the transaction is over. */
class Unshared extends Error {}

/**
 * More connections with the same snapshot and values: none that leads to another server, as one behind a balancer may.
 * @throws Unshared
 */
async function beside(
  from: ReadSource,
  client: pg.ClientBase,
  bindings: SettingBindings,
  n: number,
): Promise<pg.PoolClient[]> {
  if (n === 0) return [];
  const {
    rows: [exported],
  } = await client.query<{ snapshot: string }>('select pg_export_snapshot() as snapshot').catch((error: Error) => {
    throw new Unshared(error.message);
  });
  const joined = await Promise.all(
    Array.from({ length: n }, async () => {
      const other = await from.connect().catch(() => undefined);
      try {
        await other?.query(`${BEGIN}; set transaction snapshot ${literal(exported!.snapshot)}`);
        if (other) await bindings.set(other);
        return other;
      } catch (error) {
        other!.release(error as Error);
        return undefined;
      }
    }),
  );
  return joined.filter((other) => other !== undefined);
}
