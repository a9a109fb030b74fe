import { ConnectorError, type Connector, type ConnectorConnection } from '@lintel/sdk';
import { ORIGIN, type Host } from '../basics.js';
import type { StoredConnection } from '../mappings/load-repository.js';
import { Pacing } from './pacing.js';
import { secretName } from './secrets.js';

/** Milliseconds of one request, of all repetitions of one, and the number of these. */
const REQUEST_MS = 30_000;
const RETRY_MS = 120_000;
const ATTEMPTS = 5;
/** Bytes of a response. */
const MAX_BYTES = 20 * 1024 * 1024;
const REPEATABLE = ['GET', 'HEAD', 'PUT', 'DELETE'];

/**
 * Opens a connection with its connector; sends nothing.
 * @throws ConnectorError `invalid_settings` if no enabled module has the connector
 */
export async function openConnection(
  host: Host,
  stored: Omit<StoredConnection, 'name'>,
  signal: AbortSignal,
): Promise<Connector> {
  const owned = host.connectors.all().find(({ connector }) => connector.key === stored.connector);
  if (!owned) throw new ConnectorError('invalid_settings', `There is no connector ${stored.connector}.`);
  const secrets: Record<string, string> = {};
  for (const name of stored.secrets) {
    const value = await host.secrets.get(secretName(stored.id, name));
    if (value !== undefined) secrets[name] = value;
  }
  const pacing = new Pacing(stored.max_requests_per_second);
  const request: ConnectorConnection['request'] = async (url, { timeoutMs, maxBytes, ...options } = {}) => {
    await pacing.turn(signal);
    try {
      return await host.outbound.request(url, {
        ...options,
        timeoutMs: Math.min(timeoutMs ?? REQUEST_MS, RETRY_MS),
        maxBytes: Math.min(maxBytes ?? MAX_BYTES, MAX_BYTES),
        signal,
        ...(REPEATABLE.includes((options.method ?? 'GET').toUpperCase()) && {
          retries: { attempts: ATTEMPTS, maxTotalMs: RETRY_MS },
        }),
      });
    } catch (error) {
      signal.throwIfAborted();
      const problem = host.refusalOf(error);
      throw new ConnectorError('unreachable', problem?.message ?? 'The other system could not be reached.');
    }
  };
  return owned.open({
    id: stored.id,
    config: stored.config,
    secrets,
    request,
    storeSecret: async (name, value) => {
      await host.transactions.run(host.systemContext(ORIGIN), (uow) =>
        host.secrets.set(secretName(stored.id, name), value, uow),
      );
    },
    importDir: host.connectors.importDir,
    signal,
  });
}
