import { Type, type Static } from 'typebox';
import { Nullable, Page, PageQuery, SortBy, Strict, Timestamp, Uuid } from '../../../foundation/http/schemas.js';

/** Stored and returned unchanged; clients must display it as plain text. */
const Body = () =>
  Type.String({
    minLength: 1,
    maxLength: 10_000,
    pattern: '\\S',
    description:
      'Plain text, 1 to 10,000 characters that are not all blank; never interpreted as HTML. `@[Name](user id)` and `@name@example.org` mention users, at most 50.',
    examples: ['Who runs this after the move?'],
  });

export const CommentView = Type.Object({
  id: Uuid(),
  parent_id: Nullable(Uuid({ description: 'The comment to which this is a reply.' })),
  body: Type.String({ description: 'Empty if the comment was deleted.' }),
  author: Nullable(
    Type.Object({ id: Uuid(), display_name: Type.String() }, { description: 'Null if the account was deleted.' }),
  ),
  created_at: Timestamp(),
  edited_at: Nullable(Timestamp()),
  is_deleted: Type.Boolean({ description: 'A deleted comment with replies is kept without its text.' }),
  version: Type.Integer({ minimum: 1 }),
});
export type CommentView = Static<typeof CommentView>;
export const CommentPage = Page(CommentView);

export const CommentCreate = Strict(
  {
    body: Body(),
    parent_id: Type.Optional(Nullable(Uuid({ description: 'A comment of the same card that is not a reply itself.' }))),
  },
  { examples: [{ body: 'Who runs this after the move?' }] },
);
export type CommentCreate = Static<typeof CommentCreate>;
export const CommentPatch = Strict({ body: Body() }, { examples: [{ body: 'Who runs this after the move in May?' }] });
export type CommentPatch = Static<typeof CommentPatch>;

export const CommentParams = Strict({ id: Uuid(), cid: Uuid() });
export const CommentQuery = Strict({ ...PageQuery, sort_by: SortBy('created_at') });
