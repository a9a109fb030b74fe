/** What an import would change of the dependencies of a plan. */
import { findCycle } from '../dependencies/graph.js';
import type { DependencyRow } from '../schedule/repository.js';
import type { PlanDependency, PlanItem } from '../schedule/types.js';
import { visitInSlices } from '../slices.js';
import type { CompareContext, ItemChanges } from './compare.js';
import { MAX_LAG, MAX_LINKS, type FileLink, type Problems } from './file-plan.js';

/** A dependency as the import wants it. */
export interface WantedLink extends PlanDependency {
  line: number;
  /** Undefined for a new one. */
  stored: DependencyRow | undefined;
}

/** What an import would do with the dependencies of a plan. */
export interface LinkChanges {
  creates: WantedLink[];
  updates: WantedLink[];
  unchanged: number;
  /** Those that the file does not have. */
  missing: DependencyRow[];
}

/**
 * Compares in time slices.
 * @param links of the file; undefined if it does not state them
 * @param items as they are after the import, without removed ones
 */
export async function compareLinks(
  links: readonly FileLink[] | undefined,
  rows: readonly DependencyRow[],
  { ids }: ItemChanges,
  removes: boolean,
  items: readonly PlanItem[],
  { calendar, newId }: Pick<CompareContext, 'calendar' | 'newId'>,
  problems: Problems,
): Promise<LinkChanges> {
  const parents = new Map<string, string | null>();
  await visitInSlices(items, ({ id, parent_id }) => parents.set(id, parent_id));
  const byEnds = new Map<string, DependencyRow>();
  const gone: DependencyRow[] = [];
  await visitInSlices(rows, (row) => {
    if (parents.has(row.predecessor_id) && parents.has(row.successor_id)) byEnds.set(endsOf(row), row);
    else gone.push(row);
  });
  if (links === undefined) return { creates: [], updates: [], unchanged: byEnds.size, missing: gone };
  const wanted = new Map<string, WantedLink>();
  await visitInSlices(links, ({ line, predecessor, successor, type, lag_days: stated, elapsed }) => {
    const lag_days = elapsed ? calendar.indexOf(elapsed.to) - calendar.indexOf(elapsed.from) : stated;
    if (Math.abs(lag_days) > MAX_LAG) problems.add(line, `A lag is at most ${MAX_LAG} working days.`);
    const [predecessor_id, successor_id] = [ids.get(predecessor)!, ids.get(successor)!];
    const ends = endsOf({ predecessor_id, successor_id });
    if (isWithin(predecessor_id, successor_id, parents) || isWithin(successor_id, predecessor_id, parents))
      problems.add(line, 'An item cannot depend on itself, on one above it or on one below it.');
    if (wanted.has(ends)) problems.add(line, `The dependency is also in line ${wanted.get(ends)!.line}.`);
    const stored = byEnds.get(ends);
    wanted.set(ends, { line, id: stored?.id ?? newId(), predecessor_id, successor_id, type, lag_days, stored });
  });
  const missing: DependencyRow[] = [];
  await visitInSlices(byEnds, ([ends, row]) => {
    if (!wanted.has(ends)) missing.push(row);
  });
  const all = [...wanted.values(), ...(removes ? [] : missing)];
  if (all.length > MAX_LINKS) problems.add(links.at(-1)?.line ?? 1, `A plan has at most ${MAX_LINKS} dependencies.`);
  if (problems.list.length === 0) checkCycles(all, items, wanted, problems);
  const changes: LinkChanges = { creates: [], updates: [], unchanged: 0, missing: [...gone, ...missing] };
  await visitInSlices(wanted.values(), (link) => {
    if (link.stored === undefined) changes.creates.push(link);
    else if (link.stored.type === link.type && link.stored.lag_days === link.lag_days) changes.unchanged++;
    else changes.updates.push(link);
  });
  return changes;
}

const endsOf = ({ predecessor_id, successor_id }: { predecessor_id: string; successor_id: string }): string =>
  `${predecessor_id} ${successor_id}`;

function isWithin(id: string, above: string, parents: ReadonlyMap<string, string | null>): boolean {
  for (let at: string | null = id; at !== null; at = parents.get(at) ?? null) if (at === above) return true;
  return false;
}

function checkCycles(
  all: readonly PlanDependency[],
  items: readonly PlanItem[],
  wanted: ReadonlyMap<string, WantedLink>,
  problems: Problems,
): void {
  const cycle = findCycle(items, all);
  if (!cycle) return;
  const inCycle = new Set(cycle);
  const first = [...wanted.values()].find(
    ({ predecessor_id, successor_id }) => inCycle.has(predecessor_id) && inCycle.has(successor_id),
  );
  problems.add(first?.line ?? 1, `The dependencies of ${cycle.length} items form a cycle.`);
}
