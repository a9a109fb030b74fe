import type { PermissionSet } from '@lintel/sdk';
import { NO_PERMISSIONS } from '../../foundation/context.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { RolePermissions } from './permission-set.js';
import { lockGiver, shareRoles } from './repository.js';

/**
 * The stored permissions of the caller, locked until the unit of work ends: a caller who grants a permission still has
 * it at commit. The permissions in the request's context may be outdated.
 * @returns the context's permissions where there is no actor, as in a job; none where the account is deleted or
 *   disabled
 */
export async function giverOf(uow: UnitOfWork): Promise<PermissionSet> {
  const { actor, permissions } = uow.ctx;
  if (!actor) return permissions;
  // A separate statement, so that the following one sees changes committed while it waited for the lock.
  await shareRoles(uow);
  const role = await lockGiver(uow, actor.id);
  return role ? new RolePermissions(role) : NO_PERMISSIONS;
}
