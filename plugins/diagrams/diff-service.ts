import type { CardRef, ModuleServices, RequestContext } from '@lintel/sdk';
import type { StoredPage } from './content/stored.js';
import { readOneSided, type SeenVersion } from './edges-repository.js';
import type { DiagramDiff, DiffQuery } from './landscape-schemas.js';
import type { Settings } from './settings.js';
import { countShownShapes, findVersionCards } from './versions-repository.js';

/** Items of each list. */
const MOST = 1_000;

type DiffRelation = DiagramDiff['relations']['added'][number];

/** A version with its pages, as a caller sees it. */
interface SeenPages extends SeenVersion {
  pages: StoredPage[];
}

export const cardView = ({ id, type, name, status }: CardRef) => ({ id, type, name, status });

/** Compares versions of diagrams in terms of cards and relations. */
export class DiagramDiffs {
  constructor(private readonly host: ModuleServices<Settings>) {}

  /** What changed from one version to another, as far as the caller sees the cards. @throws not_found, validation_failed */
  async between(ctx: RequestContext, id: string, query: DiffQuery): Promise<DiagramDiff> {
    const later = await this.seen(ctx, id, query.version);
    if (!later) throw this.host.problem('not_found');
    const earlier = await this.seen(ctx, id, query.with);
    if (!earlier)
      throw this.host.problem('validation_failed', {
        errors: [{ field: 'with', reason: 'names no version of the diagram', in: 'query' }],
      });
    // One more than are listed shows that there are more.
    const found = await readOneSided(this.host, ctx, [earlier, later], MOST + 1);
    const named = [
      ...found.cards.map((card) => card.id),
      ...found.edges.flatMap(({ source, target }) => [source, target]),
    ];
    const cards = await this.host.cards.find(ctx, [...new Set(named)]);
    const [removed, added] = [this.side(found, 1, cards), this.side(found, 2, cards)];
    const lists = [added.cards, removed.cards, added.relations, removed.relations];
    return {
      from: earlier.number,
      to: later.number,
      cards: { added: added.cards.slice(0, MOST), removed: removed.cards.slice(0, MOST) },
      relations: { added: added.relations.slice(0, MOST), removed: removed.relations.slice(0, MOST) },
      counts: { from: await this.counts(ctx, earlier), to: await this.counts(ctx, later) },
      is_truncated: lists.some(({ length }) => length > MOST),
    };
  }

  /** A version as the caller sees it. @param number default: the current one */
  private async seen(ctx: RequestContext, id: string, number?: number): Promise<SeenPages | undefined> {
    const version = await findVersionCards(this.host.db, id, number);
    if (!version) return undefined;
    const hidden = await this.host.cards.hidden(ctx, version.cards);
    return { id, number: version.number, pages: version.pages, hidden };
  }

  /** What only one of the versions has, of the cards that the caller sees. */
  private side(
    { cards, edges }: Awaited<ReturnType<typeof readOneSided>>,
    side: number,
    seen: ReadonlyMap<string, CardRef>,
  ) {
    return {
      cards: cards
        .flatMap((one) => {
          const card = one.side === side ? seen.get(one.id) : undefined;
          return card ? [cardView(card)] : [];
        })
        .sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1)),
      relations: edges.flatMap((edge): DiffRelation[] => {
        const [source, target] = [seen.get(edge.source), seen.get(edge.target)];
        if (edge.side !== side || !source || !target) return [];
        const { type, relation, label, cells } = edge;
        return [
          { source: cardView(source), target: cardView(target), type, relation_id: relation, label, cell_ids: cells },
        ];
      }),
    };
  }

  private async counts(ctx: RequestContext, { id, number, pages }: SeenPages): Promise<DiagramDiff['counts']['from']> {
    const shapes = await countShownShapes(this.host, ctx, id, number);
    return {
      pages: pages.length,
      cells: pages.reduce((sum, page) => sum + page.cells, 0),
      shapes: [...shapes.values()].reduce((sum, count) => sum + count, 0),
    };
  }
}
