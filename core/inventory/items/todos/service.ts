import type { CardRef, RequestContext } from '@lintel/sdk';
import type { AccessGate } from '../../access/index.js';
import type { CardPermissions, CardState } from '../../cards/index.js';
import { checkVersion, differing } from '../../../foundation/conditions.js';
import type { Database } from '../../../foundation/db/database.js';
import type { Transactions, UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { invalid, problem } from '../../../foundation/errors.js';
import type { Page } from '../../../foundation/http/respond.js';
import { uuidv7 } from '../../../foundation/ids.js';
import type { CardLimits } from '../../../settings/index.js';
import { noRoom } from '../room-repository.js';
import {
  TODOS,
  deleteTodo,
  findTodo,
  insertTodo,
  isActiveUser,
  listOwnTodos,
  listTodos,
  releaseTodos,
  updateTodo,
  type TodoFields,
  type TodoRow,
} from './repository.js';
import type { OwnTodoQuery, OwnTodoView, TodoCreate, TodoPatch, TodoQuery, TodoView } from './schemas.js';

const OWN = 'todos.own';
const MANAGE = 'todos.manage';

/** To-dos of cards. */
export class TodoService {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly cards: CardPermissions,
    private readonly access: AccessGate,
    private readonly limits: CardLimits,
  ) {}

  /** @throws not_found where the card does not exist or is hidden from the caller */
  async list(ctx: RequestContext, cardId: string, query: TodoQuery): Promise<Page<TodoView>> {
    await this.ownable(ctx, cardId);
    const page = await listTodos(this.db, cardId, query);
    return { ...page, items: page.items.map(view) };
  }

  /** The caller's to-dos on active cards that the caller may see. */
  async listOwn(ctx: RequestContext, query: OwnTodoQuery): Promise<Page<OwnTodoView>> {
    const page = await listOwnTodos(this.db, ctx.actor!.id, this.access.typesWith(ctx, OWN), query);
    return {
      ...page,
      items: page.items.map((item) => ({
        ...view(item),
        card: { id: item.card_id, type: item.card_type, name: item.card_name },
      })),
    };
  }

  /** @throws not_found */
  async get(ctx: RequestContext, cardId: string, id: string): Promise<TodoView> {
    await this.ownable(ctx, cardId);
    return view(known(await findTodo(this.db, cardId, id)));
  }

  /**
   * Creates a to-do for the caller or, with `todos.manage`, for any user or without assignee.
   * @returns its id
   * @throws not_found, forbidden, invalid_state on an archived card, limit_reached, 422
   */
  async create(ctx: RequestContext, cardId: string, body: TodoCreate): Promise<string> {
    const me = ctx.actor?.id ?? null;
    const fields: TodoFields = { status: 'open', assignee_id: me, due_date: null, ...clean(body) };
    const card = await this.ownable(ctx, cardId);
    if (fields.assignee_id !== me && !ctx.permissions.has(MANAGE, card.type))
      throw refusal('Assigning to-dos to other users');
    const { id } = await this.transactions.run(ctx, async (uow) => {
      const card = await this.cards.lockActive(uow, cardId);
      await checkAssignee(uow, fields.assignee_id);
      const id = uuidv7();
      const bounds = this.limits.bounds(ctx, 'todos');
      if (!(await insertTodo(uow, { ...fields, id, card_id: cardId, created_by: me }, bounds)))
        throw await noRoom(uow, TODOS, cardId, this.limits, bounds);
      todoChanged(uow, 'created', card, { ...fields, id });
      return { id, version: 1 };
    });
    return id;
  }

  /**
   * Without `todos.manage` the assignee can open and close it, and change it if the assignee also created it.
   * @throws not_found, forbidden, invalid_state, precondition_failed, 422
   */
  async update(ctx: RequestContext, cardId: string, id: string, body: TodoPatch): Promise<void> {
    const patch = clean(body);
    const { type } = await this.ownable(ctx, cardId);
    await this.transactions.run(ctx, async (uow) => {
      const card = await this.cards.lockActive(uow, cardId);
      const item = known(await findTodo(uow, cardId, id));
      const changed = differing<TodoFields>(item, patch);
      if (!ctx.permissions.has(MANAGE, type)) {
        if (!isAssignee(ctx, item)) throw refusal('Changing to-dos of other users');
        if (changed.some((field) => field === 'assignee_id' || (field !== 'status' && !isMaker(ctx, item))))
          throw refusal('Changing more than the status');
      }
      checkVersion(ctx, item.version, changed);
      if (changed.length === 0) return { id, version: item.version };
      const next = { ...item, ...patch };
      if (changed.includes('assignee_id')) await checkAssignee(uow, next.assignee_id);
      const version = await updateTodo(uow, id, next);
      todoChanged(uow, 'updated', card, next, changed);
      return { id, version };
    });
  }

  /**
   * Requires `todos.manage`, or that the caller is creator and assignee. @throws not_found, forbidden, invalid_state,
   * precondition_failed
   */
  async remove(ctx: RequestContext, cardId: string, id: string): Promise<void> {
    const { type } = await this.ownable(ctx, cardId);
    await this.transactions.run(ctx, async (uow) => {
      const card = await this.cards.lockActive(uow, cardId);
      const item = known(await findTodo(uow, cardId, id));
      if (!ctx.permissions.has(MANAGE, type) && !(isAssignee(ctx, item) && isMaker(ctx, item)))
        throw refusal('Deleting to-dos of other users');
      checkVersion(ctx, item.version, []);
      await deleteTodo(uow, id);
      todoChanged(uow, 'deleted', card, item);
      return {};
    });
  }

  private async ownable(ctx: RequestContext, cardId: string): Promise<CardRef> {
    const card = await this.cards.visible(ctx, cardId);
    await this.cards.require(ctx, card, OWN);
    return card;
  }
}

/** Removes a user who is being deleted as assignee; users with `todos.manage` can reassign the to-dos. */
export async function unassignTodosOf(uow: UnitOfWork, user: { id: string }): Promise<void> {
  for (const { id, status, card_id, card_type, card_name } of await releaseTodos(uow, user.id)) {
    todoChanged(uow, 'updated', { id: card_id, type: card_type, name: card_name }, { id, status, assignee_id: null }, [
      'assignee_id',
    ]);
  }
}

const isAssignee = (ctx: RequestContext, item: TodoRow): boolean =>
  item.assignee_id !== null && item.assignee_id === ctx.actor?.id;
const isMaker = (ctx: RequestContext, item: TodoRow): boolean =>
  item.created_by !== null && item.created_by === ctx.actor?.id;
const refusal = (what: string) =>
  problem('forbidden', { detail: `${what} requires the permission ${MANAGE}.`, required_permission: MANAGE });

/** The values to store: ids in lower case, in which they are compared. */
function clean<B extends TodoPatch>(body: B): B {
  return {
    ...body,
    ...(body.title !== undefined && { title: body.title.trim() }),
    ...(typeof body.assignee_id === 'string' && { assignee_id: body.assignee_id.toLowerCase() }),
  };
}

async function checkAssignee(uow: UnitOfWork, id: string | null): Promise<void> {
  if (id !== null && !(await isActiveUser(uow, id)))
    throw invalid({ field: '/assignee_id', reason: 'names no active user' });
}

/** The event does not contain the title, because users who may see the card may not see its to-dos. */
function todoChanged(
  uow: UnitOfWork,
  verb: 'created' | 'updated' | 'deleted',
  card: Pick<CardState, 'id' | 'type' | 'name'>,
  { id, assignee_id, status }: Pick<TodoRow, 'id' | 'assignee_id' | 'status'>,
  changed?: readonly string[],
): void {
  uow.emit({
    type: `card.todo_${verb}`,
    subject: { kind: 'card', id: card.id, type: card.type, name: card.name },
    data: { todo: { id, assignee_id, status }, ...(changed && { changed_fields: changed }) },
  });
}

function known(item: TodoRow | undefined): TodoRow {
  if (!item) throw problem('not_found');
  return item;
}

function view({
  id,
  title,
  status,
  assignee_id,
  due_date,
  created_by,
  created_at,
  updated_at,
  version,
}: TodoRow): TodoView {
  return {
    id,
    title,
    status,
    assignee_id,
    due_date,
    created_by,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    version,
  };
}
