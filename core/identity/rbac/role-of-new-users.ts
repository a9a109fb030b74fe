import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { problem } from '../../foundation/errors.js';
import { ADMIN } from './core-permissions.js';
import type { Role } from './model.js';
import { changeRole, lockDefaultRole } from './role-repository.js';

/**
 * Prepares a change of a role's `is_default`. Exactly one role is the default: setting it on a role removes it from the
 * previous one.
 * @throws invalid_state where the role cannot be the default, or would leave none
 */
export async function moveDefault(uow: UnitOfWork, role: Role, isDefault: boolean): Promise<void> {
  if (!isDefault)
    throw problem('invalid_state', { detail: 'There must be a default role; make another role the default instead.' });
  if (role.key === ADMIN)
    throw problem('invalid_state', { detail: 'The administrator role cannot be the default for new users.' });
  if (role.is_archived) throw problem('invalid_state', { detail: 'An archived role cannot be assigned.' });
  const knex = await uow.knex();
  const before = await lockDefaultRole(knex);
  if (!before) return;
  await changeRole(knex, before.key, { is_default: false });
  uow.emit({
    type: 'role.updated',
    subject: { kind: 'role', id: before.key, name: before.label },
    data: { changes: [{ field: 'is_default', old: true, new: false }] },
  });
}
