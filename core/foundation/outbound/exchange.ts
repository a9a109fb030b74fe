import { request as overHttp, type IncomingMessage } from 'node:http';
import { request as overHttps } from 'node:https';
import { problem } from '../errors.js';
import { only, type Address } from './resolve.js';

export interface Message {
  method: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

export interface Limits {
  signal: AbortSignal;
  maxBytes: number;
  /** The body is for people to look at: of a longer one the beginning is enough, and what is compressed stays so. */
  cut?: boolean | undefined;
}

export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Headers of the answer; those sent several times are joined. */
function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(', ')]],
    ),
  );
}

async function bodyOf(response: IncomingMessage, maxBytes: number, cut: boolean): Promise<Buffer> {
  const tooLong = () => problem('outbound_failed', { detail: `The answer has more than ${maxBytes} bytes.` });
  if (!cut && Number(response.headers['content-length']) > maxBytes) throw tooLong();
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    length += part.length;
    parts.push(part);
    if (length <= maxBytes) continue;
    if (!cut) throw tooLong();
    break;
  }
  return Buffer.concat(parts, Math.min(length, maxBytes));
}

/**
 * One request and its answer, over a connection of its own to one of the addresses and no other. Name and certificate
 * are those of the URL.
 * @param wantsBody whether the body of an answer of this status is read
 * @throws outbound_failed past `maxBytes`, unless it may be cut; else what the socket throws
 */
export async function exchange(
  url: URL,
  addresses: readonly Address[],
  { method, headers, body }: Message,
  { signal, maxBytes, cut = false }: Limits,
  wantsBody: (status: number) => boolean,
): Promise<Reply> {
  const send = url.protocol === 'https:' ? overHttps : overHttp;
  const request = send(url, { method, headers, agent: false, lookup: only(addresses), signal });
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve);
      // Once for all: a connection may break again after the answer was read.
      request.on('error', reject);
      request.end(body);
    });
    const status = response.statusCode ?? 0;
    const empty = method === 'HEAD' || !wantsBody(status);
    const encoding = response.headers['content-encoding'] ?? 'identity';
    // It was not asked for: unpacked, a small answer may be a large one.
    if (!empty && !cut && encoding !== 'identity' && encoding !== '')
      throw problem('outbound_failed', { detail: 'The answer is compressed, which was not asked for.' });
    return {
      status,
      headers: headersOf(response),
      body: empty ? Buffer.alloc(0) : await bodyOf(response, maxBytes, cut),
    };
  } finally {
    request.destroy();
  }
}
