import { connect, type Socket } from 'node:net';

/** An answer; its body is kept only on request. */
export interface Reply {
  status: number;
  /** Status line and headers, unchanged. */
  head: string;
  /** Number of bytes of the body, without chunk frames. */
  bytes: number;
  body: Buffer | undefined;
}

const NOTHING = Buffer.alloc(0);
const HEAD_END = '\r\n\r\n';
/** Longest wait for an answer. */
const PATIENCE_MS = 60_000;

/**
 * One keep-alive connection with one request at a time. It does as little as possible, so that the service is measured
 * and not its client.
 */
export class Wire {
  private rest: Buffer = NOTHING;
  private reply: Reply | undefined;
  private parts: Buffer[] | undefined;
  /** Bytes of the body or chunk that have not arrived yet. */
  private due = 0;
  private chunked = false;
  private settle: { done: (reply: Reply) => void; failed: (error: Error) => void } | undefined;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)));
    socket.on('data', (data: Buffer) => this.take(data));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('the service closed the connection')));
  }

  static async open(port: number): Promise<Wire> {
    return await new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new Wire(socket));
      });
    });
  }

  /** Sends a request made by `requestBytes` and waits for the whole answer. */
  send(request: Buffer, keepBody = false): Promise<Reply> {
    this.parts = keepBody ? [] : undefined;
    this.reply = undefined;
    return new Promise((done, failed) => {
      // The close of an idle connection rejects no request, so that it must be reported here.
      if (this.socket.destroyed) {
        failed(new Error('the connection was closed before'));
        return;
      }
      this.settle = { done, failed };
      this.socket.write(request);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private take(data: Buffer): void {
    const bytes = this.rest.length === 0 ? data : Buffer.concat([this.rest, data]);
    this.rest = NOTHING;
    if (this.reply) {
      this.takeBody(bytes, 0);
      return;
    }
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) {
      this.rest = bytes;
      return;
    }
    const head = bytes.toString('latin1', 0, end);
    const status = Number(head.slice(9, 12));
    this.reply = { status, head, bytes: 0, body: undefined };
    this.due = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    this.chunked = /\r\ntransfer-encoding: *chunked/i.test(head);
    this.takeBody(bytes, end + HEAD_END.length);
  }

  private takeBody(bytes: Buffer, from: number): void {
    if (!this.chunked) {
      this.keep(bytes, from, bytes.length);
      if (this.due <= 0) this.finish();
      return;
    }
    for (let at = from; ; ) {
      if (this.due > 0) {
        const end = Math.min(bytes.length, at + this.due);
        this.keep(bytes, at, end);
        at = end;
        if (this.due > 0) return;
      }
      // The end of a chunk and the size of the next: `\r\n1f4\r\n`; the first chunk has no line break before it.
      const line = bytes.indexOf('\r\n', bytes[at] === 13 ? at + 2 : at);
      if (line < 0 || at >= bytes.length) {
        this.rest = bytes.subarray(at);
        return;
      }
      this.due = Number.parseInt(bytes.toString('latin1', bytes[at] === 13 ? at + 2 : at, line), 16);
      if (this.due > 0) {
        at = line + 2;
        continue;
      }
      // The last chunk is empty and followed by an empty line.
      if (bytes.length >= line + 4) this.finish();
      else this.rest = bytes.subarray(at);
      return;
    }
  }

  private keep(bytes: Buffer, from: number, to: number): void {
    this.due -= to - from;
    this.reply!.bytes += to - from;
    if (to > from) this.parts?.push(bytes.subarray(from, to));
  }

  private finish(): void {
    const [reply, settle] = [this.reply!, this.settle];
    if (this.parts) reply.body = Buffer.concat(this.parts);
    this.settle = undefined;
    settle?.done(reply);
  }

  private fail(error: Error): void {
    const { settle } = this;
    this.settle = undefined;
    settle?.failed(error);
  }
}

/**
 * A request as bytes, so that it can be sent many times.
 * @param token bearer token; none if absent
 */
export function requestBytes(
  method: string,
  path: string,
  token?: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Buffer {
  const content = body === undefined ? NOTHING : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1'];
  if (token !== undefined) lines.push(`Authorization: Bearer ${token}`);
  if (body !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${content.length}`);
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}${HEAD_END}`), content]);
}
