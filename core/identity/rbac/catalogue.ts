import type { PermissionDeclaration } from '@lintel/sdk';
import { changesOfKeys } from '../../foundation/changed-part.js';
import { systemContext } from '../../foundation/context.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import {
  APPLICATION,
  CORE_CARD_DECLARATIONS,
  CORE_PERMISSIONS,
  type CardPermissionDeclaration,
} from './core-permissions.js';
import { foreignKeys, grantToRoles, storeKeys, takeOverKeys } from './repository.js';

export interface CataloguedPermission extends PermissionDeclaration {
  /** `core`, or the id of the module that declared it. */
  owner: string;
}

export interface CataloguedCardPermission extends CardPermissionDeclaration {
  owner: string;
}

/** A permission belongs to another owner. */
class PermissionTaken extends Error {
  constructor({ key, owner }: { key: string; owner: string }) {
    super(`the permission ${key} was declared by ${owner}`);
  }
}

/** All permission keys declared on this node, with their owner and description. */
export class PermissionCatalogue {
  private readonly declared = new Map<string, CataloguedPermission>();
  private readonly onCards = new Map<string, CataloguedCardPermission>();

  constructor(private readonly transactions: Transactions) {}

  /** Declares the permissions of the core. */
  async start(): Promise<void> {
    this.declareOnCards('core', CORE_CARD_DECLARATIONS);
    await this.declare('core', CORE_PERMISSIONS);
  }

  /**
   * Declares keys. A key that is declared for the first time in this workspace is granted to the system roles it names;
   * a key that was declared before is not granted again, so that a permission revoked by an administrator stays
   * revoked. A key that an earlier release declared for the core belongs to the module that declares it now.
   * @param owner `core`, or a module's id
   * @param isAllowed evaluated in the transaction that stores the keys
   * @returns whether they are declared: false where it is not allowed
   * @throws PermissionTaken when another owner declared one of the keys
   */
  async declare(
    owner: string,
    declarations: readonly PermissionDeclaration[],
    isAllowed?: (uow: UnitOfWork) => Promise<boolean>,
  ): Promise<boolean> {
    const foreign = declarations.map((d) => this.declared.get(d.key)).find((known) => known && known.owner !== owner);
    if (foreign) throw new PermissionTaken(foreign);
    const declared = await this.transactions.run(systemContext('start'), async (uow) => {
      if (isAllowed && !(await isAllowed(uow))) return false;
      const keys = declarations.map((d) => d.key).sort();
      const fresh = new Set(await storeKeys(uow, owner, keys));
      await takeOverKeys(uow, owner, keys);
      const [taken] = await foreignKeys(uow, owner, keys);
      if (taken) throw new PermissionTaken(taken);
      if (fresh.size === 0) return true;
      for (const { role, permissions } of await grantToRoles(
        uow,
        declarations.filter((d) => fresh.has(d.key)),
      )) {
        uow.emit({
          type: 'role.updated',
          subject: { kind: 'role', id: role.key, name: role.label },
          data: { changes: changesOfKeys('permissions', role.permissions, permissions) },
        });
        uow.bump('permissions');
      }
      return true;
    });
    if (declared) for (const declaration of declarations) this.declared.set(declaration.key, { ...declaration, owner });
    return declared;
  }

  /** Declares permissions that stakeholder roles may grant on their card. They are not granted to any role. */
  declareOnCards(owner: string, declarations: readonly CardPermissionDeclaration[]): void {
    for (const { key, description } of declarations) this.onCards.set(key, { key, description, owner });
  }

  /** Removes the declarations of an owner on this node, for a module that could not be mounted. */
  withdraw(owner: string): void {
    for (const { key, owner: by } of [...this.onCards.values()]) if (by === owner) this.onCards.delete(key);
    for (const { key, owner: by } of [...this.declared.values()]) if (by === owner) this.declared.delete(key);
  }

  has(key: string): boolean {
    return this.declared.has(key);
  }

  /** Whether a stakeholder role can grant the key, such as `card.edit`. */
  hasOnCards(key: string): boolean {
    return this.onCards.has(key);
  }

  /**
   * The application permission that grants on all cards what a stakeholder role grants by a key on its card. For
   * `card.<module>_<verb>` it is `<module>.<verb>`.
   * @returns undefined where the module declares none: only roles with all permissions then have the key on every card
   */
  applicationOf(cardPermission: string): string | undefined {
    const known = this.onCards.get(cardPermission);
    if (!known || known.owner === 'core') return APPLICATION[cardPermission];
    const permission = `${known.owner}.${cardPermission.slice(`card.${known.owner}_`.length)}`;
    return this.has(permission) ? permission : undefined;
  }

  /** All keys in alphabetical order. */
  list(): CataloguedPermission[] {
    return [...this.declared.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** All keys of stakeholder roles in alphabetical order. */
  listOnCards(): CataloguedCardPermission[] {
    return [...this.onCards.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** The keys that a new system role has. */
  grantsOf(role: string): string[] {
    return this.list()
      .filter((p) => (p.roles as readonly string[]).includes(role))
      .map((p) => p.key);
  }
}
