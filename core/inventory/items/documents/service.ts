import type { RequestContext } from '@lintel/sdk';
import type { CardPermissions, CardState } from '../../cards/index.js';
import { checkVersion, differing } from '../../../foundation/conditions.js';
import type { Database } from '../../../foundation/db/database.js';
import type { ListParams } from '../../../foundation/db/list-query.js';
import type { Transactions, UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { invalid, problem } from '../../../foundation/errors.js';
import type { Page } from '../../../foundation/http/respond.js';
import { uuidv7 } from '../../../foundation/ids.js';
import type { CardLimits } from '../../../settings/index.js';
import { noRoom } from '../room-repository.js';
import {
  DOCUMENTS,
  deleteDocument,
  findDocument,
  insertDocument,
  listDocuments,
  updateDocument,
  type DocumentFields,
  type DocumentRow,
} from './repository.js';
import type { DocumentCreate, DocumentPatch, DocumentView } from './schemas.js';

/** Documents of cards: links to where they are stored. They do not affect the card's version or approval. */
export class DocumentService {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly cards: CardPermissions,
    private readonly limits: CardLimits,
  ) {}

  /** @throws not_found where the card does not exist or is hidden from the caller, forbidden */
  async list(ctx: RequestContext, cardId: string, params: ListParams): Promise<Page<DocumentView>> {
    await this.cards.visibleWith(ctx, cardId, 'documents.view');
    const page = await listDocuments(this.db, cardId, params);
    return { ...page, items: page.items.map(view) };
  }

  /** @throws not_found, forbidden */
  async get(ctx: RequestContext, cardId: string, id: string): Promise<DocumentView> {
    await this.cards.visibleWith(ctx, cardId, 'documents.view');
    return view(known(await findDocument(this.db, cardId, id)));
  }

  /** The document the caller has just written, for the response. @throws not_found */
  async written(ctx: RequestContext, cardId: string, id: string): Promise<DocumentView> {
    await this.cards.visible(ctx, cardId);
    return view(known(await findDocument(this.db, cardId, id)));
  }

  /** @returns the id of the link @throws not_found, forbidden, invalid_state on an archived card, limit_reached, 422 */
  async create(ctx: RequestContext, cardId: string, body: DocumentCreate): Promise<string> {
    const fields: DocumentFields = { link_type: 'documentation', ...clean(body) };
    await this.mayManage(ctx, cardId);
    const { id } = await this.transactions.run(ctx, async (uow) => {
      const card = await this.cards.lockActive(uow, cardId);
      const id = uuidv7();
      const document = { ...fields, id, card_id: cardId, created_by: ctx.actor?.id ?? null };
      const bounds = this.limits.bounds(ctx, 'documents');
      if (!(await insertDocument(uow, document, bounds)))
        throw await noRoom(uow, DOCUMENTS, cardId, this.limits, bounds);
      emit(uow, 'created', card, id);
      return { id, version: 1 };
    });
    return id;
  }

  /** @throws not_found, forbidden, invalid_state, precondition_failed, 422 */
  async update(ctx: RequestContext, cardId: string, id: string, body: DocumentPatch): Promise<void> {
    const patch = clean(body);
    await this.mayManage(ctx, cardId);
    await this.transactions.run(ctx, async (uow) => {
      const card = await this.cards.lockActive(uow, cardId);
      const document = known(await findDocument(uow, cardId, id));
      const changed = differing<DocumentFields>(document, patch);
      checkVersion(ctx, document.version, changed);
      if (changed.length === 0) return { id, version: document.version };
      const version = await updateDocument(uow, id, { ...document, ...patch });
      emit(uow, 'updated', card, id, changed);
      return { id, version };
    });
  }

  /** @throws not_found, forbidden, invalid_state, precondition_failed */
  async remove(ctx: RequestContext, cardId: string, id: string): Promise<void> {
    await this.mayManage(ctx, cardId);
    await this.transactions.run(ctx, async (uow) => {
      const card = await this.cards.lockActive(uow, cardId);
      checkVersion(ctx, known(await findDocument(uow, cardId, id)).version, []);
      await deleteDocument(uow, id);
      emit(uow, 'deleted', card, id);
      return {};
    });
  }

  private async mayManage(ctx: RequestContext, cardId: string): Promise<void> {
    await this.cards.require(ctx, await this.cards.visible(ctx, cardId), 'documents.manage', 'card.manage_documents');
  }
}

/** The values to store. @throws 422 where the URL cannot be parsed */
function clean<B extends DocumentPatch>(body: B): B {
  if (body.url !== undefined && !URL.canParse(body.url))
    throw invalid({ field: '/url', reason: 'must be a URL of http or https' });
  return { ...body, ...(body.name !== undefined && { name: body.name.trim() }) };
}

/** The event does not contain name and URL, because users who may see the card may not see its documents. */
function emit(uow: UnitOfWork, verb: string, card: CardState, id: string, changed?: readonly string[]): void {
  uow.emit({
    type: `card.document_${verb}`,
    subject: { kind: 'card', id: card.id, type: card.type, name: card.name },
    data: { document: { id }, ...(changed && { changed_fields: changed }) },
  });
}

function known(document: DocumentRow | undefined): DocumentRow {
  if (!document) throw problem('not_found');
  return document;
}

function view({ id, name, url, link_type, created_by, created_at, updated_at, version }: DocumentRow): DocumentView {
  return {
    id,
    name,
    url,
    link_type,
    created_by,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    version,
  };
}
