import type { RequestContext, UnitOfWork } from '@lintel/sdk';
import type { Host } from '../basics.js';

type Db = Pick<UnitOfWork, 'query'>;
type Row<T> = T & Record<string, unknown>;

/** A card to which elements of a version are linked. */
export interface LinkedCard {
  card_id: string;
  type: string;
  status: string;
}

/** A relation that the module has made. */
export interface MadeRelation {
  relation_id: string;
  card_id: string;
  type: string;
  made_version: number;
}

const MADE = {
  name: 'bpm-relations-made',
  text: `select relation_id, card_id, type, made_version from bpm_relations where process_id = $1 and ($2::uuid[] is null or card_id = any($2))`,
};
const ADD = {
  name: 'bpm-relations-add',
  text: `insert into bpm_relations (relation_id, process_id, card_id, type, made_version)
    select n.relation_id, $1, n.card_id, n.type, n.made_version
    from jsonb_to_recordset($2::jsonb) as n(relation_id uuid, card_id uuid, type text, made_version int) on conflict do nothing`,
};
const RELEASE = {
  name: 'bpm-relations-release',
  text: 'delete from bpm_relations where relation_id = any($1::uuid[])',
};

/** Of relations, those that the module has made and that links of published versions imply. */
export const IMPLIED = {
  name: 'bpm-relations-implied',
  text: `select r.relation_id from bpm_relations r where r.relation_id = any($1::uuid[]) and exists (
      select from bpm_element_links l join bpm_elements e on e.id = l.element_id
        join bpm_versions v on v.id = e.version_id and v.state = 'published' and v.card_id = r.process_id
      where l.card_id = r.card_id)`,
};

/**
 * The cards to which elements of a version are linked, without the process itself.
 * @param system a context that sees all cards: relations are made for all links
 * @param among only these cards; default: all
 */
export async function readLinkedCards(
  host: Host,
  db: Db,
  system: RequestContext,
  versionId: string,
  processId: string,
  among: readonly string[] | null,
): Promise<LinkedCard[]> {
  const values: unknown[] = [versionId, processId, among];
  const cards = host.cards.visibleCards(system, (value) => `$${values.push(value)}`);
  const text = `select distinct c.id as card_id, c.type, c.status from bpm_elements e join bpm_element_links l on l.element_id = e.id join ${cards} c on c.id = l.card_id
    where e.version_id = $1 and c.id <> $2 and ($3::uuid[] is null or c.id = any($3)) order by c.id`;
  return await db.query<Row<LinkedCard>>({ name: 'bpm-linked-for-relations', text }, values);
}

/** The relations of a process that the module has made and that still exist. */
export async function readMade(db: Db, processId: string, among: readonly string[] | null): Promise<MadeRelation[]> {
  return await db.query<Row<MadeRelation>>(MADE, [processId, among]);
}

export async function addMade(uow: UnitOfWork, processId: string, made: readonly MadeRelation[]): Promise<void> {
  if (made.length > 0) await uow.query(ADD, [processId, JSON.stringify(made)]);
}

/** Relations that are no longer the module's: it neither removes nor changes them from now on. */
export async function releaseMade(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await uow.query(RELEASE, [ids]);
}
