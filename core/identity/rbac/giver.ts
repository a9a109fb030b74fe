import type { PermissionSet } from '@lintel/sdk';
import { NO_PERMISSIONS } from '../../foundation/context.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { RolePermissions } from './permission-set.js';
import { lockGiver, shareRoles } from './repository.js';

/**
 * What the caller may do as it is stored, and stays until the unit of work ends: whoever gives a right has it until it
 * is given. What the request came with may be older.
 * @returns the permissions of the context where nobody acts, as in a job; none where the account is gone or disabled
 */
export async function giverOf(uow: UnitOfWork): Promise<PermissionSet> {
  const { actor, permissions } = uow.ctx;
  if (!actor) return permissions;
  // A statement of its own: what follows sees what was changed while it waited.
  await shareRoles(uow);
  const role = await lockGiver(uow, actor.id);
  return role ? new RolePermissions(role) : NO_PERMISSIONS;
}
