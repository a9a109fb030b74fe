import { Problem } from '../foundation/errors.js';
import type { ConnectionTestView } from './section-schemas.js';

const MAX_DETAIL = 300;

/** Why a try failed, where a system outside says so in its own words. */
export class ConnectionTestFailure extends Error {}

/**
 * Tries something outside, and tells how that went.
 * @param work what is tried; gives what happened in words
 * @param secret is taken out of what is told
 * @returns never a failure of ours: what the other side does is part of the answer
 */
export async function tryOut(work: () => Promise<string>, secret: string | undefined): Promise<ConnectionTestView> {
  const began = performance.now();
  const told = (ok: boolean, text: string): ConnectionTestView => ({
    ok,
    latency_ms: Math.round(performance.now() - began),
    detail: plain(text, secret),
  });
  try {
    return told(true, await work());
  } catch (error) {
    if (error instanceof ConnectionTestFailure || (error instanceof Problem && error.status < 500))
      return told(false, error.message);
    throw error;
  }
}

/** One line without control characters, nor the secret should the other side have repeated it. */
function plain(text: string, secret: string | undefined): string {
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
