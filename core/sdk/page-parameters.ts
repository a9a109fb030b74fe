import { Type, type TSchema } from 'typebox';
import { Nullable, OneOf } from './schemas.js';

/** The largest number of items of a page. */
export const MAX_PAGE_SIZE = 200;

/** The query parameters of every list. */
export const PageQuery = {
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1, description: 'Page number, from 1.' }),
  ),
  page_size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: 50, description: 'Items per page.' }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2000,
      description: '`next_cursor` of the answer before; reads on by keyset and takes the place of `page`.',
    }),
  ),
  sort_dir: Type.Optional(OneOf(['asc', 'desc'], { description: 'Direction of `sort_by`.' })),
  total: Type.Optional(
    OneOf(['none'], {
      description: '`none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page.',
    }),
  ),
};

/** `sort_by` of a resource: only from its documented list. */
export const SortBy = (...fields: [string, ...string[]]) =>
  Type.Optional(OneOf(fields, { description: `One of ${fields.join(', ')}; \`id\` breaks ties.` }));

/** The envelope of every list. */
export const Page = <T extends TSchema>(item: T) =>
  Type.Object({
    items: Type.Array(item),
    total: Nullable(Type.Integer({ minimum: 0, description: 'Null with `total=none`.' })),
    total_relation: OneOf(['eq', 'gte', 'none'], {
      description: '`eq`: the total is exact; `gte`: there are more; `none`: they were not counted.',
    }),
    page: Type.Integer({ minimum: 1 }),
    page_size: Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE }),
    next_cursor: Nullable(Type.String()),
  });
