import type { LifecycleFields, ListParams, ModuleServices, PageResult, Static, TObject, UnitOfWork } from '@lintel/sdk';
import { CARD_IDS, NOW } from './columns-repository.js';
import { lifecycle } from './lifecycle.js';
import type { Adr, RecordFields } from './model.js';
import type { RelatedBy, RelatedInput } from './schemas.js';
import type { CallerFilters } from './caller-filters.js';

type Db = ModuleServices['db'];

const neighbours = (
  related: string,
): string => `coalesce((select jsonb_agg(jsonb_build_object('type', r.type, 'adr_id', t.id, 'number', t.number, 'title', t.title, 'status', t.status)
  order by r.type, t.number, t.id) from (${related}) r join adr_decisions t on t.id = r.other), '[]')`;
/** Relations stated by the decision itself. */
const OWN = `select o.type, o.target_id as other from adr_related o where o.adr_id = d.id and o.type <> 'superseded_by'`;
/** Relations stated by other decisions, and those in its own file that are not part of its content. */
const ABOUT = `select l.type, l.source_id as other from adr_links l where l.target_id = d.id
  union select b.type, b.adr_id from adr_related b where b.target_id = d.id and b.type = 'superseded_by'`;
const COLUMNS = `d.id, d.number, d.title, d.context, d.drivers, d.options, d.decision, d.consequences, d.created_by, d.created_at, d.updated_at, d.version,
  d.source, d.source_path, d.source_status, ${CARD_IDS}, ${lifecycle.columns('d')},
  ${neighbours(OWN)} as related, ${neighbours(ABOUT)} as related_by`;
const SPEC = {
  table: 'adr_decisions d',
  id: 'd.id',
  sorts: {
    number: { sql: 'd.number', type: 'integer' },
    title: { sql: 'd.title_key', type: 'text' },
    created_at: { sql: 'd.created_at', type: 'timestamptz' },
    updated_at: { sql: 'd.updated_at', type: 'timestamptz' },
  },
  defaultSort: 'number',
} as const;

const FIND = { name: 'adr-find', text: `select ${COLUMNS} from adr_decisions d where d.id = $1` };
// FOR NO KEY UPDATE, so that other transactions can insert references to it.
const LOCK = { name: 'adr-lock', text: 'select from adr_decisions where id = $1 for no key update' };
// After the lock, because a statement that waited for a lock sees other tables as they were before it waited.
const LOCKED = {
  name: 'adr-locked',
  text: `select d.id, d.number, d.status, d.version, d.title, d.context, d.drivers, d.options, d.decision, d.consequences, d.source_markdown, ${CARD_IDS},
      coalesce((select jsonb_agg(jsonb_build_object('type', r.type, 'adr_id', r.target_id) order by r.type, r.target_id) from adr_related r where r.adr_id = d.id and r.type <> 'superseded_by'), '[]') as related
    from adr_decisions d where d.id = $1`,
};
const NEXT = { name: 'adr-next', text: 'update adr_counter set last = last + $1 returning last' };
const REMOVE = { name: 'adr-remove', text: 'delete from adr_decisions where id = $1' };
const LINK = {
  name: 'adr-link',
  text: `with gone as (delete from adr_cards where adr_id = $1 and card_id <> all($2::uuid[]))
    insert into adr_cards (adr_id, card_id) select $1, unnest($2::uuid[]) on conflict do nothing`,
};
const STALE = {
  name: 'adr-stale',
  text: `update adr_decisions set reported_at = clock_timestamp() where id in (
      select id from adr_decisions where status = 'draft' and updated_at < clock_timestamp() - make_interval(days => $1)
        and (reported_at is null or reported_at < updated_at) order by id limit 200 for update skip locked)
    returning id, number, title, updated_at`,
};

type Neighbour = RelatedInput & { number: number; title: string; status: Adr['status'] };
/** A decision with its status, linked cards and related decisions. */
export type AdrRow = RecordFields &
  Pick<
    Adr,
    | 'id'
    | 'number'
    | 'source'
    | 'source_path'
    | 'source_status'
    | 'created_by'
    | 'created_at'
    | 'updated_at'
    | 'version'
  > &
  Static<TObject<typeof LifecycleFields>> & {
    card_ids: string[];
    related: Neighbour[];
    related_by: (Omit<Neighbour, 'type'> & Pick<RelatedBy, 'type'>)[];
  };
/** The locked row with which a change is compared. */
export type LockedAdr = RecordFields &
  Pick<Adr, 'id' | 'number' | 'status' | 'version' | 'source_markdown'> & {
    card_ids: string[];
    related: RelatedInput[];
  };
export type AdrFields = RecordFields & Pick<Adr, 'title_key' | 'search_text'>;
type StaleDraft = Pick<Adr, 'id' | 'number' | 'title' | 'updated_at'>;
type Row<T> = T & Record<string, unknown>;

export async function findAdr(db: Pick<Db, 'query'>, id: string): Promise<AdrRow | undefined> {
  return (await db.query<Row<AdrRow>>(FIND, [id]))[0];
}

export async function lockAdr(uow: UnitOfWork, id: string): Promise<LockedAdr | undefined> {
  await uow.query(LOCK, [id]);
  return (await uow.query<Row<LockedAdr>>(LOCKED, [id]))[0];
}

/**
 * Reserves the next numbers and returns the last; concurrent transactions wait until this one ends. @param count 0 only
 * takes the lock
 */
export async function nextNumber(uow: UnitOfWork, count = 1): Promise<number> {
  return (await uow.query<{ last: number }>(NEXT, [count]))[0]!.last;
}

/** Objection takes long to load, and only writing needs it. */
const model = async () => (await import('./model.js')).Adr;

export async function insertAdr(
  uow: UnitOfWork,
  adr: AdrFields & Pick<Adr, 'id' | 'number' | 'created_by'>,
): Promise<void> {
  const knex = await uow.knex();
  const now = knex.raw(NOW);
  await (await model()).query(knex).insert({ ...adr, created_at: now, updated_at: now } as object);
}

/** @returns the new version */
export async function changeAdr(uow: UnitOfWork, id: string, changes: Partial<AdrFields>): Promise<number> {
  const knex = await uow.knex();
  const [row] = await (await model())
    .query(knex)
    .patch({
      ...changes,
      version: knex.raw('version + 1'),
      updated_at: knex.raw(`greatest(updated_at + interval '1 ms', ${NOW})`),
    } as object)
    .where({ id })
    .returning('version');
  return (row as unknown as Adr).version;
}

/** Replaces the cards linked to a decision. */
export async function linkCards(uow: UnitOfWork, id: string, cardIds: readonly string[]): Promise<void> {
  await uow.query(LINK, [id, cardIds]);
}

export async function deleteAdr(uow: UnitOfWork, id: string): Promise<void> {
  await uow.query(REMOVE, [id]);
}

/** Returns up to 200 drafts not changed for this many days, each once per change. */
export async function takeStale(uow: UnitOfWork, days: number): Promise<StaleDraft[]> {
  return await uow.query<Row<StaleDraft>>(STALE, [days]);
}

/** Conditions over `adr_decisions d`. */
export function conditionsOf(query: CallerFilters, add: (value: unknown) => string): string[] {
  const where: string[] = [];
  if (query.isNothing) where.push('false');
  if (query.status !== undefined) where.push(`d.status = any(${add(query.status.split(','))})`);
  if (query.card_id !== undefined)
    where.push(`exists (select from adr_cards c where c.adr_id = d.id and c.card_id = ${add(query.card_id)})`);
  if (query.source !== undefined) where.push(`d.source = ${add(query.source)}`);
  if (query.awaiting !== undefined)
    where.push(
      `d.status = 'in_review' and exists (select from adr_signatures s where s.document_id = d.id and s.status = 'pending' and s.user_id = ${add(query.awaiting)})`,
    );
  if (query.related_to !== undefined) {
    const other = add(query.related_to);
    where.push(
      `d.id in (select r.target_id from adr_related r where r.adr_id = ${other} union all select r.adr_id from adr_related r where r.target_id = ${other})`,
    );
  }
  if (query.created_from !== undefined)
    where.push(`d.created_at >= ${add(query.created_from)}::date::timestamp at time zone 'UTC'`);
  if (query.created_to !== undefined)
    where.push(`d.created_at < (${add(query.created_to)}::date + 1)::timestamp at time zone 'UTC'`);
  for (const word of query.words) where.push(`d.search_text like ${add(`%${word}%`)}`);
  return where;
}

export async function listAdrs(db: Db, query: ListParams & CallerFilters): Promise<PageResult<AdrRow>> {
  const bindings = db.bindings();
  const where = conditionsOf(query, (value) => bindings.add(value));
  const { status, card_id, source, awaiting, related_to, created_from, created_to, words } = query;
  const scope = JSON.stringify([status, card_id, source, awaiting, related_to, created_from, created_to, words]);
  return await db.readPage<Row<AdrRow>>({ spec: SPEC, params: query, where, bindings, scope, columns: COLUMNS });
}
