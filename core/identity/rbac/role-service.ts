import { isDeepStrictEqual } from 'node:util';
import { requireRoom, type Bounded, type RequestContext } from '@lintel/sdk';
import { checkVersion } from '../../foundation/conditions.js';
import type { Database } from '../../foundation/db/database.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { changesOfKeys } from '../../foundation/changed-part.js';
import { problem } from '../../foundation/errors.js';
import type { Page } from '../../foundation/db/list-query.js';
import type { PermissionCatalogue } from './catalogue.js';
import { ADMIN, PER_TYPE } from './core-permissions.js';
import type { Role } from './model.js';
import { lockRoles, readTypeKeys } from './repository.js';
import { ensureMayGive, ensureWithin, giverOf } from './role-grant-policy.js';
import {
  changeRole,
  countUsers,
  findRole,
  insertRole,
  listRoles,
  lockDefaultRole,
  lockRole,
  type RoleChanges,
  type RoleRow,
} from './role-repository.js';
import { NEW_ROLE, adminRights, changesOfRules, rightsAfter, type FieldChange } from './role-permissions.js';
import type { PermissionView, RoleCreate, RolePatch, RoleQuery, RoleView } from './schemas.js';

/** Each node has all roles in memory. */
const ROLES: Bounded = { table: 'roles', bounds: [{ per: [], most: 1_000, of: 'roles' }] };

/** The representation of a role in the API. */
export function viewRole({
  key,
  label,
  description,
  color,
  permissions,
  types,
  is_system,
  is_default,
  is_archived,
  created_at,
  updated_at,
  version,
}: RoleRow): RoleView {
  return {
    key,
    label,
    description,
    color,
    permissions: [...permissions].sort(),
    types,
    is_system,
    is_default,
    is_archived,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    version,
  };
}

/** Whether a change decides what users of the role, or new users, may do. Archiving a role gives nothing to users. */
const gives = (field: keyof RoleChanges, value: unknown): boolean =>
  field === 'is_archived' ? value === false : field === 'permissions' || field === 'types' || field === 'is_default';

/** Roles and their permissions. Changes take effect on every node within a second. */
export class RoleService {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly catalogue: PermissionCatalogue,
  ) {}

  async list(query: RoleQuery): Promise<Page<RoleView>> {
    const page = await listRoles(this.db, query);
    return { ...page, items: page.items.map(viewRole) };
  }

  /** @throws `not_found` */
  async get(key: string): Promise<Role> {
    const role = await findRole(this.db, key);
    if (!role) throw problem('not_found');
    return role;
  }

  /** All permissions: those of roles, and those that stakeholder roles grant on their card. */
  permissions(): PermissionView[] {
    return [
      ...this.catalogue.list().map(
        ({ key, description, owner, roles }): PermissionView => ({
          key,
          description,
          owner,
          scope: 'application',
          per_type: PER_TYPE.has(key),
          roles: [...roles],
        }),
      ),
      ...this.catalogue.listOnCards().map(
        ({ key, description, owner }): PermissionView => ({
          key,
          description,
          owner,
          scope: 'card',
          per_type: false,
          roles: [],
        }),
      ),
    ];
  }

  /**
   * @throws 409 `key_taken`, 422 naming unknown permissions and types, 403 for permissions the caller lacks, and for an API
   *   token
   */
  async create(
    ctx: RequestContext,
    { key, label, description, color, ...rights }: RoleCreate,
  ): Promise<{ key: string; version: number }> {
    return await this.transactions.run(ctx, async (uow) => {
      const giver = await giverOf(uow);
      const cardTypes = await readTypeKeys(uow);
      const { permissions, types } = rightsAfter(this.catalogue, NEW_ROLE, rights, cardTypes);
      ensureWithin(giver, { key, permissions, types }, cardTypes);
      ensureMayGive(giver);
      const role = {
        key,
        label: label.trim(),
        description: description ?? null,
        color: color ?? null,
        permissions,
        types,
      };
      // Roles have no author: there is no share.
      await requireRoom(uow, ROLES, [{}], problem);
      await insertRole(await uow.knex(), role);
      uow.emit({
        type: 'role.created',
        subject: { kind: 'role', id: key, name: role.label },
        data: { permissions, ...(Object.keys(types).length > 0 && { types }) },
      });
      uow.bump('permissions');
      return { key, version: 1 };
    });
  }

  /**
   * Changes a role. The new permissions apply to its users immediately.
   * @throws 409 `invalid_state`, 412, 422, 403 where the role has permissions, before or after, that the caller does
   *   not have, or for an API token that changes what the role or new users may do
   */
  async update(ctx: RequestContext, key: string, { permissions, types, label, ...patch }: RolePatch): Promise<void> {
    const wanted = (role: Role, cardTypes: readonly string[]): RoleChanges => ({
      ...patch,
      ...(label !== undefined && { label: label.trim() }),
      ...(key === ADMIN
        ? adminRights({ permissions, types })
        : rightsAfter(this.catalogue, role, { permissions, types }, cardTypes)),
    });
    await this.change(ctx, key, 'role.updated', wanted, async (uow, role, { is_default }) => {
      if (is_default !== undefined && is_default !== role.is_default) await moveDefault(uow, role, is_default);
    });
  }

  /**
   * Archives a role, so that it cannot be assigned any more. @throws 409 `in_use` while a user has it, `invalid_state`,
   * 412, 403
   */
  async archive(ctx: RequestContext, key: string): Promise<void> {
    await this.change(
      ctx,
      key,
      'role.archived',
      () => ({ is_archived: true }),
      async (uow, role) => {
        if (key === ADMIN) throw problem('invalid_state', { detail: 'The administrator role cannot be archived.' });
        if (role.is_default)
          throw problem('invalid_state', {
            detail: 'This is the default role of new users; make another role the default first.',
          });
        if (role.is_archived) throw problem('invalid_state', { detail: 'The role is already archived.' });
        const users = await countUsers(uow, key);
        if (users > 0)
          throw problem('in_use', {
            detail: `${users} ${users === 1 ? 'user has' : 'users have'} this role; assign another role to them first.`,
            counts: { users },
          });
      },
    );
  }

  /** @throws 409 `invalid_state`, 412, 403 */
  async restore(ctx: RequestContext, key: string): Promise<void> {
    await this.change(
      ctx,
      key,
      'role.restored',
      () => ({ is_archived: false }),
      async (_uow, role) => {
        if (!role.is_archived) throw problem('invalid_state', { detail: 'The role is not archived.' });
      },
    );
  }

  /**
   * Changes one role under the exclusive lock on roles.
   * @param wanted computes the changes from the current role
   * @param prepare rejects changes that the role's state does not allow, and makes dependent changes
   */
  private async change(
    ctx: RequestContext,
    key: string,
    event: string,
    wanted: (role: Role, cardTypes: readonly string[]) => RoleChanges,
    prepare: (uow: UnitOfWork, role: Role, changes: RoleChanges) => Promise<void>,
  ): Promise<void> {
    await this.transactions.run(ctx, async (uow) => {
      await lockRoles(uow);
      const knex = await uow.knex();
      const role = await lockRole(knex, key);
      if (!role) throw problem('not_found');
      const giver = await giverOf(uow);
      const cardTypes = await readTypeKeys(uow);
      ensureWithin(giver, role, cardTypes);
      const all = wanted(role, cardTypes);
      const fields = (Object.keys(all) as (keyof RoleChanges)[]).filter(
        (field) => all[field] !== undefined && !isDeepStrictEqual(all[field], role[field]),
      );
      const changes = fields.flatMap((field): FieldChange[] =>
        field === 'types' ? changesOfRules(role.types, all.types!) : [{ field, old: role[field], new: all[field] }],
      );
      checkVersion(
        ctx,
        role.version,
        changes.map(({ field }) => field),
      );
      await prepare(uow, role, all);
      if (fields.length === 0) return { key, version: role.version };
      ensureWithin(
        giver,
        { ...role, permissions: all.permissions ?? role.permissions, types: all.types ?? role.types },
        cardTypes,
      );
      if (fields.some((field) => gives(field, all[field]))) ensureMayGive(giver);
      const version = await changeRole(knex, key, Object.fromEntries(fields.map((field) => [field, all[field]])));
      uow.emit({
        type: event,
        subject: { kind: 'role', id: key, name: all.label ?? role.label },
        data: {
          changes: changes.flatMap((change) =>
            change.field === 'permissions' ? changesOfKeys('permissions', role.permissions, all.permissions!) : change,
          ),
        },
      });
      uow.bump('permissions');
      return { key, version };
    });
  }
}

/**
 * Prepares a change of a role's `is_default`. Exactly one role is the default: setting it on a role removes it from the
 * previous one.
 * @throws invalid_state where the role cannot be the default, or would leave none
 */
async function moveDefault(uow: UnitOfWork, role: Role, isDefault: boolean): Promise<void> {
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
