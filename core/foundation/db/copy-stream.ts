import { Readable } from 'node:stream';
import type pg from 'pg';
import { CopyRows, type CopyTaker, type RowShape } from './copy-rows.js';
import { ReaderPace, type Pace } from './reader-pace.js';

const HIGH_WATER_BYTES = 256 * 1024;
/**
 * The database sends 8 KiB at a time, and each chunk passed on has a fixed cost: chunks are collected up to this size.
 * A socket read of 64 KiB, minus the removed bytes, is passed on as it is; releasing larger buffers costs more than it
 * saves.
 */
const PIECE_BYTES = 60 * 1024;
/** Maximum number of bytes buffered for a connection whose part is not yet due. */
const AHEAD_BYTES = 6 * 1024 * 1024;

/** How the rows are framed in the output. */
export interface CopyFrame {
  /** Each row is one text column in the binary format, including its line end if it has one. */
  isBinary?: boolean;
  /** Text before the first row and after the last. */
  before?: string;
  after?: string;
  /** Number of bytes to drop from the beginning of the rows. */
  skip?: number;
}

interface CopyStreamOptions {
  /** The minimum speed of the reader; a slower reader loses the connections. */
  pace: () => Pace;
  /** Maximum time in milliseconds for which the connections are held, regardless of the reader's speed. */
  totalMs: number;
  /** Called with the error when the database fails after the first row. */
  broke(error: Error): void;
}

/** One connection and its statement. Rows that arrive before their turn are buffered here. */
class Lane implements CopyTaker {
  private readonly waiting: { bytes: Buffer; part: number }[] = [];
  private waitingBytes = 0;
  private readonly copy: CopyRows;
  /** True after the last row. */
  private isDone = false;

  constructor(
    client: pg.PoolClient,
    text: string,
    shape: RowShape,
    private readonly limit: number,
    private readonly stream: { pump(): void; broken(error: Error): void },
  ) {
    this.copy = client.query(new CopyRows(text, shape, this));
  }

  rows(bytes: Buffer, part: number): void {
    this.waiting.push({ bytes, part });
    this.waitingBytes += bytes.length;
    if (this.waitingBytes >= this.limit) this.copy.pause();
    this.stream.pump();
  }

  ended(): void {
    this.isDone = true;
    this.stream.pump();
  }

  failed(error: Error): void {
    this.stream.broken(error);
  }

  /** Part number of the next buffered row; Infinity after the last row; undefined while no row is buffered. */
  get part(): number | undefined {
    return this.waiting[0]?.part ?? (this.isDone ? Infinity : undefined);
  }

  take(): Buffer {
    const { bytes } = this.waiting.shift()!;
    this.waitingBytes -= bytes.length;
    if (this.waitingBytes < this.limit) this.copy.resume();
    return bytes;
  }
}

/**
 * Merges the rows of COPY statements that run in parallel, each on its own connection. With several statements each row
 * carries the number of its part, and parts are distributed round-robin: the first statement returns parts 0, n, 2n …,
 * in this order, and so on. Rows are merged in the order of the parts. A connection that is ahead of the reader is
 * paused.
 */
export class CopyStream extends Readable {
  private readonly lanes: Lane[];
  /** Connections that have not been released yet. */
  private readonly held: Set<pg.PoolClient>;
  /** Number of the part that is due next. */
  private part = 0;
  private opening: { resolve(): void; reject(error: Error): void } | undefined;
  private isOpen = false;
  /** True while the reader accepts more data. */
  private isWanted = false;
  private isOver = false;
  private skip: number;
  private pieces: Buffer[] = [];
  private pieceBytes = 0;
  private readonly pace: ReaderPace;
  private readonly limit: NodeJS.Timeout;

  /**
   * @param clients connections in transactions that share one snapshot; the stream releases them
   * @param texts `copy (…) to stdout …`, one for each client
   */
  constructor(
    clients: readonly pg.PoolClient[],
    texts: readonly string[],
    private readonly frame: CopyFrame,
    private readonly options: CopyStreamOptions,
  ) {
    super({ highWaterMark: HIGH_WATER_BYTES });
    this.held = new Set(clients);
    this.skip = frame.skip ?? 0;
    this.pace = new ReaderPace(
      options.pace,
      () => !this.isWanted && this.readableLength > 0,
      (reason) => this.destroy(new Error(reason)),
    );
    this.limit = setTimeout(
      () => this.destroy(new Error(`the file was not read within ${options.totalMs} ms`)),
      options.totalMs,
    ).unref();
    if (frame.before) this.pieces.push(Buffer.from(frame.before));
    // Until a consumer adds its own error listener, `open` reports the error.
    this.on('error', () => undefined);
    for (const client of clients) client.once('end', this.cut);
    const isMarked = texts.length > 1;
    const shape = { isBinary: frame.isBinary ?? false, isMarked };
    this.lanes = clients.map(
      (client, i) => new Lane(client, texts[i]!, shape, isMarked ? AHEAD_BYTES : HIGH_WATER_BYTES, this),
    );
    for (const client of clients)
      client.once('drain', () => {
        if (!this.destroyed) this.giveBack(client);
      });
  }

  /** Waits for the first row or the end. @throws the database's error where it rejects the statement */
  async open(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.opening = { resolve, reject };
      if (this.errored) reject(this.errored);
      else this.pump();
    });
    this.pace.start();
  }

  override _read(): void {
    this.isWanted = true;
    this.pump();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.pace.end();
    clearTimeout(this.limit);
    for (const client of this.held) {
      client.off('end', this.cut);
      client.release(error ?? new Error('the reader disconnected'));
    }
    this.held.clear();
    if (error) this.opening?.reject(error);
    done(error);
  }

  /** Passes on the available rows as long as the reader accepts data. */
  pump(): void {
    for (let lane = this.turn(); lane; lane = this.turn()) {
      this.opened();
      if (!this.isWanted) return;
      this.forward(lane.take());
    }
    if (!this.isOver || this.destroyed) return;
    this.opened();
    // All connections must be released first: destroying the stream would otherwise close them.
    if (this.held.size > 0) return;
    if (this.frame.after) this.pieces.push(Buffer.from(this.frame.after));
    this.flush();
    this.isWanted = false;
    this.push(null);
  }

  broken(error: Error): void {
    if (this.isOpen && !this.destroyed) this.options.broke(error);
    this.destroy(error);
  }

  /** @returns the connection whose rows come next; undefined if none have arrived yet or all are done */
  private turn(): Lane | undefined {
    while (!this.destroyed && !this.isOver) {
      const lane = this.lanes[this.part % this.lanes.length]!;
      const next = lane.part;
      if (next === undefined) return undefined;
      if (next === this.part) return lane;
      // The row order depends on the statement's plan: the stream fails rather than return rows in a wrong order.
      if (next < this.part) this.broken(new Error(`rows of part ${next} came after those of ${this.part}`));
      else if (this.lanes.every(({ part }) => part === Infinity)) this.isOver = true;
      else this.part++;
    }
    return undefined;
  }

  private opened(): void {
    this.isOpen = true;
    this.opening?.resolve();
  }

  private forward(bytes: Buffer): void {
    const part = this.skip > 0 ? bytes.subarray(this.skip) : bytes;
    this.skip -= bytes.length - part.length;
    this.pieces.push(part);
    this.pieceBytes += part.length;
    if (this.pieceBytes < PIECE_BYTES || this.flush()) return;
    this.isWanted = false;
  }

  /** @returns whether the reader accepts more data */
  private flush(): boolean {
    const { pieces } = this;
    this.pace.took(this.pieceBytes);
    this.pieces = [];
    this.pieceBytes = 0;
    return pieces.length === 0 || this.push(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces));
  }

  /** After the last row of a statement there is no other listener for the end of the connection. */
  private readonly cut = (): void => this.broken(new Error('the connection to the database ended'));

  /** The transaction wrote nothing, so the result of `commit` only decides whether the connection is reusable. */
  private giveBack(client: pg.PoolClient): void {
    this.held.delete(client);
    client.off('end', this.cut);
    client.query('commit').then(
      () => client.release(),
      (error: Error) => client.release(error),
    );
    this.pump();
  }
}
