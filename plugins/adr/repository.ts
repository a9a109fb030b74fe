import type { ModuleServices, PageResult, UnitOfWork } from '@lintel/sdk';
import { Adr } from './model.js';
import type { AdrQuery } from './schemas.js';

type Db = ModuleServices['db'];

const CARD_IDS = 'array(select c.card_id::text from adr_cards c where c.adr_id = d.id order by c.card_id) as card_ids';
const COLUMNS = `d.id, d.number, d.title, d.status, d.context, d.drivers, d.options, d.decision, d.consequences, d.created_by, d.created_at, d.updated_at, d.version, ${CARD_IDS}`;
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
const LOCK = { name: 'adr-lock', text: `${FIND.text} for update of d` };
const NEXT = { name: 'adr-next', text: 'update adr_counter set last = last + 1 returning last' };
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
const NOW = "date_trunc('milliseconds', clock_timestamp())";

/** A decision with the cards it concerns. */
export type AdrRow = Pick<Adr, 'id' | 'number' | 'title' | 'status' | 'context' | 'drivers' | 'options' | 'decision' | 'consequences' | 'created_by' | 'created_at' | 'updated_at' | 'version'> & { card_ids: string[] };
export type AdrFields = Pick<Adr, 'title' | 'title_key' | 'context' | 'drivers' | 'options' | 'decision' | 'consequences' | 'search_text'>;
export type StaleDraft = Pick<Adr, 'id' | 'number' | 'title' | 'updated_at'>;

export async function findAdr(db: Db, id: string): Promise<AdrRow | undefined> {
  return (await db.query<AdrRow>(FIND, [id]))[0];
}

export async function lockAdr(uow: UnitOfWork, id: string): Promise<AdrRow | undefined> {
  return (await uow.query<AdrRow>(LOCK, [id]))[0];
}

/** The next number; others who want one wait until this transaction ends. */
export async function nextNumber(uow: UnitOfWork): Promise<number> {
  return (await uow.query<{ last: number }>(NEXT))[0]!.last;
}

export async function insertAdr(uow: UnitOfWork, adr: AdrFields & Pick<Adr, 'id' | 'number' | 'created_by'>): Promise<void> {
  const knex = await uow.knex();
  const now = knex.raw(NOW);
  await Adr.query(knex).insert({ ...adr, created_at: now, updated_at: now } as object);
}

/** @returns the new version */
export async function changeAdr(uow: UnitOfWork, id: string, changes: Partial<AdrFields>): Promise<number> {
  const knex = await uow.knex();
  const [row] = await Adr.query(knex)
    .patch({ ...changes, version: knex.raw('version + 1'), updated_at: knex.raw(`greatest(updated_at + interval '1 ms', ${NOW})`) } as object)
    .where({ id }).returning('version');
  return (row as unknown as Adr).version;
}

/** Makes these the cards a decision concerns. */
export async function linkCards(uow: UnitOfWork, id: string, cardIds: readonly string[]): Promise<void> {
  await uow.query(LINK, [id, cardIds]);
}

export async function deleteAdr(uow: UnitOfWork, id: string): Promise<void> {
  await uow.query(REMOVE, [id]);
}

/** Takes up to 200 drafts nobody touched for so many days, each once per change. */
export async function takeStale(uow: UnitOfWork, days: number): Promise<StaleDraft[]> {
  return await uow.query<StaleDraft>(STALE, [days]);
}

/** @param words the search, folded, as the single words */
export async function listAdrs(db: Db, query: AdrQuery, words: readonly string[]): Promise<PageResult<AdrRow>> {
  const bindings = db.bindings();
  const where: string[] = [];
  if (query.status !== undefined) where.push(`d.status = any(${bindings.add(query.status.split(','))})`);
  if (query.card_id !== undefined) where.push(`exists (select from adr_cards c where c.adr_id = d.id and c.card_id = ${bindings.add(query.card_id)})`);
  for (const word of words) where.push(`d.search_text like ${bindings.add(`%${word}%`)}`);
  const scope = JSON.stringify([query.status, query.card_id, words]);
  return await db.readPage<AdrRow>({ spec: SPEC, params: query, where, bindings, scope, columns: COLUMNS });
}
