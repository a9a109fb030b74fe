import type { RequestContext } from '../context.js';
import type { FieldError } from '../problem.js';
import type { Bindings } from '../services.js';
import type { Column } from './columns.js';
import type { Condition } from './filters.js';
import type { AnySpec, Values } from './spec.js';

const NONE: ReadonlySet<string> = new Set();

/** The fields that only callers with a permission may see, filter by, sort by and set; see `fieldPermissions` of `ResourceSpec`. */
export class RestrictedFields {
  private readonly byField: ReadonlyMap<string, string>;
  /** Sorts whose order would reveal the values, by name. */
  private readonly bySort: ReadonlyMap<string, string>;

  /** @throws if a restricted member does not exist, or is one that every reader needs */
  constructor(spec: AnySpec, columns: readonly Column[]) {
    this.byField = new Map(Object.entries(spec.fieldPermissions ?? {}));
    this.bySort = new Map(
      Object.entries(spec.sorts ?? {}).flatMap(([name, sort]) => {
        const field = sort === true ? name : columns.find(({ column }) => column === sort.column)?.name;
        const permission = this.byField.get(name) ?? (field === undefined ? undefined : this.byField.get(field));
        return permission === undefined ? [] : [[name, permission] as const];
      }),
    );
    const members = new Set([...columns.map(({ name }) => name), ...Object.keys(spec.shown ?? {})]);
    const needed = new Set<string | undefined>([
      ...(spec.search ?? []),
      spec.name ?? ['title', 'name'].find((field) => columns.some(({ name }) => name === field)),
      spec.card?.field,
      spec.transitions?.field,
      'reference',
      // Members of events besides their `changes`.
      ...Object.entries(spec.references ?? {}).flatMap(([field, target]) => (target === 'card' ? [field] : [])),
      ...Object.keys(spec.transitions?.body ?? {}),
    ]);
    for (const field of this.byField.keys()) {
      if (!members.has(field)) throw new Error(`there is no field ${field}`);
      if (needed.has(field))
        throw new Error(`${field} cannot have a permission of its own, because every reader sees it`);
    }
    if (this.bySort.has(spec.defaultSort ?? 'created_at'))
      throw new Error(`the default sort ${spec.defaultSort ?? ''} has a permission of its own`);
  }

  /** By field, the permission required to see it. */
  get permissions(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.byField);
  }

  /** The permission required to see a field, if it has one of its own. */
  permissionOf(field: string): string | undefined {
    return this.byField.get(field);
  }

  /** The fields hidden from the caller. */
  hiddenFrom({ permissions }: RequestContext): ReadonlySet<string> {
    if (this.byField.size === 0) return NONE;
    return new Set([...this.byField].flatMap(([field, permission]) => (permissions.has(permission) ? [] : [field])));
  }

  /** The sort of a list; undefined for one by values that are hidden from the caller, which then has the default order. */
  sortFor({ permissions }: RequestContext, sort: string | undefined): string | undefined {
    const permission = sort === undefined ? undefined : this.bySort.get(sort);
    return permission === undefined || permissions.has(permission) ? sort : undefined;
  }

  /**
   * The condition of a filter: a hidden value matches nothing, like a field that is not there.
   * @param name of the filter
   * @param parameters of the filter
   */
  guarded(name: string, parameters: readonly string[], condition: Condition): Condition {
    const permission = this.byField.get(name);
    if (permission === undefined) return condition;
    return (query: Values, bindings: Bindings, request) => {
      if (parameters.every((parameter) => query[parameter] === undefined)) return [];
      return request.ctx.permissions.has(permission) ? condition(query, bindings, request) : ['false'];
    };
  }

  /** The errors of values that the caller may not set, and the first missing permission. */
  refused(ctx: RequestContext, values: Values): { permission: string; errors: Omit<FieldError, 'in'>[] } | undefined {
    const hidden = [...this.hiddenFrom(ctx)].filter((field) => values[field] !== undefined);
    if (hidden.length === 0) return undefined;
    return {
      permission: this.byField.get(hidden[0]!)!,
      errors: hidden.map((field) => ({ field: `/${field}`, reason: `requires ${this.byField.get(field)!}` })),
    };
  }
}
