import { Type, type Static } from 'typebox';
import { Nullable, Page, PageQuery, SortBy, Strict, Timestamp, Uuid, OneOf } from '../../foundation/http/schemas.js';

// These patterns run in linear time, because they are matched before the length is known to be within bounds.
const ATOM = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[\\p{L}\\p{M}\\p{N}-]+';
const EMAIL = `^ *${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})+ *$`;
const EMAIL_TEXT = new RegExp(EMAIL, 'u');
const MAX_EMAIL = 254;
/** Whether a text can be the e-mail address of an account. */
export const isEmail = (text: string): boolean => text.length <= MAX_EMAIL && EMAIL_TEXT.test(text);

const ONE_LINE = '^(?!\\s*$)[^\\p{Cc}\\p{Zl}\\p{Zp}]*$';

export const Email = () =>
  Type.String({
    maxLength: MAX_EMAIL,
    pattern: EMAIL,
    description: 'Surrounding blanks are removed; the comparison ignores case.',
    examples: ['ada@example.org'],
  });
export const DisplayName = () =>
  Type.String({ minLength: 1, maxLength: 200, pattern: ONE_LINE, examples: ['Ada Lovelace'] });
export const Locale = () =>
  Type.String({ pattern: '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$', description: 'BCP 47 tag.', examples: ['en'] });
/** The length is checked again with the other password rules. */
export const NewPassword = () =>
  Type.String({
    minLength: 10,
    maxLength: 256,
    description: 'At least 10 characters; very common passwords are not allowed.',
    examples: ['quiet-otter-crosses-7-bridges'],
  });
export const Role = () =>
  Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$', description: 'Key of a role.', examples: ['member'] });
const Kind = () =>
  OneOf(['person', 'service'], {
    description: 'A service account logs in with a local password also where single sign-on is enforced.',
  });

export const userProperties = {
  id: Uuid(),
  email: Type.String(),
  display_name: Type.String(),
  role: Role(),
  kind: Kind(),
  is_active: Type.Boolean(),
  auth_provider: OneOf(['local', 'sso']),
  locale: Nullable(Type.String()),
  last_login_at: Nullable(Timestamp()),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  version: Type.Integer({ minimum: 1 }),
};
export const UserView = Type.Object(userProperties);
export type UserView = Static<typeof UserView>;
export const UserPage = Page(UserView);

export const UserCreate = Strict(
  {
    email: Email(),
    display_name: DisplayName(),
    role: Type.Optional(Role()),
    kind: Type.Optional(Kind()),
    locale: Type.Optional(Nullable(Locale())),
    password: Type.Optional(NewPassword()),
  },
  { examples: [{ email: 'ada@example.org', display_name: 'Ada Lovelace', role: 'member', kind: 'person' }] },
);
export type UserCreate = Static<typeof UserCreate>;

export const UserPatch = Strict(
  {
    email: Type.Optional(Email()),
    display_name: Type.Optional(DisplayName()),
    role: Type.Optional(Role()),
    is_active: Type.Optional(Type.Boolean()),
    locale: Type.Optional(Nullable(Locale())),
    password: Type.Optional(NewPassword()),
  },
  { minProperties: 1, examples: [{ role: 'architect' }] },
);
export type UserPatch = Static<typeof UserPatch>;

export const UnlockBody = Nullable(Strict({}, { examples: [{}] }));

const Search = Type.Optional(
  Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name or the e-mail address.' }),
);

export const UserQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('display_name', 'email', 'created_at', 'last_login_at'),
  search: Search,
  role: Type.Optional(Type.String({ maxLength: 1000, description: 'Any of these roles, comma separated.' })),
  kind: Type.Optional(Kind()),
  is_active: Type.Optional(Type.Boolean()),
});
export type UserQuery = Static<typeof UserQuery>;

export const DirectoryQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('display_name'),
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name.' })),
});
export type DirectoryQuery = Static<typeof DirectoryQuery>;
export const DirectoryPage = Page(Type.Object({ id: Uuid(), display_name: Type.String() }));
