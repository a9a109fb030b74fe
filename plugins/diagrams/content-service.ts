import type { CardRef, FieldError, ModuleServices, RequestContext } from '@lintel/sdk';
import type { ContentQueue } from './content/queue.js';
import type { ContentFault, LinkOrder, ReadContent, SaveOrder } from './content/orders.js';
import { placeOf, type CardShape, type CardState } from './content/stored.js';
import { refusal } from './errors.js';
import type { Settings } from './settings.js';
import type { NewVersion, VersionContent } from './versions-repository.js';

type Host = ModuleServices<Settings>;

/** Cards in the shapes of one diagram. */
const MOST_CARDS = 5_000;

/** A file that is ready to be stored, as a version. */
export interface PreparedContent {
  version: NewVersion;
  /** Cards of its shapes, each once; also those hidden from the caller that were kept. */
  cards: string[];
  /** Those that the caller sees. */
  found: string[];
  errors: Omit<FieldError, 'in'>[];
}

/** Text as it is compared with the name of a card: labels have no line breaks. */
const normal = (text: string): string => text.replace(/\s+/gu, ' ').trim();

/** Reads files that users send, and determines what a reader sees of stored ones. */
export class ContentService {
  constructor(
    private readonly host: Host,
    private readonly queue: ContentQueue,
  ) {}

  /**
   * Reads and checks a file that a user saves.
   * @param field JSON pointer of the file in the body
   * @param before the version that it replaces, and the cards in it that are hidden from the caller
   * @throws diagrams_file_refused, unavailable
   */
  async prepare(
    ctx: RequestContext,
    bytes: Uint8Array,
    field: string,
    before?: { version: VersionContent; hidden: ReadonlySet<string> },
  ): Promise<PreparedContent> {
    const order: SaveOrder = {
      kind: 'save',
      bytes,
      maxBytes: this.host.settings().max_bytes,
      publicUrl: this.host.workspace().publicUrl,
      before:
        before && before.hidden.size > 0
          ? { content: before.version.content, shapes: before.version.shapes, hidden: [...before.hidden] }
          : undefined,
    };
    return await this.complete(ctx, await this.queue.run(order), field);
  }

  /** The same for a stored file into whose shapes references to cards are written. @throws validation_failed */
  async prepareLinked(
    ctx: RequestContext,
    version: VersionContent,
    matches: LinkOrder['matches'],
  ): Promise<PreparedContent> {
    const { publicUrl } = this.host.workspace();
    const { content, shapes } = version;
    const maxBytes = this.host.settings().max_bytes;
    const read = await this.queue.run({ kind: 'link', stored: { content, shapes }, maxBytes, publicUrl, matches });
    if (!read.ok && read.missing)
      throw this.host.invalid(
        ...read.missing.map((i) => ({
          field: `/matches/${i}`,
          reason: 'names no shape, or one that is of a card already',
        })),
      );
    return await this.complete(ctx, read, '/matches');
  }

  /** Looks up the cards of a file. */
  private async complete(
    ctx: RequestContext,
    read: ReadContent | ContentFault,
    field: string,
  ): Promise<PreparedContent> {
    if (!read.ok)
      throw refusal('diagrams_file_refused', {
        detail: `${read.message}${read.line === null ? '' : ` (line ${read.line})`}`,
        reason: read.reason,
        line: read.line,
        field,
      });
    const ids = [...new Set(read.shapes.map(({ card }) => card))];
    if (ids.length > MOST_CARDS)
      throw this.host.invalid({ field, reason: `has shapes of more than ${MOST_CARDS} cards` });
    const found = ids.length > 0 ? await this.host.cards.find(ctx, ids) : new Map<string, CardRef>();
    const colors = found.size > 0 ? await this.colors(ctx) : new Map<string, string>();
    const own = read.shapes.flatMap(({ text, fill, ...shape }): CardShape[] => {
      const card = found.get(shape.card);
      if (!card) return [];
      const color = colors.get(card.type) ?? null;
      return [
        {
          ...shape,
          name: text === normal(card.name) ? card.name : null,
          color: color !== null && fill === color ? color : null,
        },
      ];
    });
    const shapes = [...own, ...read.kept].sort((a, b) => a.page - b.page || a.at - b.at);
    const there = new Set(shapes.map(({ page, cell }) => placeOf(page, cell)));
    const unknown = read.shapes.filter(({ card }) => !found.has(card));
    const errors =
      this.host.settings().unknown_cards === 'refuse'
        ? unknown.slice(0, 100).map(({ page, cell }) => ({
            field,
            reason: `the shape ${JSON.stringify(cell.slice(0, 100))} on page ${page + 1} names no card`,
          }))
        : [];
    return {
      version: {
        content: read.content,
        sha256: read.sha256,
        bytes: read.bytes,
        cells: read.cells,
        pages: read.pages.map((page, i) => ({ ...page, shapes: shapes.filter((shape) => shape.page === i).length })),
        shapes,
        links: read.links.filter(
          ({ page, source, target }) => there.has(placeOf(page, source)) && there.has(placeOf(page, target)),
        ),
        removed: [
          ...read.removed,
          ...unknown.map(({ page, cell }) => ({
            page: read.pages[page]!.name,
            cell,
            what: 'card: it does not exist',
          })),
        ].slice(0, 200),
      },
      cards: [...new Set(shapes.map(({ card }) => card))],
      found: [...found.keys()],
      errors,
    };
  }

  /** What the caller sees of the cards of shapes now, by id. The number of statements does not depend on their number. */
  async states(ctx: RequestContext, shapes: readonly CardShape[]): Promise<Map<string, CardState>> {
    const ids = [...new Set(shapes.map(({ card }) => card))];
    if (ids.length === 0) return new Map();
    const found = await this.host.cards.find(ctx, ids);
    const missing = ids.filter((id) => !found.has(id));
    const hidden = await this.host.cards.hidden(ctx, missing);
    const isColored = shapes.some(({ color }) => color !== null);
    const colors = isColored && found.size > 0 ? await this.colors(ctx) : new Map<string, string>();
    return new Map(
      ids.map((id): [string, CardState] => {
        const card = found.get(id);
        if (!card) return [id, { kind: hidden.has(id) ? 'hidden' : 'deleted' }];
        const { name, type, status } = card;
        return [id, { kind: 'visible', name, color: colors.get(type) ?? null, isArchived: status === 'ARCHIVED' }];
      }),
    );
  }

  /** The colours of card types, in lower case. */
  private async colors(ctx: RequestContext): Promise<Map<string, string>> {
    const types = await this.host.inventory.read(ctx, {}, async ({ types }) => types);
    return new Map(
      [...types.values()].flatMap(({ key, color }) => (color ? [[key, color.toLowerCase()] as const] : [])),
    );
  }
}
