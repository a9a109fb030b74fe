import { countHeld, lockNames, type Counted } from './bounds-repository.js';
import type { RequestContext } from './context.js';
import type { Problem, ProblemDetails } from './problem.js';
import type { UnitOfWork } from './services.js';

/** One user may have a fifth of what all users share, so that no user alone can take all of it. */
const PARTS = 5;
/** Its holders have no share: for them only the bound of all users holds. */
const WITHOUT_SHARE = 'settings.manage';
/** Longest wait for other transactions that add to the same. */
const WAIT_MS = 5_000;

/**
 * How much of a bound that all users share one user may take.
 * @param permissions of the user
 * @param most the bound
 */
export function shareOf({ permissions }: Pick<RequestContext, 'permissions'>, most: number): number {
  return permissions.has(WITHOUT_SHARE) ? most : Math.ceil(most / PARTS);
}

/** How many rows a table may have with the same values. */
export interface Bound {
  /** The columns whose values the rows have in common; none: all rows. Without the column of the author, one user has a share. */
  per: readonly string[];
  most: number;
  /** For the problem, such as `saved reports`: a sentence begins with "There are at most 500". */
  of: string;
  /** Only rows that satisfy this condition count; SQL over the alias `r`. */
  where?: string;
}

/** A table with bounds. */
export interface Bounded {
  table: string;
  /** The column with the id of the user who added a row; default: `created_by`. */
  author?: string;
  bounds: readonly Bound[];
}

interface Check extends Counted {
  of: string;
  /** Of those of one user. */
  isOfUser: boolean;
}

type Refuse = (code: 'limit_reached' | 'conflict', details: ProblemDetails) => Problem;

/**
 * Requires that rows may be added to a table. Locks what they have in common until the transaction ends: concurrent
 * transactions cannot pass a bound together. Two statements, regardless of the number of rows.
 * @param rows before they are inserted: at least the values of the columns of the bounds
 * @param refuse makes the problem of a code
 * @throws limit_reached; conflict if another transaction adds to the same for more than five seconds
 */
export async function requireRoom(
  uow: Pick<UnitOfWork, 'query' | 'ctx'>,
  { table, author = 'created_by', bounds }: Bounded,
  rows: readonly Record<string, unknown>[],
  refuse: Refuse,
): Promise<void> {
  const checks = bounds.flatMap((bound) => checksOf(uow.ctx, bound, author, rows));
  if (checks.length === 0) return;
  await lock(uow, table, checks, refuse);
  for (const { check, key, held } of await countHeld(uow, table, checks)) {
    const { most, of, isOfUser, groups } = checks[check]!;
    if (held + groups.get(key)!.added > most)
      throw refuse('limit_reached', {
        detail: `There are at most ${most} ${of}${isOfUser ? ' of one user' : ''}; delete some first.`,
        limit: most,
      });
  }
}

/** A bound, and the share of the user in it. Rows without a value, such as those without an author, are not counted. */
function checksOf(
  ctx: RequestContext,
  bound: Bound,
  author: string,
  rows: readonly Record<string, unknown>[],
): Check[] {
  const share = shareOf(ctx, bound.most);
  const all: Check[] = [{ ...bound, isOfUser: bound.per.includes(author), groups: new Map() }];
  if (!bound.per.includes(author) && share < bound.most)
    all.push({ ...bound, per: [...bound.per, author], most: share, isOfUser: true, groups: new Map() });
  for (const { per, groups } of all)
    for (const row of rows) {
      const values = Object.fromEntries(per.map((column) => [column, row[column]]));
      if (Object.values(values).some((value) => value === null || value === undefined)) continue;
      const key = JSON.stringify(values);
      groups.set(key, { values, added: (groups.get(key)?.added ?? 0) + 1 });
    }
  return all.filter(({ groups }) => groups.size > 0);
}

/** Locks in one order, so that transactions do not wait for each other in a circle. */
async function lock(
  uow: Pick<UnitOfWork, 'query'>,
  table: string,
  checks: readonly Check[],
  refuse: Refuse,
): Promise<void> {
  const names = checks.flatMap(({ groups }) => [...groups.keys()].map((key) => `${table} ${key}`));
  try {
    await lockNames(uow, [...new Set(names)].sort(), WAIT_MS);
  } catch (error) {
    if ((error as { code?: string }).code !== '55P03') throw error;
    throw refuse('conflict', {
      detail: 'Other requests are adding to the same; try again.',
      headers: { 'retry-after': '1' },
      cause: error,
    });
  }
}
