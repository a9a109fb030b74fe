import type { PermissionSet } from '@lintel/sdk';
import { NO_PERMISSIONS, systemContext } from '../../foundation/context.js';
import type { Database } from '../../foundation/db/database.js';
import type { Revisions } from '../../foundation/db/revisions.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { missingGrant, ungiven } from './card-ceiling.js';
import type { PermissionCatalogue } from './catalogue.js';
import { SYSTEM_ROLES } from './core-permissions.js';
import { EVERYTHING, RolePermissions } from './permission-set.js';
import { CardScope } from './card-scope.js';
import {
  readRolesOf,
  readRoles,
  readStakes,
  readStakesOn,
  readTypeKeys,
  seedRole,
  shareRoles,
  type StoredRole,
} from './repository.js';
import { RoleGrantPolicy } from './role-grant-policy.js';

/** What of the metamodel says which permissions a stakeholder role of a card type grants. */
export interface GrantingMetamodel {
  /** Whether any stakeholder role holds on the cards below its own too. */
  anyInherited: boolean;
  types: ReadonlyMap<string, { definition: { stakeholder_roles: readonly GrantingRole[] } }>;
  /** The card permissions a stakeholder role of a card type grants, each with a card type it holds for. */
  grantsOf(role: GrantingRole, type: string): readonly { key: string; cardType: string }[];
}

interface GrantingRole {
  key: string;
  permissions: Record<string, boolean>;
  inherited?: boolean;
}

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
    private readonly metamodel: { readonly current: GrantingMetamodel },
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

  /** Keys of the roles that hold a permission now, whatever their rules per card type. */
  rolesHolding(permission: string): string[] {
    return [...this.roles.values()].filter(({ held }) => held.has(permission)).map(({ key }) => key);
  }

  /**
   * The roles as they are stored and stay until the unit of work ends: asked whenever somebody is given one.
   * A statement after the lock reads them, so that it sees what others did before.
   */
  async book(uow: UnitOfWork): Promise<RoleGrantPolicy> {
    await shareRoles(uow);
    return new RoleGrantPolicy(await readRoles(uow), await readTypeKeys(uow));
  }

  /**
   * Demands that somebody may do all that the stakeholder roles of a user grant: who can log in as the user could do it.
   * @param giver as `giverOf` gives it
   * @throws forbidden
   */
  async ensureWithinStakes(uow: UnitOfWork, giver: PermissionSet, userId: string): Promise<void> {
    const { current } = this.metamodel;
    for (const { type, role } of await readRolesOf(uow, userId)) {
      const definition = current.types.get(type)?.definition.stakeholder_roles.find(({ key }) => key === role);
      const missing = definition && missingGrant(giver, current.grantsOf(definition, type), this.catalogue);
      if (missing) throw ungiven(`${role} of ${type}`, missing, this.catalogue);
    }
  }

  /** The rules per card type of a role now. */
  typeRulesOf(role: string): StoredRole['types'] {
    return this.roles.get(role)?.types ?? {};
  }

  /** Whether users can be given the role now; asked again where it is given. */
  async isGivable(role: string): Promise<boolean> {
    return new RoleGrantPolicy(await readRoles(this.db), []).isGivable(role);
  }

  /**
   * The card permissions a user's stakeholder roles grant on one card: those held on it, and the inherited ones of
   * those held above it.
   * @param on a unit of work, to see what it has done so far
   */
  async cardPermissions(userId: string, cardId: string, on: Pick<Database, 'query'> = this.db): Promise<Set<string>> {
    const stakes = await readStakesOn(on, userId, cardId);
    return new Set(stakes.flatMap(({ type, roles, is_above }) => [...this.grantedBy(type, roles, is_above)]));
  }

  /** The cards on which a user's stakeholder roles grant a permission. */
  async cardsWith(userId: string, cardPermission: string): Promise<CardScope> {
    const stakes = await readStakes(this.db, userId);
    const where = (below: boolean) =>
      new Set(
        stakes.filter(({ type, roles }) => this.grantedBy(type, roles, below).has(cardPermission)).map(({ id }) => id),
      );
    return new CardScope(where(false), where(true));
  }

  /** What a user's stakeholder roles grant below the cards where they are held, by the ids of those; without any, absent. */
  async grantedBelow(userId: string): Promise<Map<string, ReadonlySet<string>>> {
    if (!this.metamodel.current.anyInherited) return new Map();
    const stakes = await readStakes(this.db, userId);
    return new Map(
      stakes
        .map(({ id, type, roles }) => [id, this.grantedBy(type, roles, true)] as const)
        .filter(([, granted]) => granted.size > 0),
    );
  }

  /**
   * What stakeholder roles grant on a card of the type where they are held.
   * @param below on the cards below it instead: only inherited roles do
   */
  grantedBy(cardType: string, stakeholderRoles: readonly string[], below = false): Set<string> {
    const granted = new Set<string>();
    for (const { key, permissions, inherited } of this.metamodel.current.types.get(cardType)?.definition
      .stakeholder_roles ?? []) {
      if (!stakeholderRoles.includes(key) || (below && inherited !== true)) continue;
      for (const [permission, isGranted] of Object.entries(permissions)) if (isGranted) granted.add(permission);
    }
    return granted;
  }

  /** @param cardPermission such as `card.edit` @param on as for `cardPermissions` */
  async holdsOnCard(
    userId: string,
    cardId: string,
    cardPermission: string,
    on?: Pick<Database, 'query'>,
  ): Promise<boolean> {
    return (await this.cardPermissions(userId, cardId, on)).has(cardPermission);
  }

  private async seed(): Promise<void> {
    await this.transactions.run(systemContext('start'), async (uow) => {
      for (const role of SYSTEM_ROLES) {
        const permissions = role.key === 'admin' ? [EVERYTHING] : this.catalogue.grantsOf(role.key);
        if (!(await seedRole(uow, role, permissions))) continue;
        uow.emit({
          type: 'role.created',
          subject: { kind: 'role', id: role.key, name: role.label },
          data: { permissions },
        });
        uow.bump('permissions');
      }
    });
    // Another node may have made them meanwhile.
    await this.load();
  }

  private async load(): Promise<void> {
    this.roles = new Map(
      (await readRoles(this.db)).map((role) => [role.key, { ...role, held: new RolePermissions(role) }]),
    );
  }
}
