import type { PermissionSet } from '@lintel/sdk';
import { NO_PERMISSIONS, systemContext } from '../context.js';
import type { Database } from '../db/database.js';
import type { Revisions } from '../db/revisions.js';
import type { Transactions, UnitOfWork } from '../db/unit-of-work.js';
import type { MetamodelService } from '../metamodel/index.js';
import type { PermissionCatalogue } from './catalogue.js';
import { SYSTEM_ROLES } from './core-permissions.js';
import { EVERYTHING, RolePermissions } from './permission-set.js';
import { readRoles, readStakes, seedRole, shareRoles, type StoredRole } from './repository.js';
import { RoleBook } from './role-book.js';

interface Role extends StoredRole {
  held: RolePermissions;
}

/** Who may do what: application permissions by role, from memory, and card permissions by stakeholder role. */
export class RbacService {
  private roles: ReadonlyMap<string, Role> = new Map();

  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly revisions: Revisions,
    private readonly metamodel: MetamodelService,
    private readonly catalogue: PermissionCatalogue,
  ) {}

  /** Makes the system roles that are missing, then keeps all roles in memory. */
  async start(): Promise<void> {
    this.revisions.on('permissions', () => this.load());
    await this.load();
    if (SYSTEM_ROLES.some(({ key }) => !this.roles.has(key))) await this.seed();
  }

  /** What a role may do now. An unknown role may do nothing. */
  permissionsOf(role: string): PermissionSet {
    return this.roles.get(role)?.held ?? NO_PERMISSIONS;
  }

  /**
   * The roles as they are stored and stay until the unit of work ends: asked whenever somebody is given one.
   * A statement after the lock reads them, so that it sees what others did before.
   */
  async book(uow: UnitOfWork): Promise<RoleBook> {
    await shareRoles(uow);
    return new RoleBook(await readRoles(uow), [...this.metamodel.current.types.keys()]);
  }

  /** Whether users can be given the role now; asked again where it is given. */
  async isGivable(role: string): Promise<boolean> {
    return new RoleBook(await readRoles(this.db), []).isGivable(role);
  }

  /** The card permissions a user's stakeholder roles grant on one card. */
  async cardPermissions(userId: string, cardId: string): Promise<Set<string>> {
    return (await this.cardPermissionsOf(userId, [cardId])).get(cardId) ?? new Set();
  }

  /** The same for many cards at once; cards without any are absent. */
  async cardPermissionsOf(userId: string, cardIds: readonly string[]): Promise<Map<string, Set<string>>> {
    const stakes = await readStakes(this.db, userId, cardIds);
    return new Map(stakes.map(({ id, type, roles }) => [id, this.grantedBy(type, roles)]));
  }

  /** The cards on which a user's stakeholder roles grant a permission. */
  async cardsWith(userId: string, cardPermission: string): Promise<Set<string>> {
    const stakes = await readStakes(this.db, userId, null);
    return new Set(stakes.filter(({ type, roles }) => this.grantedBy(type, roles).has(cardPermission)).map(({ id }) => id));
  }

  /** What stakeholder roles grant on a card of the type. */
  grantedBy(cardType: string, stakeholderRoles: readonly string[]): Set<string> {
    const granted = new Set<string>();
    for (const { key, permissions } of this.metamodel.current.types.get(cardType)?.definition.stakeholder_roles ?? []) {
      if (!stakeholderRoles.includes(key)) continue;
      for (const [permission, isGranted] of Object.entries(permissions)) if (isGranted) granted.add(permission);
    }
    return granted;
  }

  /** @param cardPermission such as `card.edit` */
  async holdsOnCard(userId: string, cardId: string, cardPermission: string): Promise<boolean> {
    return (await this.cardPermissions(userId, cardId)).has(cardPermission);
  }

  private async seed(): Promise<void> {
    await this.transactions.run(systemContext('start'), async (uow) => {
      for (const role of SYSTEM_ROLES) {
        const permissions = role.key === 'admin' ? [EVERYTHING] : this.catalogue.grantsOf(role.key);
        if (!await seedRole(uow, role, permissions)) continue;
        uow.emit({ type: 'role.created', subject: { kind: 'role', id: role.key, name: role.label }, data: { permissions } });
        uow.bump('permissions');
      }
    });
    // Another node may have made them meanwhile.
    await this.load();
  }

  private async load(): Promise<void> {
    this.roles = new Map((await readRoles(this.db)).map((role) => [role.key, { ...role, held: new RolePermissions(role) }]));
  }
}
