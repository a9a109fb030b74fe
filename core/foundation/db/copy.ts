import type { Readable } from 'node:stream';
import pg from 'pg';
import { CopyStream, type CopyFrame } from './copy-stream.js';
import type { ReadSource } from './database.js';
import { Bindings } from './list-query.js';
import type { Pace } from './reader-pace.js';

/** A slower reader has disconnected or is holding the connection on purpose. */
const PACE: Pace = { graceMs: 30_000, bytesPerSecond: 32 * 1_024 };
/** Maximum time a connection is held, however fast the reader is. */
const TOTAL_MS = 900_000;
/**
 * One snapshot for the preparing reads and the rows. The usual statement timeout is too short here, because the
 * statement runs for as long as its reader takes; the connection check detects a disconnected reader before any row is
 * sent.
 */
const BEGIN = `begin isolation level repeatable read read only; set local statement_timeout = '16min';
  set local idle_in_transaction_session_timeout = '16min'; set local work_mem = '32MB'; set local client_connection_check_interval = '1s'`;

/** Quotes an internal name as an SQL literal; external values are always bound instead. */
export const literal = (text: string): string => pg.escapeLiteral(text).trimStart();

const ARRAY_ESCAPES = /["\\]/g;

/** An array in PostgreSQL's input syntax. */
function arrayLiteral(values: readonly unknown[]): string {
  return `{${values.map((v) => (v === null || v === undefined ? 'NULL' : `"${asText(v).replace(ARRAY_ESCAPES, '\\$&')}"`)).join(',')}}`;
}

function asText(value: unknown): string {
  if (Array.isArray(value)) return arrayLiteral(value);
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * Bindings for COPY, which has no parameters: values are stored as settings of the transaction, and the statement reads
 * them. No value becomes part of the SQL text. Each value is read in a scalar subquery, which runs once instead of per
 * row.
 */
export class SettingBindings extends Bindings {
  override add(value: unknown): string {
    if (value === null || value === undefined) return 'null';
    this.values.push(asText(value));
    const read = `(select current_setting('lintel.p${this.values.length}'))`;
    if (typeof value === 'number' || typeof value === 'bigint') return `${read}::numeric`;
    return typeof value === 'boolean' ? `${read}::boolean` : read;
  }

  /** Stores the values as settings of the client's current transaction. */
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
  /** Maximum number of connections the statements may run on in parallel; 1 where absent. */
  connections?: number;
  /**
   * One `copy (…) to stdout …` per connection. With one connection rows carry no part number; with several, see
   * CopyStream.
   */
  texts(connections: number): readonly string[];
}

interface CopyOptions {
  /** The minimum speed of the reader; called repeatedly. */
  pace?: () => Pace;
  /** Maximum time in milliseconds for which the connections are held. */
  totalMs?: number;
  /** True: use only one connection, even if `prepare` allows more. */
  isAlone?: boolean;
}

/**
 * Streams rows directly from COPY, at the speed of the reader, all from one snapshot. The connections return to the
 * pool at the end. If the reader disconnects early they are closed, which ends their statements.
 * @param prepare returns what is copied; may read in the same snapshot
 * @returns a stream whose first row has arrived, or which is at its end
 * @throws the database's error where it rejects the statement before the first row
 */
export async function copyOut(
  from: ReadSource,
  prepare: (client: pg.ClientBase) => Promise<CopySource>,
  { pace = () => PACE, totalMs = TOTAL_MS, isAlone = false }: CopyOptions = {},
): Promise<Readable> {
  const clients = [await from.connect('stream')];
  const [client] = clients as [pg.PoolClient];
  let stream: CopyStream;
  try {
    await client.query(BEGIN);
    const source = await prepare(client);
    await source.bindings.set(client);
    if (!isAlone) clients.push(...(await joinSnapshot(from, client, source.bindings, (source.connections ?? 1) - 1)));
    stream = new CopyStream(clients, source.texts(clients.length), source, {
      pace,
      totalMs,
      broke: (error) => from.broke?.(error),
    });
  } catch (error) {
    for (const one of clients) one.release(error as Error);
    // If several connections cannot share one snapshot, a single connection is used.
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

/** The snapshot cannot be shared with other connections; the transaction has been ended. */
class Unshared extends Error {}

/**
 * Opens more connections with the same snapshot and settings. Fails if one reaches another server, as can happen behind
 * a load balancer.
 * @throws Unshared
 */
async function joinSnapshot(
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
      const other = await from.connect('stream').catch(() => undefined);
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
