import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from './client.js';

/** One check. `run` rejects with an AssertionError if it fails. */
export interface Check {
  name: string;
  run(): Promise<void>;
}

/** @throws AssertionError with the response, unless it has the status */
export function hasStatus<T>(answer: Answer<T>, status: number, what: string): Answer<T> {
  assert.equal(
    answer.status,
    status,
    `${what}: ${answer.status} in place of ${status}: ${JSON.stringify(answer.body)}`,
  );
  return answer;
}

/** @throws AssertionError unless the response is a 422 with exactly these fields */
export function hasFaults({ status, body }: Answer, fields: readonly string[], what: string): void {
  assert.equal(status, 422, `${what}: ${status} in place of 422: ${JSON.stringify(body)}`);
  assert.deepEqual([...new Set(body.errors.map(({ field }) => field))].sort(), [...fields].sort(), what);
}

/**
 * Polls until a value is available, for asynchronous effects.
 * @param ask returns a value; undefined, null and false mean not yet
 * @param ms the maximum wait in milliseconds
 * @throws at the timeout
 */
export async function until<T>(ask: () => T | Promise<T>, ms = 5_000): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = performance.now() + ms;
  for (;;) {
    const value = await ask();
    if (value !== undefined && value !== null && value !== false) return value as NonNullable<Exclude<T, false>>;
    if (performance.now() > deadline) throw new Error(`still nothing after ${ms} ms`);
    await delay(20);
  }
}
