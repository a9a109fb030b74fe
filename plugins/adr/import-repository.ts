import { jsonBatches, type UnitOfWork } from '@lintel/sdk';
import { CONTENT, NOW } from './columns-repository.js';
import type { Reader } from './madr/words.js';
import type { Adr, RecordFields } from './model.js';
import type { AdrFields } from './repository.js';
import type { RelatedInput } from './schemas.js';

/** The current state of a decision that was imported from a file of the collection. */
export interface Known extends Pick<Adr, 'id' | 'number' | 'status' | 'version'> {
  /** Id of its first revision, to which the file belongs. */
  first_id: string;
  revision: number;
  path: string;
  sha256: string;
  signatures: number;
}
export type Compared = RecordFields & {
  id: string;
  source_markdown: string;
  source_reader: Reader;
  card_ids: string[];
  related: RelatedInput[];
};
type Row<T> = T & Record<string, unknown>;

/** The columns of an imported decision. */
export interface Imported extends AdrFields {
  id: string;
  number: number;
  status: 'draft' | 'signed' | 'superseded';
  content_hash: string | null;
  /** Date of the decision; null: now. Days are in UTC. */
  signed_at: string | null;
  source: string;
  source_path: string;
  source_sha256: string;
  source_markdown: string;
  source_reader: Reader;
  source_status: string | null;
  created_by: string | null;
}

const KNOWN = {
  name: 'adr-import-known',
  text: `select f.id as first_id, f.source_path as path, f.source_sha256 as sha256, d.id, d.number, d.status, d.version, d.revision,
      (select count(*)::int from adr_signatures s where s.document_id = d.id) as signatures
    from adr_decisions f join lateral (select * from adr_decisions d where d.number = f.number order by d.revision desc limit 1) d on true
    where f.source = $1 and f.revision = 1 and f.source_path is not null`,
};
// Before they are read, because a statement that waited for a lock sees other tables as they were before it waited.
const LOCK = {
  name: 'adr-import-lock',
  text: 'select from adr_decisions where id = any($1::uuid[]) order by id for no key update',
};
const COMPARED = {
  name: 'adr-import-compared',
  text: `select d.id, d.source_markdown, d.source_reader, ${CONTENT}
    from adr_decisions d where d.id = any($1::uuid[])`,
};
const RECORD = `jsonb_to_recordset($1::jsonb) as n(id uuid, number int, status text, content_hash text, signed_at timestamptz, title text, title_key text,
  context text, drivers jsonb, options jsonb, decision text, consequences text, search_text text, source text, source_path text, source_sha256 text,
  source_markdown text, source_reader int, source_status text, created_by uuid)`;
const INSERT = {
  name: 'adr-import-insert',
  text: `insert into adr_decisions (id, number, status, content_hash, signed_at, title, title_key, context, drivers, options, decision, consequences, search_text,
      source, source_path, source_sha256, source_markdown, source_reader, source_status, source_life, created_by, created_at, updated_at)
    select n.id, n.number, n.status, n.content_hash, case when n.status <> 'draft' then coalesce(n.signed_at, ${NOW}) end, n.title, n.title_key, n.context, n.drivers,
      n.options, n.decision, n.consequences, n.search_text, n.source, n.source_path, n.source_sha256, n.source_markdown, n.source_reader, n.source_status, n.status, n.created_by, ${NOW}, ${NOW}
    from ${RECORD}`,
};
const UPDATE = {
  name: 'adr-import-update',
  text: `update adr_decisions d set status = n.status, content_hash = n.content_hash, signed_at = case when n.status <> 'draft' then coalesce(n.signed_at, ${NOW}) end,
      title = n.title, title_key = n.title_key, context = n.context, drivers = n.drivers, options = n.options, decision = n.decision, consequences = n.consequences,
      search_text = n.search_text, source_sha256 = n.source_sha256, source_markdown = n.source_markdown, source_reader = n.source_reader, source_status = n.source_status, source_life = n.status,
      version = d.version + 1, updated_at = greatest(d.updated_at + interval '1 ms', ${NOW})
    from ${RECORD} where d.id = n.id`,
};
const FORGET = {
  name: 'adr-import-forget',
  text: 'delete from adr_related where is_imported and adr_id = any($1::uuid[])',
};
const END = {
  name: 'adr-import-ended',
  text: `update adr_decisions d set status = 'superseded', source_sha256 = n.sha256, version = d.version + 1, updated_at = greatest(d.updated_at + interval '1 ms', ${NOW})
    from jsonb_to_recordset($1::jsonb) as n(id uuid, sha256 text) where d.id = n.id and d.status = 'signed'`,
};

/** All decisions of a collection. Take the lock of `nextNumber` first, so that no concurrent import adds to them. */
export async function findKnown(uow: UnitOfWork, source: string): Promise<Known[]> {
  return await uow.query<Row<Known>>(KNOWN, [source]);
}

/** Decisions that are read at once: each may have a megabyte of Markdown, and half as much in its columns. */
const READ = 8;

/** Locks decisions whose files have changed, to check whether they were changed as well. */
export async function lockImported(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await uow.query(LOCK, [ids]);
}

/** The same decisions, a few at a time. */
export async function* readCompared(uow: UnitOfWork, ids: readonly string[]): AsyncGenerator<Compared> {
  for (let i = 0; i < ids.length; i += READ) yield* await uow.query<Row<Compared>>(COMPARED, [ids.slice(i, i + READ)]);
}

export async function insertImported(uow: UnitOfWork, records: readonly Imported[]): Promise<void> {
  for await (const batch of jsonBatches(records)) await uow.query(INSERT, [batch]);
}

/** Replaces the content by that of the changed files; their relations must be added again. */
export async function updateImported(uow: UnitOfWork, records: readonly Imported[]): Promise<void> {
  if (records.length === 0) return;
  for await (const batch of jsonBatches(records)) await uow.query(UPDATE, [batch]);
  await uow.query(FORGET, [records.map(({ id }) => id)]);
}

/** Puts decisions out of force whose files now say so; their content remains as accepted. */
export async function endImported(uow: UnitOfWork, ended: readonly { id: string; sha256: string }[]): Promise<void> {
  if (ended.length > 0) await uow.query(END, [JSON.stringify(ended)]);
}
