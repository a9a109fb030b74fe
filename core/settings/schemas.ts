import { Type, type Static, type TProperties } from 'typebox';
import type { LimitedRoute } from '../foundation/http/types.js';
import { Nullable, Strict, OneOf } from '../foundation/http/schemas.js';

const properties = {
  app_title: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^(?!\\s*$)[^\\p{Cc}]*$',
    description: 'Name of the workspace.',
  }),
  currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.', examples: ['EUR'] }),
  date_format: OneOf(['YYYY-MM-DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY'], {
    description: 'How dates are displayed; the API itself always uses RFC 3339.',
  }),
  fiscal_year_start: Type.Integer({ minimum: 1, maximum: 12, description: 'Month the fiscal year begins in.' }),
  locales: Type.Array(Type.String({ pattern: '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$' }), {
    minItems: 1,
    maxItems: 50,
    uniqueItems: true,
    description: 'BCP 47 tags; the first is the default.',
  }),
};
const registration = { enabled: Type.Boolean({ description: 'Whether everyone may register an account.' }) };

const minutes = (description: string) => Type.Integer({ minimum: 1, maximum: 1_440, description });
const loginLimits = {
  max_misses: Type.Integer({
    minimum: 3,
    maximum: 100,
    description:
      'Number of wrong passwords for an account from one client address after which attempts from there are refused.',
  }),
  max_misses_unknown_addresses: Type.Integer({
    minimum: 3,
    maximum: 1_000,
    description:
      'Number of wrong passwords for an account from all addresses without a log-in to it in 30 days after which attempts from such addresses are refused.',
  }),
  window_minutes: minutes('Minutes within which they are counted together (sliding window).'),
  lock_minutes: minutes('Minutes for which attempts are refused.'),
};
const perMinute = (what: string, by = 'client address') =>
  Type.Integer({ minimum: 1, maximum: 10_000, description: `${what} per minute and ${by}.` });
const rateLimits = {
  login: perMinute('Log-ins'),
  register: perMinute('Registrations'),
  refresh: perMinute('Refreshes of a session'),
  change_password: perMinute('Changes of the caller’s own password', 'user'),
  forgot_password: perMinute('Requests for a new password'),
  reset_password: perMinute('New passwords by a link'),
  accept_invitation: perMinute('Acceptances of invitations'),
  email_change: perMinute('Requests for a change of the caller’s own e-mail address', 'user'),
  email_change_links: perMinute('Confirmations by links of such changes, and withdrawals by links,'),
  sso: perMinute('Each step of a sign-in by single sign-on'),
} satisfies Record<LimitedRoute, unknown>;

const perCard = (what: string, maximum: number) =>
  Type.Integer({ minimum: 1, maximum, description: `${what} per card, at most.` });
const cardLimits = {
  comments: perCard('Comments', 1_000_000),
  documents: perCard('Documents', 100_000),
  todos: perCard('To-dos', 100_000),
  stakeholders: perCard('Stakeholders', 10_000),
  tags: perCard('Tags', 500),
};
const writeLimits = {
  per_minute: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description:
        'Writes per minute and user, on all nodes together; a bulk call counts each of its operations, and events beyond 16 KiB for each operation count as further writes. `null`: no limit.',
    }),
  ),
};

const apiTokens = {
  max_days: Type.Integer({
    minimum: 1,
    maximum: 3_650,
    description: 'Days after which an API token expires at the latest. Existing tokens keep their end time.',
  }),
};

const restricted = {
  archive_retention_days: Type.Integer({
    minimum: 0,
    maximum: 36_500,
    description: 'Days until an archived card is deleted; 0 keeps it indefinitely.',
  }),
  event_retention_days: Type.Integer({
    minimum: 0,
    maximum: 36_500,
    description:
      'Minimum number of days for which events are kept; 0 keeps them indefinitely. Events are deleted in whole partitions, of which a new one starts each month.',
  }),
  require_if_match: Type.Boolean({ description: 'Whether changes must carry If-Match.' }),
  session_days: Type.Integer({
    minimum: 1,
    maximum: 365,
    description:
      'Days after its log-in when a session ends, regardless of refreshes. Existing sessions keep their end time.',
  }),
};
const groups = {
  login_limits: Type.Object(loginLimits, { description: 'When further attempts to log in to an account are refused.' }),
  rate_limits: Type.Object(rateLimits, { description: 'Rate limits of routes of `/auth`.' }),
  card_limits: Type.Object(cardLimits, {
    description:
      'Maximum numbers of items per card. One user may have a fifth of the comments, documents and to-dos of a card; those who hold `settings.manage` as many as a card may have.',
  }),
  write_limits: Type.Object(writeLimits, { description: 'Write limits per user.' }),
  api_tokens: Type.Object(apiTokens, { description: 'Limits of API tokens.' }),
};

/** The current settings of the workspace. */
export const GeneralSettings = Type.Object({
  ...properties,
  registration: Type.Object(registration),
  ...restricted,
  ...groups,
});
export type GeneralSettings = Static<typeof GeneralSettings>;

const EXAMPLE = {
  app_title: 'Lintel',
  currency: 'EUR',
  date_format: 'YYYY-MM-DD' as const,
  fiscal_year_start: 1,
  locales: ['en'],
  registration: { enabled: false },
};

/** Callers without `settings.manage` receive only what a login page needs. */
export const SettingsView = Type.Object(
  {
    ...properties,
    registration: Type.Object(registration),
    version: Type.Integer({ minimum: 1 }),
    ...Type.Partial(Type.Object({ ...restricted, ...groups })).properties,
  },
  { examples: [{ ...EXAMPLE, version: 1 }] },
);
export type SettingsView = Static<typeof SettingsView>;

/** A group of settings with all members optional. */
const some = <P extends TProperties>(members: P) =>
  Type.Optional(Strict(Type.Partial(Type.Object(members)).properties));

export const SettingsPatch = Strict(
  {
    ...Type.Partial(Type.Object({ ...properties, ...restricted })).properties,
    registration: some(registration),
    login_limits: some(loginLimits),
    rate_limits: some(rateLimits),
    card_limits: some(cardLimits),
    write_limits: some(writeLimits),
    api_tokens: some(apiTokens),
  },
  { minProperties: 1, examples: [{ app_title: 'Architecture', registration: { enabled: true } }] },
);
export type SettingsPatch = Static<typeof SettingsPatch>;

export const DEFAULTS: GeneralSettings = {
  ...EXAMPLE,
  archive_retention_days: 30,
  event_retention_days: 0,
  require_if_match: false,
  session_days: 30,
  login_limits: { max_misses: 5, max_misses_unknown_addresses: 20, window_minutes: 15, lock_minutes: 15 },
  rate_limits: {
    login: 10,
    register: 5,
    refresh: 60,
    change_password: 5,
    forgot_password: 5,
    reset_password: 5,
    accept_invitation: 5,
    email_change: 5,
    email_change_links: 5,
    sso: 20,
  },
  card_limits: { comments: 10_000, documents: 1_000, todos: 1_000, stakeholders: 200, tags: 200 },
  write_limits: { per_minute: null },
  api_tokens: { max_days: 365 },
};

/** The settings of how users sign in, which no API token may change. */
export const SIGN_IN_KEYS: readonly (keyof GeneralSettings)[] = [
  'registration',
  'session_days',
  'login_limits',
  'rate_limits',
  'api_tokens',
];

/** The settings that all callers may read. */
export const PUBLIC_KEYS = [
  'app_title',
  'currency',
  'date_format',
  'fiscal_year_start',
  'locales',
  'registration',
] as const satisfies readonly (keyof GeneralSettings)[];
