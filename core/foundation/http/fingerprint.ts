import { TimeSlice } from '@lintel/sdk';
import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** JSON text of a body in pieces, of which none is larger than one operation of a bulk; together as of `JSON.stringify`. */
function* piecesOf(body: unknown): Iterable<string> {
  const operations = (body as { operations?: unknown } | null | undefined)?.operations;
  if (!Array.isArray(operations)) {
    yield JSON.stringify(body ?? null);
    return;
  }
  let before = '{';
  for (const [key, value] of Object.entries(body as object)) {
    yield `${before}${JSON.stringify(key)}:`;
    before = ',';
    if (value !== operations) {
      yield JSON.stringify(value);
      continue;
    }
    yield '[';
    for (const [i, operation] of operations.entries()) yield `${i === 0 ? '' : ','}${JSON.stringify(operation)}`;
    yield ']';
  }
  yield '}';
}

/**
 * What tells a retry from another request: a digest over all that decides the outcome. Keyed, because a body may hold a
 * password, and a plain digest of it could be guessed at.
 */
export async function fingerprintOf(request: FastifyRequest, secret: string): Promise<Buffer> {
  const hmac = createHmac('sha256', secret);
  const slice = new TimeSlice();
  const add = async (body: unknown): Promise<void> => {
    for (const piece of piecesOf(body)) {
      hmac.update(piece);
      if (slice.isOver) await slice.next();
    }
  };
  hmac.update(`${JSON.stringify([request.method, request.url, request.headers['if-match'] ?? null]).slice(0, -1)},`);
  await add(request.body);
  hmac.update(']');
  // What a bulk had beside its sound operations is part of it.
  for (const { index, operation } of request.refusedOperations ?? []) {
    hmac.update(`${index}:`);
    await add(operation);
  }
  return hmac.digest();
}
