import { Nullable, Timestamp, Type, resource, type ResourceChange, type ResourceRow } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { refusal } from '../errors.js';
import { MANAGE, VIEW } from '../permissions.js';
import type { Settings } from '../settings.js';
import { checkConnection } from './check.js';
import { hasMappings } from './repository.js';
import { secretName, type SentSecrets, type StoredSecrets } from './secrets.js';

export const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });
const Secrets = Type.Record(
  Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$' }),
  Nullable(Type.Union([Type.String({ minLength: 1, maxLength: 10_000 }), Type.Boolean({ enum: [true] })])),
  {
    maxProperties: 20,
    default: {},
    examples: [{ password: true }],
    description:
      'By name. In requests a value, `true` to keep the stored one, or null to remove it; secrets that are not sent are kept. In responses `true` for each that is set, as `stored_secrets` says it: values are never returned.',
  },
);

const FIELDS = {
  name: Name,
  connector: Type.String({ minLength: 1, maxLength: 63, description: 'Key of a connector.' }),
  config: Type.Unsafe<Record<string, unknown>>(
    Type.Object(
      {},
      {
        additionalProperties: true,
        maxProperties: 50,
        description: 'The settings of the connector, as the schema in the list of connectors says.',
      },
    ),
  ),
  secrets: Type.Unsafe<SentSecrets>(Secrets),
  max_requests_per_second: Type.Integer({ minimum: 1, maximum: 1_000, default: 10 }),
};

/** Secrets as all settings of the service show them. */
const Stored = Type.Unsafe<Record<string, { is_set: boolean }>>(
  Type.Record(Type.String(), Type.Object({ is_set: Type.Boolean() }), {
    examples: [{ token: { is_set: true }, password: { is_set: false } }],
    description: 'The secrets of the connector and those that are stored, by name: whether each is set.',
  }),
);

const LastTest = Nullable(
  Type.Object({
    tested_at: Timestamp(),
    ok: Type.Boolean(),
    detail: Type.String({ description: 'What was found, or why the test failed.' }),
  }),
);

export type ConnectionChange = ResourceChange<ResourceRow<typeof FIELDS, Record<never, never>>, Settings>;

const SHOWN = { last_test: LastTest, stored_secrets: Stored };
type Shown = typeof SHOWN;

/** Connections to other systems. */
export const connections = resource<typeof FIELDS, Record<never, never>, Shown, Settings>({
  kind: 'cmdbsync_connection',
  table: 'cmdbsync_connections',
  tag: 'cmdbsync',
  operation: 'CmdbsyncConnection',
  label: 'a connection to another system',
  labels: 'connections to other systems',
  permissions: { view: VIEW, manage: MANAGE },
  bounds: [{ most: 100 }],
  // Addresses of internal systems and names of their accounts, which the reason of a failed test may contain.
  fieldPermissions: { config: MANAGE, secrets: MANAGE, stored_secrets: MANAGE, last_test: MANAGE },
  fields: FIELDS,
  unlogged: ['secrets'],
  types: { config: 'jsonb', secrets: 'jsonb' },
  shown: SHOWN,
  reads: { last_test: 'r.last_test' },
  computed: { name_key: ({ name }, host) => host.nameKey(name) },
  filters: { connector: 'any' },
  sorts: { name: { column: 'name_key', type: 'text' } },
  defaultSort: 'name',
  example: {
    name: 'NetBox',
    connector: 'netbox',
    config: { url: 'https://netbox.example.com' },
    secrets: { token: '0123456789abcdef' },
    max_requests_per_second: 10,
  },
  async prepare(change) {
    const { config, secrets } = await checkConnection(change);
    const { uow, id, next } = change;
    const host = change.host as Host;
    const stored: Record<string, StoredSecrets[string]> = {};
    for (const [name, value] of Object.entries(secrets)) {
      if (value === null) await host.secrets.remove(secretName(id, name), uow);
      else if (typeof value === 'object') stored[name] = value;
      else {
        await host.secrets.set(secretName(id, name), value, uow);
        stored[name] = { set_at: new Date().toISOString() };
      }
    }
    return { name: next.name.trim(), config, secrets: stored };
  },
  async removing({ host, uow, id, before }) {
    if (await hasMappings(uow, id)) throw refusal('cmdbsync_connection_used');
    for (const name of Object.keys(before?.secrets ?? {})) await host.secrets.remove(secretName(id, name), uow);
  },
  present: (rows, _ctx, host) =>
    rows.map(({ connector, secrets }) => {
      const declared = (host as Host).connectors.all().find((owned) => owned.connector.key === connector);
      const stored = Object.keys(secrets).sort();
      const names = new Set([...Object.keys(declared?.connector.secrets ?? {}), ...stored].sort());
      return {
        secrets: Object.fromEntries(stored.map((name) => [name, true])),
        stored_secrets: Object.fromEntries([...names].map((name) => [name, { is_set: Object.hasOwn(secrets, name) }])),
      };
    }),
});
export type Connections = ReturnType<typeof connections.service>;
