import type { ListParams, ModuleServices, PageResult, RequestContext, UnitOfWork } from '@lintel/sdk';
import { NOW, type Host, type Kind } from '../basics.js';

type Row<T> = T & Record<string, unknown>;

/** An element of a file, as it is stored. */
export interface ElementFacts {
  id: string;
  bpmn_id: string;
  position: number;
  kind: Kind;
  type: string;
  event_definition: string | null;
  name: string | null;
  name_folded: string;
  documentation: string | null;
  process_bpmn_id: string | null;
  parent_bpmn_id: string | null;
  lane_bpmn_id: string | null;
  called_element: string | null;
}

/** A link with a card that the caller may see. */
export interface ElementLink {
  card_id: string;
  type: string;
  name: string;
  status: string;
  is_automatic: boolean;
}

/** A stored element with its links. */
export interface ElementRow extends Omit<ElementFacts, 'name_folded'> {
  version_id: string;
  links_set: boolean;
  version: number;
  updated_at: Date;
  links: ElementLink[];
}

const FACTS =
  'bpmn_id, position, kind, type, event_definition, name, name_folded, documentation, process_bpmn_id, parent_bpmn_id, lane_bpmn_id, called_element';
const facts = (alias: string): string => FACTS.replace(/\w+/g, (column) => `${alias}.${column}`);
const RECORD = `jsonb_to_recordset($2::jsonb) as n(id uuid, bpmn_id text, position int, kind text, type text, event_definition text, name text,
  name_folded text, documentation text, process_bpmn_id text, parent_bpmn_id text, lane_bpmn_id text, called_element text)`;
const ADD = `insert into bpm_elements as e (id, version_id, updated_at, ${FACTS}) select n.id, $1, ${NOW}, ${facts('n')} from`;

const INSERT = { name: 'bpm-elements-insert', text: `${ADD} ${RECORD}` };
// An element that a changed file still has keeps its id, and with it its links.
const REPLACE = {
  name: 'bpm-elements-replace',
  text: `with n as materialized (select * from ${RECORD}),
      gone as (delete from bpm_elements e where e.version_id = $1 and not exists (select from n where n.bpmn_id = e.bpmn_id))
    ${ADD} n on conflict on constraint bpm_elements_once do update
    set (${FACTS}) = (${facts('excluded')}), version = e.version + 1, updated_at = greatest(e.updated_at + interval '1 ms', ${NOW})
    where (${facts('e')}) is distinct from (${facts('excluded')})`,
};
const DROP_COPIED = {
  name: 'bpm-links-drop-copied',
  text: `delete from bpm_element_links l using bpm_elements n, bpm_elements o
    where n.version_id = $2 and not n.links_set and o.version_id = $1 and o.bpmn_id = n.bpmn_id and l.element_id = n.id`,
};
// Links that were found automatically are found anew; those of call activities are not for other kinds of elements.
const COPY = {
  name: 'bpm-links-copy',
  text: `insert into bpm_element_links (element_id, card_id)
    select n.id, l.card_id from bpm_elements n join bpm_elements o on o.version_id = $1 and o.bpmn_id = n.bpmn_id
      join bpm_element_links l on l.element_id = o.id and not l.is_automatic
    where n.version_id = $2 and not n.links_set and (o.kind <> 'call_activity' or n.kind = 'call_activity') on conflict do nothing`,
};
const DROP_AUTOMATIC = {
  name: 'bpm-links-drop-automatic',
  text: `delete from bpm_element_links l using bpm_elements e where e.version_id = $1 and not e.links_set and l.element_id = e.id and l.is_automatic`,
};
const LOCK = {
  name: 'bpm-element-lock',
  text: `select e.id, e.version_id, e.bpmn_id, e.kind, e.name, e.version, v.state, coalesce((select array_agg(l.card_id order by l.card_id) from bpm_element_links l
      where l.element_id = e.id), '{}') as card_ids
    from bpm_elements e join bpm_versions v on v.id = e.version_id where e.id = $1 and v.card_id = $2 for no key update of e`,
};
const FIND_LINKED = { ...LOCK, name: 'bpm-element-linked', text: LOCK.text.replace(' for no key update of e', '') };
const SET_LINKS = {
  name: 'bpm-links-set',
  text: `with gone as (delete from bpm_element_links where element_id = $1 and card_id <> all($2::uuid[]))
    insert into bpm_element_links (element_id, card_id) select $1, unnest($2::uuid[])
    on conflict (element_id, card_id) do update set is_automatic = false`,
};
const TOUCH = {
  name: 'bpm-element-touch',
  text: `update bpm_elements set links_set = true, version = version + 1, updated_at = greatest(updated_at + interval '1 ms', ${NOW}) where id = $1 returning version`,
};
const COUNT_LINKED = {
  name: 'bpm-linked-cards',
  text: `select count(distinct l.card_id)::int as n from bpm_elements e join bpm_element_links l on l.element_id = e.id where e.version_id = $1`,
};
const LIST = {
  table: 'bpm_elements e',
  id: 'e.id',
  idType: 'uuid',
  sorts: { position: { sql: 'e.position', type: 'integer' } },
  defaultSort: 'position',
} as const;

/**
 * Stores the elements of a file.
 * @param isNew whether the version has none yet; otherwise elements with the same BPMN id keep their ids and links, and others are deleted
 */
export async function storeElements(
  uow: UnitOfWork,
  versionId: string,
  elements: readonly ElementFacts[],
  isNew: boolean,
): Promise<void> {
  await uow.query(isNew ? INSERT : REPLACE, [versionId, JSON.stringify(elements)]);
}

/** Copies links by BPMN id to elements whose links no user has set in the version. */
export async function copyLinks(uow: UnitOfWork, from: string, to: string): Promise<void> {
  await uow.query(COPY, [from, to]);
}

/** The same, instead of the links that these elements have. Elements that only the version `to` has keep theirs. */
export async function carryLinks(uow: UnitOfWork, from: string, to: string): Promise<void> {
  await uow.query(DROP_COPIED, [from, to]);
  await copyLinks(uow, from, to);
}

/**
 * Links call activities without links to the process whose published flow has the called process, if the caller sees exactly one.
 * @param cardId the process of the version, to which none of its call activities is linked
 */
export async function linkCalledProcesses(
  host: Host,
  uow: UnitOfWork,
  ctx: RequestContext,
  versionId: string,
  cardId: string,
): Promise<void> {
  await uow.query(DROP_AUTOMATIC, [versionId]);
  const values: unknown[] = [versionId, cardId];
  const cards = host.cards.visibleCards(ctx, (value) => `$${values.push(value)}`);
  const text = `insert into bpm_element_links (element_id, card_id, is_automatic)
    select e.id, (array_agg(distinct v.card_id))[1], true
    from bpm_elements e join bpm_versions v on v.state = 'published' and v.process_ids @> array[regexp_replace(e.called_element, '^.*:', '')]
      join ${cards} c on c.id = v.card_id and c.status = 'ACTIVE'
    where e.version_id = $1 and e.kind = 'call_activity' and e.called_element is not null and not e.links_set and v.card_id <> $2
      and not exists (select from bpm_element_links l where l.element_id = e.id)
    group by e.id having count(distinct v.card_id) = 1 on conflict do nothing`;
  await uow.query({ name: 'bpm-links-called', text }, values);
}

/** An element with the ids of all linked cards, also of hidden ones. */
export interface LinkedElement {
  id: string;
  version_id: string;
  bpmn_id: string;
  kind: Kind;
  name: string | null;
  version: number;
  state: string;
  card_ids: string[];
}

export async function lockElement(uow: UnitOfWork, cardId: string, id: string): Promise<LinkedElement | undefined> {
  return (await uow.query<Row<LinkedElement>>(LOCK, [id, cardId]))[0];
}

export async function findLinked(
  db: Pick<ModuleServices['db'], 'query'>,
  cardId: string,
  id: string,
): Promise<LinkedElement | undefined> {
  return (await db.query<Row<LinkedElement>>(FIND_LINKED, [id, cardId]))[0];
}

/** Replaces the links of an element, as set by a user. @returns the new version */
export async function setLinks(uow: UnitOfWork, id: string, cardIds: readonly string[]): Promise<number> {
  await uow.query(SET_LINKS, [id, cardIds]);
  return (await uow.query<{ version: number }>(TOUCH, [id]))[0]!.version;
}

/** The number of cards to which the elements of a version are linked, hidden ones included. */
export async function countLinkedCards(uow: UnitOfWork, versionId: string): Promise<number> {
  return (await uow.query<{ n: number }>(COUNT_LINKED, [versionId]))[0]!.n;
}

/** The filters of a list of elements. */
export interface ElementFilters {
  kind?: string | undefined;
  linked?: boolean | undefined;
  card_id?: string | undefined;
  words: readonly string[];
}

/** The columns of an element with the links that the caller sees. @param linked of these links, as `l`, and their cards, as `c` */
const elementColumns = (
  linked: string,
): string => `e.id, e.version_id, ${facts('e').replace(' e.name_folded,', '')}, e.links_set, e.version, e.updated_at,
      coalesce((select jsonb_agg(jsonb_build_object('card_id', c.id, 'type', c.type, 'name', c.name, 'status', c.status, 'is_automatic', l.is_automatic)
        order by c.type, c.name, c.id) ${linked}), '[]') as links`;
const linksWith = (cards: string): string =>
  `from bpm_element_links l join ${cards} c on c.id = l.card_id where l.element_id = e.id`;

/**
 * An element with the links that the caller may see.
 * @param on a unit of work, to include its changes
 */
export async function readElement(
  host: Host,
  on: Pick<UnitOfWork, 'query'>,
  ctx: RequestContext,
  id: string,
): Promise<ElementRow | undefined> {
  const values: unknown[] = [id];
  const linked = linksWith(host.cards.visibleCards(ctx, (value) => `$${values.push(value)}`));
  const text = `select ${elementColumns(linked)} from bpm_elements e where e.id = $1`;
  return (await on.query<Row<ElementRow>>({ name: 'bpm-element', text }, values))[0];
}

/** The elements of a version in order of sequence flow, with the links that the caller may see. */
export async function listElements(
  host: Host,
  ctx: RequestContext,
  versionId: string,
  filters: ElementFilters,
  params: ListParams,
): Promise<PageResult<ElementRow>> {
  const bindings = host.db.bindings();
  const bind = (value: unknown): string => bindings.add(value);
  const cards = host.cards.visibleCards(ctx, bind);
  const linked = linksWith(cards);
  const where = [`e.version_id = ${bind(versionId)}`];
  if (filters.kind !== undefined) where.push(`e.kind = any(${bind(filters.kind.split(','))}::text[])`);
  if (filters.linked !== undefined) where.push(`${filters.linked ? '' : 'not '}exists (select ${linked})`);
  if (filters.card_id !== undefined) where.push(`exists (select ${linked} and l.card_id = ${bind(filters.card_id)})`);
  for (const word of filters.words) where.push(`strpos(e.name_folded, ${bind(word)}) > 0`);
  return await host.db.readPage<Row<ElementRow>>({
    spec: LIST,
    params,
    where,
    bindings,
    scope: JSON.stringify([versionId, filters]),
    columns: elementColumns(linked),
  });
}

/** A linked element of a drawing. */
export interface DrawnLink {
  id: string;
  bpmn_id: string;
  cards: { id: string; name: string }[];
}

/** The elements of a version that are linked with cards that the caller sees, in order of sequence flow. */
export async function readDrawnLinks(
  host: Host,
  ctx: RequestContext,
  versionId: string,
  most: number,
): Promise<DrawnLink[]> {
  const bindings = host.db.bindings();
  const bind = (value: unknown): string => bindings.add(value);
  const text = `select e.id, e.bpmn_id, jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) order by c.name, c.id) as cards
    from bpm_elements e join bpm_element_links l on l.element_id = e.id join ${host.cards.visibleCards(ctx, bind)} c on c.id = l.card_id
    where e.version_id = ${bind(versionId)} group by e.id, e.bpmn_id, e.position order by e.position, e.id limit ${bind(most)}`;
  return await host.db.query<Row<DrawnLink>>({ name: 'bpm-links-drawn', text }, bindings.values);
}
