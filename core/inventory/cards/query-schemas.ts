import { Type } from 'typebox';
import { Nullable, PageQuery, Strict, Uuid, OneOf } from '../../foundation/http/schemas.js';
import { DECIDING } from './rights/reasons.js';
import { LIFECYCLE_PARAMETER } from './list/lifecycle-filters-repository.js';
import { CARD_SORTS } from './list/sorts-repository.js';
import { Expand } from './expand.js';
import { FILTERS } from './filter-schemas.js';
import { CardView } from './schemas.js';

/** Attribute filters: the metamodel determines which exist, so they are not listed as properties. */
export const ATTRIBUTES = { patternProperties: { '^attributes\\.': { type: 'string', maxLength: 2_000 } } };

/** The filters of cards whose names are patterns. */
const PATTERNS = {
  patternProperties: { ...ATTRIBUTES.patternProperties, [LIFECYCLE_PARAMETER]: { type: 'string', maxLength: 20 } },
};

const EXPAND = {
  expand: Expand(
    '`relations` of the card in both directions, its `parent`, its active `children`, and its `stakeholders`, which are otherwise subject to `fields`.',
    'relations,parent',
  ),
};

export const CardViewQuery = Strict(EXPAND);

export const CardQuery = Strict(
  {
    ...PageQuery,
    sort_by: Type.Optional(
      Type.String({
        maxLength: 100,
        description: `One of ${CARD_SORTS.join(', ')}, attributes.<key>, or relevance with \`search\`; \`id\` breaks ties.`,
        examples: ['name'],
      }),
    ),
    ...FILTERS,
    fields: Type.Optional(
      Type.String({
        maxLength: 2_000,
        description:
          'Only these members of a card, comma separated; attributes.<key> for one attribute. `id` is always included.',
        examples: ['name,attributes.businessCriticality'],
      }),
    ),
    ...EXPAND,
    total: Type.Optional(
      OneOf(['exact', 'none'], {
        description:
          '`exact` counts all hits, `none` no hits: `total` is then null. Otherwise lists with other filters than type, subtype, status or approval are counted up to 10,000.',
      }),
    ),
  },
  PATTERNS,
);

/** A card of a list: `fields` may leave out every member but the id. */
export const ListedCard = Type.Object(
  { ...Type.Partial(CardView).properties, id: CardView.properties.id },
  {
    description:
      'A card of a list. Without `fields` it is a complete `Card`; with it, only the requested members are included.',
  },
);

export const FacetQuery = Strict(FILTERS, PATTERNS);

const Count = Type.Integer({ minimum: 0 });
const Facet = Type.Array(
  Type.Object({ value: Nullable(Type.String()), label: Type.Optional(Type.String()), count: Count }),
);

export const FacetView = Type.Object({
  computed_at: Type.String({
    format: 'date-time',
    examples: ['2026-01-15T10:00:00.000Z'],
    description: 'When the cards were counted: the counts of more than 50,000 cards may be up to 10 seconds old.',
  }),
  total: Count,
  facets: Type.Record(Type.String(), Facet, {
    description:
      'By type, subtype, status, approval_status, tags, and attributes.<key> of each select field; the most frequent values first.',
  }),
});

export const HierarchyQuery = Strict({
  depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, default: 1, description: 'Levels below the card.' })),
});

const Named = { id: Uuid(), type: Type.String(), name: Type.String() };
export const HierarchyView = Type.Object({
  ancestors: Type.Array(Type.Object(Named), { description: 'Root first.' }),
  children: Type.Array(
    Type.Object({
      ...Named,
      child_count: Count,
      children: Type.Optional(
        Type.Array(Type.Unknown(), { description: 'Nested children of the next level, down to `depth`.' }),
      ),
    }),
  ),
  descendant_count: Count,
  truncated: Type.Boolean({ description: 'Whether there are more cards below than included.' }),
});

export const CardPermissionsView = Type.Object({
  can: Type.Record(
    Type.String(),
    Type.Object(
      {
        allowed: Type.Boolean(),
        because: Type.String(),
        by: OneOf(DECIDING, { description: 'Kind of the rule that decides.' }),
      },
      { 'x-name': 'CardPermission' },
    ),
    {
      description:
        'By permission: those stakeholder roles can grant, and those on cards that only a role grants. Where an inherited role grants it, the card above is named.',
      examples: [
        {
          'card.edit': {
            allowed: true,
            because: 'stakeholder role responsible grants card.edit',
            by: 'stakeholder_role',
          },
          'card.archive': {
            allowed: true,
            because: 'stakeholder role responsible on BusinessCapability “Sales” above grants card.archive',
            by: 'stakeholder_role',
          },
          'cards.delete': { allowed: false, because: 'role member does not grant cards.delete', by: 'none' },
        },
      ],
    },
  ),
});
