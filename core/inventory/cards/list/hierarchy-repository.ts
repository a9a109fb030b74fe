import type { Database } from '../../../foundation/db/database.js';
import type { CardVisibility } from '../../access/index.js';

interface CardName {
  id: string;
  type: string;
  name: string;
}

interface CardNode extends CardName {
  child_count: number;
  children?: CardNode[];
}

export interface Hierarchy {
  ancestors: CardName[];
  children: CardNode[];
  descendant_count: number;
  truncated: boolean;
}

/** Maximum number of cards returned below a card. */
const MOST_NODES = 2_000;

/**
 * Above: `depth` counts from 0 down to the card; below: from 1. Level by level, so that truncation removes the deepest.
 */
const READ = {
  name: 'card-hierarchy',
  text: `with recursive self as (select id, type, path_ids from cards where id = $1 and type <> all($3::text[])),
    tree as (
      select k.id, k.type, k.name, k.name_key, k.parent_id, 1 as depth from self join cards k on k.parent_id = self.id
        where k.status = 'ACTIVE' and k.type <> all($3::text[])
      union all select k.id, k.type, k.name, k.name_key, k.parent_id, t.depth + 1 from tree t join cards k on k.parent_id = t.id
        where t.depth < $2 and k.status = 'ACTIVE' and k.type <> all($3::text[])),
    nodes as materialized (select * from tree limit ${MOST_NODES + 1})
    select null::uuid as id, null as type, null as name, null::uuid as parent_id,
      (select count(*)::int from cards d where d.path_ids @> array[self.id] and d.status = 'ACTIVE' and d.type <> all($3::text[])) as n, null as name_key, -1 as depth from self
    union all select a.id, a.type, a.name, null, array_position(self.path_ids, a.id), null, 0 from self join cards a on a.id = any(self.path_ids) where a.type <> all($3::text[])
    union all select t.id, t.type, t.name, t.parent_id,
      (select count(*)::int from cards k where k.parent_id = t.id and k.status = 'ACTIVE' and k.type <> all($3::text[])), t.name_key, t.depth from nodes t
    order by depth, name_key, n, id`,
};

interface Row extends CardName {
  parent_id: string | null;
  n: number;
  depth: number;
}

/**
 * The cards above a card and the active cards below it.
 * @param depth number of levels below
 * @returns undefined where the card does not exist or is hidden from the reader
 */
export async function readHierarchy(
  db: Database,
  id: string,
  depth: number,
  visibility: CardVisibility,
): Promise<Hierarchy | undefined> {
  const [head, ...rows] = await db.query<Row & Record<string, unknown>>(READ, [id, depth, visibility.hiddenTypes]);
  if (!head) return undefined;
  const ancestors = rows
    .filter((row) => row.depth === 0)
    .map(({ id: above, type, name }) => ({ id: above, type, name }));
  const below = rows.filter((row) => row.depth > 0);
  const children: CardNode[] = [];
  const nodes = new Map<string, CardNode>();
  for (const row of below.slice(0, MOST_NODES)) {
    const node: CardNode = {
      id: row.id,
      type: row.type,
      name: row.name,
      child_count: row.n,
      ...(row.depth < depth && { children: [] }),
    };
    nodes.set(row.id, node);
    (row.depth === 1 ? children : nodes.get(row.parent_id!)?.children)?.push(node);
  }
  return { ancestors, children, descendant_count: head.n, truncated: below.length > MOST_NODES };
}
