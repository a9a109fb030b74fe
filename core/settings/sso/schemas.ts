import { Type, type Static } from 'typebox';
import { Nullable, OneOf, Strict, Uuid } from '../../foundation/http/schemas.js';
import { PROVIDER_KINDS, TOKEN_AUTHS } from '../../identity/sso/index.js';
import { SecretInput, SecretView } from '../section-schemas.js';

const ONE_LINE = '^(?!\\s*$)[^\\p{Cc}\\p{Zl}\\p{Zp}]*$';
/** Maximum number of providers. */
export const MOST_PROVIDERS = 10;
/** Ids of providers: they are part of paths and of log entries. */
export const PROVIDER_ID = /^[a-z][a-z0-9-]{0,30}$/;

const Role = () =>
  Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$', description: 'Key of a role.', examples: ['member'] });

const providerProperties = {
  kind: OneOf(PROVIDER_KINDS, {
    description:
      '`microsoft`: Microsoft Entra ID, with `tenant`. `okta` and `oidc`: any issuer that publishes its metadata (OpenID Connect Discovery), with `issuer`.',
  }),
  label: Type.String({ minLength: 1, maxLength: 100, pattern: ONE_LINE, description: 'On the login page.' }),
  is_enabled: Type.Boolean(),
  tenant: Nullable(Type.String({ format: 'uuid', description: 'Id of the tenant; required for microsoft.' })),
  issuer: Nullable(
    Type.String({
      maxLength: 500,
      pattern: '^https://[^\\s/?#@\\\\]+(?:/[^\\s?#\\\\]*)?$',
      description:
        'Exactly as in the metadata of the provider; required for okta and oidc, determined for the others. An address that is not public must be in OUTBOUND_ALLOW.',
      examples: ['https://login.example.org'],
    }),
  ),
  client_id: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 300,
      pattern: '^[\\x21-\\x7e]+$',
      description: 'Of this service at the provider.',
    }),
  ),
  token_auth: OneOf(TOKEN_AUTHS, {
    description:
      'How the secret is sent; `auto`: in the form for microsoft and google, else as the provider announces.',
  }),
  scopes: Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$' }), {
    maxItems: 20,
    uniqueItems: true,
    description: 'In addition to openid, profile and email; Okta needs `groups` to send groups.',
  }),
  allowed_domains: Type.Array(
    Type.String({ maxLength: 253, pattern: '^[a-z0-9-]+(?:\\.[a-z0-9-]+)+$', examples: ['example.org'] }),
    {
      maxItems: 100,
      uniqueItems: true,
      description:
        'Domains of the e-mail addresses that may sign in, in lower case, without their subdomains; empty: any. Google accounts must also belong to an organisation with the domain.',
    },
  ),
  groups_claim: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[\\x21-\\x7e]+$',
      description: 'The claim with the groups of a user.',
      examples: ['groups'],
    }),
  ),
  role_map: Type.Array(
    Strict({
      group: Type.String({ minLength: 1, maxLength: 300, description: 'As in the claim: a name or an id.' }),
      role: Role(),
    }),
    {
      maxItems: 200,
      description:
        'At every sign-in, and when the map changes, a user gets the role of the first entry whose group is among the groups of the user, at the last sign-in. Empty: groups do not determine roles.',
    },
  ),
  unmapped: OneOf(['jit_role', 'refuse'], {
    description: 'What happens if `role_map` has entries, and none for the user: the role of new users, or no sign-in.',
  }),
};
const ProviderValues = Type.Object(providerProperties);
export type ProviderValues = Static<typeof ProviderValues>;

export const PROVIDER_DEFAULTS: Omit<ProviderValues, 'kind' | 'label'> = {
  is_enabled: false,
  tenant: null,
  issuer: null,
  client_id: null,
  token_auth: 'auto',
  scopes: [],
  allowed_domains: [],
  groups_claim: null,
  role_map: [],
  unmapped: 'jit_role',
};

const jit = {
  enabled: Type.Boolean({
    description: 'Whether a first sign-in creates an account; otherwise identities must be linked.',
  }),
  role: Nullable(Role()),
};
const common = {
  enforced: Type.Boolean({
    description:
      'Whether passwords are refused for persons, except the break-glass administrator. Service accounts keep theirs, and sessions remain until they end.',
  }),
  break_glass_user_id: Nullable(
    Uuid({
      description: 'The administrator who can always log in with a password; required for `enforced`.',
    }),
  ),
};

/** The stored settings with all defaults. */
const SsoValues = Type.Object({
  providers: Type.Record(Type.String(), ProviderValues),
  jit: Type.Object(jit, {
    description: 'Users created by their first sign-in, and their role; null: the default role.',
  }),
  ...common,
});
export type SsoValues = Static<typeof SsoValues>;

const EXAMPLE_PROVIDER = {
  ...PROVIDER_DEFAULTS,
  kind: 'okta' as const,
  label: 'Okta',
  is_enabled: true,
  issuer: 'https://example.okta.com',
  client_id: '0oa1b2c3d4',
  scopes: ['groups'],
  allowed_domains: ['example.org'],
  groups_claim: 'groups',
  role_map: [{ group: 'Enterprise architects', role: 'architect' }],
};

export const SsoView = Type.Object(
  {
    ...SsoValues.properties,
    providers: Type.Record(Type.String(), Type.Object({ ...providerProperties, client_secret: SecretView() }), {
      description: 'By id, which is part of the address of the sign-in.',
    }),
    callback_url: Nullable(
      Type.String({ description: 'The redirect URI to register at every provider; null: PUBLIC_URL is not set.' }),
    ),
    version: Type.Integer({ minimum: 1 }),
  },
  {
    examples: [
      {
        providers: { okta: { ...EXAMPLE_PROVIDER, client_secret: { is_set: true } } },
        jit: { enabled: true, role: null },
        enforced: false,
        break_glass_user_id: null,
        callback_url: 'https://ea.example.org/api/v1/auth/sso/callback',
        version: 2,
      },
    ],
  },
);
export type SsoView = Static<typeof SsoView>;

export const SsoPatch = Strict(
  {
    providers: Type.Optional(
      Type.Record(
        Type.String({ minLength: 1, maxLength: 31 }),
        Nullable(
          Strict({ ...Type.Partial(ProviderValues).properties, client_secret: Type.Optional(SecretInput(1_000)) }),
        ),
        {
          maxProperties: MOST_PROVIDERS,
          description:
            'By id: lower-case letters, digits and hyphens, beginning with a letter. A merge patch: other providers are unchanged, and null removes one.',
        },
      ),
    ),
    jit: Type.Optional(Strict(Type.Partial(Type.Object(jit)).properties)),
    ...Type.Partial(Type.Object(common)).properties,
  },
  {
    minProperties: 1,
    examples: [
      {
        providers: { okta: { ...EXAMPLE_PROVIDER, client_secret: 'a-secret-of-the-provider' } },
        jit: { enabled: true, role: null },
      },
    ],
  },
);
export type SsoPatch = Static<typeof SsoPatch>;

export const SsoTestBody = Strict(
  { provider: Type.String({ minLength: 1, maxLength: 31, description: 'Id of a provider in the settings.' }) },
  { examples: [{ provider: 'okta' }] },
);
