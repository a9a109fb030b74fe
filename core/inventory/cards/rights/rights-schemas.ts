import { Type, type Static } from 'typebox';
import { Nullable, OneOf, Page, PageQuery, SortBy, Strict, Uuid } from '../../../foundation/http/schemas.js';
import { DECIDING } from './reasons.js';

const Permission = () => Type.String({ minLength: 1, maxLength: 200, examples: ['cards.edit'] });

export const ExplainQuery = Strict({
  user_id: Uuid(),
  permission: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'A key of `GET /roles/permissions`; one with the scope `card` needs `card_id`.',
    examples: ['cards.edit'],
  }),
  card_id: Type.Optional(Uuid({ description: 'Explains it for this card.' })),
  card_type: Type.Optional(
    Type.String({ minLength: 1, maxLength: 63, description: 'Explains it for cards of this type, by the role alone.' }),
  ),
});
export type ExplainQuery = Static<typeof ExplainQuery>;

export const Explanation = Type.Object(
  {
    user_id: Uuid(),
    permission: Permission(),
    card_id: Nullable(Uuid()),
    card_type: Nullable(Type.String()),
    allowed: Type.Boolean(),
    because: Type.String({ description: 'The rule that grants or denies it.' }),
    by: OneOf(DECIDING, { description: 'Kind of that rule.' }),
  },
  {
    examples: [
      {
        user_id: '0197f9a0-5d2e-7c3a-9a34-8d0f6a1b2c3d',
        permission: 'cards.edit',
        card_id: null,
        card_type: 'Application',
        allowed: false,
        because: 'role member does not grant cards.edit on Application',
        by: 'type_rule',
      },
    ],
  },
);
export type Explanation = Static<typeof Explanation>;

export const RightsParams = Strict({ user_id: Uuid() });
export const RightsQuery = Strict({ ...PageQuery, sort_by: SortBy('permission') });
export const EffectiveRight = Type.Object({
  permission: Permission(),
  scope: OneOf(['application', 'card'], { description: '`card`: on the cards where a stakeholder role is held.' }),
  card_types: Nullable(
    Type.Array(Type.String(), {
      description: 'The card types for which it is held, of those visible to the caller; null: all.',
    }),
  ),
  stakeholder_role: Nullable(Type.String()),
  cards: Nullable(Type.Integer({ description: 'Number of cards on which the stakeholder role is held.' })),
  because: Type.String({ examples: ['role member grants cards.edit'] }),
});
export type EffectiveRight = Static<typeof EffectiveRight>;
export const RightsPage = Page(EffectiveRight);
