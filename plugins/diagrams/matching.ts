import { TimeSlice, type ModuleServices, type NamedCard, type RequestContext } from '@lintel/sdk';
import { mayWrite } from './authority.js';
import type { ContentQueue } from './content/queue.js';
import type { LabelledShape } from './content/orders.js';
import { contentOf, type ContentService } from './content-service.js';
import { cardView } from './diff-service.js';
import type { MatchBody, Matches } from './landscape-schemas.js';
import type { DiagramSaving } from './saving.js';
import { cardsOf } from './repository.js';
import type { Settings } from './settings.js';
import { findContent } from './versions-repository.js';

/** Shapes that are considered, and different labels that are looked up. */
const MOST_SHAPES = 1_000;
const MOST_LABELS = 200;
const DEFAULT_SCORE = 0.5;

/** Finds the cards that the shapes of a drawing without references may be. */
export class CardMatching {
  constructor(
    private readonly host: ModuleServices<Settings>,
    private readonly queue: ContentQueue,
    private readonly contents: ContentService,
    private readonly saving: DiagramSaving,
  ) {}

  /**
   * Writes the accepted matches, if any, and proposes others.
   * @throws not_found, forbidden, precondition_failed, validation_failed
   */
  async match(
    ctx: RequestContext,
    id: string,
    { types, min_score = DEFAULT_SCORE, matches }: MatchBody,
  ): Promise<Matches> {
    await mayWrite(this.host, ctx, id);
    if (matches) await this.apply(ctx, id, matches);
    const version = await findContent(this.host.db, id);
    if (!version) throw this.host.problem('not_found');
    const hidden = await this.host.cards.hidden(ctx, version.cards);
    const order = { kind: 'labels', stored: contentOf(version), hidden: [...hidden], most: MOST_SHAPES } as const;
    const { labels, isCut } = await this.queue.run(ctx, order);
    const slice = new TimeSlice();
    const keyOf = new Map<string, string>();
    for (const { text } of labels) {
      if (slice.isOver) await slice.next();
      if (!keyOf.has(text)) keyOf.set(text, this.host.nameKey(text));
    }
    const keys = [...new Set(keyOf.values())];
    const looked = keys.slice(0, MOST_LABELS);
    const found = await this.host.cards.findByName(ctx, looked, { types });
    const byKey = new Map(looked.map((key, i) => [key, found[i]!.filter(({ score }) => score >= min_score)]));
    return {
      proposals: labels.flatMap((shape) => this.proposal(shape, byKey.get(keyOf.get(shape.text)!) ?? [])),
      is_truncated: isCut || keys.length > MOST_LABELS,
      applied: matches?.length ?? 0,
      version: version.version,
      content_version: version.number,
    };
  }

  private proposal({ page, cell, text }: LabelledShape, cards: readonly NamedCard[]): Matches['proposals'] {
    if (cards.length === 0) return [];
    const candidates = cards.map((card) => ({ card: cardView(card), score: Math.round(card.score * 100) / 100 }));
    return [{ page, cell_id: cell, text, candidates }];
  }

  private async apply(ctx: RequestContext, id: string, matches: NonNullable<MatchBody['matches']>): Promise<void> {
    if (!(await cardsOf(this.host.db, id))) throw this.host.problem('not_found');
    const cards = matches.map(({ card_id }) => card_id);
    const seen = await this.host.cards.find(ctx, cards);
    const errors = cards.flatMap((card, i) =>
      seen.has(card.toLowerCase()) ? [] : [{ field: `/matches/${i}/card_id`, reason: 'names no card' }],
    );
    if (errors.length > 0) throw this.host.invalid(...errors);
    const wanted = matches.map(({ page, cell_id, card_id }) => ({ page, cell: cell_id, card: card_id.toLowerCase() }));
    await this.saving.changeFile(ctx, id, (before, hidden) => this.contents.prepareLinked(ctx, before, hidden, wanted));
  }
}
