import { Problem } from '../foundation/errors.js';
import type { ConnectionTestView } from './section-schemas.js';

/** Timeout of a test in milliseconds. */
export const TEST_TIMEOUT_MS = 15_000;
const MAX_DETAIL = 300;

/** A failed test whose message is the external system's own reason. */
export class ConnectionTestFailure extends Error {}

/**
 * Tests a connection to an external system and reports the result.
 * @param work the test; returns a description of the result
 * @param secret removed from the reported text
 * @returns a result also where the external system fails; such failures are not thrown
 */
export async function tryOut(work: () => Promise<string>, secret: string | undefined): Promise<ConnectionTestView> {
  const began = performance.now();
  const result = (ok: boolean, text: string): ConnectionTestView => ({
    ok,
    latency_ms: Math.round(performance.now() - began),
    detail: plain(text, secret),
  });
  try {
    return result(true, await work());
  } catch (error) {
    if (error instanceof ConnectionTestFailure || (error instanceof Problem && error.status < 500))
      return result(false, error.message);
    throw error;
  }
}

/** One line without control characters, and without the secret if the external system repeated it. */
export function plain(text: string, secret: string | undefined): string {
  const hidden = secret === undefined || secret === '' ? text : text.replaceAll(secret, '…');
  return (
    hidden
      .toWellFormed()
      .replace(/[\p{C}\p{Z}]+/gu, ' ')
      .trim()
      .slice(0, MAX_DETAIL)
      .toWellFormed() || 'No reason was given.'
  );
}
