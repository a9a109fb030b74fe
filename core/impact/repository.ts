import type { Database } from '../db/database.js';
import { Bindings, named } from '../db/list-query.js';

import { MAX_EDGES, MAX_FOLLOWED, MAX_NODES, type ImpactRequest } from './request.js';

/** The members of the answer as JSON text. */
export interface ImpactText {
  nodes: string;
  edges: string;
  truncated: boolean;
}

/** Near end and far end of a relation that is followed. */
const ENDS = { downstream: ['source_id', 'target_id'], upstream: ['target_id', 'source_id'] } as const;

/**
 * Goes out from a card level by level, each card once, by the way that is shortest; of equal ones, by the relation
 * that was made first. One statement, hence of one snapshot. LATERAL with OFFSET has each level read by index: what
 * the planner thinks of the size of a level is a guess upon a guess.
 * @returns undefined where the card is not there or not visible
 */
export async function readImpact(db: Database, request: ImpactRequest): Promise<string | 'absent'> {
  const { depth, direction, types, hiddenTypes } = request;
  const bindings = new Bindings();
  const start = `${bindings.add(request.cardId)}::uuid`;
  const valid = `(r.valid_to is null or r.valid_to >= ${bindings.add(request.today)}::date)${types ? ` and r.type = any(${bindings.add(types)}::text[])` : ''}`;
  const visible = hiddenTypes.length > 0 ? ` and c.type <> all(${bindings.add(hiddenTypes)}::text[])` : '';
  const ways = direction === 'both' ? [ENDS.downstream, ENDS.upstream] : [ENDS[direction]];
  const levels = Array.from({ length: depth }, (_, i) => i + 1);
  const before = (level: number): string => levels.slice(0, level - 1).map((l) => `union all select id from n${l}`).join(' ');
  const ctes = levels.flatMap((level) => [
    `e${level} as materialized (${ways.map(([near, far]) => `select r.*, r.${near} as near, r.${far} as far, f.path from n${level - 1} f
      cross join lateral (select r.id, r.type, r.source_id, r.target_id from relations r where r.${near} = f.id and ${valid} offset 0) r`).join(' union all ')} limit ${MAX_FOLLOWED})`,
    `n${level} as materialized (select d.id, c.type, c.name, ${level} as depth, d.path from (
        select distinct on (e.far) e.far as id, e.path || ',"' || e.id || '"' as path from e${level} e
        where e.far not in (select id from s ${before(level)}) order by e.far, e.id) d
      cross join lateral (select c.type, c.name from cards c where c.id = d.id and c.status = 'ACTIVE'${visible} offset 0) c
      limit (select ${MAX_NODES + 2} - count(*) from (select id from s ${before(level)}) known))`,
  ]);
  // A relation between two cards is met from either end where both directions are followed.
  const once = direction === 'both' ? 'distinct on (e.id)' : '';
  const text = `with s as materialized (select c.id, c.status from cards c where c.id = ${start}${visible}),
    n0 as materialized (select id, '' as path from s where status = 'ACTIVE'), ${ctes.join(', ')},
    nodes as materialized (select * from (${levels.map((l) => `select * from n${l}`).join(' union all ')}) n limit ${MAX_NODES}),
    total as materialized (select count(*) > ${MAX_NODES} as cut from (${levels.map((l) => `select from n${l}`).join(' union all ')}) n),
    followed as materialized (${levels.map((l) => `select id, type, source_id, target_id, near, far from e${l}`).join(' union all ')}),
    edges as materialized (select ${once} e.id, e.type, e.source_id, e.target_id from followed e
      where e.far in (select id from nodes union all select id from s)
        and ((select not cut from total) or e.near in (select id from nodes union all select id from s)) limit ${MAX_EDGES + 1})
    select
      (select string_agg('{"id":"' || id || '","type":"' || type || '","name":' || to_json(name) || ',"depth":' || depth || ',"path":[' || substr(path, 2) || ']}', ',') from nodes) as nodes,
      (select string_agg('{"id":"' || id || '","type":"' || type || '","source_id":"' || source_id || '","target_id":"' || target_id || '"}', ',')
        from (select * from edges limit ${MAX_EDGES}) e) as edges,
      (select count(*) from edges) > ${MAX_EDGES} or ${levels.map((l) => `(select count(*) from e${l}) >= ${MAX_FOLLOWED}`).join(' or ')}
        or (select cut from total) as truncated
    from s`;
  const [row] = await db.rows(named(text), bindings.values);
  return row ? `{"nodes":[${row[0] ?? ''}],"edges":[${row[1] ?? ''}],"truncated":${row[2] === 't'}}` : 'absent';
}
