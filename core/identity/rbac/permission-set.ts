import type { PermissionSet } from '@lintel/sdk';
import type { StoredRole } from './repository.js';

/** Held by the administrator's role: every key, those of modules to come included. */
export const EVERYTHING = '*';

/** The permissions of one role at one revision; immutable. */
export class RolePermissions implements PermissionSet {
  private readonly keys: ReadonlySet<string>;
  private readonly all: boolean;

  constructor(private readonly role: Pick<StoredRole, 'permissions' | 'types'>) {
    this.keys = new Set(role.permissions);
    this.all = this.keys.has(EVERYTHING);
  }

  /** Grants add up, but a type's own rule decides for that type: `false` beats every grant. */
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
