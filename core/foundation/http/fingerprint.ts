import { TimeSlice } from '@lintel/sdk';
import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/**
 * The JSON text of a body in pieces, none larger than one operation of a bulk request; joined they equal
 * `JSON.stringify`.
 */
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
 * A digest that distinguishes a retry from a different request: covers everything that determines the outcome. Keyed
 * (HMAC), because a body may contain a password, which an attacker could guess from a plain digest.
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
  // Of an API token, so that the outcome of a request is repeated only to the one that made it.
  if (request.identity?.actor.token) hmac.update(`token ${request.identity.actor.token.id}`);
  // The rejected operations of a bulk request are part of the request.
  for (const { index, operation } of request.refusedOperations ?? []) {
    hmac.update(`${index}:`);
    await add(operation);
  }
  return hmac.digest();
}
