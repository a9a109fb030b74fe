import { isDeepStrictEqual } from 'node:util';
import type { RequestContext } from '@lintel/sdk';
import { checkVersion } from '../conditions.js';
import type { Database } from '../db/database.js';
import type { Transactions, UnitOfWork } from '../db/unit-of-work.js';
import { invalid, problem, type FieldError } from '../errors.js';
import type { Page } from '../http/respond.js';
import type { MetamodelService } from '../metamodel/index.js';
import type { PermissionCatalogue } from './catalogue.js';
import type { Role } from './model.js';
import { EVERYTHING } from './permission-set.js';
import { lockRoles } from './repository.js';
import { beyond, lacking } from './role-book.js';
import { changeRole, countUsers, findRole, insertRole, listRoles, lockDefaultRole, lockRole, type RoleChanges, type RoleRow } from './role-repository.js';
import type { PermissionView, RoleCreate, RolePatch, RoleQuery, RoleView } from './schemas.js';

const ADMIN = 'admin';

/** What the API shows of a role. */
export function viewRole({ key, label, description, color, permissions, is_system, is_default, is_archived, created_at, updated_at, version }: RoleRow): RoleView {
  return {
    key, label, description, color, permissions: [...permissions].sort(), is_system, is_default, is_archived,
    created_at: created_at.toISOString(), updated_at: updated_at.toISOString(), version,
  };
}

/** Roles and what they permit. Whatever is changed here holds on every node within a second. */
export class RoleService {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly metamodel: MetamodelService,
    private readonly catalogue: PermissionCatalogue,
  ) {}

  async list(query: RoleQuery): Promise<Page<RoleView>> {
    const page = await listRoles(this.db, query);
    return { ...page, items: page.items.map(viewRole) };
  }

  /** @throws `not_found` */
  async get(key: string): Promise<Role> {
    const role = await findRole(this.db.knex, key);
    if (!role) throw problem('not_found');
    return role;
  }

  /** Every permission there is: those roles hold, and those stakeholder roles grant on their card. */
  permissions(): PermissionView[] {
    return [
      ...this.catalogue.list().map(({ key, description, owner, roles }) => ({ key, description, owner, scope: 'application', roles: [...roles] })),
      ...this.catalogue.listOnCards().map(({ key, description, owner }) => ({ key, description, owner, scope: 'card', roles: [] })),
    ];
  }

  /** @throws 409 `key_taken`, 422 naming unknown permissions, 403 for permissions the caller lacks */
  async create(ctx: RequestContext, { key, label, description, color, permissions }: RoleCreate): Promise<{ key: string; version: number }> {
    const held = this.merged([], permissions ?? []);
    this.ensureWithin(ctx, { key, permissions: held, types: {} });
    const role = { key, label: label.trim(), description: description ?? null, color: color ?? null, permissions: held };
    return await this.transactions.run(ctx, async (uow) => {
      await insertRole(await uow.knex(), role);
      uow.emit({ type: 'role.created', subject: { kind: 'role', id: key, name: role.label }, data: { permissions: held } });
      uow.bump('permissions');
      return { key, version: 1 };
    });
  }

  /**
   * Changes a role. Who has it may at once do what it permits now, and no more.
   * @throws 409 `invalid_state`, 412, 422, 403 where the role permits more than the caller may do, before or after
   */
  async update(ctx: RequestContext, key: string, { permissions, label, ...patch }: RolePatch): Promise<void> {
    const wanted = (role: Role): RoleChanges => ({
      ...patch,
      ...(label !== undefined && { label: label.trim() }),
      ...(permissions !== undefined && { permissions: key === ADMIN ? asAdmin(permissions) : this.merged(role.permissions, permissions) }),
    });
    await this.change(ctx, key, 'role.updated', wanted, async (uow, role, { is_default }) => {
      if (is_default !== undefined && is_default !== role.is_default) await moveDefault(uow, role, is_default);
    });
  }

  /** Has nobody be given the role any more. @throws 409 `in_use` while somebody has it, `invalid_state`, 412, 403 */
  async archive(ctx: RequestContext, key: string): Promise<void> {
    await this.change(ctx, key, 'role.archived', () => ({ is_archived: true }), async (uow, role) => {
      if (key === ADMIN) throw problem('invalid_state', { detail: 'The role of administrators is always there.' });
      if (role.is_default) throw problem('invalid_state', { detail: 'New users are given this role; make another one the default first.' });
      if (role.is_archived) throw problem('invalid_state', { detail: 'The role is archived already.' });
      const users = await countUsers(uow, key);
      if (users > 0) throw problem('in_use', { detail: `${users} ${users === 1 ? 'user has' : 'users have'} this role; give them another one first.`, counts: { users } });
    });
  }

  /** @throws 409 `invalid_state`, 412, 403 */
  async restore(ctx: RequestContext, key: string): Promise<void> {
    await this.change(ctx, key, 'role.restored', () => ({ is_archived: false }), async (_uow, role) => {
      if (!role.is_archived) throw problem('invalid_state', { detail: 'The role is not archived.' });
    });
  }

  /**
   * One change of one role, while no other role changes and nobody is given one.
   * @param wanted what the request makes of the role
   * @param prepare refuses what the role's state does not allow, and does what goes with the change
   */
  private async change(
    ctx: RequestContext, key: string, event: string, wanted: (role: Role) => RoleChanges, prepare: (uow: UnitOfWork, role: Role, changes: RoleChanges) => Promise<void>,
  ): Promise<void> {
    await this.transactions.run(ctx, async (uow) => {
      await lockRoles(uow);
      const knex = await uow.knex();
      const role = await lockRole(knex, key);
      if (!role) throw problem('not_found');
      this.ensureWithin(ctx, role);
      const all = wanted(role);
      const changed = (Object.keys(all) as (keyof RoleChanges)[]).filter((field) => all[field] !== undefined && !isDeepStrictEqual(all[field], role[field]));
      checkVersion(ctx, role.version, changed);
      await prepare(uow, role, all);
      if (changed.length === 0) return { key, version: role.version };
      this.ensureWithin(ctx, { ...role, permissions: all.permissions ?? role.permissions });
      const version = await changeRole(knex, key, Object.fromEntries(changed.map((field) => [field, all[field]])));
      uow.emit({
        type: event, subject: { kind: 'role', id: key, name: all.label ?? role.label },
        data: { changes: changed.map((field) => ({ field, old: role[field], new: all[field] })) },
      });
      uow.bump('permissions');
      return { key, version };
    });
  }

  private ensureWithin(ctx: RequestContext, role: Pick<Role, 'key' | 'permissions' | 'types'>): void {
    const missing = lacking(ctx.permissions, role, this.metamodel.current.types.keys());
    if (missing !== undefined) throw beyond(role.key, missing);
  }

  /**
   * What a role holds after a change, in order.
   * @throws 422 naming every key that is not in the catalogue; a key the role has already may stay
   */
  private merged(before: readonly string[], wanted: NonNullable<RolePatch['permissions']>): string[] {
    const errors: Omit<FieldError, 'in'>[] = [];
    const check = (key: string, pointer: string): void => {
      if (!this.catalogue.has(key) && !before.includes(key)) errors.push({ field: `/permissions/${pointer}`, reason: `${key} is no permission of the catalogue` });
    };
    const after = new Set(Array.isArray(wanted) ? wanted : before);
    if (Array.isArray(wanted)) wanted.forEach((key, n) => check(key, String(n)));
    else for (const [key, isHeld] of Object.entries(wanted)) {
      check(key, key.replaceAll('~', '~0').replaceAll('/', '~1'));
      if (isHeld) after.add(key);
      else after.delete(key);
    }
    if (errors.length > 0) throw invalid(...errors.slice(0, 100));
    return [...after].sort();
  }
}

/** The administrator's role permits everything, whatever comes. */
function asAdmin(permissions: NonNullable<RolePatch['permissions']>): string[] {
  if (isDeepStrictEqual(permissions, [EVERYTHING])) return [EVERYTHING];
  throw problem('invalid_state', { detail: 'The role of administrators permits everything and cannot be lessened.' });
}

/** Exactly one role is the default: it leaves where it was as it comes here. */
async function moveDefault(uow: UnitOfWork, role: Role, isDefault: boolean): Promise<void> {
  if (!isDefault) throw problem('invalid_state', { detail: 'There is always a default; make another role the default instead.' });
  if (role.key === ADMIN) throw problem('invalid_state', { detail: 'Not everybody who comes can be an administrator.' });
  if (role.is_archived) throw problem('invalid_state', { detail: 'An archived role cannot be given to anybody.' });
  const knex = await uow.knex();
  const before = await lockDefaultRole(knex);
  if (!before) return;
  await changeRole(knex, before.key, { is_default: false });
  uow.emit({ type: 'role.updated', subject: { kind: 'role', id: before.key, name: before.label }, data: { changes: [{ field: 'is_default', old: true, new: false }] } });
}
