import type { UnitOfWork } from '@lintel/sdk';
import type { GraphEdge, GraphItem } from './graph.js';

const EDGES = {
  name: 'ppm-dependency-edges',
  text: 'select predecessor_id, successor_id from ppm_dependencies where card_id = $1 order by id',
};
const ITEMS = {
  name: 'ppm-dependency-items',
  text: 'select id, parent_id from ppm_wbs where card_id = $1 order by position, id',
};
const TITLES = {
  name: 'ppm-dependency-titles',
  text: 'select id, title from ppm_wbs where card_id = $1 and id = any($2::uuid[])',
};
const COUNT = {
  name: 'ppm-dependency-count',
  text: 'select count(*)::int as n from ppm_dependencies where card_id = $1',
};
const OF_ITEMS = {
  name: 'ppm-dependencies-of-items',
  text: 'select id from ppm_dependencies where predecessor_id = any($1::uuid[]) or successor_id = any($1::uuid[]) order by id',
};

/** The dependencies of a plan, in the order in which they were made. */
export async function readEdges(uow: UnitOfWork, cardId: string): Promise<GraphEdge[]> {
  return await uow.query<GraphEdge & Record<string, unknown>>(EDGES, [cardId]);
}

/** The items of a plan. */
export async function readGraphItems(uow: UnitOfWork, cardId: string): Promise<GraphItem[]> {
  return await uow.query<GraphItem & Record<string, unknown>>(ITEMS, [cardId]);
}

/** The titles of items of a plan, by id. */
export async function readTitles(
  uow: UnitOfWork,
  cardId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await uow.query<{ id: string; title: string }>(TITLES, [cardId, ids]);
  return new Map(rows.map(({ id, title }) => [id, title]));
}

export async function countDependencies(uow: UnitOfWork, cardId: string): Promise<number> {
  return (await uow.query<{ n: number }>(COUNT, [cardId]))[0]!.n;
}

/** The ids of the dependencies of any of these items. */
export async function dependenciesOf(uow: UnitOfWork, items: readonly string[]): Promise<string[]> {
  return (await uow.query<{ id: string }>(OF_ITEMS, [items])).map(({ id }) => id);
}
