import { isDeepStrictEqual } from 'node:util';
import type { Host } from '../basics.js';
import { accountFaults } from '../mappings/account.js';
import { addressOf, checkConfig } from './config.js';
import { accountsOf, forgetReads } from './repository.js';
import type { ConnectionChange } from './resource.js';
import type { StoredSecrets } from './secrets.js';

/** A connection that may be stored: its settings with defaults, and of each secret the new value, the time of the stored one, or null. */
export interface CheckedConnection {
  config: Record<string, unknown>;
  secrets: Record<string, string | null | StoredSecrets[string]>;
}

/**
 * Checks a new or changed connection.
 * @throws validation_failed with every invalid field; forbidden if a mapping runs as an account with rights that the caller does not have
 */
export async function checkConnection({ host, uow, before, next }: ConnectionChange): Promise<CheckedConnection> {
  const isMoved = !before || before.connector !== next.connector || !isDeepStrictEqual(before.config, next.config);
  const stored = (before?.secrets ?? {}) as StoredSecrets;
  const isSent = next.secrets !== before?.secrets;
  const secrets = merged(stored, isSent ? next.secrets : {});
  if (!isMoved && !isSent) return { config: next.config, secrets };

  const connector = (host as Host).connectors.all().find(({ connector: { key } }) => key === next.connector)?.connector;
  if (!connector) throw host.invalid({ field: '/connector', reason: 'is not an available connector' });
  const { config, faults } = checkConfig(connector, next.config);
  for (const name of Object.keys(secrets))
    if (!Object.hasOwn(connector.secrets, name) && secrets[name] !== null)
      faults.push({ field: `/secrets/${name}`, reason: 'is not a secret of the connector' });
  for (const [name, { isRequired }] of Object.entries(connector.secrets))
    if (isRequired && (secrets[name] ?? null) === null)
      faults.push({ field: `/secrets/${name}`, reason: 'is required' });
  // A secret that was entered for one address must not be sent to another one, which another user may have set.
  const isElsewhere =
    before &&
    (before.connector !== next.connector || addressOf(connector, before.config) !== addressOf(connector, config));
  if (isElsewhere)
    for (const [name, value] of Object.entries(secrets))
      if (typeof value === 'object' && value !== null)
        faults.push({
          field: `/secrets/${name}`,
          reason: 'has to be sent again, because the settings of the connection changed',
        });
  if (before && isMoved)
    // The records of another address are written with the rights of these accounts.
    for (const account of await accountsOf(uow, before.id)) await accountFaults(host as Host, uow, account, '/config');
  if (faults.length > 0) throw host.invalid(...faults);
  if (before && isMoved) await forgetReads(uow, before.id);
  return { config, secrets };
}

function merged(stored: StoredSecrets, sent: Readonly<Record<string, unknown>>): CheckedConnection['secrets'] {
  const secrets: CheckedConnection['secrets'] = { ...stored };
  for (const [name, value] of Object.entries(sent)) {
    if (typeof value === 'string') secrets[name] = value;
    // True keeps what is stored; without a stored value it has no effect.
    else if (value === null) secrets[name] = null;
  }
  return secrets;
}
