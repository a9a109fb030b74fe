import type { PermissionSet } from '@lintel/sdk';
import { NO_PERMISSIONS } from '../../foundation/context.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { invalid, problem, type Problem } from '../../foundation/errors.js';
import { RolePermissions } from './permission-set.js';
import { lockGiver, shareRoles, type StoredRole } from './repository.js';
import { TokenPermissions, type TokenRights } from './token-permissions.js';

type Rights = Pick<StoredRole, 'permissions' | 'types'>;

/**
 * The first permission of a role that the caller does not have: a user must not grant permissions beyond their own, neither
 * by assigning a role nor by changing one.
 * @param cardTypes types for which the rules of both sides are compared
 * @returns undefined where there is none
 */
function lacking(permissions: PermissionSet, role: Rights, cardTypes: Iterable<string>): string | undefined {
  const given = new RolePermissions(role);
  const missing = role.permissions.find((key) => !permissions.has(key));
  if (missing !== undefined) return missing;
  for (const type of new Set([...cardTypes, ...Object.keys(role.types)])) {
    const ruled = Object.hasOwn(role.types, type) ? Object.keys(role.types[type] ?? {}) : [];
    const key = [...role.permissions, ...ruled].find((k) => given.has(k, type) && !permissions.has(k, type));
    if (key !== undefined) return key;
  }
  return undefined;
}

/** @throws 403 where the role has permissions that the caller does not have */
export function ensureWithin(
  permissions: PermissionSet,
  role: Rights & { key: string },
  cardTypes: readonly string[],
): void {
  const missing = lacking(permissions, role, cardTypes);
  if (missing !== undefined)
    throw problem('forbidden', {
      detail: `The role ${role.key} grants ${missing}. You cannot grant or revoke it, because you do not have this permission.`,
      required_permission: missing,
    });
}

/** The problem where an API token would give permissions; undefined for a session. */
export const tokenGives = (giver: PermissionSet): Problem | undefined =>
  giver instanceof TokenPermissions
    ? problem('session_required', {
        detail: 'An API token cannot give permissions, because they would remain after it has ended: log in.',
      })
    : undefined;

/**
 * Requires a session for what gives permissions to others: they would remain after an API token has ended. Called by
 * every check of what a user may give, after it, for the part of a change that gives something.
 * @param giver as returned by `giverOf`, or the permissions of the context
 * @throws 403 `session_required`
 */
export function ensureMayGive(giver: PermissionSet): void {
  const refusal = tokenGives(giver);
  if (refusal) throw refusal;
}

/** All roles, locked until the unit of work ends, and the rules for assigning them. */
export class RoleGrantPolicy {
  private readonly roles: ReadonlyMap<string, StoredRole>;

  constructor(
    roles: readonly StoredRole[],
    private readonly cardTypes: readonly string[],
  ) {
    this.roles = new Map(roles.map((role) => [role.key, role]));
  }

  /** The role of users for whom none is specified. */
  get defaultRole(): string {
    return [...this.roles.values()].find((role) => role.is_default)!.key;
  }

  /** Whether the role can be assigned to users. */
  isGivable(key: string): boolean {
    return this.roles.get(key)?.is_archived === false;
  }

  /**
   * @throws 422 for a role that cannot be assigned, 403 for one with permissions that the caller does not have, 403
   *   `session_required` for an API token
   */
  ensureGivable(permissions: PermissionSet, key: string): void {
    if (!this.isGivable(key)) throw invalid({ field: '/role', reason: 'names no role that can be given' });
    this.ensureWithin(permissions, key);
    ensureMayGive(permissions);
  }

  /**
   * @throws 403 where the role has permissions that the caller does not have: its users must not be changed by the
   *   caller
   * @param rights those of an API token for a user of the role: only permissions that it includes are considered
   */
  ensureWithin(permissions: PermissionSet, key: string, rights?: TokenRights): void {
    const role = this.roles.get(key);
    if (role) ensureWithin(permissions, rights ? { key, ...rights.within(role) } : role, this.cardTypes);
  }

  /** Whether the role has an application permission, for at least one card type. */
  hasAnywhere(key: string, permission: string): boolean {
    const role = this.roles.get(key);
    if (!role) return false;
    const held = new RolePermissions(role);
    return held.has(permission) || this.cardTypes.some((type) => held.has(permission, type));
  }
}

/**
 * The stored permissions of the caller, locked until the unit of work ends: a caller who grants a permission still has
 * it at commit. The permissions in the request's context may be outdated. For an API token, restricted to its permissions.
 * @returns the context's permissions where there is no actor, as in a job; none where the account is deleted or
 *   disabled
 */
export async function giverOf(uow: UnitOfWork): Promise<PermissionSet> {
  const { actor, permissions } = uow.ctx;
  if (!actor) return permissions;
  const stored = await storedPermissions(uow, actor.id);
  if (permissions instanceof TokenPermissions) return permissions.restricting(stored);
  // A token without its restriction must not grant anything.
  return actor.token === undefined ? stored : NO_PERMISSIONS;
}

/**
 * The permissions that a user has by the role, locked until the unit of work ends.
 * @returns none where the account is deleted or disabled
 */
export async function storedPermissions(uow: UnitOfWork, userId: string): Promise<PermissionSet> {
  // A separate statement, so that the following one sees changes committed while it waited for the lock.
  await shareRoles(uow);
  const role = await lockGiver(uow, userId);
  return role ? new RolePermissions(role) : NO_PERMISSIONS;
}
