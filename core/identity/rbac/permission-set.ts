import type { PermissionSet } from '@lintel/sdk';
import type { StoredRole } from './repository.js';

/** Key of the administrator's role: all permissions, including those of future modules. */
export const EVERYTHING = '*';

/** The permissions of one role at one revision; immutable. */
export class RolePermissions implements PermissionSet {
  private readonly keys: ReadonlySet<string>;
  private readonly all: boolean;

  constructor(private readonly role: Pick<StoredRole, 'permissions' | 'types'>) {
    this.keys = new Set(role.permissions);
    this.all = this.keys.has(EVERYTHING);
  }

  /** A type's own rule overrides the general grant for that type, in both directions. */
  has(key: string, cardType?: string): boolean {
    if (this.all) return true;
    const rules =
      cardType === undefined || !Object.hasOwn(this.role.types, cardType) ? undefined : this.role.types[cardType];
    const rule = rules && Object.hasOwn(rules, key) ? rules[key] : undefined;
    return rule ?? this.keys.has(key);
  }

  list(): string[] {
    return this.all ? [EVERYTHING] : [...this.keys].sort();
  }
}
