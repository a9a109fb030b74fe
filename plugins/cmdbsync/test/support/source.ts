import { ConnectorError, Type, defineModule, type ConnectorConnection, type ConnectorRecord } from '@lintel/sdk';

/** Records by table, as a test sets them. */
export const tables = new Map<string, ConnectorRecord[]>();
/** The connections as the connector got them, the latest last. */
export const opened: ConnectorConnection[] = [];
/** What the connector does: answers, fails or never answers. */
export const behaviour: { is: 'fine' | 'failing' | 'silent' } = { is: 'fine' };

async function answer<T>(value: T): Promise<T> {
  if (behaviour.is === 'failing') throw new ConnectorError('authentication', 'The token is not accepted.');
  if (behaviour.is === 'silent') return await new Promise<T>(() => undefined);
  return value;
}

/** An external package with a connector to tables in memory. */
export const source = defineModule({
  id: 'acme_source',
  version: '1.0.0',
  title: 'Source',
  description: 'A connector for tests.',
  host: '^0.1.0',
  permissions: [],
  services: () => ({}),
  async routes() {},
  enabledByDefault: true,
  connectors: [
    {
      key: 'acme_source',
      title: 'Source',
      description: 'Tables in memory.',
      config: Type.Object({
        url: Type.String({ format: 'uri', description: 'Address.' }),
        mode: Type.Optional(Type.String({ enum: ['fast', 'slow'], description: 'Mode.' })),
        timeout: Type.Integer({ default: 10, minimum: 1, description: 'Seconds.' }),
      }),
      secrets: {
        token: { description: 'The token.', isRequired: true },
        extra: { description: 'Another secret.' },
      },
      open(_services, connection) {
        opened.push(connection);
        return {
          test: async () => await answer({ detail: 'Source 1.0' }),
          tables: async () =>
            await answer(
              [...tables].map(([key, records]) => ({ key, label: `Table ${key}`, records: records.length })),
            ),
          fields: async (table) => {
            if (!tables.has(table)) throw new ConnectorError('not_found', `There is no table ${table}.`);
            return await answer([
              { key: 'name', label: 'Name', type: 'text' as const, isWritable: true },
              { key: 'site', label: 'Site', type: 'reference' as const, table: 'sites', isWritable: false },
            ]);
          },
          read: async ({ table, limit }) => await answer({ records: (tables.get(table) ?? []).slice(0, limit) }),
        };
      },
    },
  ],
});
