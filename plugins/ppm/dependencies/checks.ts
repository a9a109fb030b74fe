import { TimeSlice, type ModuleServices, type UnitOfWork } from '@lintel/sdk';
import { visitInSlices } from '../slices.js';
import { findCycle, type GraphEdge, type GraphItem } from './graph.js';
import { readEdges, readGraphItems, readTitles } from './repository.js';

type Host = Pick<ModuleServices, 'problem' | 'invalid'>;

/**
 * Requires that no items of a plan depend on each other. To be called while the plan is locked.
 * @param field of the body that is refused
 * @param added a dependency that is not stored yet
 * @throws validation_failed, with the items under `cycle`
 */
export async function requireAcyclic(
  host: Host,
  uow: UnitOfWork,
  cardId: string,
  field: string,
  added?: GraphEdge,
): Promise<void> {
  const edges = await readEdges(uow, cardId);
  if (added) edges.push(added);
  if (edges.length === 0) return;
  const items = await readGraphItems(uow, cardId);
  const parents = new Map<GraphItem['id'], GraphItem['parent_id']>();
  await visitInSlices(items, ({ id, parent_id }) => parents.set(id, parent_id));
  let nested: GraphEdge | undefined;
  await visitInSlices(edges, (edge) => {
    if (!nested && isNested(edge, parents)) nested = edge;
  });
  const slice = new TimeSlice();
  if (slice.isOver) await slice.next();
  const cycle = nested ? [nested.predecessor_id, nested.successor_id] : findCycle(items, edges);
  if (!cycle) return;
  const titles = await readTitles(uow, cardId, cycle);
  const named = cycle.slice(0, MOST_NAMED).map((id) => ({ id, title: titles.get(id) ?? '' }));
  const chain = [...named, named[0]!].map(({ title }) => `“${title}”`).join(' → ');
  const reason = nested
    ? `would make ${chain.slice(0, chain.lastIndexOf(' → '))} depend on each other, although one is above the other`
    : `would make a cycle: ${chain}`;
  throw host.problem('validation_failed', { errors: [{ field, reason, in: 'body' }], cycle: named });
}

/** Items of a cycle that are named. */
const MOST_NAMED = 50;

/** Whether one of two items is above the other. */
function isNested(
  { predecessor_id, successor_id }: GraphEdge,
  parents: ReadonlyMap<GraphItem['id'], GraphItem['parent_id']>,
): boolean {
  const isAbove = (upper: string, lower: string): boolean => {
    for (let at = parents.get(lower) ?? null; at !== null; at = parents.get(at) ?? null) if (at === upper) return true;
    return false;
  };
  return isAbove(predecessor_id, successor_id) || isAbove(successor_id, predecessor_id);
}
