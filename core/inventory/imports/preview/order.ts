import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { placeRows, readExchanges, readLevels, readParents, refuseTooMany } from './order-repository.js';

/** A row that can be written only after another one. */
export interface Link {
  n: number;
  on: number;
}

interface Place {
  n: number;
  /** Rows of lower levels are written first. */
  level: number;
  /** The first of the rows that must be written together; null where the row is independent. */
  grp: number | null;
}

/** Maximum number of rows written together, because each batch of cards is processed in memory. */
const MOST_TOGETHER = 9_000;

/** Strongly connected components of dependent rows, by Tarjan's algorithm, in dependency order. */
function circles(nodes: readonly number[], waits: ReadonlyMap<number, readonly number[]>): number[][] {
  const found: number[][] = [];
  const index = new Map<number, number>();
  const low = new Map<number, number>();
  const open: number[] = [];
  const isOpen = new Set<number>();
  for (const root of nodes) {
    if (index.has(root)) continue;
    // Iterative, because a chain may be as long as the file.
    const path: { node: number; next: number }[] = [];
    const enter = (node: number): void => {
      index.set(node, index.size);
      low.set(node, index.get(node)!);
      open.push(node);
      isOpen.add(node);
      path.push({ node, next: 0 });
    };
    enter(root);
    while (path.length > 0) {
      const at = path.at(-1)!;
      const on = waits.get(at.node)?.[at.next++];
      if (on !== undefined) {
        if (!index.has(on)) enter(on);
        else if (isOpen.has(on)) low.set(at.node, Math.min(low.get(at.node)!, index.get(on)!));
        continue;
      }
      path.pop();
      const above = path.at(-1);
      if (above) low.set(above.node, Math.min(low.get(above.node)!, low.get(at.node)!));
      if (low.get(at.node) !== index.get(at.node)) continue;
      const circle = open.splice(open.lastIndexOf(at.node));
      for (const node of circle) isOpen.delete(node);
      found.push(circle);
    }
  }
  return found;
}

/**
 * Computes an order in which every row comes after those it depends on.
 * @param links dependencies
 * @param levels minimum level of each row, 0 where absent
 * @returns the positions of all rows in the links
 */
export function ordered(links: readonly Link[], levels: ReadonlyMap<number, number>): Place[] {
  const waits = new Map<number, number[]>();
  for (const { n, on } of links) {
    const others = waits.get(n);
    if (others) others.push(on);
    else waits.set(n, [on]);
  }
  const nodes = [...new Set(links.flatMap(({ n, on }) => [n, on]))];
  const level = new Map<number, number>();
  return circles(nodes, waits).flatMap((circle) => {
    const members = new Set(circle);
    let most = 0;
    let first = Infinity;
    for (const n of circle) {
      first = Math.min(first, n);
      most = Math.max(most, levels.get(n) ?? 0);
      for (const on of waits.get(n) ?? []) if (!members.has(on)) most = Math.max(most, level.get(on)! + 1);
    }
    for (const n of circle) level.set(n, most);
    return circle.map((n) => ({ n, level: most, grp: circle.length > 1 ? first : null }));
  });
}

const MANY = 10_000;

/** Orders rows that exchange names or external ids; rows in a cycle are written together. */
export async function orderRows(uow: UnitOfWork, importId: string): Promise<void> {
  const exchanges = (await readExchanges(uow, importId)).filter(({ n, on }) => n !== on);
  if (exchanges.length === 0) return;
  const links = [...exchanges, ...(await readParents(uow, importId))];
  const levels = await readLevels(uow, importId, [...new Set(links.flatMap(({ n, on }) => [n, on]))]);
  const places = ordered(links, levels);
  const sizes = new Map<number, number>();
  for (const { grp } of places) if (grp !== null) sizes.set(grp, (sizes.get(grp) ?? 0) + 1);
  const isTooMany = ({ grp }: Place) => grp !== null && sizes.get(grp)! > MOST_TOGETHER;
  const tooMany = places.filter(isTooMany).map(({ n }) => n);
  if (tooMany.length > 0) await refuseTooMany(uow, importId, tooMany);
  const changed = places.filter(
    (place) => !isTooMany(place) && (place.grp !== null || place.level !== levels.get(place.n)),
  );
  for (let i = 0; i < changed.length; i += MANY) await placeRows(uow, importId, changed.slice(i, i + MANY));
}
