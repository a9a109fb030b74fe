import type { ModuleServices, UnitOfWork } from '@lintel/sdk';

/** What a comment needs of its document. */
export interface CommentedDocument {
  id: string;
  title: string;
  status: 'draft' | 'in_review' | 'signed' | 'superseded';
  created_by: string | null;
  /** Of its sections. */
  keys: string[];
}

const KNOWN = { name: 'soaw-comment-documents', text: 'select id from soaw_documents where id = any($1::uuid[])' };
// The lock keeps the status until the comment is stored.
const DOCUMENT = {
  name: 'soaw-commented',
  text: `select d.id, d.title, d.status, d.created_by, array(select s.value ->> 'key' from jsonb_array_elements(d.sections) s) as keys
    from soaw_documents d where d.id = $1 for share of d`,
};
const AUTHORS = {
  name: 'soaw-commenters',
  text: `select distinct created_by from soaw_comments where document_id = $1 and section is not distinct from $2 and created_by is not null limit 100`,
};

/** Those of these ids that are documents. */
export async function findDocuments(db: ModuleServices['db'], ids: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await db.query<{ id: string }>(KNOWN, [ids])).map(({ id }) => id));
}

export async function lockDocument(uow: UnitOfWork, id: string): Promise<CommentedDocument | undefined> {
  return (await uow.query<CommentedDocument & Record<string, unknown>>(DOCUMENT, [id]))[0];
}

/** The users who have commented on a section. */
export async function findCommenters(uow: UnitOfWork, id: string, section: string | null): Promise<string[]> {
  return (await uow.query<{ created_by: string }>(AUTHORS, [id, section])).map(({ created_by }) => created_by);
}
