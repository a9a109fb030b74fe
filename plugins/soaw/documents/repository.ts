import type { ModuleServices, UnitOfWork } from '@lintel/sdk';
import type { StoredSection } from '../sections/schema.js';
import type { Frozen } from '../tables/model.js';

type Db = ModuleServices['db'];
type Row<T> = T & Record<string, unknown>;

const NEXT = { name: 'soaw-next', text: 'update soaw_counter set last = last + 1 returning last' };
const TEMPLATES = { name: 'soaw-templates-known', text: 'select id from soaw_templates where id = any($1::uuid[])' };
const TEMPLATE = { name: 'soaw-template-sections', text: 'select sections from soaw_templates where id = $1' };
const CONTENT = {
  name: 'soaw-content',
  text: 'select number, revision, title, sections, frozen from soaw_documents where id = $1',
};
const DRAFT = {
  name: 'soaw-draft',
  text: `select d.status, d.sections,
      coalesce((select jsonb_agg(jsonb_build_object('card_id', c.card_id, 'role', c.role) order by c.card_id)
        from soaw_cards c where c.document_id = d.id), '[]') as cards
    from soaw_documents d where d.id = $1`,
};
const FREEZE = { name: 'soaw-freeze', text: 'update soaw_documents set frozen = $2 where id = $1' };
const UNFREEZE = { name: 'soaw-unfreeze', text: 'update soaw_documents set frozen = null where id = $1' };
const COPY = {
  name: 'soaw-copy-cards',
  text: 'insert into soaw_cards (document_id, card_id, role) select $2, card_id, role from soaw_cards where document_id = $1',
};
const STATE = {
  name: 'soaw-state',
  text: `select d.id, d.number as serial, d.title, d.status, d.revision, d.version, d.sections, d.frozen, d.content_hash, d.created_by,
      d.signed_at, d.updated_at from soaw_documents d where d.id = $1`,
};

/** A document with what was frozen, as it is stored. */
export interface DocumentState {
  id: string;
  serial: number;
  title: string;
  status: 'draft' | 'in_review' | 'signed' | 'superseded';
  revision: number;
  version: number;
  sections: StoredSection[];
  frozen: Frozen | null;
  content_hash: string | null;
  created_by: string | null;
  signed_at: Date | null;
  updated_at: Date;
}

/** SQL of whether a document in review awaits the signature of a user. @param user placeholder of the id */
export const awaiting = (alias: string, user: string): string =>
  `${alias}.status = 'in_review' and exists (select from soaw_signatures s where s.document_id = ${alias}.id and s.status = 'pending' and s.user_id = ${user})`;

/** Takes the next number; concurrent transactions wait until this one ends. */
export async function nextNumber(uow: UnitOfWork): Promise<number> {
  return (await uow.query<{ last: number }>(NEXT))[0]!.last;
}

/** Those of these ids that are templates. */
export async function findTemplates(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await db.query<{ id: string }>(TEMPLATES, [ids])).map(({ id }) => id));
}

/** The sections of a template; none if it was deleted meanwhile. */
export async function templateSections(uow: UnitOfWork, id: string): Promise<StoredSection[]> {
  return (await findTemplateSections(uow, id)) ?? [];
}

/** The same; undefined if there is no such template. */
export async function findTemplateSections(db: Pick<Db, 'query'>, id: string): Promise<StoredSection[] | undefined> {
  return (await db.query<{ sections: StoredSection[] }>(TEMPLATE, [id]))[0]?.sections;
}

/** The signed content: everything of it is in one row, so that no later change of a card or a link alters it. */
export async function findContent(uow: UnitOfWork, id: string): Promise<unknown> {
  return (await uow.query(CONTENT, [id]))[0];
}

/** What is frozen of a document is computed from. */
export interface DraftState {
  status: DocumentState['status'];
  sections: StoredSection[];
  /** The linked cards, also hidden ones. */
  cards: { card_id: string; role: string }[];
}

export async function findDraft(db: Pick<Db, 'query'>, id: string): Promise<DraftState | undefined> {
  return (await db.query<Row<DraftState>>(DRAFT, [id]))[0];
}

export async function storeFrozen(uow: UnitOfWork, id: string, frozen: Frozen): Promise<void> {
  await uow.query(FREEZE, [id, JSON.stringify(frozen)]);
}

export async function unfreeze(uow: UnitOfWork, id: string): Promise<void> {
  await uow.query(UNFREEZE, [id]);
}

/** Copies the links to a new revision. */
export async function copyCards(uow: UnitOfWork, from: string, to: string): Promise<void> {
  await uow.query(COPY, [from, to]);
}

export async function findState(db: Pick<Db, 'query'>, id: string): Promise<DocumentState | undefined> {
  return (await db.query<Row<DocumentState>>(STATE, [id]))[0];
}
