import type { PermissionSet, RequestContext } from '@lintel/sdk';
import type { Database } from '../../foundation/db/database.js';
import { problem } from '../../foundation/errors.js';
import { isUuid } from '../../foundation/ids.js';
import type { MetamodelService } from '../metamodel/index.js';
import { NO_CARDS, type Placed, type RbacService, type CardScope } from '../../identity/rbac/index.js';
import {
  CARD_COSTS,
  hiddenTypes,
  holdsAnywhere,
  holdsEverywhere,
  relationlessTypes,
  seesCards,
  seesCosts,
  seesStakeholders,
  stakeholdersHidden,
} from './permissions.js';
import { readPlacedCards, readTypes, type PlacedCard } from './repository.js';
import { visibilityOf, type CardVisibility } from './card-visibility.js';

/** Whether the costs of cards are open to one caller. */
export interface CostAccess {
  /** @param card where it is stored; undefined for one that is not stored yet, on which nobody holds a role */
  of(type: string, card: Placed | undefined): boolean;
}

/** On which cards a caller holds a permission: by his role for types, by stakeholder roles for single cards. */
export interface Extent {
  byRole(type: string): boolean;
  /** Where stakeholder roles grant it; nowhere where the role grants it for every type. */
  scope: CardScope;
}

type On = Pick<Database, 'query'>;

/**
 * What a caller may see: one decision for one card, for many, and as SQL (see `Sight` and what makes SQL of it). What
 * is not visible does not exist: there is no name, id or count of it in any answer, and to name it is to name nothing.
 */
export class AccessGate {
  constructor(
    private readonly db: Database,
    private readonly metamodel: MetamodelService,
    private readonly rbac: RbacService,
  ) {}

  /** What the caller may see of all cards, for statements and views. */
  visibility(ctx: RequestContext): CardVisibility {
    return visibilityOf(ctx, this.metamodel.current);
  }

  /** The card types that do not exist for the caller. */
  hiddenTypes(ctx: Pick<RequestContext, 'permissions'>): string[] {
    return hiddenTypes(ctx.permissions, this.types());
  }

  /** The card types at whose cards the caller sees no relation. */
  relationlessTypes(ctx: RequestContext): string[] {
    return relationlessTypes(ctx.permissions, this.types());
  }

  /** The card types the caller sees and has the permission for. */
  typesWith(ctx: RequestContext, permission: string): string[] {
    return this.types().filter((type) => seesCards(ctx.permissions, type) && ctx.permissions.has(permission, type));
  }

  /** Whether the permission is held for cards of some type: what a route asks, before a card is known. */
  holdsAnywhere({ permissions }: Pick<RequestContext, 'permissions'>, permission: string): boolean {
    return permissions.has(permission) || holdsAnywhere(permissions, permission, this.types());
  }

  /** Whether there are cards for the caller at all. */
  seesAnything({ permissions }: RequestContext): boolean {
    return seesCards(permissions) || this.types().some((type) => seesCards(permissions, type));
  }

  /** Those of the cards that the caller may see, by id in lower case; ids that are none are absent, as hidden ones are. */
  async seen(ctx: RequestContext, ids: readonly string[], on: On = this.db): Promise<Map<string, PlacedCard>> {
    const known = uuidsOf(ids);
    if (known.length === 0) return new Map();
    return new Map(
      (await readPlacedCards(on, known))
        .filter(({ type }) => seesCards(ctx.permissions, type))
        .map((card) => [card.id, card]),
    );
  }

  /** @throws not_found when there is no such card, or none for the caller */
  async card(ctx: RequestContext, id: string, on: On = this.db): Promise<PlacedCard> {
    const card = (await this.seen(ctx, [id], on)).get(id.toLowerCase());
    if (!card) throw problem('not_found');
    return card;
  }

  /**
   * Which of the ids are cards that are hidden from the caller, or were before they were deleted; in lower case. For what
   * is stored with ids in it: values of attributes, old values. Asks the database only where some type is hidden.
   */
  async hiddenAmong(
    ctx: Pick<RequestContext, 'permissions'>,
    ids: Iterable<string>,
    on: On = this.db,
  ): Promise<ReadonlySet<string>> {
    const hidden = this.hiddenTypes(ctx);
    const known = hidden.length === 0 ? [] : uuidsOf([...ids]);
    if (known.length === 0) return new Set();
    return new Set((await readTypes(on, known)).filter(({ type }) => hidden.includes(type)).map(({ id }) => id));
  }

  /**
   * Whether a stakeholder role of the user grants a permission on a card. On a card that is hidden from him it grants
   * nothing, so that an operation on it answers as one on a card there is not.
   */
  async holdsOnCard(
    user: { id: string; permissions: PermissionSet },
    cardId: string,
    cardPermission: string,
    on: On = this.db,
  ): Promise<boolean> {
    if (hiddenTypes(user.permissions, this.types()).length > 0) {
      const [card] = await readPlacedCards(on, [cardId]);
      if (!card || !seesCards(user.permissions, card.type)) return false;
    }
    return await this.rbac.holdsOnCard(user.id, cardId, cardPermission, on);
  }

  /** @throws forbidden where the stakeholders of cards of the type are not shown to the caller */
  requireStakeholders(ctx: RequestContext, type: string): void {
    if (!seesStakeholders(ctx.permissions, type)) throw stakeholdersHidden();
  }

  /**
   * On which cards the caller holds a permission. Asks the database once, and only where the role alone does not decide.
   * Call it before a transaction, which would hold one connection while it waits for another.
   */
  async extent(ctx: RequestContext, permission: string, cardPermission: string): Promise<Extent> {
    const isOpen = holdsEverywhere(ctx.permissions, permission, this.types());
    const scope = !isOpen && ctx.actor ? await this.rbac.cardsWith(ctx.actor.id, cardPermission) : NO_CARDS;
    return { byRole: (type) => ctx.permissions.has(permission, type), scope };
  }

  /** The cards whose costs the caller sees; as `extent`. */
  async costExtent(ctx: RequestContext): Promise<Extent> {
    const isOpen = seesCosts(ctx.permissions) && this.types().every((type) => seesCosts(ctx.permissions, type));
    const scope = !isOpen && ctx.actor ? await this.rbac.cardsWith(ctx.actor.id, CARD_COSTS) : NO_CARDS;
    return { byRole: (type) => seesCosts(ctx.permissions, type), scope };
  }

  /** Whose costs the caller may see, card by card; as `extent`. */
  async costs(ctx: RequestContext): Promise<CostAccess> {
    const { byRole, scope } = await this.costExtent(ctx);
    return { of: (type, card) => byRole(type) || (card !== undefined && scope.covers(card)) };
  }

  /** Whether the costs of one card are open to the caller. @param on a unit of work, to see what it has done so far */
  async seesCosts(ctx: RequestContext, cardId: string, type: string, on?: On): Promise<boolean> {
    return seesCosts(ctx.permissions, type) || (await this.holdsCosts(ctx, cardId, on));
  }

  /** Whether a stakeholder role of the caller opens the costs of one card. */
  async holdsCosts({ actor }: RequestContext, cardId: string, on?: On): Promise<boolean> {
    return actor !== null && (await this.rbac.holdsOnCard(actor.id, cardId, CARD_COSTS, on));
  }

  private types(): string[] {
    return [...this.metamodel.current.types.keys()];
  }
}

const uuidsOf = (ids: readonly string[]): string[] => [...new Set(ids.filter(isUuid).map((id) => id.toLowerCase()))];
