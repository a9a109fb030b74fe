/** Connections for tests of connectors without a service. */
import { ConnectorError, type Connector, type ConnectorConnection, type ConnectorDeclaration } from '@lintel/sdk';

/** Opens a connection whose requests are sent once. */
export function openConnector(
  { open }: ConnectorDeclaration<unknown>,
  config: Record<string, unknown>,
  more: { secrets?: Record<string, string>; importDir?: string; signal?: AbortSignal } = {},
): Connector {
  const { secrets = {}, importDir, signal = new AbortController().signal } = more;
  const request: ConnectorConnection['request'] = async (url, { method = 'GET', headers = {}, body } = {}) => {
    let answer: Response;
    let bytes: Buffer;
    try {
      answer = await fetch(url, { method, headers, redirect: 'manual', signal, ...(body && { body: String(body) }) });
      bytes = Buffer.from(await answer.arrayBuffer());
    } catch {
      throw new ConnectorError('unreachable', 'No complete answer.');
    }
    const text = (): string => bytes.toString('utf8');
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: bytes,
      url,
      text,
      json: () => JSON.parse(text()) as unknown,
      readJson: async () => JSON.parse(text()) as unknown,
    };
  };
  return open(undefined, {
    id: 'test',
    config,
    secrets,
    request,
    storeSecret: async () => undefined,
    importDir,
    signal,
  });
}

/** All ids of a read. */
export async function idsOf(connector: Connector, table: string, limit = 100): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined, pages = 0; pages < 1_000; pages++) {
    const page = await connector.read({ table, fields: [], limit, cursor });
    ids.push(...page.records.map(({ id }) => id));
    cursor = page.next;
    if (cursor === undefined) return ids;
  }
  throw new Error('The read does not end.');
}
