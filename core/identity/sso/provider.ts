import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';

/** Kinds of providers: two with a fixed form of issuer, and any issuer by discovery. */
export const PROVIDER_KINDS = ['microsoft', 'google', 'okta', 'oidc'] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

/** How the service authenticates at the token endpoint; `auto`: by the metadata of the provider. */
export const TOKEN_AUTHS = ['auto', 'client_secret_basic', 'client_secret_post'] as const;
export type TokenAuth = (typeof TOKEN_AUTHS)[number];

/** One group of the provider and the role of its members. */
export interface GroupRole {
  group: string;
  role: string;
}

/** A provider that can be used for a sign-in. */
export interface SsoProvider {
  id: string;
  kind: ProviderKind;
  label: string;
  issuer: string;
  client_id: string;
  /** Of the client; undefined for a public client. */
  secret: string | undefined;
  scopes: readonly string[];
  token_auth: TokenAuth;
  /** Lower case; empty: any. */
  allowed_domains: readonly string[];
  groups_claim: string | null;
  role_map: readonly GroupRole[];
  /** What a user gets whose groups are not in `role_map`. */
  unmapped: 'jit_role' | 'refuse';
}

/** The stored settings that a sign-in follows, which do not change before its unit of work ends. */
export interface SignInRules {
  jit: { enabled: boolean; role: string | null };
  /** Undefined where it is disabled or does not exist. */
  provider: Omit<SsoProvider, 'id' | 'client_id' | 'secret'> | undefined;
}

/** The settings of single sign-on that sign-ins follow. */
export interface SsoPolicy {
  /** The enabled provider of this id, with its secret. */
  provider(id: string): Promise<SsoProvider | undefined>;
  /** Ids and labels of the enabled providers, and whether persons may use nothing else. */
  readonly current: {
    providers: readonly { id: string; kind: ProviderKind; label: string }[];
    enforced: boolean;
  };
  /** Issuers of all providers in the settings, enabled or not, with the id of the provider. */
  readonly issuers: ReadonlyMap<string, string>;
  /** Locks the settings, before anything else, so that a change of them waits for the sign-in or the sign-in for it. */
  lockRules(uow: UnitOfWork, id: string): Promise<SignInRules>;
  /** The roles that sign-ins at a provider give to existing users; null: the default role. @param id of the provider */
  rolesByGroups(uow: UnitOfWork, id: string): Promise<readonly (string | null)[]>;
}

/** Who the provider says has signed in. */
export interface Claimed {
  issuer: string;
  subject: string;
  email: string;
  name: string;
  /** Undefined where the provider names no groups. */
  groups: readonly string[] | undefined;
}

/** A sign-in that is refused. The reason is logged, and never part of a response. */
export class SsoRefusal extends Error {
  override readonly name = 'SsoRefusal';

  /** @param reason one of a few words, for search in the log */
  constructor(
    readonly reason: string,
    readonly detail = '',
    options?: ErrorOptions,
  ) {
    super(detail === '' ? reason : `${reason}: ${detail}`, options);
  }
}
