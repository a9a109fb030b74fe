import { Type, type Static } from 'typebox';
import { Nullable, OneOf, Page, PageQuery, SortBy, Strict, Timestamp, Uuid } from '../../foundation/http/schemas.js';
import { DisplayName, Email, Locale, NewPassword, Role } from '../users/index.js';

const Token = () =>
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'From the link of the mail, after `#token=`.',
    examples: ['mGZ0bq7Rr3o8gkq0QbX3p3bS9mC2b1yTn4d5e6f7g8h'],
  });
const token = 'mGZ0bq7Rr3o8gkq0QbX3p3bS9mC2b1yTn4d5e6f7g8h';
const password = 'quiet-otter-crosses-7-bridges';

export const InvitationCreate = Strict(
  {
    email: Email(),
    role: Role(),
    display_name: Type.Optional(DisplayName()),
    locale: Type.Optional(Nullable(Locale())),
  },
  { examples: [{ email: 'grace@example.org', role: 'member', display_name: 'Grace Hopper', locale: 'en' }] },
);
export type InvitationCreate = Static<typeof InvitationCreate>;

const STATUS = ['pending', 'accepted', 'withdrawn', 'expired'] as const;
export const InvitationView = Type.Object({
  id: Uuid(),
  email: Type.String(),
  display_name: Nullable(Type.String({ description: 'A proposal, which the invited person may change.' })),
  role: Role(),
  locale: Nullable(Type.String({ description: 'Language of the mail and of the account.' })),
  status: OneOf([...STATUS]),
  invited_by: Nullable(
    Type.Object(
      { id: Uuid(), display_name: Type.String() },
      { description: 'Whose permissions limit the role; null: the account was deleted, so that it must be resent.' },
    ),
  ),
  user_id: Nullable(Uuid({ description: 'The account that was made by it.' })),
  created_at: Timestamp(),
  sent_at: Type.String({ format: 'date-time', description: 'When a mail was last queued.' }),
  expires_at: Timestamp(),
  ended_at: Nullable(Timestamp()),
});
export type InvitationView = Static<typeof InvitationView>;
export const InvitationPage = Page(InvitationView);

export const InvitationQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('created_at', 'email', 'expires_at'),
  status: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: '^(pending|accepted|withdrawn|expired)(,(pending|accepted|withdrawn|expired))*$',
      description: 'Any of these, comma separated.',
      examples: ['pending,expired'],
    }),
  ),
});
export type InvitationQuery = Static<typeof InvitationQuery>;

export const EmptyBody = Nullable(Strict({}, { examples: [{}] }));

export const AcceptBody = Strict(
  {
    token: Token(),
    password: NewPassword(),
    display_name: Type.Optional(DisplayName()),
  },
  {
    description: '`display_name` is required if the invitation has none.',
    examples: [{ token, password, display_name: 'Grace Hopper' }],
  },
);
export type AcceptBody = Static<typeof AcceptBody>;

/** Accepts any text, so that the response does not tell an address from another text. */
export const ForgotBody = Strict(
  { email: Type.String({ minLength: 1, maxLength: 320 }) },
  { examples: [{ email: 'ada@example.org' }] },
);

export const ResetBody = Strict({ token: Token(), password: NewPassword() }, { examples: [{ token, password }] });

export const EmailChangeBody = Strict(
  { current_password: Type.String({ minLength: 1, maxLength: 1024 }), email: Email() },
  { examples: [{ current_password: password, email: 'ada.lovelace@example.org' }] },
);
export type EmailChangeBody = Static<typeof EmailChangeBody>;

export const EmailChangeView = Type.Object({
  email: Type.String({ description: 'The new address.' }),
  confirmed_by_old_address: Type.Boolean(),
  confirmed_by_new_address: Type.Boolean(),
  created_at: Timestamp(),
  expires_at: Timestamp(),
});
export type EmailChangeView = Static<typeof EmailChangeView>;

export const LinkBody = Strict({ token: Token() }, { examples: [{ token }] });

export const ConfirmedView = Type.Object({
  applied: Type.Boolean({ description: 'Whether the address was changed; false: the other address must confirm too.' }),
});
export const NoContent = Type.Null({ description: 'Done.' });
