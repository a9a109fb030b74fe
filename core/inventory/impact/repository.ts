import { relationSeen } from '../access/index.js';
import type { Database } from '../../foundation/db/database.js';
import { Bindings, named } from '../../foundation/db/list-query.js';
import { MAX_EDGES, MAX_FOLLOWED, MAX_NODES, type ImpactRequest } from './request.js';

/** Near end and far end of a followed relation. */
const ENDS = { downstream: ['source', 'target'], upstream: ['target', 'source'] } as const;
const UUID_LENGTH = 36;

/**
 * Breadth-first traversal from a card: each card once, by a shortest path; among equal ones, by the oldest relation.
 * One statement, therefore one snapshot. LATERAL with OFFSET forces an index scan per level, because the planner's
 * estimates for the size of a level multiply their errors. A relation row contains the types of its ends and whether
 * one is archived, so that cards are read only for their names.
 * @param starts several start cards: each card is reached from the nearest one
 * @returns the response as JSON text; absent where the card does not exist or is hidden
 */
export async function readImpact(
  db: Database,
  request: ImpactRequest,
  starts: readonly string[] = [request.cardId],
): Promise<string | 'absent'> {
  const { depth, direction, types, hiddenTypes } = request;
  const bindings = new Bindings();
  const start = `any(${bindings.add(starts)}::uuid[])`;
  const followed = `${relationSeen({ relationlessTypes: hiddenTypes }, bindings)} and (r.valid_to is null or r.valid_to >= ${bindings.add(request.today)}::date)${types ? ` and r.type = any(${bindings.add(types)}::text[])` : ''}`;
  const visible = hiddenTypes.length > 0 ? ` and c.type <> all(${bindings.add(hiddenTypes)}::text[])` : '';
  const ways = direction === 'both' ? [ENDS.downstream, ENDS.upstream] : [ENDS[direction]];
  const levels = Array.from({ length: depth }, (_, i) => i + 1);
  const before = (level: number): string =>
    levels
      .slice(0, level - 1)
      .map((l) => `union all select id from n${l}`)
      .join(' ');
  const ctes = levels.flatMap((level) => [
    `e${level} as materialized (${ways
      .map(
        ([near, far]) => `select r.*, r.${near}_id as near, r.${far}_id as far from n${level - 1} f
      cross join lateral (select r.id, r.type, r.source_id, r.target_id, r.${far}_type as far_type from relations r
        where r.${near}_id = f.id and ${followed} offset 0) r`,
      )
      .join(' union all ')} limit ${MAX_FOLLOWED})`,
    `n${level} as materialized (select distinct on (e.far) e.far as id, e.id as via, e.near as parent, e.far_type as type, ${level} as depth from e${level} e
      where e.far not in (select id from s ${before(level)}) order by e.far, e.id
      limit (select ${MAX_NODES + 2} - count(*) from (select id from s ${before(level)}) known))`,
  ]);
  // With both directions a relation between two reached cards is found from both ends.
  const once = direction === 'both' ? 'distinct on (e.id)' : '';
  const text = `with s as materialized (select c.id, c.status from cards c where c.id = ${start}${visible}),
    n0 as materialized (select id from s where status = 'ACTIVE'), ${ctes.join(', ')},
    nodes as materialized (select * from (${levels.map((l) => `select * from n${l}`).join(' union all ')}) n limit ${MAX_NODES}),
    total as materialized (select count(*) > ${MAX_NODES} as cut from (${levels.map((l) => `select from n${l}`).join(' union all ')}) n),
    followed as materialized (${levels.map((l) => `select id, type, source_id, target_id, near, far from e${l}`).join(' union all ')}),
    edges as materialized (select ${once} e.id, e.type, e.source_id, e.target_id from followed e
      where (select not cut from total)
        or (e.far in (select id from nodes union all select id from s) and e.near in (select id from nodes union all select id from s)) limit ${MAX_EDGES + 1})
    select
      (select string_agg(n.depth::text || n.id || n.via || n.parent || n.type || to_json(c.name), E'\\n')
        from nodes n cross join lateral (select c.name from cards c where c.id = n.id offset 0) c) as nodes,
      (select string_agg(id::text || source_id || target_id || type, E'\\n') from (select * from edges limit ${MAX_EDGES}) e) as edges,
      (select count(*) from edges) > ${MAX_EDGES} or ${levels.map((l) => `(select count(*) from e${l}) >= ${MAX_FOLLOWED}`).join(' or ')}
        or (select cut from total) as truncated
    from s limit 1`;
  const [row] = await db.rows(named(text), bindings.values);
  return row
    ? `{"nodes":[${nodesOf(lines(row[0]))}],"edges":[${edgesOf(lines(row[1]))}],"truncated":${row[2] === 't'}}`
    : 'absent';
}

const lines = (text: string | null | undefined): string[] => (text == null ? [] : text.split('\n'));

/** JSON of the cards: depth, id, relation and previous card have fixed offsets; the type ends where the name begins. */
function nodesOf(rows: readonly string[]): string {
  const paths = new Map<string, string>();
  return rows
    .map((row) => {
      const [id, via, parent] = ids(row, 1);
      const name = row.indexOf('"', 1 + 3 * UUID_LENGTH);
      const before = paths.get(parent);
      const path = before === undefined ? `"${via}"` : `${before},"${via}"`;
      paths.set(id, path);
      return `{"id":"${id}","type":"${row.slice(1 + 3 * UUID_LENGTH, name)}","name":${row.slice(name)},"depth":${row[0]},"path":[${path}]}`;
    })
    .join(',');
}

function edgesOf(rows: readonly string[]): string {
  return rows
    .map((row) => {
      const [id, source, target] = ids(row, 0);
      return `{"id":"${id}","type":"${row.slice(3 * UUID_LENGTH)}","source_id":"${source}","target_id":"${target}"}`;
    })
    .join(',');
}

function ids(row: string, at: number): [string, string, string] {
  const id = (n: number): string => row.slice(at + n * UUID_LENGTH, at + (n + 1) * UUID_LENGTH);
  return [id(0), id(1), id(2)];
}
