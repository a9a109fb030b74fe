/** Connections to the simulated instance of ServiceNow. */
import type { Connector, ConnectorRecord } from '@lintel/sdk';
import type { TestApp } from '@lintel/sdk/testing';
import type { Host } from '../basics.js';
import { openConnection } from '../connections/open.js';
import { findConnection } from '../mappings/load-repository.js';
import type { ServiceNowServer } from './simulators/servicenow.js';

export interface ConnectionOptions {
  config?: Record<string, unknown>;
  secrets?: Record<string, string>;
}

let count = 0;

/** The body of a connection to the instance, with basic authentication unless told otherwise. */
export const connectionTo = (
  { origin, oauth }: ServiceNowServer,
  { config = {}, secrets }: ConnectionOptions = {},
): Record<string, unknown> => ({
  name: `ServiceNow ${++count}`,
  connector: 'servicenow',
  config: {
    url: origin,
    ...(config['authentication'] === undefined ? { user_name: oauth.user.name } : { client_id: oauth.client.id }),
    ...config,
  },
  secrets: secrets ?? { password: oauth.user.password },
  max_requests_per_second: 1_000,
});

/** Secrets for a client of OAuth. */
export const clientSecrets = ({ oauth }: ServiceNowServer): Record<string, string> => ({
  client_secret: oauth.client.secret,
});

/** Opens a connection as the runs of the module do. @returns also its id */
export async function open(
  app: TestApp,
  instance: ServiceNowServer,
  options: ConnectionOptions = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<{ connector: Required<Connector>; id: string }> {
  const made = await app.admin.post<{ id: string }>(`${app.prefix}/connections`, connectionTo(instance, options));
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const { id } = made.body;
  return { connector: await reopen(app, id, signal), id };
}

/** Opens a stored connection once more. */
export async function reopen(
  app: TestApp,
  id: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<Required<Connector>> {
  const host = app.host() as Host;
  return (await openConnection(host, (await findConnection(host.db, id))!, signal)) as Required<Connector>;
}

/** All records of a read. */
export async function readAll(
  connector: Connector,
  request: { table: string; fields?: readonly string[]; filter?: string; since?: string; limit?: number },
): Promise<{ records: ConnectorRecord[]; pages: number; total: number | undefined; watermark: string | undefined }> {
  const records: ConnectorRecord[] = [];
  let [pages, cursor, total, watermark]: [number, string | undefined, number | undefined, string | undefined] = [
    0,
    undefined,
    undefined,
    undefined,
  ];
  do {
    const page = await connector.read({ limit: 10, fields: ['name'], ...request, cursor });
    records.push(...page.records);
    pages += 1;
    total = page.total ?? total;
    watermark ??= page.watermark;
    cursor = page.next;
  } while (cursor !== undefined);
  return { records, pages, total, watermark };
}
