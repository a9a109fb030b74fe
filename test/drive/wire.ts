/** Sends requests exactly as generated, and formats them as command lines. */
import { Agent, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { nextAddress } from '../support/http.js';

export interface WireRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
  /** Whether to use a new source address, because the operation is limited per address. */
  ownAddress: boolean;
}

export interface WireAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

const PATIENCE_MS = 20_000;
/** Time for which an event stream is read, because it does not end. */
const STREAM_MS = 50;

/** The decompressed bytes. */
function unpacked(bytes: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'gzip') return gunzipSync(bytes);
  return encoding === 'br' ? brotliDecompressSync(bytes) : bytes;
}

export class Wire {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 16 });

  constructor(readonly origin: string) {}

  close(): void {
    this.agent.destroy();
  }

  /** @throws when there is no answer, or an incomplete one */
  async send({ method, target, headers, body, ownAddress }: WireRequest): Promise<WireAnswer> {
    const { hostname, port } = new URL(this.origin);
    return await new Promise((resolve, reject) => {
      const call = request({
        hostname,
        port,
        method,
        path: target,
        headers,
        ...(ownAddress ? { agent: false, localAddress: nextAddress() } : { agent: this.agent }),
      });
      const timer = setTimeout(() => call.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS);
      call.once('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
      call.once('response', (response) => {
        const parts: Buffer[] = [];
        const end = (): void => {
          clearTimeout(timer);
          try {
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: unpacked(Buffer.concat(parts), response.headers['content-encoding']).toString('utf8'),
            });
          } catch (error) {
            reject(error as Error);
          }
        };
        response.on('data', (part: Buffer) => parts.push(part));
        response.once('error', (error) => {
          clearTimeout(timer);
          reject(error);
        });
        if (response.headers['content-type']?.startsWith('text/event-stream')) {
          setTimeout(() => {
            response.removeAllListeners('error').on('error', () => undefined);
            end();
            call.destroy();
          }, STREAM_MS);
        } else response.once('end', end);
      });
      call.end(body);
    });
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const SHOWN = 3_000;

/** The request as a command line. */
export function curlLine({ method, target, headers, body }: WireRequest, as: string): string {
  const shown = Object.entries(headers)
    .filter(([name]) => name !== 'authorization' && name !== 'content-length')
    .map(([name, value]) => ` -H ${quoted(`${name}: ${value}`)}`);
  const text = body?.toString('utf8') ?? '';
  const data =
    body === undefined
      ? ''
      : text.length > SHOWN
        ? ` --data-binary ${quoted(text.slice(0, SHOWN))} # … ${body.length} bytes in all`
        : ` --data-binary ${quoted(text)}`;
  const who = as === 'anonymous' ? '' : ` -H "authorization: Bearer $${as}"`;
  return `curl -s --path-as-is -g -X ${method} "$origin"${quoted(target.length > SHOWN ? `${target.slice(0, SHOWN)}…` : target)}${who}${shown.join('')}${data}`;
}
