import { Readable } from 'node:stream';
import type pg from 'pg';
import { CopyRows, type CopyTaker, type RowShape } from './copy-rows.js';
import { ReaderPace, type Pace } from './reader-pace.js';

const HIGH_WATER_BYTES = 256 * 1024;
/**
 * The database sends 8 KiB at a time, and each piece that goes on costs the same, however small: they are gathered. A
 * read of 64 KiB, less what stood before its rows, goes on as it is; more memory to be let go of costs more than that.
 */
const PIECE_BYTES = 60 * 1024;
/** So much of a lane whose turn has not come is held. */
const AHEAD_BYTES = 6 * 1024 * 1024;

/** What is made of the rows. */
export interface CopyFrame {
  /** Each row is one text, in the binary format: with the end of its line, where it has one. */
  isBinary?: boolean;
  /** What stands around them. */
  before?: string;
  after?: string;
  /** Bytes of the rows to leave out at the beginning. */
  skip?: number;
}

export interface CopyStreamOptions {
  /** How fast the reader must take what there is; a slower one loses the connections. */
  pace: () => Pace;
  /** Milliseconds after which the connections are taken back, however fast the reader is. */
  totalMs: number;
  /** Told why the database broke off once the first row was there. */
  broke(error: Error): void;
}

/** One connection and its statement. What comes before its turn waits here. */
class Lane implements CopyTaker {
  private readonly waiting: { bytes: Buffer; part: number }[] = [];
  private waitingBytes = 0;
  private readonly copy: CopyRows;
  /** No row comes any more. */
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

  /** Number of the part whose rows are next, Infinity behind the last; undefined while that is not known. */
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
 * The rows of COPY statements that run at the same time, each on a connection. Of several statements each row is marked
 * with the number of its part, and parts go round: the first statement has 0, n, 2n …, in this order, and so on. They are put
 * together in the order of the parts. A lane that is ahead of the reader waits.
 */
export class CopyStream extends Readable {
  private readonly lanes: Lane[];
  /** Connections that were not given back. */
  private readonly held: Set<pg.PoolClient>;
  /** Number of the part whose turn it is. */
  private part = 0;
  private opening: { resolve(): void; reject(error: Error): void } | undefined;
  private isOpen = false;
  /** The reader has asked for more. */
  private isWanted = false;
  private isOver = false;
  private skip: number;
  private pieces: Buffer[] = [];
  private pieceBytes = 0;
  private readonly pace: ReaderPace;
  private readonly limit: NodeJS.Timeout;

  /**
   * @param clients in transactions of one snapshot; the stream releases them
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
    // It is told by `open` as long as nobody else listens.
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

  /** Waits for the first row or the end. @throws what the database refuses */
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
      client.release(error ?? new Error('the reader left'));
    }
    this.held.clear();
    if (error) this.opening?.reject(error);
    done(error);
  }

  /** Hands on what there is, as far as the reader takes it. */
  pump(): void {
    for (let lane = this.turn(); lane; lane = this.turn()) {
      this.opened();
      if (!this.isWanted) return;
      this.forward(lane.take());
    }
    if (!this.isOver || this.destroyed) return;
    this.opened();
    // Not before: the end of the stream cuts what it still holds.
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

  /** @returns the lane the next rows come from; undefined where they are not there yet, or none is left */
  private turn(): Lane | undefined {
    while (!this.destroyed && !this.isOver) {
      const lane = this.lanes[this.part % this.lanes.length]!;
      const next = lane.part;
      if (next === undefined) return undefined;
      if (next === this.part) return lane;
      // The order is what the statement's plan makes of it: a file is rather broken than in another one.
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

  /** @returns whether the reader takes more */
  private flush(): boolean {
    const { pieces } = this;
    this.pace.took(this.pieceBytes);
    this.pieces = [];
    this.pieceBytes = 0;
    return pieces.length === 0 || this.push(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces));
  }

  /** Behind the last row of a statement nobody else would hear of it. */
  private readonly cut = (): void => this.broken(new Error('the connection to the database ended'));

  /** Nothing was written: how the transaction ends matters only to the connection. */
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
