import { Type, type Static } from 'typebox';
import { OneOf, Nullable, Page, PageQuery, SortBy, Strict, Timestamp, Uuid } from '../../foundation/http/schemas.js';
import { PROVIDER_KINDS } from './provider.js';

const ReturnTo = () =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_000,
      description:
        'A path below PUBLIC_URL, or an address there or on an origin of ALLOWED_ORIGINS, without a fragment. Default: PUBLIC_URL.',
      examples: ['/cards'],
    }),
  );

export const SsoConfigView = Type.Object(
  {
    providers: Type.Array(Type.Object({ id: Type.String(), kind: OneOf(PROVIDER_KINDS), label: Type.String() })),
    enforced: Type.Boolean({ description: 'Whether persons can sign in by these providers only.' }),
  },
  { examples: [{ providers: [{ id: 'okta', kind: 'okta', label: 'Okta' }], enforced: false }] },
);
export type SsoConfigView = Static<typeof SsoConfigView>;

export const ProviderParams = Strict({
  provider: Type.String({ minLength: 1, maxLength: 31, description: 'Id of a provider of `GET /auth/sso/config`.' }),
});

export const LoginQuery = Strict({
  return_to: ReturnTo(),
  code_challenge: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{43}$',
      description:
        'Of a client on another origin than the service: SHA-256 in base64url of the `code_verifier` that it sends with the code. Other clients send the cookie that this response sets.',
    }),
  ),
});
export type LoginQuery = Static<typeof LoginQuery>;

const text = (description: string) => Type.String({ maxLength: 16_000, description });
const parameter = (description: string) => Type.Optional(text(description));
/** Providers send further parameters, which are ignored. */
export const CallbackQuery = Type.Object(
  {
    // Providers send it with errors too (RFC 6749, 4.1.2.1).
    state: text('As sent to the provider.'),
    code: parameter('The authorization code.'),
    iss: parameter('Issuer (RFC 9207); required of providers that announce it.'),
    error: parameter('Of the provider.'),
  },
  { additionalProperties: true, maxProperties: 50 },
);

export const CodeBody = Strict(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The parameter `code` with which the browser returned.',
    }),
    code_verifier: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9._~-]{43,128}$',
        description: 'Required if the sign-in began with a `code_challenge`.',
      }),
    ),
  },
  { examples: [{ code: 'b0nMdGL8zY2oR1Wq7s4QyT5uV6xJ9kC3hF0aE8iP2wN' }] },
);
export type CodeBody = Static<typeof CodeBody>;

export const LogoutQuery = Strict({ return_to: ReturnTo() });
export const LogoutView = Type.Object(
  {
    logout_url: Nullable(
      Type.String({
        description: 'Where the browser ends the session at the provider; null: nothing is to be ended there.',
      }),
    ),
  },
  { examples: [{ logout_url: 'https://login.example.org/logout?client_id=lintel' }] },
);

export const IdentityView = Type.Object({
  id: Uuid(),
  user_id: Uuid(),
  issuer: Type.String(),
  subject: Type.String({ description: 'The claim `sub`.' }),
  provider: Type.String({ description: 'Id of the provider in the settings by which it was linked or last used.' }),
  created_by: Nullable(
    Uuid({ description: 'Who linked it; null: created by the first sign-in, or the account was deleted.' }),
  ),
  created_at: Timestamp(),
  last_login_at: Nullable(Timestamp()),
});
export type IdentityView = Static<typeof IdentityView>;
export const IdentityPage = Page(IdentityView);
export const IdentityQuery = Strict({ ...PageQuery, sort_by: SortBy('created_at', 'last_login_at') });
export type IdentityQuery = Static<typeof IdentityQuery>;

export const IdentityCreate = Strict(
  {
    issuer: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'That of a provider in the settings, exactly as there.',
    }),
    subject: Type.String({
      pattern: '^[\\x20-\\x7e]{1,255}$',
      description: 'The claim `sub` of the user at this issuer, not an e-mail address.',
    }),
  },
  { examples: [{ issuer: 'https://login.example.org', subject: '00u1abcd2EFGHIJKL3m4' }] },
);
export type IdentityCreate = Static<typeof IdentityCreate>;
export const UserParams = Strict({ user_id: Uuid() });
export const UserIdentityParams = Strict({ user_id: Uuid(), id: Uuid() });
