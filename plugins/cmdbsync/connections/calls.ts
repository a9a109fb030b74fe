import { ConnectorError, type Connector } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { refusal } from '../errors.js';
import { findConnection, type StoredConnection } from '../mappings/load-repository.js';
import { openConnection } from './open.js';

/** Longest time of a request that asks another system, in milliseconds. */
const MOST_MS = 30_000;

/** The message of an error of another system for users; undefined for other errors. */
export function faultOf(error: unknown, signal: AbortSignal): string | undefined {
  if (error instanceof ConnectorError) return error.message.slice(0, 2_000);
  return signal.aborted ? `No answer within ${MOST_MS / 1_000} s.` : undefined;
}

/** @throws not_found */
export async function requireConnection(host: Host, id: string): Promise<StoredConnection> {
  const connection = await findConnection(host.db, id);
  if (!connection) throw host.problem('not_found');
  return connection;
}

/**
 * Asks another system during a request, for at most 30 s.
 * @throws cmdbsync_source_failed with the reason, if it does not do what it was asked
 */
export async function ask<T>(
  host: Host,
  connection: StoredConnection,
  work: (connector: Connector, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(MOST_MS);
  try {
    return await untilAborted(
      openConnection(host, connection, signal).then((connector) => work(connector, signal)),
      signal,
    );
  } catch (error) {
    const detail = faultOf(error, signal);
    if (detail === undefined) throw error;
    const fault = error instanceof ConnectorError ? error.fault : 'unreachable';
    throw refusal('cmdbsync_source_failed', { detail, fault, cause: error });
  }
}

/** The result of work, or an error when the signal aborts: a connector of a partner may not obey it. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
