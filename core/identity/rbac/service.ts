import type { PermissionSet } from '@lintel/sdk';
import { NO_PERMISSIONS, systemContext } from '../../foundation/context.js';
import type { Database } from '../../foundation/db/database.js';
import type { Revisions } from '../../foundation/db/revisions.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { missingGrant, ungiven } from './card-ceiling.js';
import type { PermissionCatalogue } from './catalogue.js';
import { ADMIN, SYSTEM_ROLES } from './core-permissions.js';
import { EVERYTHING, RolePermissions } from './permission-set.js';
import { CardScope, NO_CARDS } from './card-scope.js';
import {
  readCardsWithRoles,
  readRolesOf,
  readRoles,
  readStakeholdersOn,
  readStakes,
  readStakesOn,
  readTypeKeys,
  seedRole,
  shareRoles,
  type StoredRole,
} from './repository.js';
import { RoleGrantPolicy } from './role-grant-policy.js';
import { mayUseOnCards, TokenPermissions, type TokenRights } from './token-permissions.js';

/** The parts of the metamodel that determine which permissions a stakeholder role of a card type grants. */
interface GrantingMetamodel {
  /** Whether any stakeholder role is inherited by the cards below. */
  anyInherited: boolean;
  types: ReadonlyMap<string, { definition: { stakeholder_roles: readonly GrantingRole[] } }>;
  /** The card permissions that a stakeholder role of a card type grants, each with a card type it applies to. */
  grantsOf(role: GrantingRole, type: string): readonly { key: string; cardType: string }[];
}

interface GrantingRole {
  key: string;
  permissions: Record<string, boolean>;
  inherited?: boolean;
}

interface Role extends StoredRole {
  held: RolePermissions;
  /** `held` as restricted by API tokens, by their permissions: tokens with equal permissions have the same object. */
  restricted: Map<string, TokenPermissions>;
}

/** A user with the permissions of the request, which decide which stakeholder roles apply. */
export interface CardHolder {
  id: string;
  permissions: PermissionSet;
}

/** Maximum number of different restrictions kept per role. */
const MOST_RESTRICTIONS = 1_000;

/** Authorisation: application permissions by role, from memory, and card permissions by stakeholder role. */
export class RbacService {
  private roles: ReadonlyMap<string, Role> = new Map();

  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly revisions: Revisions,
    private readonly metamodel: { readonly current: GrantingMetamodel },
    private readonly catalogue: PermissionCatalogue,
  ) {}

  /** Creates missing system roles, then caches all roles in memory. */
  async start(): Promise<void> {
    this.revisions.on('permissions', () => this.load());
    await this.load();
    if (SYSTEM_ROLES.some(({ key }) => !this.roles.has(key))) await this.seed();
  }

  /** The current permissions of a role. An unknown role has none. */
  permissionsOf(role: string): PermissionSet {
    return this.roles.get(role)?.held ?? NO_PERMISSIONS;
  }

  /**
   * The current permissions of a role as far as an API token includes them. The same object while neither changes, so
   * that what is derived from it can be cached.
   */
  restrictedPermissionsOf(role: string, rights: TokenRights): PermissionSet {
    const known = this.roles.get(role);
    // Still the permissions of a token: they also restrict stakeholder roles.
    if (!known) return new TokenPermissions(NO_PERMISSIONS, rights, this.catalogue);
    const key = rights.list().join(' ');
    let permissions = known.restricted.get(key);
    if (!permissions) {
      if (known.restricted.size >= MOST_RESTRICTIONS) known.restricted.clear();
      known.restricted.set(key, (permissions = new TokenPermissions(known.held, rights, this.catalogue)));
    }
    return permissions;
  }

  /** Keys of the roles that currently have a permission, ignoring their rules per card type. */
  rolesHolding(permission: string): string[] {
    return [...this.roles.values()].filter(({ held }) => held.has(permission)).map(({ key }) => key);
  }

  /**
   * The stored roles, locked until the unit of work ends; needed whenever a role is assigned. They are read by a
   * statement after the lock, so that it sees earlier changes of other transactions.
   */
  async grantPolicy(uow: UnitOfWork): Promise<RoleGrantPolicy> {
    await shareRoles(uow);
    return new RoleGrantPolicy(await readRoles(uow), await readTypeKeys(uow));
  }

  /**
   * Requires that the caller has all permissions that the user's stakeholder roles grant: a caller who can log in as
   * the user would gain them.
   * @param giver as returned by `giverOf`
   * @param rights those of an API token of the user: only permissions that it includes are considered
   * @throws forbidden
   */
  async ensureWithinStakeholderRoles(
    uow: UnitOfWork,
    giver: PermissionSet,
    userId: string,
    rights?: TokenRights,
  ): Promise<void> {
    const { current } = this.metamodel;
    for (const { type, role } of await readRolesOf(uow, userId)) {
      const definition = current.types.get(type)?.definition.stakeholder_roles.find(({ key }) => key === role);
      const missing =
        definition &&
        missingGrant(
          giver,
          current
            .grantsOf(definition, type)
            .filter(({ key }) => rights === undefined || rights.includesOnCards(key, this.catalogue)),
          this.catalogue,
        );
      if (missing) throw ungiven(`${role} of ${type}`, missing, this.catalogue);
    }
  }

  /** Every permission that stakeholder roles of a user grant on some card. */
  async cardPermissionsAnywhere(uow: UnitOfWork, userId: string): Promise<Set<string>> {
    const held = await readRolesOf(uow, userId);
    return new Set(held.flatMap(({ type, role }) => [...this.grantedBy(type, [role])]));
  }

  /** The current rules per card type of a role. */
  typeRulesOf(role: string): StoredRole['types'] {
    return this.roles.get(role)?.types ?? {};
  }

  /** Whether the role can currently be assigned; checked again when it is assigned. */
  async isGivable(role: string): Promise<boolean> {
    return new RoleGrantPolicy(await readRoles(this.db), []).isGivable(role);
  }

  /**
   * The card permissions that a user's stakeholder roles grant on one card: roles held on it, and inherited roles held
   * above it.
   * @param on a unit of work, to include its uncommitted changes
   */
  async cardPermissions(
    { id, permissions }: CardHolder,
    cardId: string,
    on: Pick<Database, 'query'> = this.db,
  ): Promise<Set<string>> {
    const stakes = await readStakesOn(on, id, cardId);
    const granted = stakes.flatMap(({ type, roles, is_above }) => [...this.grantedBy(type, roles, is_above)]);
    return new Set(granted.filter((key) => mayUseOnCards(permissions, key)));
  }

  /**
   * The cards on which a user's stakeholder roles grant a permission.
   * @param on a unit of work, to include its uncommitted changes and to use its connection
   */
  async cardsWith(
    { id, permissions }: CardHolder,
    cardPermission: string,
    on: Pick<Database, 'query'> = this.db,
  ): Promise<CardScope> {
    if (!mayUseOnCards(permissions, cardPermission)) return NO_CARDS;
    const stakes = await readStakes(on, id);
    const where = (below: boolean) =>
      new Set(
        stakes.filter(({ type, roles }) => this.grantedBy(type, roles, below).has(cardPermission)).map(({ id }) => id),
      );
    return new CardScope(where(false), where(true));
  }

  /**
   * The permissions that a user's stakeholder roles grant below the cards where they are held, by card id; cards
   * without any are omitted.
   * @param on a unit of work, to include its uncommitted changes and to use its connection
   */
  async grantedBelow(
    user: CardHolder,
    on: Pick<Database, 'query'> = this.db,
  ): Promise<Map<string, ReadonlySet<string>>> {
    if (!this.metamodel.current.anyInherited) return new Map();
    const stakes = await readStakes(on, user.id);
    const below = ({ type, roles }: { type: string; roles: string[] }): Set<string> =>
      new Set([...this.grantedBy(type, roles, true)].filter((key) => mayUseOnCards(user.permissions, key)));
    return new Map(stakes.map((stake) => [stake.id, below(stake)] as const).filter(([, granted]) => granted.size > 0));
  }

  /**
   * The ids of the cards on which any user has a role that grants a permission also on the cards below.
   * @param on as for `grantedBelow`
   */
  async cardsGranting(cardPermission: string, on: Pick<Database, 'query'> = this.db): Promise<ReadonlySet<string>> {
    const roles = [...this.metamodel.current.types].flatMap(([type, { definition }]) =>
      definition.stakeholder_roles.flatMap(({ key, inherited, permissions }) =>
        inherited === true && permissions[cardPermission] === true ? [{ type, role: key }] : [],
      ),
    );
    return new Set(roles.length === 0 ? [] : await readCardsWithRoles(on, roles));
  }

  /**
   * The permissions that stakeholder roles grant on a card of the type where they are held.
   * @param below on the cards below it instead: only inherited roles grant these
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

  /** The ids of the users whose stakeholder roles on the card, or inherited ones above it, grant a permission. */
  async holdersOnCard(cardId: string, cardPermission: string): Promise<Set<string>> {
    const stakes = await readStakeholdersOn(this.db, cardId);
    return new Set(
      stakes
        .filter(({ type, roles, is_above }) => this.grantedBy(type, roles, is_above).has(cardPermission))
        .map(({ user_id }) => user_id),
    );
  }

  /** @param cardPermission such as `card.edit` @param on as for `cardPermissions` */
  async holdsOnCard(
    user: CardHolder,
    cardId: string,
    cardPermission: string,
    on?: Pick<Database, 'query'>,
  ): Promise<boolean> {
    return (await this.cardPermissions(user, cardId, on)).has(cardPermission);
  }

  private async seed(): Promise<void> {
    await this.transactions.run(systemContext('start'), async (uow) => {
      for (const role of SYSTEM_ROLES) {
        const permissions = role.key === ADMIN ? [EVERYTHING] : this.catalogue.grantsOf(role.key);
        if (!(await seedRole(uow, role, permissions))) continue;
        uow.emit({
          type: 'role.created',
          subject: { kind: 'role', id: role.key, name: role.label },
          data: { permissions },
        });
        uow.bump('permissions');
      }
    });
    // Another node may have created them in the meantime.
    await this.load();
  }

  private async load(): Promise<void> {
    this.roles = new Map(
      (await readRoles(this.db)).map((role) => [
        role.key,
        { ...role, held: new RolePermissions(role), restricted: new Map() },
      ]),
    );
  }
}
