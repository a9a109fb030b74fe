import type { RequestContext } from '@lintel/sdk';
import type { CardPermissions, CardState } from '../../cards/index.js';
import { checkVersion } from '../../../foundation/conditions.js';
import type { Database } from '../../../foundation/db/database.js';
import type { ListParams } from '../../../foundation/db/list-query.js';
import type { Transactions, UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { invalid, problem } from '../../../foundation/errors.js';
import type { Page } from '../../../foundation/http/respond.js';
import { uuidv7 } from '../../../foundation/ids.js';
import type { CardLimits } from '../../../settings/index.js';
import { noRoom } from '../room-repository.js';
import { MENTIONED_BY_ID, MOST_MENTIONS, mentionsIn } from './mentions.js';
import {
  COMMENTS,
  deleteComment,
  editComment,
  findComment,
  findNamed,
  insertComment,
  listComments,
  type CommentRow,
  type Named,
} from './repository.js';
import type { CommentCreate, CommentPatch, CommentView } from './schemas.js';

/** Comments on cards, with one level of replies. They do not affect the card's version or approval. */
export class CommentService {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly cards: CardPermissions,
    private readonly limits: CardLimits,
  ) {}

  /** @throws not_found where the card does not exist or is hidden from the caller, forbidden */
  async list(ctx: RequestContext, cardId: string, params: ListParams): Promise<Page<CommentView>> {
    await this.cards.visibleWith(ctx, cardId, 'comments.view');
    const page = await listComments(this.db, cardId, params);
    return { ...page, items: page.items.map(view) };
  }

  /** @throws not_found, forbidden */
  async get(ctx: RequestContext, cardId: string, id: string): Promise<CommentView> {
    await this.cards.visibleWith(ctx, cardId, 'comments.view');
    return view(known(await findComment(this.db, cardId, id)));
  }

  /** The comment the caller has just written, for the response. @throws not_found */
  async written(ctx: RequestContext, cardId: string, id: string): Promise<CommentView> {
    await this.cards.visible(ctx, cardId);
    return view(known(await findComment(this.db, cardId, id)));
  }

  /**
   * @returns the id of the comment
   * @throws not_found, forbidden, invalid_state on an archived card, limit_reached, 422 where `parent_id` is invalid,
   *   or too many users are mentioned
   */
  async create(ctx: RequestContext, cardId: string, { body, parent_id = null }: CommentCreate): Promise<string> {
    await this.cards.require(ctx, await this.cards.visible(ctx, cardId), 'comments.create', 'card.create_comments');
    const { id } = await this.transactions.run(ctx, async (uow) => {
      const card = await this.cards.lockActive(uow, cardId);
      if (parent_id !== null) await answerable(uow, cardId, parent_id);
      const id = uuidv7();
      const comment = {
        id,
        card_id: cardId,
        parent_id: parent_id?.toLowerCase() ?? null,
        body,
        author_id: ctx.actor?.id ?? null,
      };
      const bounds = this.limits.bounds(ctx, 'comments');
      if (!(await insertComment(uow, comment, bounds))) throw await noRoom(uow, COMMENTS, cardId, this.limits, bounds);
      emit(uow, 'created', card, comment, await namedIn(uow, body));
      return { id, version: 1 };
    });
    return id;
  }

  /**
   * Changes the text of the caller's own comment; other users' comments cannot be changed. @throws not_found,
   * forbidden, invalid_state, precondition_failed
   */
  async update(ctx: RequestContext, cardId: string, id: string, { body }: CommentPatch): Promise<void> {
    await this.cards.require(ctx, await this.cards.visible(ctx, cardId), 'comments.create', 'card.create_comments');
    await this.transactions.run(ctx, async (uow) => {
      const card = await this.cards.lockActive(uow, cardId);
      const comment = known(await findComment(uow, cardId, id));
      if (comment.author_id !== ctx.actor?.id)
        throw problem('forbidden', { detail: 'Only the author can change a comment.' });
      checkVersion(ctx, comment.version, comment.body === body ? [] : ['body']);
      if (comment.is_deleted) throw problem('invalid_state', { detail: 'The comment is deleted.' });
      if (comment.body === body) return { id, version: comment.version };
      const version = await editComment(uow, id, body);
      emit(uow, 'updated', card, comment, await namedIn(uow, body, comment.body));
      return { id, version };
    });
  }

  /**
   * Deletes the caller's own comment, for which an API token needs `comments.create`, or any comment with
   * `comments.manage`. @throws not_found, forbidden,
   * invalid_state, precondition_failed
   */
  async remove(ctx: RequestContext, cardId: string, id: string): Promise<void> {
    const card = await this.cards.visible(ctx, cardId);
    const manages = await this.cards.holds(ctx, card, 'comments.manage', 'card.manage_comments');
    // A user may always withdraw an own comment; a token that was made for reading must not.
    if (!manages && ctx.actor?.token) await this.cards.require(ctx, card, 'comments.create', 'card.create_comments');
    await this.transactions.run(ctx, async (uow) => {
      const card = await this.cards.lockActive(uow, cardId);
      const comment = known(await findComment(uow, cardId, id));
      if (!manages && comment.author_id !== ctx.actor?.id) {
        throw problem('forbidden', {
          detail: 'The permission comments.manage is required to delete comments of other users.',
          required_permission: 'comments.manage',
          or_card_permission: 'card.manage_comments',
        });
      }
      checkVersion(ctx, comment.version, []);
      if (comment.is_deleted)
        throw problem('invalid_state', {
          detail: 'The comment is already deleted; it is kept for its replies.',
        });
      await deleteComment(uow, id);
      emit(uow, 'deleted', card, comment);
      return {};
    });
  }
}

/** Checks the parent of a reply: it is on the same card, is not a reply itself and has not been deleted. */
async function answerable(uow: UnitOfWork, cardId: string, parentId: string): Promise<void> {
  const parent = await findComment(uow, cardId, parentId);
  const reason = !parent
    ? 'names no comment of the card'
    : parent.parent_id !== null
      ? 'names a comment that is a reply itself'
      : parent.is_deleted
        ? 'names a deleted comment'
        : undefined;
  if (reason !== undefined) throw invalid({ field: '/parent_id', reason });
}

/**
 * The active users mentioned in a text.
 * @param before the previous text: users mentioned there have already been notified
 * @throws validation_failed where it mentions too many
 */
async function namedIn(uow: UnitOfWork, body: string, before = ''): Promise<Named[]> {
  const { ids, emails } = mentionsIn(body);
  if (ids.length + emails.length > MOST_MENTIONS)
    throw invalid({ field: '/body', reason: `mentions more than ${MOST_MENTIONS} users` });
  const named = await findNamed(uow, { ids, emails });
  const former = new Set(named.length > 0 ? (await findNamed(uow, mentionsIn(before))).map(({ id }) => id) : []);
  return named.filter(({ id }) => !former.has(id));
}

/**
 * The event does not contain the text, because users who may see the card may not see its comments. Users mentioned by
 * e-mail are stored only for the notification: in the published event they would reveal whose account an address is.
 */
function emit(
  uow: UnitOfWork,
  verb: string,
  card: CardState,
  { id, parent_id }: Pick<CommentRow, 'id' | 'parent_id'>,
  named: readonly Named[] = [],
): void {
  const byId = named.filter(({ is_by_id }) => is_by_id).map((user) => user.id);
  const data = {
    comment: { id, parent_id },
    ...(named.length > 0 && { mentions: named.map((user) => user.id), [MENTIONED_BY_ID]: byId }),
  };
  uow.emit({
    type: `card.comment_${verb}`,
    subject: { kind: 'card', id: card.id, type: card.type, name: card.name },
    data,
  });
}

function known(comment: CommentRow | undefined): CommentRow {
  if (!comment) throw problem('not_found');
  return comment;
}

function view({
  id,
  parent_id,
  body,
  author_id,
  author_name,
  created_at,
  edited_at,
  is_deleted,
  version,
}: CommentRow): CommentView {
  const author = author_id === null ? null : { id: author_id, display_name: author_name ?? '' };
  return {
    id,
    parent_id,
    body,
    author,
    created_at: created_at.toISOString(),
    edited_at: edited_at?.toISOString() ?? null,
    is_deleted,
    version,
  };
}
