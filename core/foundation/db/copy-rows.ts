import type { Readable } from 'node:stream';
import type pg from 'pg';

/** Kinds of messages: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const [COPY_DATA, COPY_DONE] = ['d'.charCodeAt(0), 'c'.charCodeAt(0)];
/** What may come between the rows, and says nothing about them: CopyOutResponse, NoticeResponse, ParameterStatus, NotificationResponse. */
const BESIDE: ReadonlySet<number> = new Set([...'HNSA'].map((kind) => kind.charCodeAt(0)));
/** Kind, and length without it. */
const HEAD_BYTES = 5;
/** Digits of the number of a part, in the first column of each row. */
export const MARK_DIGITS = 4;
const NOTHING = Buffer.alloc(0);

/** What stands before the text of a row, and is left out. */
interface RowHead {
  /** Bytes before the first row. */
  first: number;
  /** Bytes before each. */
  bytes: number;
  /** Where in them the mark is. */
  mark: number | undefined;
}

/** https://www.postgresql.org/docs/current/sql-copy.html: the header of a file, the number of columns of a row, the length of one. */
const [FILE_HEADER, COLUMNS, LENGTH] = [19, 2, 4];
const NO_HEAD: RowHead = { first: 0, bytes: 0, mark: undefined };
/** The mark and its delimiter. */
const MARKED_TEXT: RowHead = { first: 0, bytes: MARK_DIGITS + 1, mark: 0 };
const BINARY: RowHead = { first: FILE_HEADER, bytes: COLUMNS + LENGTH, mark: undefined };
const MARKED_BINARY: RowHead = {
  first: FILE_HEADER,
  bytes: COLUMNS + LENGTH + MARK_DIGITS + LENGTH,
  mark: COLUMNS + LENGTH,
};

/** How a statement's rows come. */
export interface RowShape {
  /** One text each, in the binary format, which spares a look at each of its characters; as they are, where it is false. */
  isBinary: boolean;
  /** The number of its part stands before each, MARK_DIGITS long, as a column of its own. */
  isMarked: boolean;
}

function headOf({ isBinary, isMarked }: RowShape): RowHead {
  if (isBinary) return isMarked ? MARKED_BINARY : BINARY;
  return isMarked ? MARKED_TEXT : NO_HEAD;
}

/** Who takes the rows. */
export interface CopyTaker {
  /** Rows, or pieces of them, as they follow one another. @param part the number they are marked by; 0 where rows are not */
  rows(bytes: Buffer, part: number): void;
  /** No row comes any more. */
  ended(): void;
  failed(error: Error): void;
}

/**
 * The rows of `COPY … TO STDOUT`, as pg's client runs a query. While they come the socket is read here: a message is a row,
 * and to make an object of each costs several times what the rest of the way does. The rows of what was read from the
 * socket are moved together where they lie, without what stands before their texts.
 */
export class CopyRows implements pg.Submittable {
  /** The socket, and what reads it at other times. */
  private socket: Readable | undefined;
  private parser: ((chunk: Buffer) => void) | undefined;
  /** Bytes of the message under way that are still to come, and whether they are a row. */
  private left = 0;
  private isRow = false;
  /** The beginning of a message that is not long enough to say what it is. */
  private head: Buffer = NOTHING;
  private readonly rowHead: RowHead;
  /** Bytes before the first row, as long as that is to come. */
  private first: number;
  /** The mark as it stands there, as one number, and what it says. */
  private mark = 0;
  private part = 0;

  /**
   * @param text `copy (…) to stdout …`
   * @param shape how its rows come; as the database sends them, with all that is around them, where it is absent
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
    /* the end of the rows is what counts */
  }
  handleReadyForQuery(): void {
    /* the same */
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
        // The end of the rows, or an error: from here on pg reads.
        if (kind !== COPY_DATA && !BESIDE.has(kind)) break;
        // What is shorter than a row can be is followed by something.
        if (bytes.length - from < HEAD_BYTES + this.first + rowHead.bytes) {
          this.head = bytes.subarray(from);
          break;
        }
        this.left = bytes.readUInt32BE(from + 1) - (HEAD_BYTES - 1);
        from += HEAD_BYTES;
        // Shorter than a row is the end of a file in the binary format.
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
