import type { CardRef, NamedCard, NameSearch, PermissionSet, RequestContext, Sight } from '@lintel/sdk';
import type { Database } from '../../foundation/db/database.js';
import { problem } from '../../foundation/errors.js';
import { isUuid } from '../../foundation/ids.js';
import { nameKey, searchFold } from '../../foundation/text.js';
import type { MetamodelService } from '../metamodel/index.js';
import { NO_CARDS, type CardHolder, type Placed, type RbacService, type CardScope } from '../../identity/rbac/index.js';
import {
  CARD_COSTS,
  hiddenTypes,
  holdsAnywhere,
  holdsEverywhere,
  RELATIONS,
  relationlessTypes,
  seesCards,
  seesCosts,
  seesStakeholders,
  stakeholdersHidden,
} from './permissions.js';
import { readByExternalId, readByName, readPlacedCards, readTypes, type PlacedCard } from './repository.js';
import { visibilityOf, type CardVisibility } from './card-visibility.js';

/** Decides for one caller whether the costs of cards are visible. */
export interface CostAccess {
  /** @param card the stored card; undefined for a card that is not stored yet and has no stakeholders */
  of(type: string, card: Placed | undefined): boolean;
}

/** The cards on which a caller has a permission: by role for whole types, by stakeholder roles for single cards. */
export interface Extent {
  byRole(type: string): boolean;
  /** Cards on which stakeholder roles grant it; empty where the role grants it for every type. */
  scope: CardScope;
}

type On = Pick<Database, 'query'>;

/** Filters of cards whose values are ids of cards, besides those of attributes. */
const CARD_FILTERS: readonly string[] = ['parent_id', 'root_id', 'related_to', 'related_root_id', 'ids'];
/** The filter of an attribute, with or without an operator. */
const ATTRIBUTE = /^attributes\.([^[\]]+)/;

/**
 * Decides what a caller may see: for one card, for many, and as SQL conditions. A hidden card is treated as
 * nonexistent: its name and id do not appear in any response, it is not counted, and a reference to it has the same
 * result as one to an unknown id.
 */
export class AccessGate {
  constructor(
    private readonly db: Database,
    private readonly metamodel: MetamodelService,
    private readonly rbac: RbacService,
  ) {}

  /** What the caller may see of all cards, for SQL and views. */
  visibility(ctx: RequestContext): CardVisibility {
    return visibilityOf(ctx, this.metamodel.current);
  }

  /** The card types hidden from the caller. */
  hiddenTypes(ctx: Pick<RequestContext, 'permissions'>): string[] {
    return hiddenTypes(ctx.permissions, this.types());
  }

  /** The card types for which the caller may see no relations. */
  relationlessTypes(ctx: RequestContext): string[] {
    return relationlessTypes(ctx.permissions, this.types());
  }

  /** The card types that are visible to the caller and for which the caller has the permission. */
  typesWith(ctx: RequestContext, permission: string): string[] {
    return this.types().filter((type) => seesCards(ctx.permissions, type) && ctx.permissions.has(permission, type));
  }

  /** Whether the caller has the permission for at least one card type; checked by routes before the card is known. */
  holdsAnywhere({ permissions }: Pick<RequestContext, 'permissions'>, permission: string): boolean {
    return holdsAnywhere(permissions, permission, this.metamodel.current.types.keys());
  }

  /** Whether the caller may see cards of any type. */
  seesAnything({ permissions }: RequestContext): boolean {
    return seesCards(permissions) || this.types().some((type) => seesCards(permissions, type));
  }

  /** Whether permissions suffice to see what is named. */
  sees(permissions: PermissionSet, { types, needs }: Sight): boolean {
    const all = this.types();
    const seesAll = (sees: (type: string) => boolean): boolean =>
      all.every((type) => seesCards(permissions, type) && sees(type));
    return (
      types.every((type) => seesCards(permissions, type)) &&
      (!needs.includes('costs') || seesAll((type) => seesCosts(permissions, type))) &&
      (!needs.includes('relations') || seesAll((type) => permissions.has(RELATIONS, type))) &&
      (!needs.includes('stakeholders') || types.every((type) => seesStakeholders(permissions, type)))
    );
  }

  /** The cards among these ids that the caller may see, by id in lower case; unknown and hidden ones are omitted. */
  async seen(ctx: RequestContext, ids: readonly string[], on: On = this.db): Promise<Map<string, PlacedCard>> {
    const known = uuidsOf(ids);
    if (known.length === 0) return new Map();
    return new Map(
      (await readPlacedCards(on, known))
        .filter(({ type }) => seesCards(ctx.permissions, type))
        .map((card) => [card.id, card]),
    );
  }

  /** The cards of one type with these external ids, by external id; none where the type is hidden from the caller. */
  async byExternalId(ctx: RequestContext, type: string, externalIds: readonly string[]): Promise<Map<string, CardRef>> {
    if (externalIds.length === 0 || !seesCards(ctx.permissions, type)) return new Map();
    const found = await readByExternalId(this.db, type, externalIds);
    return new Map(found.map(({ external_id, ...card }) => [external_id, card]));
  }

  /** See `CardPort.findByName`. */
  async byName(
    ctx: RequestContext,
    names: readonly string[],
    { types, most = 5 }: NameSearch = {},
  ): Promise<NamedCard[][]> {
    const found: NamedCard[][] = names.map(() => []);
    if (names.length === 0 || !this.seesAnything(ctx)) return found;
    const keys = names.map((name) => ({ key: nameKey(name.trim()), words: searchFold(name) }));
    for (const { place, ...card } of await readByName(this.db, keys, types, this.hiddenTypes(ctx), most))
      found[place - 1]!.push(card);
    return found;
  }

  /** @throws not_found when the card does not exist or is hidden from the caller */
  async card(ctx: RequestContext, id: string, on: On = this.db): Promise<PlacedCard> {
    const card = (await this.seen(ctx, [id], on)).get(id.toLowerCase());
    if (!card) throw problem('not_found');
    return card;
  }

  /**
   * The ids that are cards hidden from the caller, including deleted ones; in lower case. For ids in stored values,
   * such as attributes and old values. Queries the database only where some type is hidden.
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

  /** See `CardPort.hidden`. */
  async hidden(ctx: RequestContext, ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0 || this.hiddenTypes(ctx).length === 0) return new Set();
    const seen = await this.seen(ctx, ids);
    return new Set(ids.map((id) => id.toLowerCase()).filter((id) => !seen.has(id)));
  }

  /** See `CardPort.namesCards`. */
  namesCards(filter: string, types?: readonly string[]): boolean {
    const key = ATTRIBUTE.exec(filter)?.[1];
    return key === undefined ? CARD_FILTERS.includes(filter) : this.metamodel.current.isReference(key, types);
  }

  /**
   * Whether a stakeholder role of the user grants a permission on a card. On a hidden card it grants nothing, so that
   * the response is the same as for an unknown card.
   */
  async holdsOnCard(user: CardHolder, cardId: string, cardPermission: string, on: On = this.db): Promise<boolean> {
    if (hiddenTypes(user.permissions, this.types()).length > 0) {
      const [card] = await readPlacedCards(on, [cardId]);
      if (!card || !seesCards(user.permissions, card.type)) return false;
    }
    return await this.rbac.holdsOnCard(user, cardId, cardPermission, on);
  }

  /** @throws forbidden where the caller may not see the stakeholders of cards of the type */
  requireStakeholders(ctx: RequestContext, type: string): void {
    if (!seesStakeholders(ctx.permissions, type)) throw stakeholdersHidden();
  }

  /**
   * The cards on which the caller has a permission. Runs one query, and only where the role alone does not decide.
   * @param on within a transaction, its unit of work: otherwise the request would hold one connection while it waits for
   *   another
   */
  async extent(ctx: RequestContext, permission: string, cardPermission: string, on: On = this.db): Promise<Extent> {
    const isOpen = holdsEverywhere(ctx.permissions, permission, this.types());
    const scope = isOpen ? NO_CARDS : await this.scope(ctx, cardPermission, on);
    return { byRole: (type) => ctx.permissions.has(permission, type), scope };
  }

  /** The cards whose costs the caller may see; as `extent`. */
  async costExtent(ctx: RequestContext, on: On = this.db): Promise<Extent> {
    const isOpen = seesCosts(ctx.permissions) && this.types().every((type) => seesCosts(ctx.permissions, type));
    const scope = isOpen ? NO_CARDS : await this.scope(ctx, CARD_COSTS, on);
    return { byRole: (type) => seesCosts(ctx.permissions, type), scope };
  }

  /** Decides per card whether the caller may see its costs; as `extent`. */
  async costs(ctx: RequestContext, on: On = this.db): Promise<CostAccess> {
    const { byRole, scope } = await this.costExtent(ctx, on);
    return { of: (type, card) => byRole(type) || (card !== undefined && scope.covers(card)) };
  }

  /** Whether the caller may see the costs of one card. @param on a unit of work, to include its uncommitted changes */
  async seesCosts(ctx: RequestContext, cardId: string, type: string, on?: On): Promise<boolean> {
    return seesCosts(ctx.permissions, type) || (await this.holdsCosts(ctx, cardId, on));
  }

  /** Whether a stakeholder role of the caller permits viewing the costs of one card. */
  async holdsCosts({ actor, permissions }: RequestContext, cardId: string, on?: On): Promise<boolean> {
    return actor !== null && (await this.rbac.holdsOnCard({ id: actor.id, permissions }, cardId, CARD_COSTS, on));
  }

  /** The cards on which stakeholder roles of the caller grant the permission. */
  private async scope({ actor, permissions }: RequestContext, cardPermission: string, on: On): Promise<CardScope> {
    return actor ? await this.rbac.cardsWith({ id: actor.id, permissions }, cardPermission, on) : NO_CARDS;
  }

  private types(): string[] {
    return [...this.metamodel.current.types.keys()];
  }
}

const uuidsOf = (ids: readonly string[]): string[] => [...new Set(ids.filter(isUuid).map((id) => id.toLowerCase()))];
