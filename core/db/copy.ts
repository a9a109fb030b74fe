import { once } from 'node:events';
import { Readable } from 'node:stream';
import pg from 'pg';
import { to as copyTo, type CopyToStreamQuery } from 'pg-copy-streams';
import type { ReadSource } from './database.js';
import { Bindings } from './list-query.js';

/** A reader that takes nothing for so long is gone, or means to keep the connection. */
const STALLED_MS = 60_000;
const HIGH_WATER_BYTES = 256 * 1024;
/** The database sends 8 KiB at a time; each piece that goes on costs the same, however small. */
const PIECE_BYTES = 128 * 1024;
/**
 * One snapshot for what is asked before and for the rows. The time of a statement of ours does not do for one that
 * goes on as long as its reader takes; a reader that left is noticed while nothing is sent yet.
 */
const BEGIN = `begin isolation level repeatable read read only; set local statement_timeout = '1h';
  set local idle_in_transaction_session_timeout = '1h'; set local work_mem = '32MB'; set local client_connection_check_interval = '1s'`;

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
    await client.query(`select ${this.values.map((_, i) => `set_config('lintel.p${i + 1}', $${i + 1}, true)`).join(', ')}`, this.values);
  }
}

/** What is sent, and what stands around it. */
export interface CopySource {
  /** `copy (…) to stdout …` */
  text: string;
  bindings: SettingBindings;
  before?: string;
  after?: string;
  /** Bytes of the rows to leave out at the beginning. */
  skip?: number;
}

export interface CopyOptions {
  /** Milliseconds after which a reader that takes nothing loses the connection. */
  stalledMs?: number;
}

/**
 * Streams rows straight from COPY, as fast as the reader takes them, all of one snapshot. The connection goes back to
 * the pool at the end, and is closed, which ends the statement, when the reader leaves early.
 * @param prepare says what is copied; may read in the same snapshot
 * @returns a stream whose first row is there, or whose end is reached
 * @throws what the database refuses before the first row
 */
export async function copyOut(from: ReadSource, prepare: (client: pg.ClientBase) => Promise<CopySource>, { stalledMs = STALLED_MS }: CopyOptions = {}): Promise<Readable> {
  const client = await from.connect();
  try {
    await client.query(BEGIN);
    const source = await prepare(client);
    await source.bindings.set(client);
    const rows = client.query(copyTo(source.text, { highWaterMark: HIGH_WATER_BYTES }));
    // It may break more than once: as a statement, and with its connection.
    rows.on('error', () => undefined);
    await once(rows, 'readable');
    rows.once('error', (error: Error) => from.broke?.(error));
    return new CopyStream(client, rows, source, stalledMs);
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}

class CopyStream extends Readable {
  private skip: number;
  private pieces: Buffer[] = [];
  private pieceBytes = 0;
  private stalled: NodeJS.Timeout | undefined;
  private released = false;

  constructor(private readonly client: pg.PoolClient, private readonly rows: CopyToStreamQuery, source: CopySource, private readonly stalledMs: number) {
    super({ highWaterMark: HIGH_WATER_BYTES });
    this.skip = source.skip ?? 0;
    if (source.before) this.pieces.push(Buffer.from(source.before));
    rows.on('data', (chunk: Buffer) => this.forward(chunk));
    rows.once('error', (error: Error) => this.destroy(error));
    rows.once('end', () => {
      this.giveBack();
      if (source.after) this.pieces.push(Buffer.from(source.after));
      this.flush();
      this.push(null);
    });
    rows.pause();
    this.watch();
  }

  override _read(): void {
    clearTimeout(this.stalled);
    this.stalled = undefined;
    this.rows.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.stalled);
    if (!this.released) {
      this.released = true;
      this.client.release(error ?? new Error('the reader left'));
    }
    done(error);
  }

  private forward(chunk: Buffer): void {
    const part = this.skip > 0 ? chunk.subarray(this.skip) : chunk;
    this.skip -= chunk.length - part.length;
    this.pieces.push(part);
    this.pieceBytes += part.length;
    if (this.pieceBytes < PIECE_BYTES || this.flush()) return;
    this.rows.pause();
    this.watch();
  }

  /** @returns whether the reader takes more */
  private flush(): boolean {
    const { pieces } = this;
    this.pieces = [];
    this.pieceBytes = 0;
    return pieces.length === 0 || this.push(Buffer.concat(pieces));
  }

  private watch(): void {
    this.stalled ??= setTimeout(() => this.destroy(new Error(`the reader took nothing for ${this.stalledMs} ms`)), this.stalledMs).unref();
  }

  /** Nothing was written: how the transaction ends matters only to the connection. */
  private giveBack(): void {
    clearTimeout(this.stalled);
    this.released = true;
    this.client.query('commit').then(() => this.client.release(), (error: Error) => this.client.release(error));
  }
}
