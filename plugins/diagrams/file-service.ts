import type { BytesResult, FieldError, ModuleServices, PageResult, RequestContext } from '@lintel/sdk';
import type { ContentQueue } from './content/queue.js';
import { contentOf, type ContentService } from './content-service.js';
import type { ShowOrder, Shown } from './content/orders.js';
import { isTold, placeOf, type CardState } from './content/stored.js';
import type { DrawingFacts, DrawingQuery, FileQuery, ShapeView, VersionItem, VersionView } from './schemas.js';
import { cardsOf } from './repository.js';
import type { Settings } from './settings.js';
import { languageOf } from './words/index.js';
import {
  countShownShapes,
  findContent,
  findHeldOf,
  findShapes,
  findVersion,
  findVersionCards,
  listVersions,
  type VersionCards,
  type VersionRow,
} from './versions-repository.js';
import type { ListParams } from '@lintel/sdk';

/** A file in a response, with its name for saving. */
export type NamedFile = BytesResult & { name: string };

interface Opened {
  row: VersionCards;
  states: Map<string, CardState>;
  /** What the ETag depends on besides the version. */
  derived: unknown;
}

/** The bytes of an answer, which are not copied: there are up to 64 MB of them. */
const bufferOf = ({ bytes }: Shown): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const MEDIA = { svg: 'image/svg+xml; charset=utf-8', png: 'image/png' } as const;
/** The media type that draw.io registers files with. */
export const DRAWIO_TYPE = 'application/vnd.jgraph.mxfile';
const WIDEST = 1_000;

/** The content of diagrams as the caller sees it: as a file, drawn, and as a list of shapes. */
export class DiagramFiles {
  constructor(
    private readonly host: ModuleServices<Settings>,
    private readonly contents: ContentService,
    private readonly queue: ContentQueue,
  ) {}

  /** The draw.io file. @param number of the version; default: the current one @throws not_found */
  async drawio(
    ctx: RequestContext,
    id: string,
    { compressed = false }: FileQuery,
    number?: number,
  ): Promise<NamedFile> {
    const opened = await this.open(ctx, id, number);
    return {
      name: `${opened.row.name}.drawio`,
      version: versionOf(opened.row, number),
      derived: [opened.derived, compressed],
      type: DRAWIO_TYPE,
      bytes: async () => bufferOf(await this.show(ctx, id, opened, { as: 'drawio', compressed })),
    };
  }

  /** A page as a drawing. @throws not_found, validation_failed for a page that does not exist */
  async drawing(
    ctx: RequestContext,
    id: string,
    as: 'svg' | 'png',
    query: DrawingQuery,
    number?: number,
  ): Promise<NamedFile> {
    const opened = await this.open(ctx, id, number);
    const output = this.outputOf(opened.row, as, query);
    return {
      name: `${opened.row.name}.${as}`,
      version: versionOf(opened.row, number),
      derived: [opened.derived, as, output.page, output.width, output.theme, output.language],
      type: MEDIA[as],
      bytes: async () => bufferOf(await this.show(ctx, id, opened, output)),
    };
  }

  /** What a drawing of a page looks like, and what is not drawable. @throws as `drawing` */
  async facts(ctx: RequestContext, id: string, query: DrawingQuery): Promise<DrawingFacts> {
    const opened = await this.open(ctx, id);
    const output = this.outputOf(opened.row, 'facts', query);
    const { width, height, notDrawable } = await this.show(ctx, id, opened, output);
    return {
      page: output.page + 1,
      name: opened.row.pages[output.page]!.name,
      width,
      height,
      not_drawable: notDrawable.slice(0, WIDEST),
    };
  }

  /** The shapes of cards that the caller sees. @throws not_found */
  async shapes(ctx: RequestContext, id: string, params: ListParams): Promise<PageResult<ShapeView>> {
    const row = await findShapes(this.host.db, id);
    if (!row) throw this.host.problem('not_found');
    const states = await this.contents.states(ctx, row);
    const cards = await this.host.cards.find(ctx, [...states.keys()]);
    const hidden = row.cards.filter((card) => states.get(card)?.kind === 'hidden');
    const held = await findHeldOf(this.host.db, id, row.number, hidden);
    const masked = new Set(held.map(({ page, at }) => placeOf(page, at)));
    const all = row.shapes.flatMap((shape) => {
      const [card, state] = [cards.get(shape.card), states.get(shape.card)];
      if (!card || state?.kind !== 'visible' || masked.has(placeOf(shape.page, shape.at))) return [];
      const { id: cardId, type, name, status } = card;
      return [
        {
          // Ids of cells are unique within a page at most.
          place: `${String(shape.page).padStart(4, '0')} ${String(shape.at).padStart(6, '0')}`,
          cell_id: shape.cell,
          page: shape.page,
          card: { id: cardId, type, name, status },
          is_renamed: shape.name !== null && shape.name !== state.name,
          is_recoloured: shape.color !== null && state.color !== null && shape.color !== state.color,
        },
      ];
    });
    const page = this.host.http.pageOf(all, 'place', 'page', params, `shapes of ${id}`);
    return { ...page, items: page.items.map(({ place: _place, ...shape }) => shape) };
  }

  /** The versions of a diagram, the latest first. @throws not_found */
  async versions(id: string, params: ListParams): Promise<PageResult<VersionItem>> {
    if (!(await cardsOf(this.host.db, id))) throw this.host.problem('not_found');
    const page = await listVersions(this.host.db, id, params);
    return { ...page, items: page.items.map(itemOf) };
  }

  /**
   * A version, and what was removed from its file, except from cells that are masked for the caller.
   * @throws not_found
   */
  async version(ctx: RequestContext, id: string, number: number): Promise<VersionView> {
    const row = await findVersion(this.host.db, id, number);
    if (!row) throw this.host.problem('not_found');
    const shapes = await countShownShapes(this.host, ctx, id, number);
    const hidden = await this.host.cards.hidden(ctx, row.cards);
    const removed = row.removed.filter(({ cards: owners }) => isTold(owners, hidden));
    return {
      ...itemOf(row),
      pages: row.pages.map((page, i) => ({ ...page, shapes: shapes.get(i) ?? 0 })),
      removed: removed.map(({ page, cell, what }) => ({ page, cell_id: cell, what })),
    };
  }

  /** @throws not_found */
  private async open(ctx: RequestContext, id: string, number?: number): Promise<Opened> {
    const row = await findVersionCards(this.host.db, id, number);
    if (!row) throw this.host.problem('not_found');
    const states = await this.contents.states(ctx, row);
    return { row, states, derived: [...states] };
  }

  /** A version never changes, so that its content belongs to the shapes that were read before. */
  private async show(
    ctx: RequestContext,
    id: string,
    { row, states }: Opened,
    output: ShowOrder['output'],
  ): Promise<Shown> {
    const stored = await findContent(this.host.db, id, row.number);
    if (!stored) throw this.host.problem('not_found');
    const { publicUrl } = this.host.workspace();
    return await this.queue.run(ctx, { kind: 'show', stored: contentOf(stored), states, publicUrl, output });
  }

  private outputOf<As extends 'svg' | 'png' | 'facts'>(
    { name, pages }: VersionCards,
    as: As,
    { page = 1, width, theme = 'light', lang }: DrawingQuery,
  ) {
    if (page > pages.length) {
      const reason = `the diagram has ${pages.length} ${pages.length === 1 ? 'page' : 'pages'}`;
      const error: FieldError = { field: 'page', reason, in: 'query' };
      throw this.host.problem('validation_failed', { errors: [error] });
    }
    const own = pages[page - 1]!.name;
    const title = own === '' || pages.length === 1 ? name : `${name}: ${own}`;
    const language = languageOf(lang ?? this.host.workspace().locales[0] ?? 'en');
    return { as, page: page - 1, width, theme, title, language };
  }
}

/** A version of the content never changes; the diagram does. */
const versionOf = (row: VersionCards, number: number | undefined): number => number ?? row.version;

const itemOf = (row: VersionRow): VersionItem => ({
  number: row.number,
  bytes: row.bytes,
  cell_count: row.cell_count,
  page_count: row.page_count,
  sha256: row.sha256,
  removed_count: row.removed_count,
  restored_from: row.restored_from,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
});
