import type { Database } from '../../../foundation/db/database.js';
import { readPage } from '../../../foundation/db/list.js';
import { Bindings, type ListParams, type ListSpec } from '../../../foundation/db/list-query.js';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import type { Page } from '../../../foundation/http/respond.js';
import type { CardBounds } from '../../../settings/index.js';
import { hasRoom, type CardItems } from '../room-repository.js';

const COLUMNS =
  'c.id, c.card_id, c.parent_id, c.body, c.author_id, u.display_name as author_name, c.created_at, c.edited_at, c.deleted_at is not null as is_deleted, c.version';
const AUTHOR = 'left join users u on u.id = c.author_id';
const SPEC: ListSpec = {
  table: 'card_comments c',
  id: 'c.id',
  defaultSort: 'created_at',
  sorts: { created_at: { sql: 'c.created_at', type: 'timestamptz' } },
};
const NOW = "date_trunc('milliseconds', clock_timestamp())";

const FIND = {
  name: 'comment-find',
  text: `select ${COLUMNS} from card_comments c ${AUTHOR} where c.card_id = $1 and c.id = $2`,
};
/** Where the comments of cards are, for their bounds. */
export const COMMENTS: CardItems = { item: 'comments', table: 'card_comments', author: 'author_id' };
const INSERT = {
  name: 'comment-insert',
  text: `insert into card_comments (id, card_id, parent_id, body, author_id, created_at) select $1, $2, $3, $4, $5, ${NOW}
    where ${hasRoom(COMMENTS, { card: '$2', author: '$5', most: '$6', share: '$7' })} returning id`,
};
const EDIT = {
  name: 'comment-edit',
  text: `update card_comments set body = $2, version = version + 1, edited_at = greatest(created_at, coalesce(edited_at, created_at) + interval '1 ms', ${NOW})
    where id = $1 returning version`,
};
/**
 * A comment with replies is only emptied; one without is deleted, and so is an emptied parent whose last reply it was.
 */
const BLANK = {
  name: 'comment-blank',
  text: `update card_comments c set body = '', deleted_at = ${NOW}, version = version + 1
    where c.id = $1 and exists (select from card_comments r where r.parent_id = c.id) returning c.id`,
};
const REMOVE = {
  name: 'comment-remove',
  text: `with gone as (delete from card_comments where id = $1 returning id, parent_id)
    delete from card_comments p using gone where p.id = gone.parent_id and p.deleted_at is not null
      and not exists (select from card_comments r where r.parent_id = p.id and r.id <> gone.id)`,
};
const NAMED = {
  name: 'comment-named',
  text: 'select id, id = any($1::uuid[]) as is_by_id from users where is_active and (id = any($1::uuid[]) or email_key = any($2::text[]))',
};

/** An active user mentioned in a text, by id or by e-mail. */
export interface Named {
  id: string;
  is_by_id: boolean;
}

export interface CommentRow {
  id: string;
  card_id: string;
  parent_id: string | null;
  body: string;
  author_id: string | null;
  author_name: string | null;
  created_at: Date;
  edited_at: Date | null;
  is_deleted: boolean;
  version: number;
}
type Row = CommentRow & Record<string, unknown>;

export async function listComments(db: Database, cardId: string, params: ListParams): Promise<Page<CommentRow>> {
  const bindings = new Bindings();
  return readPage<Row>(db, {
    spec: SPEC,
    params,
    where: [`c.card_id = ${bindings.add(cardId)}`],
    bindings,
    scope: cardId,
    columns: COLUMNS,
    joins: AUTHOR,
  });
}

/** From the pool, or in a unit of work that has locked the card. */
export async function findComment(
  db: Pick<Database, 'query'> | UnitOfWork,
  cardId: string,
  id: string,
): Promise<CommentRow | undefined> {
  return (await db.query<Row>(FIND, [cardId, id]))[0];
}

/** The card must be locked. @returns whether it had fewer than `most` */
export async function insertComment(
  uow: UnitOfWork,
  comment: Pick<CommentRow, 'id' | 'card_id' | 'parent_id' | 'body' | 'author_id'>,
  { most, share }: CardBounds,
): Promise<boolean> {
  return (
    (
      await uow.query(INSERT, [
        comment.id,
        comment.card_id,
        comment.parent_id,
        comment.body,
        comment.author_id,
        most,
        share,
      ])
    ).length > 0
  );
}

/** @returns the new version */
export async function editComment(uow: UnitOfWork, id: string, body: string): Promise<number> {
  return (await uow.query<{ version: number }>(EDIT, [id, body]))[0]!.version;
}

/**
 * Deletes a comment; if it has replies, only its text. The card must be locked, so that replies do not change
 * concurrently.
 */
export async function deleteComment(uow: UnitOfWork, id: string): Promise<void> {
  if ((await uow.query(BLANK, [id])).length === 0) await uow.query(REMOVE, [id]);
}

/** Ids of the active users mentioned, by id or by the key of their e-mail address. */
export async function findNamed(
  uow: UnitOfWork,
  { ids, emails }: { ids: readonly string[]; emails: readonly string[] },
): Promise<Named[]> {
  if (ids.length + emails.length === 0) return [];
  return await uow.query<Named & Record<string, unknown>>(NAMED, [ids, emails]);
}
