import type pg from 'pg';

/** What of pg's connection COPY needs; its types leave it out. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** COPY … FROM STDIN and TO STDOUT as pg's client calls a query: https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY */
class Copy implements pg.Submittable {
  readonly ended: Promise<void>;
  /** pg puts one in where there is none; the answer comes by `ended`. */
  callback = (): void => undefined;
  private settle!: { done: () => void; failed: (error: Error) => void };

  constructor(
    private readonly text: string,
    private readonly source: Iterable<string> | undefined,
    private readonly sink: ((chunk: Buffer) => void) | undefined,
  ) {
    this.ended = new Promise((done, failed) => {
      this.settle = { done, failed };
    });
  }

  submit = (connection: pg.Connection): void => connection.query(this.text);

  handleCopyInResponse(connection: CopyConnection): void {
    void this.feed(connection).catch((error: unknown) => connection.sendCopyFail(String(error)));
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.sink?.(chunk);
  }

  handleCommandComplete(): void {
    /* the end is what counts */
  }
  handleError(error: Error): void {
    this.settle.failed(error);
  }
  handleReadyForQuery(): void {
    this.settle.done();
  }

  private async feed(connection: CopyConnection): Promise<void> {
    for (const chunk of this.source ?? []) {
      connection.sendCopyFromChunk(Buffer.from(chunk));
      if (connection.stream.writableNeedDrain) await new Promise((resolve) => connection.stream.once('drain', resolve));
    }
    connection.endCopyFrom();
  }
}

/** @param chunks lines of COPY's text format, cut anywhere */
export async function copyIn(client: pg.Client, text: string, chunks: Iterable<string>): Promise<void> {
  await client.query(new Copy(text, chunks, undefined)).ended;
}

/** @param sink receives the lines as they come */
export async function copyOut(
  client: pg.Client,
  text: string,
  sink: (chunk: Buffer) => void = () => undefined,
): Promise<void> {
  await client.query(new Copy(text, undefined, sink)).ended;
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** One line of COPY's text format. */
export function copyLine(values: readonly (string | number | boolean | null)[]): string {
  return `${values.map((value) => (value === null ? '\\N' : String(value).replace(/[\\\n\r\t]/g, (c) => ESCAPES[c]!))).join('\t')}\n`;
}

/** Lines in chunks of some 64 KB: a message for each line would cost more than the line. */
export function* chunked(lines: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const line of lines) {
    chunk += line;
    if (chunk.length < 65_536) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
