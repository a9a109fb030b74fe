import { Type, type Static } from 'typebox';
import { Nullable, Page, PageQuery, SortBy, Strict, Timestamp, Uuid } from '../../foundation/http/schemas.js';

const ONE_LINE = '^(?!\\s*$)[^\\p{Cc}\\p{Zl}\\p{Zp}]*$';
const example = {
  name: 'Nightly export',
  permissions: ['cards.view'],
  address_ranges: ['192.0.2.0/24', '2001:db8::/48'],
};

export const TokenCreate = Strict(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: ONE_LINE,
      description: 'Shown in events and histories.',
    }),
    permissions: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 500,
      uniqueItems: true,
      description:
        'What the token may do: keys of `GET /roles/permissions`, or `*` for all permissions of its user. Of these it has, at every request, those that its user has. A permission on cards, such as `card.edit`, applies on the cards on which a stakeholder role grants it; `cards.edit` includes `card.edit`.',
    }),
    expires_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'Default: after 90 days, or `api_tokens.max_days` of the settings if that is less. At most `max_days` from now.',
      }),
    ),
    address_ranges: Type.Optional(
      Type.Array(Type.String({ minLength: 2, maxLength: 49 }), {
        maxItems: 50,
        uniqueItems: true,
        description:
          'Client addresses from which it may be used: addresses or CIDR ranges, IPv4 or IPv6. Empty or absent: any.',
      }),
    ),
  },
  { examples: [example] },
);
export type TokenCreate = Static<typeof TokenCreate>;

const properties = {
  id: Uuid({ description: 'The claim `jti` of the token.' }),
  user_id: Uuid({ description: 'The user as whom it acts.' }),
  name: Type.String(),
  permissions: Type.Array(Type.String()),
  address_ranges: Type.Array(Type.String()),
  created_by: Nullable(Uuid({ description: 'Who made it; null: the account was deleted.' })),
  created_at: Timestamp(),
  expires_at: Timestamp(),
  last_used_at: Nullable(Type.String({ format: 'date-time', description: 'To the minute.' })),
};
export const TokenView = Type.Object(properties);
export type TokenView = Static<typeof TokenView>;
export const TokenPage = Page(TokenView);

export const NewToken = Type.Object({
  ...properties,
  token: Type.String({
    description: 'JSON Web Token, for `Authorization: Bearer`. It is not stored, and not shown again.',
  }),
});
export type NewToken = Static<typeof NewToken>;

export const TokenQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('name', 'created_at', 'expires_at', 'last_used_at'),
});
export type TokenQuery = Static<typeof TokenQuery>;
export const UserParams = Strict({ user_id: Uuid() });
export const UserTokenParams = Strict({ user_id: Uuid(), id: Uuid() });
