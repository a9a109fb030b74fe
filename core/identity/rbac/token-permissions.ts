import type { PermissionSet } from '@lintel/sdk';
import type { PermissionCatalogue } from './catalogue.js';
import { EVERYTHING } from './permission-set.js';
import type { StoredRole } from './repository.js';

type Rights = Pick<StoredRole, 'permissions' | 'types'>;
type Keys = Pick<PermissionCatalogue, 'applicationOf'>;

/** The permissions listed in an API token, or all permissions of its owner; immutable. */
export class TokenRights {
  private readonly listed: ReadonlySet<string>;
  private readonly all: boolean;

  /** @param permissions keys of application permissions and of permissions on cards, or `*` */
  constructor(permissions: readonly string[]) {
    this.listed = new Set(permissions);
    this.all = this.listed.has(EVERYTHING);
  }

  /** Whether the token includes an application permission, or the key of a permission on cards. */
  includes(key: string): boolean {
    return this.all || this.listed.has(key);
  }

  /**
   * Whether the token includes what a stakeholder role grants by the key: the key itself, or the application permission
   * that grants the same on all cards.
   */
  includesOnCards(cardPermission: string, keys: Keys): boolean {
    if (this.includes(cardPermission)) return true;
    const permission = keys.applicationOf(cardPermission);
    return permission !== undefined && this.includes(permission);
  }

  /** The part of a role that the token has: its permissions and its rules per card type. */
  within({ permissions, types }: Rights): Rights {
    if (this.all) return { permissions, types };
    return {
      permissions: permissions.includes(EVERYTHING)
        ? [...this.listed]
        : permissions.filter((key) => this.listed.has(key)),
      types: Object.fromEntries(
        Object.entries(types).map(([type, rules]) => [
          type,
          Object.fromEntries(Object.entries(rules).filter(([key]) => this.listed.has(key))),
        ]),
      ),
    };
  }

  /** The keys in alphabetical order; equal for tokens with equal rights. */
  list(): string[] {
    return this.all ? [EVERYTHING] : [...this.listed].sort();
  }
}

/** The permissions of the owner of an API token, restricted to those of the token, also per card type; immutable. */
export class TokenPermissions implements PermissionSet {
  constructor(
    /** All permissions of the owner. */
    readonly owner: PermissionSet,
    readonly rights: TokenRights,
    private readonly keys: Keys,
  ) {}

  has(key: string, cardType?: string): boolean {
    return this.rights.includes(key) && this.owner.has(key, cardType);
  }

  list(): string[] {
    const owned = this.owner.list();
    return owned.includes(EVERYTHING) ? this.rights.list() : owned.filter((key) => this.rights.includes(key));
  }

  /** Whether the token includes what a stakeholder role of its owner grants by the key. */
  includesOnCards(cardPermission: string): boolean {
    return this.rights.includesOnCards(cardPermission, this.keys);
  }

  /** The same restriction of other permissions of the owner, such as those stored at the moment. */
  restricting(owner: PermissionSet): TokenPermissions {
    return new TokenPermissions(owner, this.rights, this.keys);
  }
}

/**
 * Whether a permission that a stakeholder role grants on its card applies to a caller with these permissions: an API
 * token may not include it. To be checked wherever stakeholder roles are evaluated.
 */
export const mayUseOnCards = (permissions: PermissionSet, cardPermission: string): boolean =>
  !(permissions instanceof TokenPermissions) || permissions.includesOnCards(cardPermission);

/**
 * The permissions of the account, also where an API token includes fewer: what a change gives to the account remains after the token has
 * ended.
 */
export const accountPermissions = (permissions: PermissionSet): PermissionSet =>
  permissions instanceof TokenPermissions ? permissions.owner : permissions;
