import type { ModuleServices } from '@lintel/sdk';
import type { Adr } from './model.js';
import { conditionsOf } from './repository.js';
import type { AdrGraph } from './schemas.js';
import type { CallerFilters } from './caller-filters.js';

type Db = ModuleServices['db'];
type Node = Pick<Adr, 'id' | 'number' | 'title' | 'status'> & { revision: number };

/** Maximum number of nodes. */
const MOST = 5_000;

/** For each number the revision in force, or else the latest. */
const REPRESENTATIVE = 'distinct on (d.number) d.id, d.number, d.title, d.status, d.revision';
const IN_ORDER = "d.number desc, d.status = 'signed' desc, d.revision desc";
// Relations are stored between revisions; the graph connects the representative revisions of their numbers.
const EDGES = {
  name: 'adr-graph-edges',
  text: `with node as (select d.id, d.number from adr_decisions d where d.id = any($1::uuid[]))
    select distinct s.id as source, t.id as target, r.type
      from node s join adr_links r on r.source_id = s.id join adr_decisions b on b.id = r.target_id join node t on t.number = b.number
      where s.id <> t.id order by 1, 2, 3`,
};

export async function findGraph(
  db: Db,
  query: CallerFilters,
): Promise<{ nodes: Node[]; edges: AdrGraph['edges']; isTruncated: boolean }> {
  const values: unknown[] = [];
  const where = conditionsOf(query, (value) => `$${values.push(value)}`);
  const text = `select ${REPRESENTATIVE} from adr_decisions d${where.length > 0 ? ` where ${where.join(' and ')}` : ''} order by ${IN_ORDER} limit ${MOST + 1}`;
  const found = await db.query<Node & Record<string, unknown>>({ name: 'adr-graph', text }, values);
  const nodes = found.slice(0, MOST).reverse();
  const edges =
    nodes.length === 0
      ? []
      : await db.query<AdrGraph['edges'][number] & Record<string, unknown>>(EDGES, [nodes.map(({ id }) => id)]);
  return { nodes, edges, isTruncated: found.length > MOST };
}
