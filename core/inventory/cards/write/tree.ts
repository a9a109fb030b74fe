import type { CardType } from '../../metamodel/index.js';
import type { CardState } from '../types.js';

/** Maximum number of levels: paths are stored with each card, so that their size grows with the square of the depth. */
export const MAX_LEVEL = 100;

/** The deepest level allowed for cards of the type. */
export const levelLimit = (type: CardType | undefined): number =>
  Math.min(type?.definition.max_level ?? MAX_LEVEL, MAX_LEVEL);

/**
 * The hierarchy during a batch: loaded cards, with their planned parents. A loaded path may
 * contain a card that the same batch moves; such paths are computed again.
 */
export class Tree {
  private readonly moved = new Set<string>();

  /** @param cards by id */
  constructor(private readonly cards: { get(id: string): Pick<CardState, 'parent_id' | 'path_ids'> | undefined }) {}

  move(id: string): void {
    this.moved.add(id);
  }

  get anyMoved(): boolean {
    return this.moved.size > 0;
  }

  /**
   * The ids above a card, root first.
   * @returns undefined if the card would be its own ancestor
   */
  path(card: Pick<CardState, 'id' | 'parent_id' | 'path_ids'>): string[] | undefined {
    const above: string[] = [];
    let at: string | null = card.parent_id;
    let known: string[] | undefined;
    while (at !== null && !known) {
      if (at === card.id || above.includes(at)) return undefined;
      above.unshift(at);
      const parent = this.cards.get(at);
      if (!parent || above.length > 1_000) return undefined;
      if (this.moved.has(at) || parent.path_ids.length === 0) {
        at = parent.parent_id;
        continue;
      }
      const lastMoved = parent.path_ids.findLastIndex((id) => this.moved.has(id));
      if (lastMoved < 0) known = parent.path_ids;
      else {
        above.unshift(...parent.path_ids.slice(lastMoved + 1));
        at = parent.path_ids[lastMoved]!;
      }
    }
    const path = [...(known ?? []), ...above];
    return path.includes(card.id) ? undefined : path;
  }

  /** The moved cards without a moved ancestor: the paths below them must be rewritten. */
  roots(states: Iterable<CardState>): string[] {
    return [...states]
      .filter((c) => this.moved.has(c.id) && !c.path_ids.some((id) => this.moved.has(id)))
      .map((c) => c.id);
  }
}
