import { Type, type Static } from 'typebox';
import {
  DateOnly,
  Nullable,
  Page,
  PageQuery,
  SortBy,
  Strict,
  Timestamp,
  Uuid,
  OneOf,
} from '../../../foundation/http/schemas.js';

const Title = () =>
  Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: '^(?!\\s*$)[^\\p{Cc}\\p{Zl}\\p{Zp}]*$',
    description: 'One line; surrounding blanks are removed.',
    examples: ['Ask the vendor for an exit plan'],
  });
const Status = () => OneOf(['open', 'done']);

const VIEW = {
  id: Uuid(),
  title: Type.String(),
  status: Status(),
  assignee_id: Nullable(Uuid()),
  due_date: Nullable(DateOnly()),
  created_by: Nullable(Uuid()),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  version: Type.Integer({ minimum: 1 }),
};
export const TodoView = Type.Object(VIEW);
export type TodoView = Static<typeof TodoView>;
export const TodoPage = Page(TodoView);

export const OwnTodoView = Type.Object({
  ...VIEW,
  card: Type.Object({ id: Uuid(), type: Type.String(), name: Type.String() }),
});
export type OwnTodoView = Static<typeof OwnTodoView>;
export const OwnTodoPage = Page(OwnTodoView);

const assignee_id = Type.Optional(
  Nullable(
    Uuid({
      description:
        'An active user; the caller if it is not sent. Another user, or none (`null`), requires `todos.manage`.',
    }),
  ),
);
const due_date = Type.Optional(Nullable(DateOnly()));

export const TodoCreate = Strict(
  { title: Title(), status: Type.Optional(Status()), assignee_id, due_date },
  { examples: [{ title: 'Ask the vendor for an exit plan', due_date: '2026-03-31' }] },
);
export type TodoCreate = Static<typeof TodoCreate>;
export const TodoPatch = Strict(
  { title: Type.Optional(Title()), status: Type.Optional(Status()), assignee_id, due_date },
  { minProperties: 1, examples: [{ status: 'done' }] },
);
export type TodoPatch = Static<typeof TodoPatch>;

export const TodoParams = Strict({ id: Uuid(), tid: Uuid() });
const sort_by = SortBy('due_date', 'created_at');
const status = Type.Optional(Status());
export const TodoQuery = Strict({ ...PageQuery, sort_by, status });
export type TodoQuery = Static<typeof TodoQuery>;
export const OwnTodoQuery = Strict({
  ...PageQuery,
  sort_by,
  status,
  due_from: Type.Optional(Type.String({ format: 'date', description: 'Due on this day or later.' })),
  due_until: Type.Optional(Type.String({ format: 'date', description: 'Due on this day or earlier.' })),
});
export type OwnTodoQuery = Static<typeof OwnTodoQuery>;
