import type { Readable } from 'node:stream';
import type pg from 'pg';

/** Message types: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const [COPY_DATA, COPY_DONE] = ['d'.charCodeAt(0), 'c'.charCodeAt(0)];
/**
 * Messages that may arrive between rows and do not affect them: CopyOutResponse, NoticeResponse, ParameterStatus,
 * NotificationResponse.
 */
const BESIDE: ReadonlySet<number> = new Set([...'HNSA'].map((kind) => kind.charCodeAt(0)));
/** Message header: the type byte and the four length bytes. */
const HEAD_BYTES = 5;
/** Number of digits of the part number in the first column of each row. */
export const MARK_DIGITS = 4;
const NOTHING = Buffer.alloc(0);

/** The bytes that precede the text of a row and are removed from the output. */
interface RowHead {
  /** Bytes before the first row. */
  first: number;
  /** Bytes before each row. */
  bytes: number;
  /** Offset of the part number within those bytes. */
  mark: number | undefined;
}

/**
 * Lengths from https://www.postgresql.org/docs/current/sql-copy.html: the file header, a row's column count, a column's
 * length field.
 */
const [FILE_HEADER, COLUMNS, LENGTH] = [19, 2, 4];
const NO_HEAD: RowHead = { first: 0, bytes: 0, mark: undefined };
/** The part number and the column delimiter. */
const MARKED_TEXT: RowHead = { first: 0, bytes: MARK_DIGITS + 1, mark: 0 };
const BINARY: RowHead = { first: FILE_HEADER, bytes: COLUMNS + LENGTH, mark: undefined };
const MARKED_BINARY: RowHead = {
  first: FILE_HEADER,
  bytes: COLUMNS + LENGTH + MARK_DIGITS + LENGTH,
  mark: COLUMNS + LENGTH,
};

/** The format in which a statement returns its rows. */
export interface RowShape {
  /** True: one text column in the binary format, which saves escaping each character. False: the text format. */
  isBinary: boolean;
  /** True: a separate first column of MARK_DIGITS digits contains the number of the row's part. */
  isMarked: boolean;
}

function headOf({ isBinary, isMarked }: RowShape): RowHead {
  if (isBinary) return isMarked ? MARKED_BINARY : BINARY;
  return isMarked ? MARKED_TEXT : NO_HEAD;
}

/** Receives the rows. */
export interface CopyTaker {
  /**
   * Consecutive bytes of rows; a row may be split between calls. @param part the part number of the rows; 0 if rows
   * carry none
   */
  rows(bytes: Buffer, part: number): void;
  /** Called after the last row. */
  ended(): void;
  failed(error: Error): void;
}

/**
 * Reads the rows of `COPY … TO STDOUT` as a query of a pg client. During the copy this class reads the socket itself:
 * each row is one protocol message, and creating an object per message costs several times as much as the rest of the
 * processing. The rows in one chunk read from the socket are compacted in place, without the bytes that precede their
 * texts.
 */
export class CopyRows implements pg.Submittable {
  /** The socket, and pg's own data listener, which is restored after the copy. */
  private socket: Readable | undefined;
  private parser: ((chunk: Buffer) => void) | undefined;
  /** Bytes of the current message that have not arrived yet, and whether the message is a row. */
  private left = 0;
  private isRow = false;
  /** The start of a message that is too short to be interpreted. */
  private head: Buffer = NOTHING;
  private readonly rowHead: RowHead;
  /** Bytes to remove before the first row; 0 after the first row. */
  private first: number;
  /** The current part number as read from the rows (four bytes as one integer), and its decoded value. */
  private mark = 0;
  private part = 0;

  /**
   * @param text `copy (…) to stdout …`
   * @param shape the format of the rows; without it the bytes are passed on exactly as the database sends them
   */
  constructor(
    readonly text: string,
    shape: RowShape | undefined,
    private readonly taker: CopyTaker,
  ) {
    this.rowHead = shape ? headOf(shape) : NO_HEAD;
    this.first = this.rowHead.first;
  }

  submit = (connection: pg.Connection): void => {
    const socket = (this.socket = connection.stream as Readable);
    this.parser = socket.listeners('data')[0] as (chunk: Buffer) => void;
    socket.off('data', this.parser);
    socket.on('data', this.onData);
    connection.query(this.text);
  };

  handleError(error: Error): void {
    this.taker.failed(error);
  }
  handleCommandComplete(): void {
    /* The end of the rows has already been handled. */
  }
  handleReadyForQuery(): void {
    /* As above. */
  }

  pause(): void {
    this.socket?.pause();
  }

  resume(): void {
    this.socket?.resume();
  }

  private readonly onData = (chunk: Buffer): void => {
    const bytes = this.head.length > 0 ? Buffer.concat([this.head, chunk]) : chunk;
    this.head = NOTHING;
    const { rowHead } = this;
    let [from, to, sent] = [0, 0, 0];
    while (from < bytes.length) {
      if (this.left === 0) {
        const kind = bytes[from]!;
        // The end of the rows, or an error: from here on pg reads the socket again.
        if (kind !== COPY_DATA && !BESIDE.has(kind)) break;
        // A chunk shorter than the smallest row cannot be complete: more bytes will follow.
        if (bytes.length - from < HEAD_BYTES + this.first + rowHead.bytes) {
          this.head = bytes.subarray(from);
          break;
        }
        this.left = bytes.readUInt32BE(from + 1) - (HEAD_BYTES - 1);
        from += HEAD_BYTES;
        // A COPY message shorter than a row is the trailer of the binary format.
        this.isRow = kind === COPY_DATA && this.left >= this.first + rowHead.bytes;
        if (this.isRow) {
          from += this.first;
          if (rowHead.mark !== undefined && bytes.readUInt32BE(from + rowHead.mark) !== this.mark) {
            if (to > sent) this.taker.rows(bytes.subarray(sent, to), this.part);
            sent = to;
            this.mark = bytes.readUInt32BE(from + rowHead.mark);
            this.part = Number(bytes.toString('latin1', from + rowHead.mark, from + rowHead.mark + MARK_DIGITS));
          }
          from += rowHead.bytes;
          this.left -= this.first + rowHead.bytes;
          this.first = 0;
        }
      }
      const length = Math.min(this.left, bytes.length - from);
      if (this.isRow) {
        bytes.copyWithin(to, from, from + length);
        to += length;
      }
      from += length;
      this.left -= length;
    }
    if (to > sent) this.taker.rows(bytes.subarray(sent, to), this.part);
    if (from < bytes.length && this.head.length === 0) this.giveBack(bytes.subarray(from));
  };

  private giveBack(rest: Buffer): void {
    const { socket, parser } = this;
    this.socket = undefined;
    socket!.off('data', this.onData);
    socket!.on('data', parser!);
    if (rest[0] === COPY_DONE) this.taker.ended();
    parser!(rest);
    socket!.resume();
  }
}
