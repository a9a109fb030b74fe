import { Type } from 'typebox';
import { OneOf } from '../../foundation/http/schemas.js';

/** Maximum number of characters of a list of ids, and of a list of keys. */
const [IDS, KEYS] = [8_000, 2_000];
const time = (description?: string) =>
  Type.Optional(
    Type.String({
      format: 'date-time',
      ...(description !== undefined && { description }),
      examples: ['2026-01-15T10:00:00.000Z'],
    }),
  );
const score = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 100, description, examples: [50] }));

/** The filters of cards, besides those of attributes; all must match. Ranges contain their lower bound only. */
export const FILTERS = {
  type: Type.Optional(
    Type.String({
      maxLength: KEYS,
      description: 'Card types, comma separated: any of.',
      examples: ['Application,ITComponent'],
    }),
  ),
  subtype: Type.Optional(Type.String({ maxLength: KEYS })),
  'subtype[empty]': Type.Optional(
    Type.Boolean({ description: '`true`: cards without a subtype; `false`: cards with one.' }),
  ),
  status: Type.Optional(Type.String({ maxLength: 100, description: 'ACTIVE (default), ARCHIVED, or both.' })),
  approval_status: Type.Optional(Type.String({ maxLength: 100, description: 'DRAFT, APPROVED, REJECTED, BROKEN.' })),
  lifecycle_phase: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Any of the phases that `lifecycle_phase` of the card shows today (UTC); `none` for cards where it is null.',
      examples: ['active,none'],
    }),
  ),
  'data_quality[gte]': score('Cards whose score, as shown to the caller, is at least this number.'),
  'data_quality[lt]': score('Cards whose score, as shown to the caller, is less than this number.'),
  parent_id: Type.Optional(
    Type.String({ maxLength: IDS, description: 'Children of a card, or `null` for cards without a parent.' }),
  ),
  root_id: Type.Optional(
    Type.String({ maxLength: IDS, description: 'The whole subtree of a card, including the card.' }),
  ),
  tag: Type.Optional(Type.String({ maxLength: IDS })),
  stakeholder_id: Type.Optional(
    Type.String({
      maxLength: IDS,
      description:
        'Cards on which the user has a stakeholder role; `me` for the caller. For other users `stakeholders.view` is required.',
    }),
  ),
  stakeholder_role: Type.Optional(
    Type.String({
      maxLength: KEYS,
      description:
        'Cards on which a user has any of these stakeholder roles; with `stakeholder_id`, one of those users. Requires `stakeholders.view`, except with `stakeholder_id=me`.',
      examples: ['responsible'],
    }),
  ),
  'stakeholder_role[empty]': Type.Optional(
    Type.String({
      maxLength: KEYS,
      description:
        'Cards on which no user has any of these stakeholder roles; `any` for cards without stakeholders. Requires `stakeholders.view`.',
      examples: ['responsible'],
    }),
  ),
  related_to: Type.Optional(
    Type.String({
      maxLength: IDS,
      description: 'Cards with a relation to any of these cards, see `relation_type` and `direction`.',
    }),
  ),
  related_root_id: Type.Optional(
    Type.String({
      maxLength: IDS,
      description: 'The same with the cards of the subtrees of these cards, including them.',
    }),
  ),
  relation_type: Type.Optional(
    Type.String({
      maxLength: KEYS,
      description: 'Only relations of these types for `related_to` and `related_root_id`, one of which is required.',
      examples: ['applicationToBusinessCapability'],
    }),
  ),
  has_relation: Type.Optional(
    Type.String({
      maxLength: KEYS,
      description:
        'Cards with at least one relation of any of these types, or `none` for cards without relations. As everywhere, only relations between active cards that the caller may see count.',
      examples: ['applicationToBusinessCapability'],
    }),
  ),
  lacks_relation: Type.Optional(
    Type.String({
      maxLength: KEYS,
      description: 'Cards without a relation of any of these types.',
      examples: ['applicationToBusinessCapability'],
    }),
  ),
  direction: Type.Optional(
    OneOf(['outgoing', 'incoming', 'both'], {
      description:
        'Direction of the relations of the filters above, as seen from the listed card: `outgoing` means that it is the source. Default: both.',
    }),
  ),
  ids: Type.Optional(Type.String({ maxLength: IDS })),
  external_id: Type.Optional(Type.String({ maxLength: IDS })),
  created_since: time('Cards created at this time or later.'),
  created_before: time('Cards created before this time.'),
  updated_since: time('Cards last changed at this time or later.'),
  updated_before: time('Cards last changed before this time.'),
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Every word must match: as a prefix of a word in name, alias, external id or description, or as a part of name or alias.',
    }),
  ),
};
