import type { CardType } from '../../metamodel/index.js';
import type { CardState } from '../types.js';

/** Maximum number of levels: paths are stored with each card, so that their size grows with the square of the depth. */
export const MAX_LEVEL = 100;
/** Longest path that is computed; the levels of each are compared with the maximum afterwards. */
const LONGEST_PATH = 2 * MAX_LEVEL;

/** The deepest level allowed for cards of the type. */
export const levelLimit = (type: CardType | undefined): number =>
  Math.min(type?.definition.max_level ?? MAX_LEVEL, MAX_LEVEL);

/**
 * The hierarchy during a batch: loaded cards, with their planned parents. A loaded path may
 * contain a card that the same batch moves; such paths are computed again.
 */
export class Tree {
  private readonly moved = new Set<string>();
  /** The loaded cards below each, by its id: searching all cards for each operation would take time that grows with the square. */
  private readonly children = new Map<string, Set<string>>();

  /** @param cards by id */
  constructor(private readonly cards: { get(id: string): Pick<CardState, 'parent_id' | 'path_ids'> | undefined }) {}

  move(id: string): void {
    this.moved.add(id);
  }

  /** Replaces the parent of a card; null for none. */
  place(id: string, from: string | null, to: string | null): void {
    if (from !== null) this.children.get(from)?.delete(id);
    if (to === null) return;
    const others = this.children.get(to);
    if (others) others.add(id);
    else this.children.set(to, new Set([id]));
  }

  /** Ids of the loaded cards directly below one. */
  below(id: string): Iterable<string> {
    return this.children.get(id) ?? [];
  }

  /** Ids of all loaded cards below one, parents first. */
  allBelow(id: string): Set<string> {
    const found = new Set(this.below(id));
    // A set also iterates over what is added meanwhile.
    for (const child of found) for (const next of this.below(child)) found.add(next);
    return found;
  }

  get anyMoved(): boolean {
    return this.moved.size > 0;
  }

  /**
   * The ids above a card, root first.
   * @returns undefined if the card would be its own ancestor
   */
  path(card: Pick<CardState, 'id' | 'parent_id' | 'path_ids'>): string[] | undefined {
    /** From the parent up. */
    const above: string[] = [];
    const seen = new Set([card.id]);
    let at: string | null = card.parent_id;
    let known: readonly string[] | undefined;
    while (at !== null && !known) {
      if (seen.has(at)) return undefined;
      seen.add(at);
      above.push(at);
      const parent = this.cards.get(at);
      if (!parent || above.length > LONGEST_PATH) return undefined;
      if (this.moved.has(at) || parent.path_ids.length === 0) {
        at = parent.parent_id;
        continue;
      }
      const lastMoved = parent.path_ids.findLastIndex((id) => this.moved.has(id));
      if (lastMoved < 0) known = parent.path_ids;
      else {
        above.push(...parent.path_ids.slice(lastMoved + 1).reverse());
        at = parent.path_ids[lastMoved]!;
      }
    }
    const path = [...(known ?? []), ...above.reverse()];
    return path.includes(card.id) ? undefined : path;
  }

  /** The moved cards without a moved ancestor: the paths below them must be rewritten. */
  roots(states: Iterable<CardState>): string[] {
    return [...states]
      .filter((c) => this.moved.has(c.id) && !c.path_ids.some((id) => this.moved.has(id)))
      .map((c) => c.id);
  }
}
