import type { FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '../errors.js';

/** Default maximum number of values in a body, keys included, for routes that do not set their own. */
export const BODY_VALUES = 20_000;

/**
 * Passes the bytes of a body to `take` as they arrive, one chunk at a time. If `take` throws, the rest of the body is
 * read and discarded, so that the client can read the response; the timeout for the whole body still applies.
 * @param most maximum number of bytes
 * @throws payload_too_large, at once; bad_request where the client disconnects; what `take` throws
 */
export function readBody(
  { headers, raw }: FastifyRequest,
  most: number,
  take: (chunk: Buffer) => void | Promise<void>,
): Promise<void> {
  // By events: an iterator takes ten promises for a short body.
  return new Promise((resolve, reject) => {
    let received = 0;
    let failure: { error: unknown } | undefined;
    const stop = (): void => {
      raw.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
    };
    const tooLarge = (): void => {
      stop();
      raw.pause();
      reject(problem('payload_too_large'));
    };
    const fail = (error: unknown): void => {
      failure = { error };
    };
    const onData = (chunk: Buffer): void => {
      received += chunk.length;
      if (received > most) {
        tooLarge();
        return;
      }
      if (failure) return;
      try {
        const pending = take(chunk);
        if (!pending) return;
        raw.pause();
        void pending.catch(fail).then(() => raw.resume());
      } catch (error) {
        fail(error);
      }
    };
    const onEnd = (): void => {
      stop();
      if (failure) reject(failure.error as Error);
      else resolve();
    };
    const onBroken = (cause?: Error): void => {
      stop();
      reject(problem('bad_request', { detail: 'The body did not arrive completely.', cause }));
    };
    if (Number(headers['content-length'] ?? 0) > most) tooLarge();
    else if (raw.readableEnded) onEnd();
    else if (raw.destroyed) onBroken();
    else raw.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

/**
 * Reads and discards the rest of a rejected request's body: if the connection were closed while the client is writing,
 * the client could not read the response. The timeout for the whole body still applies. If the body announces or sends
 * more than `most` bytes, or the client disconnects, the connection is closed after the response.
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
  // A parser that has stopped reading would apply backpressure to the request stream.
  raw.unpipe();
  if (!(await isDropped().catch(() => false))) reply.header('connection', 'close');
}

/** Whether the headers of a request announce a body. */
export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || !['0', undefined].includes(headers['content-length']);
