import type { Inventory, InventorySql, ListParams, PageResult } from '@lintel/sdk';
import { PROCESS_TYPE } from '../basics.js';
import type { ProcessItem, ProcessQuery } from './schemas.js';

type Row<T> = T & Record<string, unknown>;

/** Columns of a listed process, over `l`; the expensive ones are computed for the rows of the page only. */
const columns = (all: string): string => `l.id, l.name, l.subtype, l.status, l.parent_id, l.depth,
  coalesce((select jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name) order by u.place)
    from unnest(l.path_ids) with ordinality as u(id, place) join ${all} a on a.id = u.id), '[]') as path,
  (select count(*)::int from ${all} k where k.parent_id = l.id and k.status = 'ACTIVE') as child_count,
  jsonb_build_object('published', case when l.published_id is not null then
    jsonb_build_object('id', l.published_id, 'revision', l.revision, 'element_count', l.element_count) end,
    'pending_id', l.pending_id, 'draft_count', l.draft_count) as flow,
  case when l.assessment_id is not null then
    jsonb_build_object('id', l.assessment_id, 'assessed_on', l.assessed_on, 'overall', l.overall) end as assessment`;

/** Processes with the state of their flows and their latest assessments, over the cards `c`. */
export const processSource = (
  cards: string,
): string => `select c.id, c.name, c.name_key, c.subtype, c.status, c.parent_id, c.path_ids,
    coalesce(cardinality(c.path_ids), 0) as depth, p.id as published_id, p.revision, p.element_count, o.pending_id, coalesce(o.draft_count, 0) as draft_count,
    a.id as assessment_id, a.assessed_on, a.efficiency, a.effectiveness, a.compliance, a.automation, a.overall
  from ${cards} c
    left join bpm_versions p on p.card_id = c.id and p.state = 'published'
    left join (select v.card_id, (array_agg(v.id) filter (where v.state = 'pending'))[1] as pending_id, count(*) filter (where v.state = 'draft')::int as draft_count
      from bpm_versions v where v.state in ('draft', 'pending') group by v.card_id) o on o.card_id = c.id
    left join lateral (select s.* from bpm_assessments s where s.card_id = c.id order by s.assessed_on desc, s.id desc limit 1) a on true`;

const SPEC = {
  id: 'l.id',
  idType: 'uuid',
  sorts: {
    name: { sql: 'l.name_key', type: 'text', collate: '"C"' },
    element_count: { sql: 'l.element_count', type: 'integer', nullable: true },
    overall: { sql: 'l.overall', type: 'integer', nullable: true },
    depth: { sql: 'l.depth', type: 'integer' },
  },
  defaultSort: 'name',
} as const;

const HAS: Readonly<Record<string, string>> = {
  published: 'l.published_id is not null',
  pending: 'l.pending_id is not null',
  draft: 'l.draft_count > 0',
  none: '(l.published_id is null and l.pending_id is null and l.draft_count = 0)',
};

function conditions({ state, assessed, parent_id }: ProcessQuery, { bind }: InventorySql): string[] {
  const where: string[] = [];
  if (state !== undefined)
    where.push(
      `(${state
        .split(',')
        .map((one) => HAS[one]!)
        .join(' or ')})`,
    );
  if (assessed !== undefined) where.push(`l.assessment_id is ${assessed ? 'not ' : ''}null`);
  if (parent_id !== undefined)
    where.push(parent_id === 'none' ? 'l.parent_id is null' : `l.parent_id = ${bind(parent_id)}`);
  return where;
}

/** One page of the processes that the caller sees. */
export async function listProcesses(
  inventory: Inventory,
  query: ProcessQuery & ListParams,
): Promise<PageResult<ProcessItem>> {
  const { search, status = 'ACTIVE', parent_id, state, assessed, ...params } = query;
  const filters = { type: PROCESS_TYPE, status, ...(search !== undefined && { search }) };
  return await inventory.readPage<Row<ProcessItem>>('bpm-processes', (sql) => ({
    source: processSource(sql.cards(filters)),
    spec: SPEC,
    params,
    where: conditions(query, sql),
    columns: columns(sql.cards({ type: PROCESS_TYPE, status: 'ACTIVE,ARCHIVED' })),
    scope: JSON.stringify([filters, parent_id, state, assessed]),
  }));
}

/** One process; undefined if the caller may not see it. */
export async function findProcess(inventory: Inventory, id: string): Promise<ProcessItem | undefined> {
  const page = await inventory.readPage<Row<ProcessItem>>('bpm-process', (sql) => {
    const all = sql.cards({ type: PROCESS_TYPE, status: 'ACTIVE,ARCHIVED' });
    return {
      source: processSource(`(select * from ${all} w where w.id = ${sql.bind(id)})`),
      spec: SPEC,
      params: { page_size: 1, total: 'none' },
      columns: columns(all),
      scope: 'one',
    };
  });
  return page.items[0];
}

/** A relation that links imply, with the card at its other end. */
export interface ImpliedView {
  id: string;
  type: string;
  card: { id: string; name: string; type: string };
}

/** The relations that the module has made for a process, as far as the caller sees them. */
export async function readImplied(inventory: Inventory, processId: string, most: number): Promise<ImpliedView[]> {
  if (!inventory.relatedTypes.includes(PROCESS_TYPE)) return [];
  return await inventory.query<Row<ImpliedView>>('bpm-relations-implied', ({ cards, relations, bind }) => {
    const id = bind(processId);
    return `select r.id, r.type, jsonb_build_object('id', c.id, 'name', c.name, 'type', c.type) as card
      from bpm_relations m join ${relations()} r on r.id = m.relation_id join ${cards({}, {}, ['id', 'name', 'name_key', 'type'])} c on c.id = m.card_id
      where m.process_id = ${id} order by c.type, c.name_key, r.id limit ${bind(most)}`;
  });
}
