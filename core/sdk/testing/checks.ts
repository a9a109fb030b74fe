import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from './client.js';

/** One thing that must hold. `run` rejects with an AssertionError where it does not. */
export interface Check {
  name: string;
  run(): Promise<void>;
}

/** @throws AssertionError with what was answered, unless it has the status */
export function hasStatus<T>(answer: Answer<T>, status: number, what: string): Answer<T> {
  assert.equal(
    answer.status,
    status,
    `${what}: ${answer.status} in place of ${status}: ${JSON.stringify(answer.body)}`,
  );
  return answer;
}

/** @throws AssertionError unless a 422 names exactly these fields */
export function hasFaults({ status, body }: Answer, fields: readonly string[], what: string): void {
  assert.equal(status, 422, `${what}: ${status} in place of 422: ${JSON.stringify(body)}`);
  assert.deepEqual([...new Set(body.errors.map(({ field }) => field))].sort(), [...fields].sort(), what);
}

/**
 * Asks again and again until there is something: for what happens soon, on its own.
 * @param ask gives a value; undefined, null and false mean not yet
 * @param ms the most to wait, in milliseconds
 * @throws when the time is up
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
