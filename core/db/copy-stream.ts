import { once } from 'node:events';
import { Readable } from 'node:stream';
import type pg from 'pg';
import { CopyRows } from './copy-rows.js';

const HIGH_WATER_BYTES = 256 * 1024;
/** The database sends 8 KiB at a time; each piece that goes on costs the same, however small. */
const PIECE_BYTES = 128 * 1024;
/** So much of a statement whose turn has not come is held. */
const AHEAD_BYTES = 12 * 1024 * 1024;

/** What is copied, and what stands around it. */
export interface CopyParts {
  /** `copy (…) to stdout …`: one, or several whose rows follow one another. */
  texts: readonly string[];
  before?: string;
  after?: string;
  /** Bytes of the rows to leave out at the beginning. */
  skip?: number;
}

export interface CopyStreamOptions {
  /** Milliseconds after which a reader that takes nothing loses the connections. */
  stalledMs: number;
  /** Told why the database broke off once the first row was there. */
  broke(error: Error): void;
}

/**
 * The rows of COPY statements, in the order of these. Each connection begins the next statement as soon as it is free, but
 * none that is further ahead of the reader than there are connections: what comes before its turn is held in memory.
 */
export class CopyStream extends Readable {
  /** Connections that were not given back, and those of them that no statement runs on. */
  private readonly held: Set<pg.PoolClient>;
  private readonly idle: pg.PoolClient[];
  private readonly begun = new Map<number, CopyRows>();
  /** Numbers of the statement to begin next, of that whose turn it is, and of that whose rows are taken. */
  private next = 0;
  private current = 0;
  private taken = -1;
  private isOpen = false;
  private isOver = false;
  private skip: number;
  private pieces: Buffer[] = [];
  private pieceBytes = 0;
  private stalled: NodeJS.Timeout | undefined;

  /** @param clients in transactions of one snapshot; the stream releases them */
  constructor(clients: readonly pg.PoolClient[], private readonly parts: CopyParts, private readonly options: CopyStreamOptions) {
    super({ highWaterMark: HIGH_WATER_BYTES });
    [this.held, this.idle] = [new Set(clients), [...clients]];
    for (const client of clients) client.once('end', this.cut);
    this.skip = parts.skip ?? 0;
    if (parts.before) this.pieces.push(Buffer.from(parts.before));
    // It is told by `open` as long as nobody else listens.
    this.on('error', () => undefined);
  }

  /** Begins, and waits for the first row or the end of the first statement. @throws what the database refuses */
  async open(): Promise<void> {
    this.begin();
    const first = this.begun.get(0)!;
    // Whichever breaks first, all are cut.
    await once(first, 'readable').catch((error: Error) => { throw this.errored ?? error; });
    if (this.errored) throw this.errored;
    this.isOpen = true;
    this.takeTurn();
    first.pause();
    this.watch();
  }

  override _read(): void {
    clearTimeout(this.stalled);
    this.stalled = undefined;
    if (this.isOpen) this.begun.get(this.current)?.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.stalled);
    for (const client of this.held) {
      client.off('end', this.cut);
      client.release(error ?? new Error('the reader left'));
    }
    this.held.clear();
    done(error);
  }

  /** Has each free connection begin a statement, or gives it back where there is none left. */
  private begin(): void {
    const { texts } = this.parts;
    while (this.idle.length > 0 && this.next < texts.length && this.next - this.current <= this.held.size) {
      const client = this.idle.shift()!;
      const rows = client.query(new CopyRows(texts[this.next]!, texts.length > 1 ? AHEAD_BYTES : HIGH_WATER_BYTES));
      this.begun.set(this.next++, rows);
      // It may break more than once: as a statement, and with its connection.
      rows.on('error', (error: Error) => this.broken(error));
      rows.read(0);
      client.once('drain', () => {
        if (this.destroyed) return;
        this.idle.push(client);
        this.goOn();
      });
    }
    if (this.next < texts.length) return;
    for (const client of this.idle.splice(0)) this.giveBack(client);
  }

  private goOn(): void {
    this.begin();
    if (this.isOpen) this.takeTurn();
    // Not before: the end of the stream cuts what it still holds.
    if (!this.isOver || this.held.size > 0) return;
    if (this.parts.after) this.pieces.push(Buffer.from(this.parts.after));
    this.flush();
    this.push(null);
  }

  /** Takes the rows of the statement whose turn it is, once it has begun. */
  private takeTurn(): void {
    const rows = this.begun.get(this.current);
    if (!rows || this.taken === this.current) return;
    this.taken = this.current;
    rows.on('data', (chunk: Buffer) => this.forward(rows, chunk));
    rows.once('end', () => {
      this.begun.delete(this.current++);
      this.isOver = this.current === this.parts.texts.length;
      this.goOn();
    });
  }

  private forward(rows: CopyRows, chunk: Buffer): void {
    const part = this.skip > 0 ? chunk.subarray(this.skip) : chunk;
    this.skip -= chunk.length - part.length;
    this.pieces.push(part);
    this.pieceBytes += part.length;
    if (this.pieceBytes < PIECE_BYTES || this.flush()) return;
    rows.pause();
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
    const { stalledMs } = this.options;
    this.stalled ??= setTimeout(() => this.destroy(new Error(`the reader took nothing for ${stalledMs} ms`)), stalledMs).unref();
  }

  /** Behind the last row of a statement nobody else would hear of it. */
  private readonly cut = (): void => this.broken(new Error('the connection to the database ended'));

  private broken(error: Error): void {
    if (this.isOpen && !this.destroyed) this.options.broke(error);
    this.destroy(error);
  }

  /** Nothing was written: how the transaction ends matters only to the connection. */
  private giveBack(client: pg.PoolClient): void {
    this.held.delete(client);
    client.off('end', this.cut);
    client.query('commit').then(() => client.release(), (error: Error) => client.release(error));
  }
}
