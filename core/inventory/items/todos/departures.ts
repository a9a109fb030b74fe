import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { releaseTodos } from './repository.js';
import { todoChanged } from './service.js';

/** Removes a user who is being deleted as assignee; users with `todos.manage` can reassign the to-dos. */
export async function unassignTodosOf(uow: UnitOfWork, user: { id: string }): Promise<void> {
  for (const { id, status, card_id, card_type, card_name } of await releaseTodos(uow, user.id)) {
    todoChanged(uow, 'updated', { id: card_id, type: card_type, name: card_name }, { id, status, assignee_id: null }, [
      'assignee_id',
    ]);
  }
}
