import type pg from 'pg';

/** Methods of pg's connection that COPY needs and that its types lack. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** COPY … FROM STDIN and TO STDOUT as pg's client calls a query: https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY */
class Copy implements pg.Submittable {
  readonly ended: Promise<void>;
  /** pg sets a callback where there is none; the result is that of `ended`. */
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
    /* ReadyForQuery follows and ends it */
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

/** @param chunks lines of COPY's text format, with any chunk boundaries */
export async function copyIn(client: pg.Client, text: string, chunks: Iterable<string>): Promise<void> {
  await client.query(new Copy(text, chunks, undefined)).ended;
}

/** @param sink receives the lines as they arrive */
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

/** Joins lines to chunks of about 64 KB, because one message per line costs more than the line. */
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
