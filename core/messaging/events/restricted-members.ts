import type { LogEvent, PermissionSet } from '@lintel/sdk';

type FieldPermissions = Readonly<Record<string, string>>;
const NONE: FieldPermissions = {};
const NOTHING: readonly string[] = [];

/** The permission that an entry of `changes` requires by itself: it remains when the kind is not declared any more. */
function permissionOf(change: unknown): string | undefined {
  const permission = (change as { permission?: unknown } | null)?.permission;
  return typeof permission === 'string' ? permission : undefined;
}

const fieldOf = (change: unknown): unknown => (change as { field?: unknown } | null)?.field;

const changesOf = ({ data }: LogEvent): readonly unknown[] =>
  Array.isArray(data['changes']) ? data['changes'] : NOTHING;

/** The permission of an own property: `field` may be the name of an inherited one. */
const declaredFor = (declared: FieldPermissions, field: unknown): string | undefined =>
  typeof field === 'string' && Object.hasOwn(declared, field) ? declared[field] : undefined;

/** Removes members of events of modules that require a permission of their own; see `fieldPermissions` of `EventKind`. */
export class RestrictedMembers {
  private readonly needed = new WeakMap<LogEvent, { by: FieldPermissions; permissions: readonly string[] }>();
  private readonly made = new WeakMap<LogEvent, Map<string, LogEvent>>();

  /**
   * The event without the members and changes that the receiver may not see, cached for all receivers who lack the same
   * permissions; the event itself if there are none.
   * @param declared by the kind of its subject
   */
  without(event: LogEvent, declared: FieldPermissions = NONE, permissions: PermissionSet): LogEvent {
    const missing = this.permissionsIn(event, declared).filter((permission) => !permissions.has(permission));
    if (missing.length === 0) return event;
    const made = this.made.get(event) ?? new Map<string, LogEvent>();
    this.made.set(event, made);
    const key = missing.join(' ');
    let without = made.get(key);
    if (!without) made.set(key, (without = stripped(event, declared, new Set(missing))));
    return without;
  }

  /** The permissions that parts of an event require, in a fixed order. */
  private permissionsIn(event: LogEvent, declared: FieldPermissions): readonly string[] {
    const known = this.needed.get(event);
    if (known?.by === declared) return known.permissions;
    const found = new Set<string>();
    for (const [member, permission] of Object.entries(declared))
      if (Object.hasOwn(event.data, member)) found.add(permission);
    for (const change of changesOf(event))
      for (const permission of [permissionOf(change), declaredFor(declared, fieldOf(change))])
        if (permission !== undefined) found.add(permission);
    const permissions = found.size === 0 ? NOTHING : [...found].sort();
    this.needed.set(event, { by: declared, permissions });
    // A former declaration may have kept less.
    this.made.delete(event);
    return permissions;
  }
}

function stripped(event: LogEvent, declared: FieldPermissions, missing: ReadonlySet<string>): LogEvent {
  const lacks = (permission: string | undefined): boolean => permission !== undefined && missing.has(permission);
  const data = Object.fromEntries(
    Object.entries(event.data)
      .filter(([member]) => !lacks(declaredFor(declared, member)))
      .map(([member, value]) => [
        member,
        member === 'changes' && Array.isArray(value)
          ? value.filter((change) => !lacks(permissionOf(change)) && !lacks(declaredFor(declared, fieldOf(change))))
          : value,
      ]),
  );
  return { ...event, data };
}
