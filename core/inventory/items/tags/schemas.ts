import { Type, type Static } from 'typebox';
import { Nullable, Page, PageQuery, SortBy, Strict, Uuid } from '../../../foundation/http/schemas.js';

export const CardTagView = Type.Object({
  id: Uuid(),
  group_id: Uuid(),
  group_name: Type.String(),
  name: Type.String(),
  color: Nullable(Type.String()),
});
export type CardTagView = Static<typeof CardTagView>;
export const CardTagPage = Page(CardTagView);

export const CardTags = Strict(
  {
    tag_ids: Type.Array(Uuid(), {
      maxItems: 500,
      uniqueItems: true,
      description: 'All tags of the card; other tags are removed.',
    }),
  },
  {
    examples: [{ tag_ids: ['0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e21'] }],
  },
);
export type CardTags = Static<typeof CardTags>;
export const CardTagQuery = Strict({ ...PageQuery, sort_by: SortBy('name', 'group') });
