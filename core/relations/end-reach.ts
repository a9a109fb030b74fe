import type { Database } from '../db/database.js';
import { NOWHERE, type Placed, type Reach } from '../rbac/index.js';
import { cardsBelow } from './reach-repository.js';

/** A card at an end; one that is not stored yet brings its path. */
export type KnownEnd = Pick<Placed, 'id'> & Partial<Placed>;

/**
 * Whether a permission reaches either end of a relation: by the role of the caller, or by a stakeholder role on a card
 * there or above it. Which cards lie below is looked up for those at hand, for below one there may be any number.
 */
export class EndReach {
  private readonly below = new Set<string>();

  /** @param reach null: every card */
  constructor(private readonly reach: Reach | null) {}

  /** Looks at cards before they are asked about. @param on where they are as they are to be judged */
  async learn(on: Pick<Database, 'query'>, cards: readonly KnownEnd[]): Promise<void> {
    const { roots } = this.reach ?? NOWHERE;
    if (roots.size === 0) return;
    const unknown = new Set<string>();
    for (const { id, path_ids } of cards) {
      this.below.delete(id);
      if (path_ids === undefined) unknown.add(id);
      else if (this.reach!.covers({ id, path_ids })) this.below.add(id);
    }
    for (const id of await cardsBelow(on, [...roots], [...unknown])) this.below.add(id);
  }

  /** The same for all cards there are, where it is not known which ones will be asked about. */
  async learnAll(on: Pick<Database, 'query'>): Promise<void> {
    const { roots } = this.reach ?? NOWHERE;
    if (roots.size > 0) for (const id of await cardsBelow(on, [...roots], null)) this.below.add(id);
  }

  readonly between = (sourceId: string, targetId: string): boolean => this.reach === null || this.has(sourceId) || this.has(targetId);

  private has(id: string): boolean {
    return this.reach!.held.has(id) || this.below.has(id);
  }
}
