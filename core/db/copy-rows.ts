import { Readable } from 'node:stream';
import type pg from 'pg';

/** Kinds of messages: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const [COPY_DATA, COPY_DONE] = ['d'.charCodeAt(0), 'c'.charCodeAt(0)];
/** What may come between the rows, and says nothing about them: CopyOutResponse, NoticeResponse, ParameterStatus, NotificationResponse. */
const BESIDE: ReadonlySet<number> = new Set([...'HNSA'].map((kind) => kind.charCodeAt(0)));
/** Kind, and length without it. */
const HEAD_BYTES = 5;
const NOTHING = Buffer.alloc(0);

/**
 * The rows of `COPY … TO STDOUT`, as pg's client runs a query. While they come the socket is read here: a message is a row,
 * and to make an object of each costs several times what the rest of the way does. The rows of what was read from the
 * socket are moved together where they lie.
 */
export class CopyRows extends Readable implements pg.Submittable {
  /** The socket, and what reads it at other times. */
  private socket: Readable | undefined;
  private parser: ((chunk: Buffer) => void) | undefined;
  /** Bytes of the message under way that are still to come, and whether they are a row. */
  private left = 0;
  private isRow = false;
  /** The beginning of a message whose length is not all there. */
  private head: Buffer = NOTHING;

  /**
   * @param text `copy (…) to stdout …`
   * @param highWaterMark bytes that are held before they are asked for
   */
  constructor(readonly text: string, highWaterMark: number) {
    super({ highWaterMark });
  }

  submit = (connection: pg.Connection): void => {
    const socket = this.socket = connection.stream as Readable;
    this.parser = socket.listeners('data')[0] as (chunk: Buffer) => void;
    socket.off('data', this.parser);
    socket.on('data', this.onData);
    connection.query(this.text);
  };

  handleError(error: Error): void { this.destroy(error); }
  handleCommandComplete(): void { /* the end of the rows is what counts */ }
  handleReadyForQuery(): void { /* the same */ }

  override _read(): void {
    this.socket?.resume();
  }

  private readonly onData = (chunk: Buffer): void => {
    const bytes = this.head.length > 0 ? Buffer.concat([this.head, chunk]) : chunk;
    this.head = NOTHING;
    let [from, to] = [0, 0];
    while (from < bytes.length) {
      if (this.left === 0) {
        const kind = bytes[from]!;
        // The end of the rows, or an error: from here on pg reads.
        if (kind !== COPY_DATA && !BESIDE.has(kind)) break;
        if (bytes.length - from < HEAD_BYTES) {
          this.head = bytes.subarray(from);
          break;
        }
        this.isRow = kind === COPY_DATA;
        this.left = bytes.readUInt32BE(from + 1) - (HEAD_BYTES - 1);
        from += HEAD_BYTES;
      }
      const length = Math.min(this.left, bytes.length - from);
      if (this.isRow) {
        bytes.copyWithin(to, from, from + length);
        to += length;
      }
      from += length;
      this.left -= length;
    }
    const goesOn = to === 0 || this.push(bytes.subarray(0, to));
    if (from < bytes.length && this.head.length === 0) this.giveBack(bytes.subarray(from));
    else if (!goesOn) this.socket!.pause();
  };

  private giveBack(rest: Buffer): void {
    const { socket, parser } = this;
    this.socket = undefined;
    socket!.off('data', this.onData);
    socket!.on('data', parser!);
    if (rest[0] === COPY_DONE) this.push(null);
    parser!(rest);
    socket!.resume();
  }
}
