import type { ModuleServices, PageResult, RequestContext, ResourceResult, UnitOfWork } from '@lintel/sdk';
import { mayBegin, mayRemove } from './authority.js';
import type { ContentService, PreparedContent } from './content-service.js';
import { EMPTY_FILE } from './empty-file.js';
import { checkReferences, fieldsOf, idsOf, lockFound } from './fields.js';
import {
  addFavourite,
  deleteDiagram,
  findDiagram,
  insertDiagram,
  listDiagrams,
  removeFavourite,
  setCards,
  type DiagramDetails,
  type DiagramRow,
} from './repository.js';
import type { DiagramCreate, DiagramItem, DiagramQuery, DiagramView } from './schemas.js';
import type { Settings } from './settings.js';
import { insertVersion } from './versions-repository.js';

/** Cards of a diagram in its view. */
const MOST_CARDS = 500;

/** A new diagram whose content has been read. */
export interface NewDiagram {
  name: string;
  description?: string | null | undefined;
  group_id?: string | null | undefined;
  card_ids?: readonly string[] | undefined;
}

/** Diagrams: reading, creating and deleting them; `DiagramSaving` changes them. */
export class DiagramService {
  constructor(
    private readonly host: ModuleServices<Settings>,
    private readonly contents: ContentService,
  ) {}

  async list(ctx: RequestContext, { search, ...query }: DiagramQuery): Promise<PageResult<DiagramItem>> {
    const words = [...new Set(this.host.searchFold(search ?? '').split(' '))].filter(Boolean);
    const page = await listDiagrams(this.host, ctx, query, words);
    return { ...page, items: page.items.map(itemOf) };
  }

  /** The diagrams that show a card or are linked with it. @throws not_found where the card is hidden from the caller */
  async ofCard(ctx: RequestContext, cardId: string, query: DiagramQuery): Promise<PageResult<DiagramItem>> {
    const card = await this.host.cards.get(ctx, cardId);
    return await this.list(ctx, { ...query, card_id: card.id });
  }

  /** A diagram with the data for its ETag. @throws not_found */
  async resource(ctx: RequestContext, id: string): Promise<Omit<ResourceResult<DiagramView>, 'status'>> {
    const row = await this.find(ctx, id);
    const cards = await this.host.cards.find(
      ctx,
      row.cards.map(({ card_id }) => card_id),
    );
    const shown = row.cards
      .flatMap(({ card_id, is_linked, shapes }) => {
        const card = cards.get(card_id);
        if (!card) return [];
        const { id: cardId, type, name, status } = card;
        return [{ card: { id: cardId, type, name, status }, is_linked, shapes }];
      })
      .sort((a, b) => a.card.name.localeCompare(b.card.name, 'en') || (a.card.id < b.card.id ? -1 : 1));
    const body = {
      ...itemOf(row),
      card_count: shown.length,
      pages: row.pages,
      cards: shown.slice(0, MOST_CARDS),
    };
    return { version: row.version, derived: [shown, row.is_favourite], body };
  }

  /**
   * Creates a diagram.
   * @returns its id
   * @throws forbidden, validation_failed, diagrams_file_refused
   */
  async create(ctx: RequestContext, { content, ...fields }: DiagramCreate): Promise<string> {
    const bytes = content === undefined ? EMPTY_FILE : Buffer.from(content);
    return await this.createFrom(ctx, fields, await this.contents.prepare(ctx, bytes, '/content'));
  }

  /** Creates a diagram whose content has been read. @returns its id @throws forbidden, validation_failed */
  async createFrom(ctx: RequestContext, wanted: NewDiagram, prepared: PreparedContent): Promise<string> {
    const write = await this.prepareCreate(ctx, wanted, prepared);
    return (await this.host.transactions.run(ctx, write)).id;
  }

  /** Checks a new diagram before a transaction. @returns a function that creates it as part of one */
  async prepareCreate(
    ctx: RequestContext,
    wanted: NewDiagram,
    prepared: PreparedContent,
  ): Promise<(uow: UnitOfWork) => Promise<{ id: string; version: number }>> {
    await checkReferences(this.host, ctx, wanted, prepared.errors);
    const linked = idsOf(wanted.card_ids ?? []);
    await mayBegin(this.host, ctx, linked, prepared.cards);
    const fields = fieldsOf(this.host, {
      name: wanted.name,
      description: wanted.description ?? null,
      group_id: wanted.group_id ?? null,
    });
    const { version } = prepared;
    return async (uow) => {
      const id = this.host.newId();
      await insertDiagram(uow, id, fields);
      await insertVersion(uow, id, 1, version);
      await setCards(uow, id, version.shapes, linked);
      uow.emit({
        type: 'diagrams.created',
        subject: { kind: 'diagrams', id, name: fields.name },
        data: {
          version: 1,
          content_version: 1,
          card_ids: idsOf([...linked, ...prepared.cards]),
          changes: [],
        },
      });
      return { id, version: 1 };
    };
  }

  /** Deletes a diagram with all its versions. @throws not_found, forbidden, precondition_failed */
  async remove(ctx: RequestContext, id: string): Promise<void> {
    await mayRemove(this.host, ctx, id);
    await this.host.transactions.run(ctx, async (uow) => {
      const row = await lockFound(this.host, uow, id);
      this.host.checkVersion(ctx, row.version, []);
      await deleteDiagram(uow, id);
      uow.emit({
        type: 'diagrams.deleted',
        subject: { kind: 'diagrams', id, name: row.name },
        data: { version: row.version },
      });
      return { id, version: row.version };
    });
  }

  /** Makes a diagram a favourite of the caller, or not. @throws not_found */
  async setFavourite(ctx: RequestContext, id: string, isFavourite: boolean): Promise<void> {
    const user = ctx.actor?.id;
    const { name } = await this.find(ctx, id);
    if (user === undefined) return;
    await this.host.transactions.run(ctx, async (uow) => {
      const isChanged = isFavourite ? await addFavourite(uow, user, id) : await removeFavourite(uow, user, id);
      if (isChanged)
        uow.emit({
          type: `diagrams_favourite.${isFavourite ? 'added' : 'removed'}`,
          subject: { kind: 'diagrams_favourite', id, name },
          data: { user_id: user },
        });
    });
  }

  /** @throws not_found */
  async find(ctx: RequestContext, id: string): Promise<DiagramDetails> {
    const row = await findDiagram(this.host.db, id, ctx.actor?.id);
    if (!row) throw this.host.problem('not_found');
    return row;
  }
}

const itemOf = (row: DiagramRow): DiagramItem => ({
  id: row.id,
  name: row.name,
  description: row.description,
  group_id: row.group_id,
  content_version: row.content_version,
  bytes: row.bytes,
  cell_count: row.cell_count,
  page_count: row.page_count,
  card_count: row.card_count,
  is_favourite: row.is_favourite,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  version: row.version,
});
