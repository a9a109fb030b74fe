import type { Extent } from '../access/index.js';
import type { Database } from '../../foundation/db/database.js';
import type { Placed } from '../../identity/rbac/index.js';
import { cardsBelow } from './repository.js';

/** A card at an end; one that is not stored yet includes its path. */
export type KnownEnd = Pick<Placed, 'id'> & Partial<Placed>;

/** The data of a card at an end that determines whether a permission applies to the relation. */
export interface EndCard {
  id: string;
  type: string;
}

/**
 * Whether a permission applies to a relation: the caller's role has it for the types of both ends, or a stakeholder role
 * grants it on a card at either end or above it. Descendants are looked up only for the current cards, because a card
 * may have any number of them.
 */
export class EndScope {
  private readonly below = new Set<string>();

  constructor(private readonly extent: Extent) {}

  /** Loads the data of cards before they are checked. @param on the unit of work with the state to be checked */
  async load(on: Pick<Database, 'query'>, cards: readonly KnownEnd[]): Promise<void> {
    const { scope } = this.extent;
    if (scope.roots.size === 0) return;
    const unknown = new Set<string>();
    for (const { id, path_ids } of cards) {
      this.below.delete(id);
      if (path_ids === undefined) unknown.add(id);
      else if (scope.covers({ id, path_ids })) this.below.add(id);
    }
    for (const id of await cardsBelow(on, [...scope.roots], [...unknown])) this.below.add(id);
  }

  /** The same for all cards, if the cards to be checked are not known. */
  async loadAll(on: Pick<Database, 'query'>): Promise<void> {
    const { roots } = this.extent.scope;
    if (roots.size > 0) for (const id of await cardsBelow(on, [...roots], null)) this.below.add(id);
  }

  readonly between = (source: EndCard, target: EndCard): boolean =>
    (this.extent.byRole(source.type) && this.extent.byRole(target.type)) || this.has(source.id) || this.has(target.id);

  private has(id: string): boolean {
    return this.extent.scope.held.has(id) || this.below.has(id);
  }
}
