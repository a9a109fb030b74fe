import type { RequestContext } from '../context.js';
import type { FieldError } from '../problem.js';
import type { ModuleServices } from '../services.js';
import type { ReferenceLookup } from './spec.js';

export type Target = 'card' | 'user' | ReferenceLookup;
type Fault = Omit<FieldError, 'in'>;
const REASON = { card: 'names no card', user: 'names no active user' };

/** The ids of a field that holds one, several or none. */
export const listed = (value: unknown): string[] =>
  Array.isArray(value) ? (value as string[]) : typeof value === 'string' ? [value] : [];

/** The ids that exist and may be referenced by the caller. */
async function existing(
  host: ModuleServices,
  ctx: RequestContext,
  target: Target,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (target === 'card') return new Set((await host.cards.find(ctx, ids)).keys());
  if (target === 'user')
    return new Set([...(await host.users.find(ids))].filter(([, user]) => user.is_active).map(([id]) => id));
  return await target(host, ctx, ids);
}

/** The existing ids, by the kind of object that fields reference. */
export type FoundReferences = ReadonlyMap<Target, ReadonlySet<string>>;

/**
 * Looks up the objects that fields reference, in one statement per kind. Called before the transaction: transactions that wait for a
 * second connection of the pool could block each other.
 * @param fields the kind of object each field references
 * @param all values of the fields, as they were sent
 */
export async function findReferences(
  host: ModuleServices,
  ctx: RequestContext,
  fields: ReadonlyMap<string, Target>,
  all: readonly Readonly<Record<string, unknown>>[],
): Promise<FoundReferences> {
  const wanted = new Map<Target, Set<string>>();
  for (const values of all)
    for (const [field, target] of fields)
      for (const id of listed(values[field]))
        wanted.set(target, (wanted.get(target) ?? new Set()).add(id.toLowerCase()));
  const found = new Map<Target, ReadonlySet<string>>();
  for (const [target, ids] of wanted) found.set(target, await existing(host, ctx, target, [...ids]));
  return found;
}

/**
 * Checks the references in fields.
 * @param values of the fields that are set, ids in lower case
 * @returns one fault per id that does not exist or must not be referenced by the caller
 */
export function unknownReferences(
  fields: ReadonlyMap<string, Target>,
  found: FoundReferences,
  values: Readonly<Record<string, unknown>>,
): Fault[] {
  return [...fields].flatMap(([field, target]) =>
    listed(values[field]).flatMap((id, i) => {
      if (found.get(target)?.has(id)) return [];
      return [
        {
          field: Array.isArray(values[field]) ? `/${field}/${i}` : `/${field}`,
          reason: typeof target === 'string' ? REASON[target] : 'names no existing object',
        },
      ];
    }),
  );
}
