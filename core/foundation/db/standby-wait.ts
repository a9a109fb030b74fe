import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log.js';
import type { DatabaseConnection } from './connection.js';
import { writableClient, type NotWritable } from './hosts.js';

const AGAIN_MS = 500;
/** Interval, in ms, at which a wait is logged again. */
const LOG_MS = 300_000;

/** How a start waits for a server that accepts writes. */
export interface StandbyWait {
  log: Log;
  /** Ends the wait. */
  signal: AbortSignal;
}

/**
 * Waits until a server of the database accepts writes, and logs that at the beginning and rarely afterwards.
 * @param found the error that began the wait
 * @throws the reason of the signal
 */
export async function waitForWrites(
  connection: DatabaseConnection,
  found: NotWritable,
  { log, signal }: StandbyWait,
): Promise<void> {
  const aborted = new Promise<never>((_, reject) => {
    const end = (): void => reject(signal.reason as Error);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
  const warn = ({ message }: Error): void =>
    log.warn(`${message}; the start waits until a server of the database is promoted`);
  warn(found);
  for (let loggedAt = performance.now(); ; ) {
    const reason = await Promise.race([tryToConnect(connection), aborted]);
    if (!reason) break;
    if (performance.now() - loggedAt > LOG_MS) {
      loggedAt = performance.now();
      warn(reason);
    }
    await Promise.race([delay(AGAIN_MS), aborted]);
  }
  log.info('the database accepts writes: the start continues');
}

/** @returns the reason why there is no connection; a standby may also restart while it is promoted */
async function tryToConnect(connection: DatabaseConnection): Promise<Error | undefined> {
  const client = new (writableClient(connection))({ application_name: 'lintel-start' });
  try {
    await client.connect();
    await client.end();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
