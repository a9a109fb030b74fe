import { TimeSlice, type CardRef, type ModuleServices, type RequestContext } from '@lintel/sdk';
import { isTold, placeOf, type CardLink } from './content/stored.js';
import type { DiagramDiff, DiffQuery } from './landscape-schemas.js';
import type { Settings } from './settings.js';
import { findLinks, type VersionLinks } from './versions-repository.js';

/** Items of each list. */
const MOST = 1_000;

/** An edge between cards, in terms of the landscape. */
interface DrawnRelation {
  source: string;
  target: string;
  type: string | null;
  relation: string | null;
  label: string;
  cells: string[];
}

type DiffRelation = DiagramDiff['relations']['added'][number];

/**
 * The edges of a version that are not masked for a reader.
 * @param hidden the cards of the version that the reader does not see
 */
export const shownLinks = ({ links }: Pick<VersionLinks, 'links'>, hidden: ReadonlySet<string>): CardLink[] =>
  links.filter(({ cards }) => isTold(cards, hidden));

/** The edges of a version between cards, by what they say; several that say the same are one. */
async function relationsOf({
  shapes,
  links,
}: Pick<VersionLinks, 'shapes' | 'links'>): Promise<Map<string, DrawnRelation>> {
  const slice = new TimeSlice();
  const cards = new Map(shapes.map(({ page, cell, card }) => [placeOf(page, cell), card]));
  const found = new Map<string, DrawnRelation>();
  const cardAt = ({ page }: CardLink, cell: string): string | undefined => cards.get(placeOf(page, cell));
  for (const link of links) {
    if (slice.isOver) await slice.next();
    const [source, target] = [cardAt(link, link.source), cardAt(link, link.target)];
    if (source === undefined || target === undefined) continue;
    const { type, relation, label, cell } = link;
    const key = JSON.stringify([source, target, type, relation]);
    const same = found.get(key);
    if (same) same.cells.push(cell);
    else found.set(key, { source, target, type, relation, label, cells: [cell] });
  }
  return found;
}

const cardsOf = ({ shapes }: VersionLinks): Set<string> => new Set(shapes.map(({ card }) => card));

export const cardView = ({ id, type, name, status }: CardRef) => ({ id, type, name, status });

/** Compares versions of diagrams in terms of cards and relations. */
export class DiagramDiffs {
  constructor(private readonly host: ModuleServices<Settings>) {}

  /** What changed from one version to another, as far as the caller sees the cards. @throws not_found, validation_failed */
  async between(ctx: RequestContext, id: string, query: DiffQuery): Promise<DiagramDiff> {
    const later = await findLinks(this.host.db, id, query.version);
    if (!later) throw this.host.problem('not_found');
    const earlier = await findLinks(this.host.db, id, query.with);
    if (!earlier)
      throw this.host.problem('validation_failed', {
        errors: [{ field: 'with', reason: 'names no version of the diagram', in: 'query' }],
      });
    const cards = await this.host.cards.find(ctx, [...new Set([...cardsOf(earlier), ...cardsOf(later)])]);
    const [from, to] = [await this.shown(ctx, earlier), await this.shown(ctx, later)];
    const [before, after] = [await relationsOf(from), await relationsOf(to)];
    const added = { cards: this.only(to, from, cards), relations: this.relations(after, before, cards) };
    const removed = { cards: this.only(from, to, cards), relations: this.relations(before, after, cards) };
    const lists = [added.cards, removed.cards, added.relations, removed.relations];
    return {
      from: from.number,
      to: to.number,
      cards: { added: added.cards.slice(0, MOST), removed: removed.cards.slice(0, MOST) },
      relations: { added: added.relations.slice(0, MOST), removed: removed.relations.slice(0, MOST) },
      counts: { from: this.counts(from, cards), to: this.counts(to, cards) },
      is_truncated: lists.some(({ length }) => length > MOST),
    };
  }

  /** A version without the edges that are masked for the caller. */
  private async shown(ctx: RequestContext, version: VersionLinks): Promise<VersionLinks> {
    const hidden = await this.host.cards.hidden(ctx, version.cards);
    return { ...version, links: shownLinks(version, hidden) };
  }

  /** Visible cards of one version that the other does not have, by name. */
  private only(one: VersionLinks, other: VersionLinks, cards: ReadonlyMap<string, CardRef>) {
    const there = cardsOf(other);
    return [...cardsOf(one)]
      .flatMap((id) => {
        const card = there.has(id) ? undefined : cards.get(id);
        return card ? [cardView(card)] : [];
      })
      .sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1));
  }

  /** Edges between visible cards of one version that the other does not have. */
  private relations(
    one: ReadonlyMap<string, DrawnRelation>,
    other: ReadonlyMap<string, DrawnRelation>,
    cards: ReadonlyMap<string, CardRef>,
  ): DiffRelation[] {
    return [...one].flatMap(([key, { source, target, type, relation, label, cells }]): DiffRelation[] => {
      const [from, to] = [cards.get(source), cards.get(target)];
      if (other.has(key) || !from || !to) return [];
      return [{ source: cardView(from), target: cardView(to), type, relation_id: relation, label, cell_ids: cells }];
    });
  }

  private counts({ pages, shapes }: VersionLinks, cards: ReadonlyMap<string, CardRef>) {
    return {
      pages: pages.length,
      cells: pages.reduce((sum, page) => sum + page.cells, 0),
      shapes: shapes.filter(({ card }) => cards.has(card)).length,
    };
  }
}
