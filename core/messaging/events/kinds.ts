import type { LogEvent, PermissionSet } from '@lintel/sdk';
import { seesCards } from '../../inventory/access/index.js';
import type { Identity } from '../../identity/identity.js';

/** Who may read the events of one kind of subject. */
export interface EventKind {
  /** Permission that shows them, `authenticated` for whoever has a session, or what decides it event by event. */
  permission: string | ((permissions: PermissionSet, event: LogEvent) => boolean);
  /** Whether a receiver without the permission sees the event all the same, because it is his own. */
  own?(event: LogEvent, identity: Identity): boolean;
  /**
   * The event as this receiver may read it. Give back one object per distinct outcome where you can: what is the same
   * object is serialised once for all receivers.
   */
  redact?(event: LogEvent, identity: Identity): LogEvent;
  /** Member of the data that names the one user who sees the event; auditors are no exception. */
  only?: string;
  /** Set where the data of such events never names cards, which are not looked for then. */
  holdsCards?: false;
}

/** Roles may have rules per card type. */
export const cardType = ({ subject }: LogEvent): string | undefined =>
  subject.kind === 'card' ? (subject.type ?? undefined) : undefined;
const isSubject = (event: LogEvent, { actor }: Identity): boolean => event.subject.id === actor.id;
const isOwnSession = (event: LogEvent, { actor }: Identity): boolean =>
  event.data['user_id'] === actor.id || event.actor?.id === actor.id;

/** The kinds of the core that are not registered by a feature of their own. */
export const CORE_KINDS: readonly (readonly [string, EventKind])[] = [
  ['card', { permission: (permissions, event) => seesCards(permissions, cardType(event)) }],
  ['relation', { permission: 'relations.view' }],
  ['metamodel', { permission: 'authenticated', holdsCards: false }],
  ['settings', { permission: 'settings.manage' }],
  ['module', { permission: 'settings.manage' }],
  ['user', { permission: 'users.manage', own: isSubject, holdsCards: false }],
  ['session', { permission: 'users.manage', own: isOwnSession, holdsCards: false }],
  ['role', { permission: 'roles.manage', holdsCards: false }],
  ['job', { permission: 'jobs.manage' }],
];
