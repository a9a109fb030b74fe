import type { RequestContext } from '@lintel/sdk';
import type { Database } from '../db/database.js';
import { problem } from '../errors.js';
import { isUuid } from '../ids.js';
import type { MetamodelService } from '../metamodel/index.js';
import { NOWHERE, type Placed, type RbacService } from '../rbac/index.js';
import { CARD_COSTS, hiddenTypes, seesCards, seesCosts } from './permissions.js';
import { readPlacedCards, type PlacedCard } from './repository.js';
import { sightOf, type Sight } from './sight.js';

/** Whether the costs of cards are open to one caller. */
export interface CostAccess {
  /** @param card where it is stored; undefined for one that is not stored yet, on which nobody holds a role */
  of(type: string, card: Placed | undefined): boolean;
}

/**
 * What a caller may see: one decision for one card, for many, and as SQL (see `Sight` and what makes SQL of it). What
 * is not visible does not exist: there is no name, id or count of it in any answer, and to name it is to name nothing.
 */
export class AccessGate {
  constructor(private readonly db: Database, private readonly metamodel: MetamodelService, private readonly rbac: RbacService) {}

  /** What the caller may see of all cards, for statements and views. */
  sight(ctx: RequestContext): Sight {
    return sightOf(ctx, this.metamodel.current);
  }

  /** The card types that do not exist for the caller. */
  hiddenTypes(ctx: RequestContext): string[] {
    return hiddenTypes(ctx.permissions, this.metamodel.current.types.keys());
  }

  /** Those of the cards that the caller may see, by id in lower case; ids that are none are absent, as hidden ones are. */
  async seen(ctx: RequestContext, ids: readonly string[], on: Pick<Database, 'query'> = this.db): Promise<Map<string, PlacedCard>> {
    const known = [...new Set(ids.filter(isUuid).map((id) => id.toLowerCase()))];
    if (known.length === 0) return new Map();
    return new Map((await readPlacedCards(on, known)).filter(({ type }) => seesCards(ctx.permissions, type)).map((card) => [card.id, card]));
  }

  /** @throws not_found when there is no such card, or none for the caller */
  async card(ctx: RequestContext, id: string, on: Pick<Database, 'query'> = this.db): Promise<PlacedCard> {
    const card = (await this.seen(ctx, [id], on)).get(id.toLowerCase());
    if (!card) throw problem('not_found');
    return card;
  }

  /**
   * Whose costs the caller may see; asks the database once, and only where the role alone does not decide. Call it
   * before a transaction, which would hold one connection while it waits for another.
   */
  async costs(ctx: RequestContext): Promise<CostAccess> {
    const types = [...this.metamodel.current.types.keys()];
    const isOpen = seesCosts(ctx.permissions) && types.every((type) => seesCosts(ctx.permissions, type));
    const reach = !isOpen && ctx.actor ? await this.rbac.cardsWith(ctx.actor.id, CARD_COSTS) : NOWHERE;
    return { of: (type, card) => seesCosts(ctx.permissions, type) || (card !== undefined && reach.covers(card)) };
  }
}
