import { AnyOf, Nullable, OneOf, Page, PageQuery, Strict, Timestamp, Type, Uuid, type Static } from '@lintel/sdk';
import { VERSION_REASONS } from './cycles.js';
import { FEEDS } from './definition.js';

const ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';

/** Why a feed could not be used for a card. */
export const MATCH_REASONS = [
  'no_product',
  'several_products',
  'supplier_unknown',
  'several_vulnerable_products',
  ...VERSION_REASONS,
] as const;
export type MatchReason = (typeof MATCH_REASONS)[number];

export const FeedParams = Strict({ feed: OneOf(FEEDS) });

export const FeedView = Type.Object(
  {
    feed: OneOf(FEEDS),
    title: Type.String(),
    state: OneOf(['empty', 'current', 'stale'], { description: '`stale`: older than `feed_stale_days`.' }),
    source: Nullable(OneOf(['upload', 'fetch'])),
    published: Nullable(Type.String({ description: 'Its version or time, as the feed states it.' })),
    loaded_at: Nullable(Timestamp()),
    age_days: Nullable(Type.Integer({ minimum: 0, description: 'Since it was loaded, or found unchanged.' })),
    entries: Type.Integer({ minimum: 0, description: 'Number of vulnerabilities, or of products.' }),
    is_scheduled: Type.Boolean({ description: 'Whether it is fetched every day.' }),
    checked_at: Nullable(Timestamp()),
    failed_at: Nullable(Timestamp()),
    failure: Nullable(
      Type.Object(
        { code: Type.String(), detail: Nullable(Type.String({ description: 'For those who manage feeds.' })) },
        { description: 'Of the last attempt to fetch it, if that failed: the content before is kept.' },
      ),
    ),
    version: Type.Integer({ minimum: 1 }),
  },
  {
    'x-name': 'InsightFeed',
    examples: [
      {
        feed: 'kev',
        title: 'Known exploited vulnerabilities',
        state: 'current',
        source: 'upload',
        published: '2025.08.25',
        loaded_at: '2026-01-15T10:00:00.000Z',
        age_days: 2,
        entries: 890,
        is_scheduled: false,
        checked_at: null,
        failed_at: null,
        failure: null,
        version: 2,
      },
    ],
  },
);
export type FeedView = Static<typeof FeedView>;
export const FeedPage = Page(FeedView);
export const FeedQuery = Strict(PageQuery);

export const OddProduct = Type.Object(
  {
    slug: Type.String(),
    title: Type.String(),
    cycles: Type.Array(Type.String(), { description: 'Names of its releases that have no order.' }),
  },
  { 'x-name': 'InsightOddProduct', examples: [{ slug: 'apple-watch', title: 'Apple Watch', cycles: ['ultra-3'] }] },
);
export type OddProduct = Static<typeof OddProduct>;
export const OddProductPage = Page(OddProduct);

const Slug = () => Type.String({ minLength: 1, maxLength: 100, pattern: '^\\S+$' });
const Name = (description: string) => Type.String({ minLength: 1, maxLength: 300, pattern: '\\S', description });
const decided = {
  slug: Nullable(Slug()),
  vendor: Nullable(Name('As the feed of known exploited vulnerabilities has it.')),
  product: Nullable(Name('As the feed of known exploited vulnerabilities has it.')),
  release: Nullable(Name('Its version, in place of that of the card.')),
};

export const CardProduct = Strict(Type.Partial(Type.Object(decided)).properties, {
  'x-name': 'InsightCardProductInput',
  examples: [{ slug: 'windows-server', vendor: 'Microsoft', product: 'Windows', release: '2012 R2' }],
});
export type CardProduct = Static<typeof CardProduct>;

export const CardProductView = Type.Object(
  {
    card_id: Uuid(),
    ...decided,
    updated_by: Nullable(Uuid()),
    updated_at: Timestamp(),
    version: Type.Integer({ minimum: 1 }),
  },
  {
    'x-name': 'InsightCardProduct',
    examples: [
      {
        card_id: ID,
        slug: 'windows-server',
        vendor: 'Microsoft',
        product: 'Windows',
        release: '2012 R2',
        updated_by: ID,
        updated_at: '2026-01-15T10:00:00.000Z',
        version: 1,
      },
    ],
  },
);
export type CardProductView = Static<typeof CardProductView>;

export const MatchView = Type.Object(
  {
    card_id: Uuid(),
    name: Type.String(),
    type: Type.String(),
    slug: Nullable(Type.String({ description: 'Product of the end-of-life dates.' })),
    cycles: Type.Array(Type.String(), { description: 'The release it has, or those it may have.' }),
    release: Nullable(Type.String({ description: 'The version as it was read from the card.' })),
    vendor: Nullable(Type.String()),
    product: Nullable(Type.String({ description: 'Product of the known exploited vulnerabilities.' })),
    reasons: Type.Array(OneOf(MATCH_REASONS), { description: 'Why a feed could not be used for it.' }),
    candidates: Type.Array(Type.String(), { description: 'Products it may be.' }),
  },
  {
    'x-name': 'InsightProductMatch',
    examples: [
      {
        card_id: ID,
        name: 'Kong Gateway',
        type: 'ITComponent',
        slug: 'kong-gateway',
        cycles: ['3.9', '3.8'],
        release: '3',
        vendor: null,
        product: null,
        reasons: ['imprecise_version'],
        candidates: [],
      },
    ],
  },
);
export type MatchView = Static<typeof MatchView>;
export const MatchPage = Page(MatchView);
export const MatchQuery = Strict({ ...PageQuery, slug: Type.Optional(Slug()) });
export type MatchQuery = Static<typeof MatchQuery>;
export const UnmatchedQuery = Strict({ ...PageQuery, reason: Type.Optional(AnyOf(MATCH_REASONS)) });
export type UnmatchedQuery = Static<typeof UnmatchedQuery>;
