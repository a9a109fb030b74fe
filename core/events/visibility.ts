import type { LogEvent } from '@lintel/sdk';
import type { Identity } from '../auth/index.js';
import type { Database } from '../db/database.js';
import { isUuid } from '../ids.js';
import type { Metamodel, MetamodelService } from '../metamodel/index.js';
import type { RbacService } from '../rbac/index.js';
import { withoutAttributes, withoutStakeholder } from './redact.js';
import { readStakes, type Stake } from './repository.js';

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

/** Roles by user id on one card and above it, read after the event at `asOf` was in the log. */
interface Stakes {
  asOf: number;
  roles: Promise<Map<string, Stake[]> | undefined>;
}

type View = (event: LogEvent) => LogEvent | undefined;

const AUDIT = 'events.audit';
const COSTS = 'costs.view';
const STAKEHOLDERS = 'stakeholders.view';
/** Who is a stakeholder is asked again after so long. */
const STAKES_MS = 500;

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
  private stakes = new Map<string, Stakes>();
  private stakesAt = 0;

  constructor(private readonly metamodel: MetamodelService, private readonly rbac: RbacService, private readonly db: Database) {}

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
   * @param heldCosts whether he sees the costs of the card by a stakeholder role; see `asksStakes`
   * @returns the event or a redacted copy, always the same object for the same outcome; undefined where he may not see it
   */
  see(event: LogEvent, identity: Identity, heldCosts = false): LogEvent | undefined {
    const rule = this.kinds.get(event.subject.kind);
    if (!this.permits(rule, event, identity)) return undefined;
    if (rule?.redact) return rule.redact(event, identity);
    const shown = identity.permissions.has(STAKEHOLDERS, cardType(event)) ? event : this.withoutNames(event);
    return heldCosts || identity.permissions.has(COSTS, cardType(event)) ? shown : this.withoutCosts(shown);
  }

  /** Whether the outcome for this event hangs on more than the receiver's application permissions. */
  isPersonal(event: LogEvent): boolean {
    const rule = this.kinds.get(event.subject.kind);
    return rule?.own !== undefined || rule?.redact !== undefined;
  }

  /** Whether the receiver's stakeholder roles decide how much he sees; `view` asks for them. */
  asksStakes(event: LogEvent, identity: Identity): boolean {
    return event.subject.kind === 'card' && !identity.permissions.has(COSTS, cardType(event)) && this.withoutCosts(event) !== event
      && this.permits(this.kinds.get('card'), event, identity);
  }

  /**
   * Prepares to show many events to one receiver: his stakeholder roles are read at once for all of them.
   * @returns `see` for these events
   */
  async view(events: readonly LogEvent[], identity: Identity): Promise<View> {
    const asked = events.filter((event) => this.asksStakes(event, identity));
    if (asked.length === 0) return (event) => this.see(event, identity);
    const held = new Set<string>();
    const stakes = this.stakesOf(asked);
    for (const { subject } of asked) {
      const roles = (await stakes.get(subject.id)?.roles)?.get(identity.actor.id);
      if (roles?.some(({ type, role, is_above }) => this.rbac.grantedBy(type, [role], is_above).has('card.view_costs'))) held.add(subject.id);
    }
    return (event) => this.see(event, identity, event.subject.kind === 'card' && held.has(event.subject.id));
  }

  private permits(rule: EventKind | undefined, event: LogEvent, identity: Identity): boolean {
    const { permissions } = identity;
    if (permissions.has(AUDIT)) return true;
    if (!rule) return false;
    return rule.permission === 'authenticated' || permissions.has(rule.permission, cardType(event)) || rule.own?.(event, identity) === true;
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

  /**
   * Stakeholders by card, read once for all receivers of the same events. What was read before an event happened
   * does not do for it: the change before it may have been the one that made somebody a stakeholder.
   */
  private stakesOf(events: readonly LogEvent[]): ReadonlyMap<string, Stakes> {
    if (performance.now() - this.stakesAt > STAKES_MS) {
      this.stakes = new Map();
      this.stakesAt = performance.now();
    }
    const { stakes } = this;
    const due = new Map<string, number>();
    for (const { subject: { id }, position } of events) {
      if ((stakes.get(id)?.asOf ?? 0) < position && (due.get(id) ?? 0) < position && isUuid(id)) due.set(id, position);
    }
    if (due.size > 0) {
      const reading = readStakes(this.db, [...due.keys()]);
      for (const [id, asOf] of due) {
        const roles = reading.then((all) => all.get(id));
        // Who waits for it is told; nobody need wait.
        roles.catch(() => undefined);
        stakes.set(id, { asOf, roles });
      }
    }
    return stakes;
  }
}
