import type { Database } from '../../../foundation/db/database.js';
import { readPage } from '../../../foundation/db/list.js';
import { Bindings, type ListParams, type ListSpec } from '../../../foundation/db/list-query.js';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import type { Page } from '../../../foundation/http/respond.js';
import type { CardBounds } from '../../../settings/index.js';
import { hasRoom, type CardItems } from '../room-repository.js';
import { nameKey } from '../../../foundation/text.js';
import type { LinkType } from './schemas.js';

const COLUMNS = 'd.id, d.name, d.url, d.link_type, d.created_by, d.created_at, d.updated_at, d.version';
const SPEC: ListSpec = {
  table: 'card_documents d',
  id: 'd.id',
  defaultSort: 'name',
  sorts: {
    name: { sql: 'd.name_key', type: 'text' },
    link_type: { sql: 'd.link_type', type: 'text', collate: '"C"' },
    created_at: { sql: 'd.created_at', type: 'timestamptz' },
  },
};
const NOW = "date_trunc('milliseconds', clock_timestamp())";

const FIND = {
  name: 'document-find',
  text: `select ${COLUMNS} from card_documents d where d.card_id = $1 and d.id = $2`,
};
/** Where the documents of cards are, for their bounds. */
export const DOCUMENTS: CardItems = { item: 'documents', table: 'card_documents', author: 'created_by' };
const INSERT = {
  name: 'document-insert',
  text: `insert into card_documents (id, card_id, name, name_key, url, link_type, created_by, created_at, updated_at)
    select $1, $2, $3, $4, $5, $6, $7, at, at from (select ${NOW} as at) now
    where ${hasRoom(DOCUMENTS, { card: '$2', author: '$7', most: '$8', share: '$9' })} returning id`,
};
const UPDATE = {
  name: 'document-update',
  text: `update card_documents set name = $2, name_key = $3, url = $4, link_type = $5, version = version + 1,
      updated_at = greatest(updated_at + interval '1 ms', ${NOW}) where id = $1 returning version`,
};
const REMOVE = { name: 'document-remove', text: 'delete from card_documents where id = $1' };

export interface DocumentFields {
  name: string;
  url: string;
  link_type: LinkType;
}
export interface DocumentRow extends DocumentFields {
  id: string;
  created_by: string | null;
  created_at: Date;
  updated_at: Date;
  version: number;
}
type Row = DocumentRow & Record<string, unknown>;

export async function listDocuments(db: Database, cardId: string, params: ListParams): Promise<Page<DocumentRow>> {
  const bindings = new Bindings();
  return readPage<Row>(db, {
    spec: SPEC,
    params,
    where: [`d.card_id = ${bindings.add(cardId)}`],
    bindings,
    scope: cardId,
    columns: COLUMNS,
  });
}

/** From the pool, or in a unit of work that has locked the card. */
export async function findDocument(
  db: Pick<Database, 'query'> | UnitOfWork,
  cardId: string,
  id: string,
): Promise<DocumentRow | undefined> {
  return (await db.query<Row>(FIND, [cardId, id]))[0];
}

/** The card must be locked. @returns whether it had fewer than `most` */
export async function insertDocument(
  uow: UnitOfWork,
  document: DocumentFields & Pick<DocumentRow, 'id' | 'created_by'> & { card_id: string },
  { most, share }: CardBounds,
): Promise<boolean> {
  return (
    (
      await uow.query(INSERT, [
        document.id,
        document.card_id,
        document.name,
        nameKey(document.name),
        document.url,
        document.link_type,
        document.created_by,
        most,
        share,
      ])
    ).length > 0
  );
}

/** @returns the new version */
export async function updateDocument(
  uow: UnitOfWork,
  id: string,
  { name, url, link_type }: DocumentFields,
): Promise<number> {
  return (await uow.query<{ version: number }>(UPDATE, [id, name, nameKey(name), url, link_type]))[0]!.version;
}

export async function deleteDocument(uow: UnitOfWork, id: string): Promise<void> {
  await uow.query(REMOVE, [id]);
}
