import type { LogEvent, PermissionSet } from '@lintel/sdk';
import { hiddenUnder, seesCards, type IsCost } from '../../inventory/access/index.js';
import { cardsOf, type EventVisibility } from '../events/index.js';
import type { Metamodel } from '../../inventory/metamodel/index.js';
import type { Facts } from './facts.js';
import type { NotificationKinds } from './kinds.js';
import { changedFields, type Reason } from './reasons.js';
import { maySee } from './visibility.js';
import { ACCOUNT_MAIL_JOB } from '../../identity/mails/index.js';
import { MAIL_JOB } from './mail-queue.js';
import type { Notice, NoticeData, Recipient, Subject } from './types.js';

/** Kinds with many notifications: those of one change are combined to one. */
const BY_CHANGE = new Set(['card_changed', 'card_approval', 'card_archived']);
/** Types of jobs that send mail. */
const MAIL_JOBS = new Set<string>([MAIL_JOB, ACCOUNT_MAIL_JOB]);
const ATTRIBUTE = /^attributes\.(.+)$/;

/** The API path of a notification's subject. */
function linkOf({ kind, id }: Subject, verb: string | undefined): string | null {
  if (kind === 'card') return verb === 'deleted' ? null : `/cards/${id}`;
  const places: Readonly<Record<string, string>> = { import: '/imports', webhook: '/webhooks', job: '/settings/jobs' };
  const place = places[kind];
  return place === undefined ? null : `${place}/${id}`;
}

function groupOf(event: LogEvent, kind: string): string {
  if (BY_CHANGE.has(kind) && event.change_id !== null) return `change ${event.change_id}`;
  // For a repeatedly failing type of job one notification per hour is created.
  if (kind === 'job_failed') return `${event.subject.name ?? event.subject.id} ${event.occurred_at.slice(0, 13)}`;
  return `event ${event.position}`;
}

/** Turns reasons into notices for users who may see the event. */
export class NoticeAssembly {
  /** One for each event and receiver, in the order of the log. */
  readonly notices: Notice[] = [];

  constructor(
    private readonly kinds: NotificationKinds,
    private readonly visibility: EventVisibility,
    private readonly metamodel: Metamodel,
    private readonly recipients: ReadonlyMap<string, Recipient>,
    private readonly cards: Facts['cards'],
    private readonly isCost: IsCost,
  ) {}

  /** Adds one event for one user, if the user may see it. */
  add(event: LogEvent, reason: Reason): void {
    const recipient = this.recipients.get(reason.userId);
    if (!recipient || !this.mayBeTold(event, reason, recipient)) return;
    const { userId, kind, subject } = reason;
    const data = this.dataOf(event, reason);
    this.notices.push({
      userId,
      kind,
      group: groupOf(event, kind),
      position: event.position,
      subject,
      title: null,
      link: linkOf(subject, data.verb),
      count: 1,
      data,
      actor: event.actor && { id: event.actor.id, name: event.actor.display_name },
      // A failing mail job must not be reported by mail, which would fail again and be reported again.
      ...(kind === 'job_failed' && MAIL_JOBS.has(event.subject.type ?? '') && { neverMailed: true }),
    });
  }

  private mayBeTold(
    event: LogEvent,
    { kind, subject, needs, seesCosts = false }: Reason,
    { identity }: Recipient,
  ): boolean {
    const spec = this.kinds.get(kind);
    const { permissions } = identity;
    if (!spec || !permissions.has('notifications.own') || !maySee(spec, subject, permissions)) return false;
    if (needs !== undefined && !permissions.has(needs, subject.type ?? undefined)) return false;
    const seen = this.visibility.see(event, identity, {
      holdsCosts: seesCosts,
      hidden: this.hiddenEnds(event, permissions),
    });
    // If a change concerned only costs, a notification would reveal to a user who may not see costs that there was a
    // change.
    return (
      seen !== undefined && (seen === event || changedFields(seen).length > 0 || changedFields(event).length === 0)
    );
  }

  /**
   * The ends of a relation that the user may not see; a deleted card has no known type, and counts as hidden if any
   * type is hidden from the user.
   */
  private hiddenEnds(event: LogEvent, permissions: PermissionSet): ReadonlySet<string> {
    if (event.subject.kind !== 'relation') return new Set();
    const isNarrowed = hiddenUnder(permissions, this.metamodel).length > 0;
    return new Set(
      cardsOf(event).filter((id) => {
        const type = this.cards.get(id)?.type;
        return type === undefined ? isNarrowed : !seesCards(permissions, type);
      }),
    );
  }

  private dataOf(event: LogEvent, { data, subject }: Reason): NoticeData {
    if (data.verb === 'role') {
      const label = this.metamodel.types
        .get(subject.type ?? '')
        ?.definition.stakeholder_roles.find(({ key }) => key === data.role)?.label;
      return { ...data, role: label ?? data.role ?? '' };
    }
    if (event.type !== 'card.updated') return data;
    // The notification remains when permissions are revoked: it never contains names of fields that are or were costs,
    // or that no longer exist.
    const named = changedFields(event).filter((field) => {
      const key = ATTRIBUTE.exec(field)?.[1];
      return key === undefined || !this.isCost('card', subject.type ?? '', key);
    });
    return { ...data, fields: named };
  }
}
