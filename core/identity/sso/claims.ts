import { isEmail } from '../users/index.js';
import { SsoRefusal, type Claimed, type SsoProvider } from './provider.js';

type Claims = Readonly<Record<string, unknown>>;

/** Length of `sub` at most, and its characters (OpenID Connect Core 1.0, section 2). */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;
const MAX_NAME = 200;
/** Groups of a user that are considered; the largest directories allow a few thousand. */
const MAX_GROUPS = 5_000;
/** Length of a group in a map at most, in UTF-16 units: longer ones determine nothing and are not stored. */
const MAX_GROUP = 300;

/** What says whether `email` is verified belongs to the address beside it. */
const ADDRESS_CLAIMS = ['email', 'email_verified', 'xms_edov'] as const;

/** Whether claims have an e-mail address, and say whether it is verified. */
const hasAddress = ({ email, email_verified: verified, xms_edov: edov }: Claims): boolean =>
  email !== undefined && (verified !== undefined || edov !== undefined);

/** Whether claims lack what the UserInfo endpoint may have. */
export function lacksClaims(claims: Claims, { groups_claim: groups, role_map }: SsoProvider): boolean {
  return !hasAddress(claims) || (groups !== null && role_map.length > 0 && !Object.hasOwn(claims, groups));
}

/**
 * The claims of an ID token, and those of the UserInfo endpoint that it lacks. The e-mail address and what says whether it
 * is verified are of one source: otherwise an address that anyone can choose would be verified by what is said about another.
 */
export function mergedClaims(idToken: Claims, userInfo: Claims): Claims {
  const merged: Record<string, unknown> = { ...userInfo, ...idToken };
  const source = hasAddress(idToken) || userInfo.email === undefined ? idToken : userInfo;
  for (const name of ADDRESS_CLAIMS) merged[name] = source[name];
  return merged;
}

/**
 * Who has signed in, by the verified claims of a provider.
 * @throws SsoRefusal where the e-mail address is absent, not verified or of another domain, or groups cannot be known
 */
export function claimedBy(claims: Claims, provider: SsoProvider): Claimed {
  const { sub, email } = claims;
  if (typeof sub !== 'string' || !SUBJECT.test(sub)) throw new SsoRefusal('bad_subject');
  if (typeof email !== 'string' || !isEmail(email)) throw new SsoRefusal('no_email');
  if (!isVerified(claims, provider)) throw new SsoRefusal('email_not_verified');
  checkDomain(email, claims, provider);
  return {
    issuer: provider.issuer,
    subject: sub,
    email,
    name: nameOf(claims, email),
    groups: groupsOf(claims, provider),
  };
}

/**
 * Microsoft Entra ID has no `email_verified`; its `xms_edov` says whether the owner of the domain has verified the address.
 * https://learn.microsoft.com/entra/identity-platform/optional-claims-reference
 */
function isVerified(claims: Claims, { kind }: SsoProvider): boolean {
  if (claims.email_verified === true) return true;
  return kind === 'microsoft' && [true, 1, '1', 'true'].includes(claims.xms_edov as boolean);
}

function checkDomain(email: string, { hd }: Claims, { kind, allowed_domains: allowed }: SsoProvider): void {
  if (allowed.length === 0) return;
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (!allowed.includes(domain)) throw new SsoRefusal('domain_not_allowed');
  // A consumer account of Google may have an e-mail address of any domain; only accounts of the organisation have `hd`.
  if (kind === 'google' && !(typeof hd === 'string' && allowed.includes(hd.toLowerCase())))
    throw new SsoRefusal('domain_not_allowed', 'the account is not one of the organisation');
}

function nameOf({ name, preferred_username: username }: Claims, email: string): string {
  const [found = email] = [name, username]
    .filter((text) => typeof text === 'string')
    .map((text) =>
      text
        .toWellFormed()
        .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
        .trim(),
    )
    .filter((text) => text !== '');
  return found.slice(0, MAX_NAME).toWellFormed();
}

function groupsOf(claims: Claims, { groups_claim: name, role_map }: SsoProvider): readonly string[] | undefined {
  if (name === null || role_map.length === 0) return undefined;
  // Microsoft Entra ID sends an address instead of more than 200 groups: no groups are known then, which is not the same as none.
  const elsewhere = claims._claim_names;
  if (typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, name))
    throw new SsoRefusal('groups_not_sent', 'the user has too many groups for the token');
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  const list = typeof value === 'string' ? [value] : value === undefined ? [] : value;
  if (!Array.isArray(list) || list.length > MAX_GROUPS || !list.every((group) => typeof group === 'string'))
    throw new SsoRefusal('bad_groups', 'the claim of the groups is not a list of names');
  return [...new Set(list as string[])].filter(isGroup);
}

/** Whether a text can be a group in a map, and can be stored. */
const isGroup = (text: string): boolean => text.length <= MAX_GROUP && text.isWellFormed() && !text.includes('\0');

/**
 * The role of the first entry of the map whose group the user has.
 * @returns undefined where there is none
 */
export function mappedRole(groups: readonly string[], { role_map }: Pick<SsoProvider, 'role_map'>): string | undefined {
  const held = new Set(groups);
  return role_map.find(({ group }) => held.has(group))?.role;
}
