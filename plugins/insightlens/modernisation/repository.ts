import type { Inventory } from '@lintel/sdk';
import { currentRuns, ofRuns, visibleFindings } from '../findings/visible-repository.js';
import { candidateTypes, COST } from './figures-repository.js';
import { DEPENDS, INTERFACE, SETTLED, WEIGHTS } from './reasons.js';

type Row<T> = T & Record<string, unknown>;

/** A reason of a candidate: a finding that the caller sees. */
export interface CandidateReason {
  finding_id: string;
  kind: string;
  rule: string;
  /** As in `SEVERITIES`, from 1. */
  severity: number;
  state: string;
  points: number;
}

/** A card that should be modernised, as the caller sees it. */
export interface StoredCandidate {
  id: string;
  name: string;
  type: string;
  criticality: string | null;
  annual_cost: number | null;
  points: number;
  reasons: CandidateReason[];
}

/** The candidates with most points. Several findings of one rule about a card are one reason: the most severe of them. */
export async function readCandidates(inventory: Inventory, limit: number): Promise<StoredCandidate[]> {
  const types = candidateTypes(inventory);
  if (types.length === 0) return [];
  const cost = inventory.field(COST, types);
  const criticality = inventory.types.has('Application')
    ? inventory.field('attributes.businessCriticality', ['Application'])
    : undefined;
  const runs = await currentRuns(inventory, [...new Set(WEIGHTS.map(({ kind }) => kind))]);
  return await inventory.query<Row<StoredCandidate>>('insightlens-candidates', (sql) => {
    const { cards, bind } = sql;
    const found = visibleFindings(inventory, sql, ofRuns(runs, sql));
    const fields = { ...(cost && { cost }), ...(criticality && { criticality }) };
    return `with reasons as (
        select distinct on (k.card_id, v.kind, v.rule) k.card_id, v.id as finding_id, v.kind, v.rule, v.severity, v.state, w.points
          from (${found}) v
          join jsonb_to_recordset(${bind(JSON.stringify(WEIGHTS))}::jsonb) as w(kind text, rule text, points int)
            on w.kind = v.kind and (w.rule is null or w.rule = v.rule)
          join insightlens_result_cards k on k.run_id = v.run_id and k.finding_id = v.id and (k.role = 'subject' or v.kind = 'duplicates')
        where v.state <> all(${bind([...SETTLED])}::text[])
        order by k.card_id, v.kind, v.rule, v.severity desc, v.id
      )
      select c.id, c.name, c.type, ${criticality ? 'c.criticality' : 'null::text'} as criticality,
          ${cost ? 'c.cost::float8' : 'null::float8'} as annual_cost, r.points, r.reasons
        from (select card_id, sum(points)::int as points, jsonb_agg(jsonb_build_object('finding_id', finding_id, 'kind', kind, 'rule', rule,
          'severity', severity, 'state', state, 'points', points) order by points desc, kind, rule) as reasons from reasons group by card_id) r
        join ${cards({ type: types.join(',') }, fields, ['id', 'name', 'type'])} c on c.id = r.card_id
      order by r.points desc, c.id limit ${bind(limit)}`;
  });
}

/** What candidates depend on, and how many cards depend on them and they on others, as the caller sees it. */
export interface Dependencies {
  /** Pairs of candidates: the first depends on the second. */
  edges: { source: string; target: string }[];
  counts: { id: string; dependants: number; dependencies: number }[];
}

/** @returns undefined for a caller who may see no relations */
export async function readDependencies(
  inventory: Inventory,
  ids: readonly string[],
): Promise<Dependencies | undefined> {
  if (inventory.relatedTypes.length === 0) return undefined;
  const direct = DEPENDS.filter((type) => inventory.relationTypes.has(type));
  const flow = inventory.relationTypes
    .get(INTERFACE.relation)
    ?.fields.find(({ key }) => key === `attributes.${INTERFACE.field}` || key === INTERFACE.field);
  if (direct.length === 0 && !flow) return { edges: [], counts: [] };
  const [row] = await inventory.query<Row<Dependencies>>('insightlens-dependencies', ({ relations, bind }) => {
    const parts = direct.length === 0 ? [] : [`select source_id, target_id from ${relations(direct)} r`];
    if (flow)
      parts.push(`select distinct c.source_id, p.source_id from flows c join flows p on p.target_id = c.target_id and p.source_id <> c.source_id
        where c.flow in ('consumes', 'both') and p.flow in ('provides', 'both')`);
    const flows = flow
      ? `flows as materialized (select source_id, target_id, flow from ${relations([INTERFACE.relation], { flow })} r), `
      : '';
    return `with wanted as materialized (select unnest(${bind([...ids])}::uuid[]) as id), ${flows}links as materialized (
        select distinct source_id, target_id from (${parts.join(' union ')}) l(source_id, target_id) where source_id <> target_id
      )
      select (select coalesce(jsonb_agg(jsonb_build_object('source', l.source_id, 'target', l.target_id) order by l.source_id, l.target_id), '[]'::jsonb)
          from links l join wanted s on s.id = l.source_id join wanted t on t.id = l.target_id) as edges,
        (select coalesce(jsonb_agg(jsonb_build_object('id', w.id, 'dependants', coalesce(i.n, 0), 'dependencies', coalesce(o.n, 0))), '[]'::jsonb)
          from wanted w left join (select target_id as id, count(*)::int as n from links group by target_id) i on i.id = w.id
            left join (select source_id as id, count(*)::int as n from links group by source_id) o on o.id = w.id) as counts`;
  });
  return row;
}
