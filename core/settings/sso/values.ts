import { isDeepStrictEqual } from 'node:util';
import { pointerToken } from '../../foundation/json-pointer.js';
import { issuerOf, type Fault } from './rules.js';
import { PROVIDER_DEFAULTS, type ProviderValues, type SsoPatch, type SsoValues } from './schemas.js';

/** The values that were set, without the defaults. */
export type Stored = Partial<Omit<SsoValues, 'providers' | 'jit'>> & {
  providers?: Record<string, Partial<ProviderValues>>;
  jit?: Partial<SsoValues['jit']>;
};
/** A change in the event. */
export interface Change {
  field: string;
  old: unknown;
  new: unknown;
}
/** Secrets of a patch by provider; null removes one. */
export type GivenSecrets = ReadonlyMap<string, string | null>;

/** The name of the secret of a provider. */
export const secretName = (id: string): string => `settings.sso.${id}.client_secret`;

/** The values with all defaults, and the issuers that other values determine. */
export function complete({ providers = {}, jit, enforced = false, break_glass_user_id = null }: Stored): SsoValues {
  return {
    providers: Object.fromEntries(
      Object.entries(providers).map(([id, stored]) => {
        const values = { ...PROVIDER_DEFAULTS, ...stored } as ProviderValues;
        return [id, { ...values, issuer: values.issuer ?? issuerOf(values) }];
      }),
    ),
    jit: { enabled: false, role: null, ...jit },
    enforced,
    break_glass_user_id,
  };
}

/** Issuers that are determined by other values are not stored, so that they follow these. */
export function withoutFixedIssuers(stored: Stored): Stored {
  const providers = Object.entries(stored.providers ?? {}).map(([id, { issuer, ...values }]) => {
    const fixed = issuerOf({ ...PROVIDER_DEFAULTS, ...values } as ProviderValues);
    return [id, issuer === undefined || issuer === fixed ? values : { ...values, issuer }] as const;
  });
  return { ...stored, providers: Object.fromEntries(providers) };
}

/** The values of a patch, and apart from them the secrets. */
export function split({ providers, ...rest }: SsoPatch): { values: object; secrets: GivenSecrets } {
  const secrets = new Map<string, string | null>();
  const values = Object.entries(providers ?? {}).map(([id, provider]) => {
    if (provider === null) return [id, null] as const;
    const { client_secret, ...others } = provider;
    if (client_secret !== undefined) secrets.set(id, client_secret);
    return [id, others] as const;
  });
  return { values: { ...rest, ...(providers !== undefined && { providers: Object.fromEntries(values) }) }, secrets };
}

/** The changed settings, with one entry for each provider. */
export function changesOf(before: SsoValues, after: SsoValues): Change[] {
  const ids = new Set([...Object.keys(before.providers), ...Object.keys(after.providers)]);
  const of = ({ providers }: SsoValues, id: string) => (Object.hasOwn(providers, id) ? providers[id]! : null);
  return [
    ...[...ids].map((id) => ({ field: `providers.${id}`, old: of(before, id), new: of(after, id) })),
    ...(['jit', 'enforced', 'break_glass_user_id'] as const).map((field) => ({
      field,
      old: before[field],
      new: after[field],
    })),
  ].filter((change) => !isDeepStrictEqual(change.old, change.new));
}

/** A caller who cannot read a secret must not be able to have it sent to an issuer of their choice. */
export function boundSecretFaults(
  before: SsoValues,
  after: SsoValues,
  set: ReadonlySet<string>,
  given: GivenSecrets,
): Fault[] {
  return Object.entries(after.providers)
    .filter(
      ([id, values]) =>
        set.has(secretName(id)) &&
        !given.has(id) &&
        values.kind !== undefined &&
        issuerOf(values) !== issuerOf(before.providers[id]!),
    )
    .map(([id]) => ({
      field: `/providers/${pointerToken(id)}/client_secret`,
      reason: 'must be sent again, or as null: it was entered for another issuer',
    }));
}
