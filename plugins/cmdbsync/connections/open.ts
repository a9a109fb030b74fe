import { ConnectorError, type Connector, type ConnectorConnection } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { secretName } from './secrets.js';

/** Opens a connection by its connector. @throws ConnectorError */
export async function openConnection(
  host: Host,
  connection: {
    id: string;
    connector: string;
    config: Record<string, unknown>;
    secrets: readonly string[];
    max_requests_per_second: number;
  },
  signal: AbortSignal,
): Promise<Connector> {
  const found = host.connectors.all().find(({ connector }) => connector.key === connection.connector);
  if (!found) throw new ConnectorError('invalid_settings', `There is no connector ${connection.connector}.`);
  const secrets: Record<string, string> = {};
  for (const name of connection.secrets) {
    const value = await host.secrets.get(secretName(connection.id, name));
    if (value !== undefined) secrets[name] = value;
  }
  const opened: ConnectorConnection = {
    id: connection.id,
    config: connection.config,
    secrets,
    request: async (url, request) => await host.outbound.request(url, { ...request, signal }),
    storeSecret: async (name, value) => await host.secrets.set(secretName(connection.id, name), value),
    importDir: undefined,
    signal,
  };
  return found.open(opened);
}
