import type { FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '../errors.js';

/** What a route without a number of its own takes: values of a body, keys included. */
export const BODY_VALUES = 20_000;

/**
 * Gives the bytes of a body as they arrive to `take`, one chunk after the other. Where `take` throws, what is still to
 * come is read and dropped, so that the sender gets to read the answer; the time for the whole body holds for that too.
 * @param most bytes there may be
 * @throws payload_too_large, at once; bad_request where the sender breaks off; what `take` throws
 */
export async function readBody(
  request: FastifyRequest,
  most: number,
  take: (chunk: Buffer) => void | Promise<void>,
): Promise<void> {
  if (Number(request.headers['content-length'] ?? 0) > most) throw problem('payload_too_large');
  let received = 0;
  let failure: { error: unknown } | undefined;
  try {
    // Ending the request with the loop would take the answer along.
    for await (const chunk of request.raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      received += chunk.length;
      if (received > most) break;
      if (failure) continue;
      try {
        const pending = take(chunk);
        if (pending) await pending;
      } catch (error) {
        failure = { error };
      }
    }
  } catch (cause) {
    throw problem('bad_request', { detail: 'The body did not arrive whole.', cause });
  }
  if (failure) throw failure.error;
  if (received > most) throw problem('payload_too_large');
}

/**
 * Reads and drops what is still to come of the body of a refused request: a connection that is closed while the sender
 * writes takes the answer along. The time for the whole body holds for that too. Where the body announces more than
 * `most` bytes, more than those come, or the sender breaks off, the connection is closed with the answer.
 */
export async function dropBody({ headers, raw }: FastifyRequest, reply: FastifyReply, most: number): Promise<void> {
  if (raw.readableEnded) return;
  const isDropped = async (): Promise<boolean> => {
    if (raw.destroyed || Number(headers['content-length'] ?? 0) > most) return false;
    let dropped = 0;
    for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      dropped += chunk.length;
      if (dropped > most) return false;
    }
    return true;
  };
  // A parser that has stopped reading holds up what is piped to it.
  raw.unpipe();
  if (!(await isDropped().catch(() => false))) reply.header('connection', 'close');
}

/** Whether a request says that it has a body. */
export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || !['0', undefined].includes(headers['content-length']);
