import { Type, type Static } from 'typebox';
import { Nullable, OneOf, Page, PageQuery, SortBy, Strict, Timestamp, Uuid } from '../../foundation/http/schemas.js';
import { DisplayName, Email, Locale, NewPassword, userProperties } from '../users/index.js';

const example = { email: 'ada@example.org', password: 'quiet-otter-crosses-7-bridges' };

export const RegisterBody = Strict(
  {
    email: Email(),
    password: NewPassword(),
    display_name: DisplayName(),
    setup_code: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'Required for the first user when registering from another machine than that of the service: the one-time code in its log.',
      }),
    ),
  },
  { examples: [{ ...example, display_name: 'Ada Lovelace' }] },
);
export type RegisterBody = Static<typeof RegisterBody>;

/** Accepts any text: the rules for e-mail addresses and passwords apply where they are set. */
export const LoginBody = Strict(
  { email: Type.String({ minLength: 1, maxLength: 320 }), password: Type.String({ minLength: 1, maxLength: 1024 }) },
  { examples: [example] },
);
export type LoginBody = Static<typeof LoginBody>;

export const RefreshBody = Nullable(
  Type.Object(
    { refresh_token: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })) },
    {
      additionalProperties: true,
      maxProperties: 100,
      description: 'Absent, or any object, when a valid bearer token is sent.',
      examples: [{ refresh_token: 'b0nMdGL8zY2oR1Wq7s4QyT5uV6xJ9kC3hF0aE8iP2wN' }],
    },
  ),
);
export const LogoutBody = Nullable(Strict({}, { examples: [{}] }));

export const MeView = Type.Object({
  ...userProperties,
  preferences: Type.Record(Type.String(), Type.Unknown()),
  permissions: Type.Array(Type.String(), {
    description: 'Current application permissions; `*` for the administrator.',
  }),
  permission_rules: Type.Record(Type.String(), Type.Record(Type.String(), Type.Boolean()), {
    description:
      'By card type: permissions that the role grants or denies on cards of that type, overriding `permissions`.',
    examples: [{ Application: { 'cards.edit': false } }],
  }),
  signed_in_by: Type.Object(
    {
      kind: OneOf(['session', 'api_token']),
      id: Uuid({ description: 'Id of the session or of the API token.' }),
      name: Type.Optional(Type.String({ description: 'Name of the API token.' })),
      method: Type.Optional(
        OneOf(['local', 'sso'], { description: 'How the session was started; `local`: with e-mail and password.' }),
      ),
      provider: Type.Optional(
        Nullable(Type.String({ description: 'Id of the provider of single sign-on; null for a local log-in.' })),
      ),
      expires_at: Timestamp(),
    },
    { description: 'By what the caller is authenticated. An API token may restrict `permissions`.' },
  ),
});
export type MeView = Static<typeof MeView>;

export const MePatch = Strict(
  {
    display_name: Type.Optional(DisplayName()),
    locale: Type.Optional(Nullable(Locale())),
    preferences: Type.Optional(
      Type.Record(Type.String({ minLength: 1, maxLength: 100 }), Type.Unknown(), {
        maxProperties: 2_000,
        description: 'Merged into the stored preferences; `null` removes a member. At most 16 KiB.',
      }),
    ),
  },
  { minProperties: 1, examples: [{ locale: 'en', preferences: { theme: 'dark' } }] },
);
export type MePatch = Static<typeof MePatch>;

export const TokenAnswer = Type.Object({
  access_token: Type.String({ description: 'JSON Web Token, for `Authorization: Bearer`.' }),
  token_type: Type.Literal('bearer'),
  expires_in: Type.Integer({ description: 'Seconds.', examples: [86_400] }),
  refresh_token: Type.Optional(
    Type.String({
      description:
        'Can be used once; using it again ends the session. Absent if a bearer token was refreshed: the refresh token of the session remains valid.',
    }),
  ),
  user: MeView,
});
export type TokenAnswer = Static<typeof TokenAnswer>;

export const ChangePasswordBody = Strict(
  { current_password: Type.String({ minLength: 1, maxLength: 1024 }), new_password: NewPassword() },
  {
    examples: [{ current_password: 'quiet-otter-crosses-7-bridges', new_password: 'loud-heron-skips-9-puddles' }],
  },
);
export type ChangePasswordBody = Static<typeof ChangePasswordBody>;

export const SessionQuery = Strict({ ...PageQuery, sort_by: SortBy('created_at', 'last_used_at') });
export type SessionQuery = Static<typeof SessionQuery>;
export const SessionView = Type.Object({
  id: Uuid(),
  created_at: Timestamp(),
  last_used_at: Timestamp(),
  expires_at: Timestamp(),
  address: Nullable(Type.String()),
  agent: Nullable(Type.String({ description: 'User-Agent of the last log-in or refresh.' })),
  current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
});
export type SessionView = Static<typeof SessionView>;
export const SessionPage = Page(SessionView);
export const NoContent = Type.Null({ description: 'Done.' });
