import { Type, type Static } from 'typebox';
import { Nullable, Page, PageQuery, SortBy, Strict, Timestamp, Uuid, OneOf } from '../../foundation/http/schemas.js';

const Name = () =>
  Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^(?!\\s*$)[^\\p{Cc}\\p{Zl}\\p{Zp}]*$',
    description: 'Blanks around it are dropped; case does not tell names apart.',
  });
const Color = () => Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', examples: ['#1565c0'] });
const Description = () => Type.String({ maxLength: 2_000 });
const Mode = () =>
  OneOf(['single', 'multi'], { description: 'Whether a card may have one tag of the group or several.' });
const Types = () =>
  Type.Array(Type.String({ maxLength: 200 }), { maxItems: 500, description: 'Card types it is for; empty for all.' });
const opt = Type.Optional;

export const TagGroupCreate = Strict(
  {
    name: Name(),
    mode: opt(Mode()),
    mandatory: opt(Type.Boolean({ description: 'Demanded for approval, and part of data quality.' })),
    restrict_to_types: opt(Types()),
  },
  { examples: [{ name: 'Cloud strategy', mode: 'single', mandatory: false, restrict_to_types: ['Application'] }] },
);
export type TagGroupCreate = Static<typeof TagGroupCreate>;
export const TagGroupPatch = Strict(
  { name: opt(Name()), mode: opt(Mode()), mandatory: opt(Type.Boolean()), restrict_to_types: opt(Types()) },
  { minProperties: 1, description: 'JSON Merge Patch.', examples: [{ mandatory: true }] },
);
export type TagGroupPatch = Static<typeof TagGroupPatch>;

export const TagCreate = Strict(
  { name: Name(), color: opt(Nullable(Color())), description: opt(Nullable(Description())) },
  { examples: [{ name: 'Rehost', color: '#1565c0' }] },
);
export type TagCreate = Static<typeof TagCreate>;
export const TagPatch = Strict(
  { name: opt(Name()), color: opt(Nullable(Color())), description: opt(Nullable(Description())) },
  { minProperties: 1, description: 'JSON Merge Patch.', examples: [{ description: 'Moved as it is.' }] },
);
export type TagPatch = Static<typeof TagPatch>;

export const TagView = Type.Object({
  id: Uuid(),
  name: Type.String(),
  color: Nullable(Type.String()),
  description: Nullable(Type.String()),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  version: Type.Integer(),
});
export const TagGroupView = Type.Object({
  id: Uuid(),
  name: Type.String(),
  mode: Mode(),
  mandatory: Type.Boolean(),
  restrict_to_types: Type.Array(Type.String()),
  tags: Type.Array(TagView),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  version: Type.Integer({ description: 'Of the group; its tags have their own.' }),
});
export type TagGroupView = Static<typeof TagGroupView>;
export const TagGroupPage = Page(TagGroupView);
export const TagPage = Page(TagView);

export const TagGroupQuery = Strict({ ...PageQuery, sort_by: SortBy('name', 'created_at', 'updated_at') });
export const TagQuery = TagGroupQuery;
export const TagParams = Strict({ id: Uuid(), tag_id: Uuid() });
