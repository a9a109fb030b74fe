import {
  LANGUAGE_TAG,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  SortBy,
  Strict,
  Timestamp,
  Type,
  Uuid,
  type Static,
} from '@lintel/sdk';
import { MOST_TEXT } from './settings.js';

const EXAMPLE_ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
export const CARD_EXAMPLE = {
  id: '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3c',
  type: 'Application',
  name: 'Billing',
  status: 'ACTIVE',
};
const XML_EXAMPLE =
  '<mxfile><diagram id="p1" name="Page-1"><mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/></root></mxGraphModel></diagram></mxfile>';
/** Cards a user links with a diagram besides its shapes. */
const MOST_LINKED = 200;

/** A parameter with a language tag. */
export const Lang = (description: string) =>
  Type.String({ pattern: LANGUAGE_TAG, maxLength: 35, description, examples: ['en'] });

/** A card as every reader of it may see it. */
export const CardView = Type.Object(
  { id: Uuid(), type: Type.String(), name: Type.String(), status: Type.String({ enum: ['ACTIVE', 'ARCHIVED'] }) },
  { 'x-name': 'DiagramCardRef' },
);

const fields = {
  name: Type.String({ minLength: 1, maxLength: 300, pattern: '^(?!\\s*$)[^\\p{Cc}]*$' }),
  description: Nullable(Type.String({ maxLength: 20_000, description: 'Markdown.' })),
  group_id: Nullable(Uuid({ description: 'The group that contains it.' })),
};
const content = Type.String({
  minLength: 1,
  maxLength: MOST_TEXT,
  description:
    'A draw.io file (XML), compressed or not. It is stored without what could run, load or track. Shapes refer to cards by the attribute `cardId`, or by a link to the page of a card. Larger files are sent as forms.',
});
const card_ids = Type.Array(Uuid(), {
  maxItems: MOST_LINKED,
  uniqueItems: true,
  description: 'Cards that the diagram is about, in addition to those of its shapes.',
});

const base = {
  id: Uuid(),
  ...fields,
  content_version: Type.Integer({ minimum: 1, description: 'The number of the current version of its content.' }),
  bytes: Type.Integer({ minimum: 0, description: 'Size of the file, uncompressed.' }),
  cell_count: Type.Integer({ minimum: 0, description: 'Shapes and edges of all pages.' }),
  page_count: Type.Integer({ minimum: 0 }),
  card_count: Type.Integer({ minimum: 0, description: 'Cards of its shapes and linked cards that the caller sees.' }),
  is_favourite: Type.Boolean({ description: 'Of the caller.' }),
  created_by: Nullable(Uuid()),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  version: Type.Integer({ minimum: 1 }),
};
const EXAMPLE = {
  id: EXAMPLE_ID,
  name: 'Billing landscape',
  description: null,
  group_id: null,
  content_version: 1,
  bytes: 161,
  cell_count: 0,
  page_count: 1,
  card_count: 1,
  is_favourite: false,
  created_by: null,
  created_at: '2026-01-15T10:00:00.000Z',
  updated_at: '2026-01-15T10:00:00.000Z',
  version: 1,
};

export const DiagramItem = Type.Object(base, { examples: [EXAMPLE] });
export type DiagramItem = Static<typeof DiagramItem>;
export const DiagramPage = Page(DiagramItem);

const DiagramPageInfo = Type.Object({
  id: Type.String(),
  name: Type.String(),
  cells: Type.Integer({ minimum: 0 }),
  shapes: Type.Integer({ minimum: 0, description: 'Shapes that refer to cards.' }),
});
const DiagramCard = Type.Object({
  card: CardView,
  is_linked: Type.Boolean({ description: 'Linked by a user, independently of shapes.' }),
  shapes: Type.Integer({ minimum: 0, description: 'Shapes of the card.' }),
});

export const DiagramView = Type.Object(
  {
    ...base,
    pages: Type.Array(DiagramPageInfo),
    cards: Type.Array(DiagramCard, {
      description:
        'Its cards that the caller sees, as they are now, by name; the first 500. `GET /diagrams/{id}/cards` has them all.',
    }),
  },
  {
    examples: [
      {
        ...EXAMPLE,
        pages: [{ id: 'p1', name: 'Page-1', cells: 0, shapes: 0 }],
        cards: [{ card: CARD_EXAMPLE, is_linked: true, shapes: 0 }],
      },
    ],
  },
);
export type DiagramView = Static<typeof DiagramView>;

export const DiagramCreate = Strict(
  {
    name: fields.name,
    description: Type.Optional(fields.description),
    group_id: Type.Optional(fields.group_id),
    card_ids: Type.Optional(card_ids),
    content: Type.Optional(content),
  },
  { examples: [{ name: 'Billing landscape', description: null, card_ids: [], content: XML_EXAMPLE }] },
);
export type DiagramCreate = Static<typeof DiagramCreate>;

export const DiagramPatch = Strict(
  {
    name: Type.Optional(fields.name),
    description: Type.Optional(fields.description),
    group_id: Type.Optional(fields.group_id),
    card_ids: Type.Optional(card_ids),
    content: Type.Optional(content),
  },
  { examples: [{ name: 'Billing landscape', group_id: null }] },
);
export type DiagramPatch = Static<typeof DiagramPatch>;

const filters = {
  search: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Every word must occur in the name or the description.' }),
  ),
  group_id: Type.Optional(
    Type.String({
      maxLength: 4_000,
      pattern:
        '^(none|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(,[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})*)$',
      description: 'Diagrams of any of these groups, by comma; `none`: of no group.',
    }),
  ),
  card_id: Type.Optional(Uuid({ description: 'Diagrams that show the card, or are linked with it.' })),
  favourite: Type.Optional(Type.Boolean({ description: 'Whether they are favourites of the caller.' })),
  created_by: Type.Optional(Uuid()),
  updated_from: Type.Optional(Type.String({ format: 'date', description: 'Changed from, that day (UTC) included.' })),
  updated_to: Type.Optional(Type.String({ format: 'date', description: 'Changed up to, that day (UTC) included.' })),
};
export type DiagramFilters = Omit<Static<ReturnType<typeof Strict<typeof filters>>>, 'search'>;
export const DiagramQuery = Strict({ ...PageQuery, sort_by: SortBy('name', 'created_at', 'updated_at'), ...filters });
export type DiagramQuery = Static<typeof DiagramQuery>;
const { card_id: _card, ...ofCard } = DiagramQuery.properties;
export const CardDiagramQuery = Strict(ofCard);

/** A shape of a card, with its place in the file. */
export const ShapeView = Type.Object(
  {
    cell_id: Type.String(),
    page: Type.Integer({ minimum: 0, description: 'Index of the page, from 0.' }),
    card: CardView,
    is_renamed: Type.Boolean({ description: 'The card has another name than in the stored file.' }),
    is_recoloured: Type.Boolean({ description: 'Its type has another colour than in the stored file.' }),
  },
  {
    examples: [{ cell_id: 'card-1', page: 0, card: CARD_EXAMPLE, is_renamed: false, is_recoloured: false }],
  },
);
export type ShapeView = Static<typeof ShapeView>;
export const ShapePage = Page(ShapeView);
export const ShapeQuery = Strict({ ...PageQuery, sort_by: SortBy('cell_id', 'page') });

const version = {
  number: Type.Integer({ minimum: 1 }),
  bytes: Type.Integer({ minimum: 0, description: 'Size of the file, uncompressed.' }),
  cell_count: Type.Integer({ minimum: 0 }),
  page_count: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ description: 'Of the stored file, hexadecimal.' }),
  removed_count: Type.Integer({
    minimum: 0,
    description: 'Parts of the file that were not stored; at most 200 are counted.',
  }),
  restored_from: Nullable(Type.Integer({ minimum: 1, description: 'The version whose content it repeats.' })),
  created_by: Nullable(Uuid()),
  created_at: Timestamp(),
};
const VERSION_EXAMPLE = {
  number: 2,
  bytes: 5_200,
  cell_count: 12,
  page_count: 1,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  removed_count: 1,
  restored_from: null,
  created_by: null,
  created_at: '2026-01-15T10:00:00.000Z',
};
export const VersionItem = Type.Object(version, { examples: [VERSION_EXAMPLE] });
export type VersionItem = Static<typeof VersionItem>;
export const VersionPage = Page(VersionItem);
export const VersionQuery = Strict({ ...PageQuery, sort_by: SortBy('number') });
export const VersionView = Type.Object(
  {
    ...version,
    pages: Type.Array(DiagramPageInfo),
    removed: Type.Array(
      Type.Object({
        page: Type.String({ description: 'Its name; empty for parts of the file itself.' }),
        cell_id: Type.String(),
        what: Type.String(),
      }),
      { description: 'What could run, load or track, and references to no card. The first 200.' },
    ),
  },
  {
    examples: [
      {
        ...VERSION_EXAMPLE,
        pages: [{ id: 'p1', name: 'Page-1', cells: 12, shapes: 4 }],
        removed: [{ page: 'Page-1', cell_id: '7', what: 'link: link=javascript:alert(1)' }],
      },
    ],
  },
);
export type VersionView = Static<typeof VersionView>;

/** Path parameters of a version. */
export const VersionParams = Strict({ id: Uuid(), number: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) });

export const FileQuery = Strict({
  compressed: Type.Optional(
    Type.Boolean({ description: 'Whether pages are compressed, as older versions of draw.io do. Default: false.' }),
  ),
});
export type FileQuery = Static<typeof FileQuery>;

export const DrawingQuery = Strict({
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, default: 1, description: 'Number of the page, from 1.' }),
  ),
  width: Type.Optional(
    Type.Integer({ minimum: 50, maximum: 4_000, description: 'Width in px. Default: that of the drawing.' }),
  ),
  theme: Type.Optional(OneOf(['light', 'dark'] as const, { default: 'light' })),
  lang: Type.Optional(Lang('Language of the description, BCP 47; default: the first one of the workspace.')),
});
export type DrawingQuery = Static<typeof DrawingQuery>;

export const DrawingFacts = Type.Object(
  {
    page: Type.Integer({ minimum: 1 }),
    name: Type.String({ description: 'Of the page.' }),
    width: Type.Number({ description: 'In px.' }),
    height: Type.Number({ description: 'In px.' }),
    not_drawable: Type.Array(
      Type.Object({ cell_id: Type.String(), shape: Type.String({ description: 'As the style names it.' }) }),
      { description: 'Shapes that are drawn as labelled boxes. The first 1,000.' },
    ),
  },
  {
    examples: [
      {
        page: 1,
        name: 'Page-1',
        width: 640,
        height: 420,
        not_drawable: [{ cell_id: '7', shape: 'mxgraph.cisco.routers' }],
      },
    ],
  },
);
export type DrawingFacts = Static<typeof DrawingFacts>;
