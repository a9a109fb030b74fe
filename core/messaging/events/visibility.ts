import type { LogEvent, PermissionSet } from '@lintel/sdk';
import {
  CARD_COSTS,
  hiddenUnder,
  seesCards,
  seesCosts,
  seesStakeholders,
  type IsCost,
  type OnceCosts,
} from '../../inventory/access/index.js';
import type { Identity } from '../../identity/identity.js';
import type { Database } from '../../foundation/db/database.js';
import type { MetamodelService } from '../../inventory/metamodel/index.js';
import { mayUseOnCards, type RbacService } from '../../identity/rbac/index.js';
import { EventCardReader, cardsOf } from './event-cards.js';
import { namesIn, withoutCards } from './hidden-cards.js';
import { HiddenCosts } from './hidden-costs.js';
import { CORE_KINDS, cardType, type EventKind } from './kinds.js';
import { RestrictedMembers } from './restricted-members.js';
import { withoutAddressees, withoutStakeholder } from './redact.js';
import { readCards, readCardTypes, type CardRecord } from './repository.js';
import type { EventScope } from './scope-repository.js';

/** The receiver of events; the actor is null where there is no user. */
export type Reader = Pick<Identity, 'permissions'> & { actor: Pick<Identity['actor'], 'id'> | null };

/** What the cards in an event add to the receiver's application permissions. */
interface Standing {
  /** A stakeholder role allows the receiver to see their costs. */
  holdsCosts?: boolean;
  /** Cards in the event that are hidden from the receiver; ids in lower case. */
  hidden?: ReadonlySet<string>;
}

type View = (event: LogEvent) => LogEvent | undefined;

const AUDIT = 'events.audit';
/** Permission to see the e-mail addresses of accounts. */
const ADDRESSES = 'users.manage';
const NONE: ReadonlySet<string> = new Set();
/** The texts of such events, also of kinds that no module declares now, may name any card. */
const isClosed = (rule: EventKind | undefined): boolean => rule === undefined || rule.cards === 'unknown';
/** Whether the receiver has the permission for the events of a kind that only one user may see. */
const isHeld = ({ permission }: EventKind, permissions: PermissionSet): boolean =>
  typeof permission !== 'string' || permission === 'authenticated' || permissions.has(permission);

/**
 * Decides at delivery what a receiver may read of an event, by current permissions. Auditors see events of all kinds,
 * including unregistered ones. The rules for cards, costs and stakeholders apply to auditors as to all users: they get
 * no event of a hidden card, and no id of one in an event about something else.
 */
export class EventVisibility {
  private readonly kinds = new Map<string, EventKind>(CORE_KINDS);
  private readonly costs: HiddenCosts;
  private readonly restricted = new RestrictedMembers();
  private readonly withoutStakeholders = new WeakMap<LogEvent, LogEvent>();
  private readonly addresses = [new WeakMap<LogEvent, LogEvent>(), new WeakMap<LogEvent, LogEvent>()] as const;
  private readonly stakes: EventCardReader<CardRecord>;
  private readonly types: EventCardReader<string>;

  constructor(
    private readonly metamodel: MetamodelService,
    private readonly rbac: RbacService,
    costs: OnceCosts,
    db: Database,
  ) {
    this.costs = new HiddenCosts(costs);
    this.stakes = new EventCardReader(cardsOf, (ids) => readCards(db, ids));
    this.types = new EventCardReader(
      (event) => namesIn(event).all,
      (ids) => readCardTypes(db, ids),
    );
  }

  /**
   * Registers the read permission for events of a kind of subject.
   * @returns a function that removes the rule
   * @throws when the kind already has a rule
   */
  register(kind: string, rule: EventKind): () => void {
    if (this.kinds.has(kind)) throw new Error(`events of kind ${kind} already have a visibility rule`);
    this.kinds.set(kind, rule);
    return () => {
      if (this.kinds.get(kind) === rule) this.kinds.delete(kind);
    };
  }

  /** The rules by kind of subject. */
  get rules(): ReadonlyMap<string, EventKind> {
    return this.kinds;
  }

  /**
   * Loads all fields that are or were costs: until then `see` hides every attribute from receivers who may not see
   * costs.
   * @returns whether a field is or was one
   */
  async prepare(): Promise<IsCost> {
    return await this.costs.current();
  }

  /**
   * The event as a receiver may read it.
   * @param standing data of the cards in it; see `needsCards`
   * @returns the event or a redacted copy, always the same object for the same outcome; undefined where the receiver
   *   may not see it
   */
  see(event: LogEvent, identity: Identity, standing: Standing = {}): LogEvent | undefined {
    const rule = this.kinds.get(event.subject.kind);
    if (!this.permits(rule, event, identity) || this.isOfHidden(event, standing)) return undefined;
    const shown = this.shown(event, identity.permissions, standing);
    return rule?.redact ? rule.redact(shown, identity) : shown;
  }

  /** Whether the view of this event depends on more than the receiver's application permissions. */
  isPersonal(event: LogEvent): boolean {
    const rule = this.kinds.get(event.subject.kind);
    return rule?.own !== undefined || rule?.only !== undefined || rule?.redact !== undefined;
  }

  /** Whether cards must be read to decide if, or how much of, the event is visible to the receiver; `view` does so. */
  needsCards(event: LogEvent, identity: Identity): boolean {
    return (
      this.permits(this.kinds.get(event.subject.kind), event, identity) &&
      (this.needsTypes(event, identity.permissions) || this.needsCosts(event, identity.permissions))
    );
  }

  /**
   * Prepares showing many events to one receiver: the cards in them are read in one step.
   * @returns `see` for these events
   */
  async view(events: readonly LogEvent[], identity: Identity): Promise<View> {
    await this.prepare();
    const standings = await this.standings(
      events.filter((event) => this.needsCards(event, identity)),
      identity,
    );
    return (event) => this.see(event, identity, standings.get(event));
  }

  /**
   * Removes hidden cards from events that the reader may see because of their subject.
   * @param reader without permissions no card is visible
   */
  async withoutHidden(events: readonly LogEvent[], reader: Reader): Promise<LogEvent[]> {
    await this.prepare();
    const standings = await this.standings(events, reader);
    return events.map((event) => this.shown(event, reader.permissions, standings.get(event) ?? {}));
  }

  /** The SQL conditions for the events visible to a receiver with audit permission. */
  scope({ actor, permissions }: Identity): EventScope {
    const { types, relationTypes } = this.metamodel.current;
    const kindsWith = (test: (rule: EventKind) => boolean): string[] =>
      [...this.kinds].filter(([, rule]) => test(rule)).map(([kind]) => kind);
    const personal = [...this.kinds].flatMap(([kind, rule]) =>
      rule.only === undefined
        ? []
        : [
            {
              kind,
              member: rule.only,
              me: isHeld(rule, permissions) ? actor.id : null,
              isOptional: rule.module !== undefined,
            },
          ],
    );
    if (!this.isNarrowed(permissions)) return { personal };
    const seesEnd = (type: string): boolean => type !== '*' && seesCards(permissions, type);
    const ends = [...relationTypes.values()].map(({ definition: { key, source_type, target_type } }) => ({
      key,
      ends: [source_type, target_type],
    }));
    return {
      personal,
      cards: {
        isOpen: seesCards(permissions),
        ruled: [...types.keys()].filter((type) => seesCards(permissions, type) !== seesCards(permissions)),
        openRelations: ends.filter((relation) => relation.ends.every(seesEnd)).map(({ key }) => key),
        closedRelations: ends
          .filter((relation) => relation.ends.some((type) => type !== '*' && !seesEnd(type)))
          .map(({ key }) => key),
        cardless: kindsWith(({ holdsCards }) => holdsCards === false),
        open: kindsWith((rule) => !isClosed(rule)),
        members: Object.fromEntries(
          [...this.kinds].flatMap(([kind, { cards }]) =>
            cards === undefined || typeof cards === 'string' ? [] : [[kind, cards]],
          ),
        ),
      },
    };
  }

  private async standings(
    events: readonly LogEvent[],
    { actor, permissions }: Reader,
  ): Promise<Map<LogEvent, Standing>> {
    const byType = events.filter((event) => this.needsTypes(event, permissions));
    const byStake = actor ? events.filter((event) => this.needsCosts(event, permissions)) : [];
    const typeOf = this.types.of(byType);
    const stakesOf = this.stakes.of(byStake);
    const standings = new Map<LogEvent, Standing>();
    for (const event of byType) {
      const { all } = namesIn(event);
      const types = await Promise.all(all.map(typeOf));
      standings.set(event, {
        hidden: new Set(all.filter((_, i) => types[i] !== undefined && !seesCards(permissions, types[i]))),
      });
    }
    for (const event of byStake) {
      const cards = await Promise.all(cardsOf(event).map(stakesOf));
      standings.set(event, {
        ...standings.get(event),
        holdsCosts: mayUseOnCards(permissions, CARD_COSTS) && cards.some((card) => this.grantsCosts(card, actor!.id)),
      });
    }
    return standings;
  }

  private grantsCosts(card: CardRecord | undefined, user: string): boolean {
    return (
      card?.stakes
        .get(user)
        ?.some(({ type, role, is_above }) => this.rbac.grantedBy(type, [role], is_above).has(CARD_COSTS)) === true
    );
  }

  private shown(
    event: LogEvent,
    permissions: PermissionSet,
    { holdsCosts = false, hidden = NONE }: Standing,
  ): LogEvent {
    const type = cardType(event);
    let shown = event.subject.kind === 'card' ? this.withoutAddressees(event, permissions.has(ADDRESSES)) : event;
    if (!seesStakeholders(permissions, type)) shown = this.withoutNames(shown);
    if (!holdsCosts && !seesCosts(permissions, type)) shown = this.costs.without(shown);
    shown = this.restricted.without(shown, this.kinds.get(event.subject.kind)?.fieldPermissions, permissions);
    return hidden.size === 0 ? shown : withoutCards(shown, hidden);
  }

  private permits(rule: EventKind | undefined, event: LogEvent, identity: Identity): boolean {
    const { actor, permissions } = identity;
    if (rule?.only !== undefined && (rule.module === undefined || event.data[rule.only] != null)) {
      return event.data[rule.only] === actor.id && isHeld(rule, permissions);
    }
    if (this.endsHidden(event, permissions) || (isClosed(rule) && this.isNarrowed(permissions))) return false;
    if (event.subject.kind !== 'card' && permissions.has(AUDIT)) return true;
    if (!rule) return false;
    if (rule.own?.(event, identity) === true) return true;
    return typeof rule.permission === 'function'
      ? rule.permission(permissions, event)
      : rule.permission === 'authenticated' || permissions.has(rule.permission);
  }

  /** Whether the event is about a card that is hidden from the receiver. */
  private isOfHidden(event: LogEvent, { hidden = NONE }: Standing): boolean {
    if (hidden.size === 0) return false;
    return [...namesIn(event).about, ...this.cardsAbout(event)].some((id) => hidden.has(id));
  }

  /** The ids in the members that the kind declares, in lower case. */
  private cardsAbout({ subject, data }: LogEvent): string[] {
    const cards = this.kinds.get(subject.kind)?.cards;
    if (cards === undefined || typeof cards === 'string') return [];
    return cards.flatMap((member) => data[member]).flatMap((id) => (typeof id === 'string' ? id.toLowerCase() : []));
  }

  /**
   * Whether a relation has an end of a card type that is hidden from the receiver, according to the relation's type.
   */
  private endsHidden({ subject: { kind, type } }: LogEvent, permissions: PermissionSet): boolean {
    if (kind !== 'relation') return false;
    const definition = this.metamodel.current.relationTypes.get(type ?? '')?.definition;
    return (
      definition !== undefined &&
      [definition.source_type, definition.target_type].some((end) => end !== '*' && !seesCards(permissions, end))
    );
  }

  /** Whether there are cards that the receiver may not see. */
  private isNarrowed(permissions: PermissionSet): boolean {
    return !seesCards(permissions) || hiddenUnder(permissions, this.metamodel.current).length > 0;
  }

  /** Whether the event contains an id that may be a hidden card. */
  private needsTypes(event: LogEvent, permissions: PermissionSet): boolean {
    return (
      this.isNarrowed(permissions) &&
      this.kinds.get(event.subject.kind)?.holdsCards !== false &&
      namesIn(event).all.length > 0
    );
  }

  /** Whether the event contains costs that a stakeholder role may make visible to the receiver. */
  private needsCosts(event: LogEvent, permissions: PermissionSet): boolean {
    const { kind } = event.subject;
    return (
      (kind === 'card' || kind === 'relation') &&
      !seesCosts(permissions, cardType(event)) &&
      this.costs.without(event) !== event
    );
  }

  /** The event without the users mentioned by e-mail, cached for all receivers with the same permissions. */
  private withoutAddressees(event: LogEvent, seesAddresses: boolean): LogEvent {
    const made = this.addresses[seesAddresses ? 1 : 0];
    let without = made.get(event);
    if (!without) made.set(event, (without = withoutAddressees(event, seesAddresses)));
    return without;
  }

  /** The event without the stakeholder it concerns, cached for all receivers. */
  private withoutNames(event: LogEvent): LogEvent {
    if (event.subject.kind !== 'card') return event;
    let without = this.withoutStakeholders.get(event);
    if (!without) this.withoutStakeholders.set(event, (without = withoutStakeholder(event)));
    return without;
  }
}
