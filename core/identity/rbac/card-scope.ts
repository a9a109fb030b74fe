/** A card with its position: ids from the root down to its parent. */
export interface Placed {
  id: string;
  path_ids: readonly string[];
}

/**
 * The cards on which a user's stakeholder roles grant one permission: the cards where the roles are held and, for
 * inherited roles, all cards below them. Those below are not listed, because they may be a large part of the inventory.
 */
export class CardScope {
  /**
   * @param held ids of the cards where a role grants it
   * @param roots those of them where it is also granted on the cards below
   */
  constructor(
    readonly held: ReadonlySet<string>,
    readonly roots: ReadonlySet<string>,
  ) {}

  /** @param card with its stored path: a move that is not stored yet grants nothing */
  covers({ id, path_ids }: Placed): boolean {
    return this.held.has(id) || (this.roots.size > 0 && path_ids.some((above) => this.roots.has(above)));
  }
}

export const NO_CARDS = new CardScope(new Set(), new Set());
