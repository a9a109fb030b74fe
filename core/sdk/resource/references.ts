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

/** Which of these ids there are, in one statement for each kind of thing. */
async function known(
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

/** What there is of what fields refer to, by kind of thing. */
export type FoundReferences = ReadonlyMap<Target, ReadonlySet<string>>;

/**
 * Looks up what fields refer to, outside of the transaction: one that waits for a second connection could wait for ever.
 * @param fields by name, what they refer to
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
  for (const [target, ids] of wanted) found.set(target, await known(host, ctx, target, [...ids]));
  return found;
}

/**
 * @param values of the fields that are set, ids in lower case
 * @returns a fault per id that is none the caller may refer to
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
          reason: typeof target === 'string' ? REASON[target] : 'names nothing there is',
        },
      ];
    }),
  );
}
