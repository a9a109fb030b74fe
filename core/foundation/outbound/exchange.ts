import { request as overHttp, type IncomingMessage } from 'node:http';
import { request as overHttps } from 'node:https';
import { problem } from '../errors.js';
import type { KeptConnections } from './kept-connections.js';
import { only, type Address } from './resolve.js';

export interface Message {
  method: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

export interface Limits {
  signal: AbortSignal;
  maxBytes: number;
  /** The body is only displayed: a longer one is truncated, and a compressed one is not decompressed. */
  cut?: boolean | undefined;
  /** Uses and keeps open connections of these. Only for requests that the receiver may get twice. */
  kept?: KeptConnections | undefined;
}

export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Headers of the response; repeated headers are joined. */
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

/** A response before its body was read. */
export interface Opened {
  response: IncomingMessage;
  status: number;
  headers: Record<string, string>;
  /** Ends the connection. */
  close(): void;
}

/**
 * Sends one request over a connection to one of the given addresses only. Host header and certificate check use the
 * name in the URL.
 * @param kept without it, the connection is a new one
 * @returns the response as soon as its headers have arrived; the caller closes it
 * @throws the error of the socket
 */
export async function open(
  url: URL,
  addresses: readonly Address[],
  message: Message,
  signal: AbortSignal,
  kept?: KeptConnections,
): Promise<Opened> {
  const { method, headers, body } = message;
  const send = url.protocol === 'https:' ? overHttps : overHttp;
  const connection = kept?.options(url, addresses) ?? { agent: false };
  const request = send(url, { method, headers, lookup: only(addresses), signal, ...connection });
  const close = (): void => void request.destroy();
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve);
      // Not `once`: the connection may fail again after the response was read.
      request.on('error', reject);
      request.end(body);
    });
    return { response, status: response.statusCode ?? 0, headers: headersOf(response), close };
  } catch (error) {
    close();
    // The receiver may have ended the idle connection at the moment when the request was sent.
    if (request.reusedSocket && !signal.aborted) return await open(url, addresses, message, signal);
    throw error;
  }
}

/** @throws outbound_failed: the request did not accept compression, and a small response may decompress to a very large one */
export function demandPlain({ response }: Opened): void {
  const encoding = response.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity' && encoding !== '')
    throw problem('outbound_failed', {
      detail: 'The response is compressed, although compression was not accepted.',
    });
}

/**
 * Sends one request as `open`, and reads the response; a kept connection is closed unless all of it was read.
 * @param readsBody whether the body of a response with this status is read
 * @throws outbound_failed past `maxBytes`, unless truncation is allowed; else the error of the socket
 */
export async function exchange(
  url: URL,
  addresses: readonly Address[],
  message: Message,
  { signal, maxBytes, cut = false, kept }: Limits,
  readsBody: (status: number) => boolean,
): Promise<Reply> {
  const opened = await open(url, addresses, message, signal, kept);
  try {
    const { response, status, headers } = opened;
    const empty = message.method === 'HEAD' || !readsBody(status);
    if (!empty && !cut) demandPlain(opened);
    return { status, headers, body: empty ? Buffer.alloc(0) : await bodyOf(response, maxBytes, cut) };
  } finally {
    opened.close();
  }
}
