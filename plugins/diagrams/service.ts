import type { ModuleServices, PageResult, RequestContext, ResourceResult, UnitOfWork } from '@lintel/sdk';
import { mayBegin, mayRemove } from './authority.js';
import type { ContentService, PreparedContent } from './content-service.js';
import { EMPTY_FILE } from './empty-file.js';
import { checkReferences, fieldsOf, idsOf, lockFound } from './fields.js';
import { requireSame, retried } from './outdated.js';
import {
  addCards,
  addFavourite,
  deleteDiagram,
  findDiagram,
  insertDiagrams,
  listDiagrams,
  removeFavourite,
  type DiagramDetails,
  type DiagramRow,
} from './repository.js';
import type { DiagramCreate, DiagramItem, DiagramQuery, DiagramView } from './schemas.js';
import type { Settings } from './settings.js';
import { countShownShapes, insertFirstVersions } from './versions-repository.js';

/** Cards of a diagram in its view. */
const MOST_CARDS = 500;
/** Invalid fields that are named in one answer. */
const MOST_ERRORS = 100;

/** A new diagram whose content has been read. */
export interface NewDiagram {
  name: string;
  description?: string | null | undefined;
  group_id?: string | null | undefined;
  card_ids?: readonly string[] | undefined;
}

/** A diagram as it is sent. */
export type DiagramResource = Omit<ResourceResult<DiagramView>, 'status'>;

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
  async resource(ctx: RequestContext, id: string): Promise<DiagramResource> {
    return await this.resourceOf(ctx, await this.find(ctx, id));
  }

  /** The same of a diagram that was read in the transaction of its change: once that has ended, another request may delete it. */
  private async resourceOf(ctx: RequestContext, row: DiagramDetails): Promise<DiagramResource> {
    const cards = await this.host.cards.find(
      ctx,
      row.cards.map(({ card_id }) => card_id),
    );
    const shapes = await countShownShapes(this.host, ctx, row.id, row.content_version);
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
      pages: row.pages.map((page, i) => ({ ...page, shapes: shapes.get(i) ?? 0 })),
      cards: shown.slice(0, MOST_CARDS),
    };
    return { version: row.version, derived: [shown, row.is_favourite, [...shapes]], body };
  }

  /**
   * Creates a diagram.
   * @returns it as it was written
   * @throws forbidden, validation_failed, diagrams_file_refused
   */
  async create(ctx: RequestContext, { content, ...fields }: DiagramCreate): Promise<DiagramResource> {
    const bytes = content === undefined ? EMPTY_FILE : Buffer.from(content);
    return await this.createFrom(ctx, fields, await this.contents.prepare(ctx, bytes, '/content'));
  }

  /** Creates a diagram whose content has been read. @returns it as it was written @throws forbidden, validation_failed */
  async createFrom(ctx: RequestContext, wanted: NewDiagram, prepared: PreparedContent): Promise<DiagramResource> {
    const linked = idsOf(wanted.card_ids ?? []);
    await checkReferences(this.host, ctx, wanted, prepared.errors);
    await mayBegin(this.host, ctx, linked, prepared.cards);
    let row: DiagramDetails | undefined;
    const made = await this.host.transactions.run(ctx, async (uow) => {
      const [id] = await this.insert(uow, [{ wanted, linked, prepared }]);
      row = await findDiagram(uow, id!, ctx.actor?.id);
      return { id: id!, version: 1 };
    });
    return await this.written(ctx, made.id, row);
  }

  /** A diagram after its change. @param row as it was written; undefined for a repeated Idempotency-Key */
  async written(ctx: RequestContext, id: string, row: DiagramDetails | undefined): Promise<DiagramResource> {
    return row ? await this.resourceOf(ctx, row) : await this.resource(ctx, id);
  }

  /**
   * Creates diagrams in one group, all or none, by a caller who may create any. The number of statements does not depend on theirs.
   * @returns their ids, also for a repeated request with the same Idempotency-Key
   * @throws validation_failed with the invalid fields of all
   */
  async createAll(
    ctx: RequestContext,
    groupId: string | null,
    files: readonly { name: string; prepared: PreparedContent }[],
  ): Promise<string[]> {
    const errors = files.flatMap(({ prepared }) => prepared.errors).slice(0, MOST_ERRORS);
    await checkReferences(this.host, ctx, { group_id: groupId }, errors);
    const all = files.map(({ name, prepared }) => ({ wanted: { name, group_id: groupId }, linked: [], prepared }));
    return (await this.host.transactions.run(ctx, async (uow) => ({ ids: await this.insert(uow, all) }))).ids;
  }

  /** @returns the ids of the new diagrams */
  private async insert(
    uow: UnitOfWork,
    all: readonly { wanted: NewDiagram; linked: readonly string[]; prepared: PreparedContent }[],
  ): Promise<string[]> {
    const rows = all.map(({ wanted: { name, description = null, group_id = null }, linked, prepared }) => ({
      id: this.host.newId(),
      fields: fieldsOf(this.host, { name, description, group_id }),
      version: prepared.version,
      linked,
      cards: idsOf([...linked, ...prepared.cards]),
    }));
    await insertDiagrams(uow, rows);
    await insertFirstVersions(uow, rows);
    await addCards(
      uow,
      rows.map(({ id, version, linked }) => ({ id, shapes: version.shapes, linked })),
    );
    for (const { id, fields, cards } of rows)
      uow.emit({
        type: 'diagrams.created',
        subject: { kind: 'diagrams', id, name: fields.name },
        data: { version: 1, content_version: 1, card_ids: cards, changes: [] },
      });
    return rows.map(({ id }) => id);
  }

  /** Deletes a diagram with all its versions. @throws not_found, forbidden, precondition_failed */
  async remove(ctx: RequestContext, id: string): Promise<void> {
    await retried(this.host, async () => {
      const checked = await mayRemove(this.host, ctx, id);
      await this.host.transactions.run(ctx, async (uow) => {
        const row = await lockFound(this.host, uow, id);
        requireSame(checked, row.card_ids);
        this.host.checkVersion(ctx, row.version, []);
        await deleteDiagram(uow, id);
        uow.emit({
          type: 'diagrams.deleted',
          subject: { kind: 'diagrams', id, name: row.name },
          data: { version: row.version },
        });
        return { id, version: row.version };
      });
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
