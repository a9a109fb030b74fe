import type { ModuleServices } from '@lintel/sdk';
import type { Adr } from './model.js';
import { conditionsOf } from './repository.js';
import type { AdrGraph } from './schemas.js';
import type { CallerFilters } from './caller-filters.js';

type Db = ModuleServices['db'];
type Node = Pick<Adr, 'id' | 'number' | 'title' | 'status'> & { revision: number };

/** Maximum numbers of nodes and of edges. */
const MOST = 5_000;
const MOST_EDGES = 20_000;

/** For each number the revision in force, or else the latest. */
const REPRESENTATIVE = 'distinct on (d.number) d.id, d.number, d.title, d.status, d.revision';
const IN_ORDER = "d.number desc, d.status = 'signed' desc, d.revision desc";
// Relations are stored between revisions; the graph connects the representative revisions of their numbers. Those of one node after
// the other are read, in the order of the ids, until there are too many.
const EDGES = {
  name: 'adr-graph-edges',
  text: `select s.id as source, e.target, e.type from unnest($1::uuid[]) as s(id) cross join lateral (
      select distinct t.id as target, r.type from adr_links r join adr_decisions b on b.id = r.target_id
        cross join lateral (select id from adr_decisions where number = b.number and id = any($1::uuid[]) limit 1) t
      where r.source_id = s.id and t.id <> s.id order by 1, 2) e
    limit ${MOST_EDGES + 1}`,
};

export async function findGraph(
  db: Db,
  query: CallerFilters,
): Promise<{ nodes: Node[]; edges: AdrGraph['edges']; isTruncated: boolean }> {
  const values: unknown[] = [];
  const where = conditionsOf(query, (value) => `$${values.push(value)}`);
  const text = `select ${REPRESENTATIVE} from adr_decisions d${where.length > 0 ? ` where ${where.join(' and ')}` : ''} order by ${IN_ORDER} limit ${MOST + 1}`;
  const found = await db.query<Node & Record<string, unknown>>({ name: 'adr-graph', text }, values);
  const latest = found.slice(0, MOST);
  const edges =
    latest.length === 0
      ? []
      : await db.query<AdrGraph['edges'][number] & Record<string, unknown>>(EDGES, [latest.map(({ id }) => id)]);
  return {
    nodes: latest.reverse(),
    edges: edges.slice(0, MOST_EDGES),
    isTruncated: found.length > MOST || edges.length > MOST_EDGES,
  };
}
