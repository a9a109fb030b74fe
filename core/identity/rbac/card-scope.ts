/** A card with its place: ids from the root down to its parent. */
export interface Placed {
  id: string;
  path_ids: readonly string[];
}

/**
 * The cards a user's stakeholder roles grant one permission on: those where they are held, and all that is below
 * those where the role is inherited. What is below is never listed, for that may be half the inventory.
 */
export class CardScope {
  /**
   * @param held ids of the cards where a role grants it
   * @param roots those of them below which it is granted too
   */
  constructor(
    readonly held: ReadonlySet<string>,
    readonly roots: ReadonlySet<string>,
  ) {}

  /** @param card by its path as it is stored: a move that is not made yet gives no rights */
  covers({ id, path_ids }: Placed): boolean {
    return this.held.has(id) || (this.roots.size > 0 && path_ids.some((above) => this.roots.has(above)));
  }
}

export const NO_CARDS = new CardScope(new Set(), new Set());
