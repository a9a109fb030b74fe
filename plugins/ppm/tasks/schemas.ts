import { OneOf, Page, PageQuery, SortBy, Strict, Type, Uuid, type Static } from '@lintel/sdk';
import { UUID } from '../people.js';
import { comments } from './comments.js';
import { TASK_STATUSES, tasks } from './resource.js';

export const TaskParams = Strict({ card_id: Uuid(), id: Uuid() });
export const CommentParams = Strict({ card_id: Uuid(), id: Uuid(), comment_id: Uuid() });

export const TaskMove = Strict(
  {
    status: OneOf(TASK_STATUSES, { description: 'The new column of the board.' }),
    before_id: Type.Optional(Uuid({ description: 'A task with this status, before which it is placed.' })),
    after_id: Type.Optional(
      Uuid({ description: 'The same, after which it is placed. Without both it becomes the last.' }),
    ),
  },
  { examples: [{ status: 'in_progress' }], 'x-name': 'PpmTaskMove' },
);
export type TaskMove = Static<typeof TaskMove>;

export const TaskPage = Page(tasks.view);
export const MyTaskQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('due_date', 'start_date', 'created_at', 'updated_at'),
  ...tasks.filters,
  card_id: Type.Optional(
    Type.String({ maxLength: 4_000, pattern: `^${UUID}(,${UUID})*$`, description: 'Initiatives, by comma.' }),
  ),
  assignee_id: Type.Optional(
    Type.String({
      maxLength: 4_000,
      pattern: `^(me|none|${UUID})(,(me|none|${UUID}))*$`,
      description: 'Ids of users by comma; `me`: the caller, `none`: without an assignee.',
    }),
  ),
});

export const CommentCreate = Strict(
  { text: Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S', description: 'Markdown.' }) },
  { examples: [{ text: 'The offer arrives on Friday.' }], 'x-name': 'PpmTaskCommentCreate' },
);
export const CommentPage = Page(comments.view);
export const CommentQuery = Strict({ ...PageQuery, sort_by: SortBy('created_at', 'updated_at') });
