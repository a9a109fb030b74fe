import { TimeSlice, type CardRef, type FieldError, type ModuleServices, type RequestContext } from '@lintel/sdk';
import type { ContentQueue } from './content/queue.js';
import type { ContentFault, LinkOrder, SaveOrder, SentContent, SentRead } from './content/orders.js';
import type { CardShape, CardState } from './content/stored.js';
import { refusal } from './errors.js';
import type { Settings } from './settings.js';
import type { NewVersion, VersionCards, VersionContent } from './versions-repository.js';

type Host = ModuleServices<Settings>;

/** Cards in the shapes of one diagram. */
const MOST_CARDS = 5_000;
/** Cards in the shapes of all files of a request: their rows are read by one statement. */
const MOST_CARDS_OF_FILES = 10_000;

/** A file that is ready to be stored, as a version. */
export interface PreparedContent {
  version: NewVersion;
  /** Cards of its shapes, each once; also those hidden from the caller that were kept. */
  cards: string[];
  /** Those that the caller sees. */
  found: string[];
  /** Whether something of the version before was kept, so that it has to be the current one still. */
  isBound: boolean;
  errors: Omit<FieldError, 'in'>[];
}

/** A file that was read. */
interface ReadOne {
  read: SentRead;
  /** JSON pointer of the file in the body. */
  field: string;
}

/** @throws diagrams_file_refused */
function readable<T extends { ok: true }>(read: T | ContentFault, field: string): T {
  if (read.ok) return read;
  throw refusal('diagrams_file_refused', {
    detail: `${read.message}${read.line === null ? '' : ` (line ${read.line})`}`,
    reason: read.reason,
    line: read.line,
    field,
  });
}

/** Text as it is compared with the name of a card: labels have no line breaks. */
const normal = (text: string): string => text.replace(/\s+/gu, ' ').trim();

/** What the worker needs of a version. */
export const contentOf = ({ content, shapes, held, key }: VersionContent): SentContent => ({
  content,
  shapes,
  held,
  key,
});

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
    const order: SaveOrder<SentContent> = {
      kind: 'save',
      bytes,
      maxBytes: this.host.settings().max_bytes,
      publicUrl: this.host.workspace().publicUrl,
      before: before && { stored: contentOf(before.version), hidden: [...before.hidden], gone: before.version.gone },
    };
    return (await this.complete(ctx, [{ read: readable(await this.queue.run(ctx, order), field), field }]))[0]!;
  }

  /**
   * Reads and checks the files of new diagrams. The number of statements does not depend on the number of files.
   * @param files `field` as for `prepare`
   * @returns in the order of the files
   * @throws as `prepare`, for the first file that is refused
   */
  async prepareNew(
    ctx: RequestContext,
    files: readonly { bytes: Uint8Array; field: string }[],
  ): Promise<PreparedContent[]> {
    const { publicUrl } = this.host.workspace();
    const maxBytes = this.host.settings().max_bytes;
    const found: ReadOne[] = [];
    for (const { bytes, field } of files)
      found.push({
        field,
        read: readable(await this.queue.run(ctx, { kind: 'save', bytes, maxBytes, publicUrl }), field),
      });
    return await this.complete(ctx, found);
  }

  /**
   * The same for a stored file into whose shapes references to cards are written.
   * @param hidden cards of the version that are hidden from the caller
   * @throws validation_failed
   */
  async prepareLinked(
    ctx: RequestContext,
    version: VersionContent,
    hidden: ReadonlySet<string>,
    matches: LinkOrder['matches'],
  ): Promise<PreparedContent> {
    const { publicUrl } = this.host.workspace();
    const maxBytes = this.host.settings().max_bytes;
    const read = await this.queue.run(ctx, {
      kind: 'link',
      stored: contentOf(version),
      maxBytes,
      publicUrl,
      hidden: [...hidden],
      matches,
    });
    if (!read.ok && read.missing)
      throw this.host.invalid(
        ...read.missing.map((i) => ({
          field: `/matches/${i}`,
          reason: 'names no shape, or one that is of a card already',
        })),
      );
    return (await this.complete(ctx, [{ read: readable(read, '/matches'), field: '/matches' }]))[0]!;
  }

  /**
   * What is recorded for a copy of a version, as JSON: what the caller does not see of it stays hidden from others, too.
   * @throws diagrams_file_refused, unavailable
   */
  async heldIn(ctx: RequestContext, version: VersionContent): Promise<string> {
    const hidden = await this.host.cards.hidden(ctx, version.cards);
    if (hidden.size === 0) return version.held;
    return readable(await this.queue.run(ctx, { kind: 'hold', stored: contentOf(version), hidden: [...hidden] }), '')
      .held;
  }

  /** Looks up the cards of files. */
  private async complete(ctx: RequestContext, files: readonly ReadOne[]): Promise<PreparedContent[]> {
    const all = new Set<string>();
    for (const { read, field } of files) {
      const ids = new Set(read.shapes.map(({ card }) => card));
      if (ids.size > MOST_CARDS)
        throw this.host.invalid({ field, reason: `has shapes of more than ${MOST_CARDS} cards` });
      for (const id of ids) all.add(id);
      if (all.size > MOST_CARDS_OF_FILES)
        throw this.host.invalid({
          field,
          reason: `and the files before have shapes of more than ${MOST_CARDS_OF_FILES} cards`,
        });
    }
    const cards = all.size > 0 ? await this.host.cards.find(ctx, [...all]) : new Map<string, CardRef>();
    const colors = cards.size > 0 ? await this.colors(ctx) : new Map<string, string>();
    const prepared: PreparedContent[] = [];
    for (const file of files) prepared.push(await this.completeOne(file, cards, colors));
    return prepared;
  }

  /** @param found cards that the caller sees, also those of other files @param colors by card type */
  private async completeOne(
    { read, field }: ReadOne,
    found: ReadonlyMap<string, CardRef>,
    colors: ReadonlyMap<string, string>,
  ): Promise<PreparedContent> {
    const slice = new TimeSlice();
    const own: CardShape[] = [];
    for (const { text, fill, page, at, cell, card: id } of read.shapes) {
      if (slice.isOver) await slice.next();
      const card = found.get(id);
      if (!card) continue;
      const color = colors.get(card.type) ?? null;
      const name = text === normal(card.name) ? card.name : null;
      own.push({ page, at, cell, card: id, name, color: color !== null && fill === color ? color : null });
    }
    const shapes = [...own, ...read.kept].sort((a, b) => a.page - b.page || a.at - b.at);
    const unknown = read.shapes.filter(({ card }) => !found.has(card));
    // A shape whose card is not accepted belongs to what it is in, as the cells within it do.
    const notAccepted = new Set(unknown.map(({ card }) => card));
    const isExact = (cards: readonly string[]): boolean => !cards.some((card) => notAccepted.has(card));
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
        held: read.held,
        links: read.links,
        isExact: unknown.length === 0,
        removed: [
          ...read.removed.map((one) => ({ ...one, cards: one.cards && isExact(one.cards) ? one.cards : null })),
          ...unknown.map(({ page, cell }) => ({
            page: read.pages[page]!.name,
            cell,
            what: 'card: it does not exist',
            cards: null,
          })),
        ].slice(0, 200),
      },
      cards: [...new Set(shapes.map(({ card }) => card))],
      found: [...new Set(own.map(({ card }) => card))],
      isBound: read.isBound,
      errors,
    };
  }

  /** What the caller sees of the cards of a version now, by id. The number of statements does not depend on their number. */
  async states(ctx: RequestContext, { cards: ids, is_coloured }: VersionCards): Promise<Map<string, CardState>> {
    if (ids.length === 0) return new Map();
    const found = await this.host.cards.find(ctx, ids);
    const missing = ids.filter((id) => !found.has(id));
    const hidden = await this.host.cards.hidden(ctx, missing);
    const colors = is_coloured && found.size > 0 ? await this.colors(ctx) : new Map<string, string>();
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
