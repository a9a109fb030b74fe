import type { LogEvent, PermissionSet, TSchema } from '@lintel/sdk';
import { seesCards } from '../../inventory/access/index.js';
import type { Identity } from '../../identity/identity.js';

/** Determines which callers may read the events of one kind of subject. */
export interface EventKind {
  /** The required permission, `authenticated` for every user, or a function that decides per event. */
  permission: string | ((permissions: PermissionSet, event: LogEvent) => boolean);
  /** Whether a receiver without the permission may see the event because it concerns their own data. */
  own?(event: LogEvent, identity: Identity): boolean;
  /**
   * The event as this receiver may read it. Return the same object for the same outcome where possible: each object is
   * serialised once for all receivers.
   */
  redact?(event: LogEvent, identity: Identity): LogEvent;
  /**
   * Member of the data with the only user who may see the event, auditors included. In kinds of modules, events in which it is
   * null or absent are visible by the permission.
   */
  only?: string | undefined;
  /**
   * For kinds of modules: members of the data with the ids of the cards that an event is about. If they are unknown, its texts
   * may name any card, and receivers from whom a card may be hidden do not get it.
   */
  cards?: 'none' | 'unknown' | readonly string[];
  /** Members of the data, and values of `field` in its `changes`, that only receivers with the permission get. */
  fieldPermissions?: Readonly<Record<string, string>> | undefined;
  /** The module that emits them; absent for the core. */
  module?: string;
  /** For kinds of modules: the schema of the data by event type, if they are declared. */
  types?: Readonly<Record<string, TSchema>> | undefined;
  /** Set where the data of such events never contains cards, so that it need not be searched for them. */
  holdsCards?: false;
}

/** Roles may have rules per card type. */
export const cardType = ({ subject }: LogEvent): string | undefined =>
  subject.kind === 'card' ? (subject.type ?? undefined) : undefined;
const isSubject = (event: LogEvent, { actor }: Identity): boolean => event.subject.id === actor.id;
/** API tokens must not read which sessions and tokens a user has. */
const isOwnSession = (event: LogEvent, { actor }: Identity): boolean =>
  actor.token === undefined && (event.data['user_id'] === actor.id || event.actor?.id === actor.id);

/** The core's kinds that are not registered by a feature. */
export const CORE_KINDS: readonly (readonly [string, EventKind])[] = [
  ['card', { permission: (permissions, event) => seesCards(permissions, cardType(event)) }],
  ['relation', { permission: 'relations.view' }],
  ['metamodel', { permission: 'authenticated', holdsCards: false }],
  ['settings', { permission: 'settings.manage' }],
  ['module', { permission: 'settings.manage' }],
  ['user', { permission: 'users.manage', own: isSubject, holdsCards: false }],
  ['session', { permission: 'users.manage', own: isOwnSession, holdsCards: false }],
  ['api_token', { permission: 'users.manage', own: isOwnSession, holdsCards: false }],
  ['invitation', { permission: 'users.manage', holdsCards: false }],
  ['role', { permission: 'roles.manage', holdsCards: false }],
  ['job', { permission: 'jobs.manage' }],
  ['events', { permission: 'events.audit', holdsCards: false }],
  ['log', { permission: 'events.audit', holdsCards: false }],
  ['secret', { permission: 'events.audit', holdsCards: false }],
];
