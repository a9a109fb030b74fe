import type { FieldError } from '@lintel/sdk';
import { pointerToken } from '../../foundation/json-pointer.js';
import type { RoleGrantPolicy } from '../../identity/rbac/index.js';
import type { RulesByIssuer } from '../../identity/sso/index.js';
import { MOST_PROVIDERS, PROVIDER_ID, type ProviderValues, type SsoValues } from './schemas.js';

/** An invalid field of the settings. */
export type Fault = Omit<FieldError, 'in'>;

const GOOGLE = 'https://accounts.google.com';
/** The tenant of Microsoft Entra ID with all personal accounts. */
const PERSONAL_ACCOUNTS = '9188040d-6c67-4c5b-b112-36a304b66dad';

/** The issuer of a provider; null where it is not set yet. */
export function issuerOf({ kind, tenant, issuer }: ProviderValues): string | null {
  if (kind === 'google') return GOOGLE;
  if (kind !== 'microsoft') return issuer;
  // Only one tenant: the common endpoints would accept accounts of any.
  return tenant === null ? null : `https://login.microsoftonline.com/${tenant.toLowerCase()}/v2.0`;
}

/** All faults of settings, except those that need the database. */
export function faultsOf({ providers, jit, enforced, break_glass_user_id }: SsoValues): Fault[] {
  const entries = Object.entries(providers);
  const faults: Fault[] = [];
  if (entries.length > MOST_PROVIDERS)
    faults.push({ field: '/providers', reason: `must not have more than ${MOST_PROVIDERS} members` });
  const issuers = new Set<string>();
  for (const [id, provider] of entries) {
    const at = `/providers/${pointerToken(id)}`;
    if (!PROVIDER_ID.test(id)) {
      faults.push({
        field: at,
        reason: 'the id must be lower-case letters, digits and hyphens, beginning with a letter',
      });
      continue;
    }
    faults.push(...faultsOfProvider(at, provider, jit.enabled));
    const issuer = issuerOf(provider);
    if (issuer === null) continue;
    // Identities are found by issuer, so two providers of one could not be told apart.
    if (issuers.has(issuer)) faults.push({ field: `${at}/issuer`, reason: 'is that of another provider' });
    issuers.add(issuer);
  }
  if (enforced && !entries.some(([, { is_enabled }]) => is_enabled))
    faults.push({ field: '/enforced', reason: 'needs an enabled provider' });
  if (enforced && break_glass_user_id === null)
    faults.push({ field: '/break_glass_user_id', reason: 'is required if single sign-on is enforced' });
  return faults;
}

function faultsOfProvider(at: string, provider: ProviderValues, createsUsers: boolean): Fault[] {
  const { kind, label, tenant, issuer, client_id, is_enabled, allowed_domains, role_map, groups_claim } = provider;
  const faults: Fault[] = [];
  const fault = (field: string, reason: string): void => void faults.push({ field: `${at}/${field}`, reason });
  // A new provider must have both.
  if (kind === undefined) fault('kind', 'is required');
  if (label === undefined) fault('label', 'is required');
  if (kind === undefined) return faults;
  if (tenant !== null && kind !== 'microsoft') fault('tenant', 'is only for microsoft');
  const own = issuerOf(provider);
  if (issuer !== null && own !== null && issuer !== own) fault('issuer', `is ${own} for ${kind}`);
  // Otherwise the rules for it would not apply.
  if (own === GOOGLE && kind !== 'google') fault('kind', 'is google for this issuer');
  if (issuer !== null && !URL.canParse(issuer)) fault('issuer', 'is no URL');
  if (role_map.length > 0 && groups_claim === null) fault('groups_claim', 'is required with a role_map');
  if (!is_enabled) return faults;
  if (own === null) fault(kind === 'microsoft' ? 'tenant' : 'issuer', 'is required of an enabled provider');
  if (client_id === null) fault('client_id', 'is required of an enabled provider');
  const isForEveryone = kind === 'google' || tenant?.toLowerCase() === PERSONAL_ACCOUNTS;
  if (isForEveryone && createsUsers && allowed_domains.length === 0)
    fault('allowed_domains', 'is required if sign-ins create accounts: everyone can have an account of this provider');
  return faults;
}

/** The roles that sign-ins may give. */
export const rolesOf = ({ providers, jit }: SsoValues): Set<string> =>
  new Set([
    ...(jit.role === null ? [] : [jit.role]),
    ...Object.values(providers).flatMap(({ role_map }) => role_map.map(({ role }) => role)),
  ]);

/** How groups determine roles, by issuer, of the providers that have a map; disabled ones too, because their sessions go on. */
export function groupRulesOf({ providers, jit }: SsoValues, roles: RoleGrantPolicy): RulesByIssuer {
  const givable = (role: string): string | null => (roles.isGivable(role) ? role : null);
  const newUsers = givable(jit.role ?? roles.defaultRole);
  return new Map(
    Object.values(providers).flatMap((provider) => {
      const { groups_claim: claim, role_map, unmapped } = provider;
      const issuer = issuerOf(provider);
      if (issuer === null || claim === null || role_map.length === 0) return [];
      const map = role_map.map(({ group, role }) => ({ group, role: givable(role) }));
      return [[issuer, { claim, map, others: unmapped === 'refuse' ? null : newUsers }] as const];
    }),
  );
}
