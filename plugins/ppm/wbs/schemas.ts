import {
  AnyOf,
  DateOnly,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  SortBy,
  Strict,
  Type,
  Uuid,
  type Static,
} from '@lintel/sdk';
import { UUID } from '../people.js';
import { WBS_EXAMPLE, WBS_FIELDS, wbs } from './resource.js';

const PLACE = {
  before_id: Type.Optional(Uuid({ description: 'An item of the same parent, before which it is placed.' })),
  after_id: Type.Optional(
    Uuid({ description: 'The same, after which it is placed. Without both it becomes the last.' }),
  ),
};
const { title, ...others } = WBS_FIELDS;
const { parent_id: _parent, ...changeable } = WBS_FIELDS;

export const WbsCreate = Strict(
  { title, ...Type.Partial(Type.Object(others)).properties, ...PLACE },
  { examples: [WBS_EXAMPLE], 'x-name': 'PpmWbsItemCreate' },
);
export type WbsCreate = Static<typeof WbsCreate>;

export const WbsPatch = Strict(
  { ...Type.Partial(Type.Object(changeable)).properties },
  { minProperties: 1, examples: [{ completion: 60 }], 'x-name': 'PpmWbsItemUpdate' },
);
export type WbsPatch = Static<typeof WbsPatch>;

export const WbsPage = Page(wbs.view);

const Ids = Type.String({
  maxLength: 4_000,
  pattern: `^(none|${UUID})(,(none|${UUID}))*$`,
  description: 'Ids by comma; `none`: without.',
});
export const WbsQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('outline'),
  parent_id: Type.Optional(Ids),
  assignee_id: Type.Optional(Ids),
  is_milestone: Type.Optional(AnyOf(['true', 'false'])),
  external_id: Type.Optional(Type.String({ minLength: 1, maxLength: 4_000 })),
  start_date_from: Type.Optional(DateOnly()),
  start_date_to: Type.Optional(DateOnly()),
  end_date_from: Type.Optional(DateOnly()),
  end_date_to: Type.Optional(DateOnly()),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Every word must occur in the title or the description.',
    }),
  ),
});
export type WbsQuery = Static<typeof WbsQuery>;

export const ItemParams = Strict({ card_id: Uuid(), id: Uuid() });

export const WbsMove = Strict(
  { parent_id: Nullable(Uuid({ description: 'The new item above it; null: none.' })), ...PLACE },
  { examples: [{ parent_id: null }], 'x-name': 'PpmWbsItemMove' },
);
export type WbsMove = Static<typeof WbsMove>;

export const WbsDelete = Strict({
  strategy: Type.Optional(
    OneOf(['cascade', 'reparent'], {
      description: 'Of an item with others below it: delete them too, or put them in its place.',
    }),
  ),
});
export type WbsDelete = Static<typeof WbsDelete>;
