import type { LogEvent, PermissionSet } from '@lintel/sdk';
import type { Identity } from '../auth/index.js';
import type { Database } from '../db/database.js';
import type { Metamodel, MetamodelService } from '../metamodel/index.js';
import type { RbacService } from '../rbac/index.js';
import { CardSight, cardsOf } from './card-sight.js';
import { withoutAttributes, withoutStakeholder } from './redact.js';
import type { CardRecord } from './repository.js';

/** Who may read the events of one kind of subject. */
export interface EventKind {
  /** Application permission that shows them, or `authenticated` for whoever has a session. */
  permission: string;
  /** Whether a receiver without the permission sees the event all the same, because it is his own. */
  own?(event: LogEvent, identity: Identity): boolean;
  /**
   * The event as this receiver may read it, or undefined. Give back one object per distinct outcome where you can:
   * what is the same object is serialised once for all receivers.
   */
  redact?(event: LogEvent, identity: Identity): LogEvent | undefined;
}

/** What the cards an event tells of say, beside the receiver's application permissions. */
interface Standing {
  /** He sees their costs by a stakeholder role. */
  holdsCosts: boolean;
  /** One of them is of a type he may not see. */
  isHidden: boolean;
}

type View = (event: LogEvent) => LogEvent | undefined;

const AUDIT = 'events.audit';
const COSTS = 'costs.view';
const CARDS = 'cards.view';
const STAKEHOLDERS = 'stakeholders.view';

/** Roles may have rules per card type. */
const cardType = ({ subject }: LogEvent): string | undefined => (subject.kind === 'card' ? subject.type ?? undefined : undefined);
const isSubject = (event: LogEvent, { actor }: Identity): boolean => event.subject.id === actor.id;
const isOwnSession = (event: LogEvent, { actor }: Identity): boolean => event.data['user_id'] === actor.id || event.actor?.id === actor.id;

/**
 * Decides what a receiver may read of an event, at delivery, by the rights of now. Events of a kind nobody
 * registered are for auditors alone.
 */
export class EventVisibility {
  private readonly kinds = new Map<string, EventKind>([
    ['card', { permission: 'cards.view' }],
    ['relation', { permission: 'relations.view' }],
    ['metamodel', { permission: 'authenticated' }],
    ['settings', { permission: 'settings.manage' }],
    ['module', { permission: 'settings.manage' }],
    ['user', { permission: 'users.manage', own: isSubject }],
    ['session', { permission: 'users.manage', own: isOwnSession }],
    ['role', { permission: 'roles.manage' }],
    ['job', { permission: 'jobs.manage' }],
  ]);
  private readonly redacted = new WeakMap<LogEvent, { by: Metamodel; event: LogEvent }>();
  private readonly nameless = new WeakMap<LogEvent, LogEvent>();
  private readonly cards: CardSight;

  constructor(private readonly metamodel: MetamodelService, private readonly rbac: RbacService, db: Database) {
    this.cards = new CardSight(db);
  }

  /**
   * States who may read events of a kind of subject.
   * @returns a function that takes it back
   * @throws when the kind has a rule
   */
  register(kind: string, rule: EventKind): () => void {
    if (this.kinds.has(kind)) throw new Error(`events of kind ${kind} have a rule of visibility already`);
    this.kinds.set(kind, rule);
    return () => {
      if (this.kinds.get(kind) === rule) this.kinds.delete(kind);
    };
  }

  /**
   * The event as a receiver may read it.
   * @param holdsCosts whether he sees the costs of the cards it tells of by a stakeholder role; see `asksCards`
   * @param isHidden whether one of those is of a type he may not see
   * @returns the event or a redacted copy, always the same object for the same outcome; undefined where he may not see it
   */
  see(event: LogEvent, identity: Identity, holdsCosts = false, isHidden = false): LogEvent | undefined {
    const rule = this.kinds.get(event.subject.kind);
    if (isHidden || !this.permits(rule, event, identity)) return undefined;
    if (rule?.redact) return rule.redact(event, identity);
    const shown = identity.permissions.has(STAKEHOLDERS, cardType(event)) ? event : this.withoutNames(event);
    return holdsCosts || identity.permissions.has(COSTS, cardType(event)) ? shown : this.withoutCosts(shown);
  }

  /** Whether the outcome for this event hangs on more than the receiver's application permissions. */
  isPersonal(event: LogEvent): boolean {
    const rule = this.kinds.get(event.subject.kind);
    return rule?.own !== undefined || rule?.redact !== undefined;
  }

  /** Whether cards decide if the receiver sees the event, or how much of it; `view` asks for them. */
  asksCards(event: LogEvent, identity: Identity): boolean {
    const { kind } = event.subject;
    if ((kind !== 'card' && kind !== 'relation') || !this.permits(this.kinds.get(kind), event, identity)) return false;
    return this.asksTypes(event, identity.permissions) || (!identity.permissions.has(COSTS, cardType(event)) && this.withoutCosts(event) !== event);
  }

  /**
   * Prepares to show many events to one receiver: the cards they tell of are read at once for all of them.
   * @returns `see` for these events
   */
  async view(events: readonly LogEvent[], identity: Identity): Promise<View> {
    const asked = events.filter((event) => this.asksCards(event, identity));
    if (asked.length === 0) return (event) => this.see(event, identity);
    const cards = this.cards.of(asked);
    const standings = new Map<LogEvent, Standing>();
    for (const event of asked) standings.set(event, this.standing(event, identity, await Promise.all(cardsOf(event).map(cards))));
    return (event) => {
      const standing = standings.get(event);
      return this.see(event, identity, standing?.holdsCosts, standing?.isHidden);
    };
  }

  private standing(event: LogEvent, { actor, permissions }: Identity, cards: readonly (CardRecord | undefined)[]): Standing {
    const opens = (card: CardRecord | undefined): boolean => card?.stakes.get(actor.id)?.some(({ type, role, is_above }) =>
      this.rbac.grantedBy(type, [role], is_above).has('card.view_costs')) === true;
    // Of what type a card was that is gone nobody knows any more.
    return { holdsCosts: cards.some(opens), isHidden: this.asksTypes(event, permissions) && cards.some((card) => !card || !permissions.has(CARDS, card.type)) };
  }

  private permits(rule: EventKind | undefined, event: LogEvent, identity: Identity): boolean {
    const { permissions } = identity;
    if (permissions.has(AUDIT)) return true;
    if (!rule) return false;
    if (rule.own?.(event, identity) === true) return true;
    return (rule.permission === 'authenticated' || permissions.has(rule.permission, cardType(event))) && !this.endsHidden(event, permissions);
  }

  /** The types at the ends of a relation, by its own type: `*` is any. */
  private endTypes({ subject: { kind, type } }: LogEvent): string[] {
    if (kind !== 'relation') return [];
    const definition = this.metamodel.current.relationTypes.get(type ?? '')?.definition;
    return definition ? [definition.source_type, definition.target_type] : ['*'];
  }

  /** Whether a relation ends at cards of a type that is hidden from the receiver, as far as its own type tells. */
  private endsHidden(event: LogEvent, permissions: PermissionSet): boolean {
    return this.endTypes(event).some((type) => type !== '*' && !permissions.has(CARDS, type));
  }

  /** Whether only the cards at the ends of a relation tell of what types they are, and that matters. */
  private asksTypes(event: LogEvent, permissions: PermissionSet): boolean {
    return !permissions.has(AUDIT) && this.endTypes(event).includes('*') && [...this.metamodel.current.types.keys()].some((type) => !permissions.has(CARDS, type));
  }

  /** The event without whom it makes a stakeholder, made once for all receivers. */
  private withoutNames(event: LogEvent): LogEvent {
    if (event.subject.kind !== 'card') return event;
    let without = this.nameless.get(event);
    if (!without) this.nameless.set(event, without = withoutStakeholder(event));
    return without;
  }

  /** The event without costs, made once for all receivers; the event itself where it tells of none. */
  private withoutCosts(event: LogEvent): LogEvent {
    if (event.subject.kind !== 'card' && event.subject.kind !== 'relation') return event;
    const by = this.metamodel.current;
    const known = this.redacted.get(event);
    if (known?.by === by) return known.event;
    const fields = (event.subject.kind === 'card' ? by.types : by.relationTypes).get(event.subject.type ?? '')?.fields;
    // What the metamodel knows no longer may have been a cost.
    const without = withoutAttributes(event, (key) => !fields?.byKey.has(key) || fields.costKeys.has(key));
    this.redacted.set(event, { by, event: without });
    return without;
  }
}
