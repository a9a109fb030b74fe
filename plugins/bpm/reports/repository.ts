import type { Inventory } from '@lintel/sdk';
import { SCORES, type Score } from '../assessments/resource.js';
import { PROCESS_TYPE } from '../basics.js';
import { processSource } from '../processes/repository.js';

type Row<T> = T & Record<string, unknown>;
const PROCESSES = { type: PROCESS_TYPE };

/** Figures over all processes. */
export interface Figures {
  total: number;
  published: number;
  pending: number;
  draft: number;
  none: number;
  assessed: number;
  with_problems: number;
  averages: Record<Score, number | null>;
}

export async function readFigures(inventory: Inventory): Promise<Figures> {
  const averages = SCORES.map((score) => `'${score}', round(avg(l.${score}), 2)::float`).join(', ');
  const [row] = await inventory.query<Row<Figures>>(
    'bpm-figures',
    ({
      cards,
    }) => `select count(*)::int as total, count(l.published_id)::int as published, count(l.pending_id)::int as pending,
      count(*) filter (where l.draft_count > 0)::int as draft,
      count(*) filter (where l.published_id is null and l.pending_id is null and l.draft_count = 0)::int as none,
      count(l.assessment_id)::int as assessed,
      count(*) filter (where exists (select from bpm_versions v where v.id = l.published_id and v.error_count > 0))::int as with_problems,
      jsonb_build_object(${averages}) as averages from (${processSource(cards(PROCESSES))}) l`,
  );
  return row!;
}

/** Elements of published flows by kind, and how many have links. */
export interface KindRow {
  kind: string;
  count: number;
  linked: number;
}

export async function readKinds(inventory: Inventory): Promise<KindRow[]> {
  return await inventory.query<Row<KindRow>>(
    'bpm-kinds',
    ({ cards }) => `select e.kind, count(*)::int as count, count(k.element_id)::int as linked
      from ${cards(PROCESSES, {}, ['id'])} c join bpm_versions v on v.card_id = c.id and v.state = 'published' join bpm_elements e on e.version_id = v.id
        left join (select distinct l.element_id from bpm_element_links l join ${cards({}, {}, ['id'])} o on o.id = l.card_id) k on k.element_id = e.id
      group by e.kind order by 2 desc, 1`,
  );
}

/** A submitted version. */
export interface AwaitingRow {
  id: string;
  revision: number;
  submitted_at: Date;
  process: { id: string; name: string };
}

export async function readAwaiting(inventory: Inventory, most: number): Promise<AwaitingRow[]> {
  return await inventory.query<Row<AwaitingRow>>(
    'bpm-awaiting',
    ({
      cards,
      bind,
    }) => `select v.id, v.revision, v.submitted_at, jsonb_build_object('id', c.id, 'name', c.name) as process
      from bpm_versions v join ${cards(PROCESSES, {}, ['id', 'name'])} c on c.id = v.card_id where v.state = 'pending'
      order by v.submitted_at, v.id limit ${bind(most)}`,
  );
}

/** A process with the state of its flow and its latest scores. */
export type MapRow = {
  id: string;
  name: string;
  parent_id: string | null;
  published: boolean;
  pending: boolean;
  draft: boolean;
  element_count: number | null;
} & Record<Score, number | null>;

/** Processes of the tree, by name; with a root only those below it and itself. */
export async function readMap(inventory: Inventory, root: string | undefined, most: number): Promise<MapRow[]> {
  return await inventory.query<Row<MapRow>>('bpm-map', ({ cards, bind }) => {
    const id = root === undefined ? undefined : bind(root);
    const below = id === undefined ? '' : ` where l.id = ${id} or ${id}::uuid = any(l.path_ids)`;
    return `select l.id, l.name, l.parent_id, l.published_id is not null as published, l.pending_id is not null as pending, l.draft_count > 0 as draft,
        l.element_count, ${SCORES.map((score) => `l.${score}`).join(', ')}
      from (${processSource(cards(PROCESSES))}) l${below} order by l.depth, l.name_key, l.id limit ${bind(most)}`;
  });
}

/** Processes with an assessment, those with the lowest overall score first. */
export async function readScores(
  inventory: Inventory,
  most: number,
): Promise<(MapRow & { assessed_on: string; total: number })[]> {
  return await inventory.query<Row<MapRow & { assessed_on: string; total: number }>>(
    'bpm-scores',
    ({
      cards,
      bind,
    }) => `select l.id, l.name, l.parent_id, l.assessed_on::text as assessed_on, ${SCORES.map((score) => `l.${score}`).join(', ')},
        count(*) over ()::int as total
      from (${processSource(cards(PROCESSES))}) l where l.assessment_id is not null order by l.overall, l.name_key, l.id limit ${bind(most)}`,
  );
}

/** A pair of cards. */
export interface CellRow {
  row_id: string;
  row_name: string;
  column_id: string;
  column_name: string;
  elements: number;
  related: boolean;
}

/** Keys of the relation types between processes and cards of a type, in either direction. */
function between(inventory: Inventory, type: string): string[] {
  const isEnd = (end: string, wanted: string): boolean => end === wanted;
  return [...inventory.relationTypes.values()]
    .filter(
      ({ sourceType, targetType }) =>
        (isEnd(sourceType, PROCESS_TYPE) && isEnd(targetType, type)) ||
        (isEnd(sourceType, type) && isEnd(targetType, PROCESS_TYPE)),
    )
    .map(({ key }) => key);
}

/** Whether the caller may see relations between processes and cards of a type. */
const seesRelations = (inventory: Inventory, type: string): boolean =>
  inventory.relatedTypes.includes(PROCESS_TYPE) && inventory.relatedTypes.includes(type);

/** The pairs of processes and other cards: relations, and with `elements` the number of linked elements of published flows. */
export async function readPairs(
  inventory: Inventory,
  type: string,
  options: { elements: boolean; most: number },
): Promise<CellRow[]> {
  const keys = seesRelations(inventory, type) ? between(inventory, type) : [];
  return await inventory.query<Row<CellRow>>('bpm-pairs', ({ cards, relations, bind }) => {
    const t = keys.length > 0 ? bind(PROCESS_TYPE) : '';
    const pairs = [
      // Names the columns, also where there is nothing else.
      'select null::uuid as process_id, null::uuid as card_id, 0 as elements, false as related where false',
      ...(keys.length > 0
        ? [
            `select case when r.source_type = ${t} then r.source_id else r.target_id end as process_id,
              case when r.source_type = ${t} then r.target_id else r.source_id end as card_id, 0 as elements, true as related from ${relations(keys)} r`,
          ]
        : []),
      ...(options.elements
        ? [
            `select v.card_id, l.card_id, count(*)::int, false from bpm_versions v join bpm_elements e on e.version_id = v.id
              join bpm_element_links l on l.element_id = e.id where v.state = 'published' group by v.card_id, l.card_id`,
          ]
        : []),
    ];
    return `select p.id as row_id, p.name as row_name, o.id as column_id, o.name as column_name, sum(x.elements)::int as elements, bool_or(x.related) as related
      from (${pairs.join(' union all ')}) x join ${cards(PROCESSES, {}, ['id', 'name', 'name_key'])} p on p.id = x.process_id
        join ${cards({ type }, {}, ['id', 'name', 'name_key'])} o on o.id = x.card_id
      group by p.id, p.name, p.name_key, o.id, o.name, o.name_key order by p.name_key, p.id, o.name_key, o.id limit ${bind(options.most)}`;
  });
}

/** An element of a published flow with a card to which it is linked. */
export interface LinkRow {
  card_id: string;
  card_name: string;
  process_id: string;
  process_name: string;
  element_id: string;
  bpmn_id: string;
  kind: string;
  type: string;
  name: string | null;
}

export async function readLinks(
  inventory: Inventory,
  type: string,
  cardId: string | undefined,
  most: number,
): Promise<LinkRow[]> {
  return await inventory.query<Row<LinkRow>>('bpm-links', ({ cards, bind }) => {
    const one = cardId === undefined ? '' : ` and o.id = ${bind(cardId)}`;
    return `select o.id as card_id, o.name as card_name, p.id as process_id, p.name as process_name, e.id as element_id, e.bpmn_id, e.kind, e.type, e.name
      from bpm_versions v join bpm_elements e on e.version_id = v.id join bpm_element_links l on l.element_id = e.id
        join ${cards(PROCESSES, {}, ['id', 'name', 'name_key'])} p on p.id = v.card_id join ${cards({ type }, {}, ['id', 'name', 'name_key'])} o on o.id = l.card_id
      where v.state = 'published'${one} order by o.name_key, o.id, p.name_key, p.id, e.position, e.id limit ${bind(most)}`;
  });
}

/** A process that depends on another one. */
export interface EdgeRow {
  from_id: string;
  from_name: string;
  to_id: string;
  to_name: string;
  calls: number;
  related: boolean;
}

/** Calls of published flows, and relations between processes. */
export async function readEdges(inventory: Inventory, most: number): Promise<EdgeRow[]> {
  const keys = [...inventory.relationTypes.values()]
    .filter(({ sourceType, targetType }) => sourceType === PROCESS_TYPE && targetType === PROCESS_TYPE)
    .map(({ key }) => key)
    .filter((key) => !key.endsWith('Successor'));
  const related = seesRelations(inventory, PROCESS_TYPE) && keys.length > 0;
  return await inventory.query<Row<EdgeRow>>('bpm-edges', ({ cards, relations, bind }) => {
    const own = `select v.card_id as from_id, l.card_id as to_id, count(*)::int as calls, false as related
      from bpm_versions v join bpm_elements e on e.version_id = v.id and e.kind = 'call_activity' join bpm_element_links l on l.element_id = e.id
      where v.state = 'published' group by v.card_id, l.card_id`;
    const others = related ? ` union all select r.source_id, r.target_id, 0, true from ${relations(keys)} r` : '';

    return `select a.id as from_id, a.name as from_name, b.id as to_id, b.name as to_name, sum(x.calls)::int as calls, bool_or(x.related) as related
      from (${own}${others}) x join ${cards(PROCESSES, {}, ['id', 'name', 'name_key'])} a on a.id = x.from_id join ${cards(PROCESSES, {}, ['id', 'name', 'name_key'])} b on b.id = x.to_id
      group by a.id, a.name, a.name_key, b.id, b.name, b.name_key order by a.name_key, a.id, b.name_key, b.id limit ${bind(most)}`;
  });
}
