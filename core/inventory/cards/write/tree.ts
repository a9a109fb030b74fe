import type { CardType } from '../../metamodel/index.js';
import type { CardState } from '../types.js';

/** Levels of any tree: paths are stored with each card, so that their size grows with the square of the depth. */
export const MAX_LEVEL = 100;

/** The deepest level a card of the type may stand on. */
export const levelLimit = (type: CardType | undefined): number =>
  Math.min(type?.definition.max_level ?? MAX_LEVEL, MAX_LEVEL);

/**
 * The forest as a batch sees it: cards as loaded, with the parents the batch gives them. A path that was loaded may
 * run through a card the same batch moves, so paths are worked out anew where that is so.
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
   * @returns undefined where the card would be its own ancestor
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

  /** Of the moved cards those with no moved card above them: below these, paths must be rewritten. */
  roots(states: Iterable<CardState>): string[] {
    return [...states]
      .filter((c) => this.moved.has(c.id) && !c.path_ids.some((id) => this.moved.has(id)))
      .map((c) => c.id);
  }
}
