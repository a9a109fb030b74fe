import type { LogEvent } from '@lintel/sdk';
import { cardsOf } from '../events/index.js';
import { part, text, type Facts } from './facts.js';
import { STRENGTH, type CoreKind } from './kinds.js';
import type { NoticeData, Subject } from './types.js';

/** The reason why one user is notified of one event. */
export interface Reason {
  userId: string;
  kind: CoreKind;
  data: NoticeData;
  subject: Subject;
  /** Whether a stakeholder role allows the user to see the costs of the card. */
  seesCosts?: boolean;
  /** Notify although the user initiated it, because it completed later in the background. */
  isOwn?: boolean;
  /** A required permission in addition to those of the kind. */
  needs?: string;
}

/** Kind and verb of the notification to stakeholders of the card, by event type. */
const TO_STAKEHOLDERS: Readonly<Record<string, readonly [CoreKind, string]>> = {
  'card.updated': ['card_changed', 'updated'],
  'card.tags_changed': ['card_changed', 'tags'],
  'relation.created': ['card_changed', 'relations'],
  'relation.updated': ['card_changed', 'relations'],
  'relation.deleted': ['card_changed', 'relations'],
  'card.approved': ['card_approval', 'approved'],
  'card.rejected': ['card_approval', 'rejected'],
  'card.approval_reset': ['card_approval', 'reset'],
  'card.archived': ['card_archived', 'archived'],
  'card.restored': ['card_archived', 'restored'],
  'card.deleted': ['card_archived', 'deleted'],
  'card.comment_created': ['comment', 'comment'],
};

/** Whether an event can cause notifications; events about notifications cannot. */
export function isRelevant({ type }: LogEvent): boolean {
  return Object.hasOwn(TO_STAKEHOLDERS, type) || Object.hasOwn(TO_OTHERS, type);
}

type Finder = (event: LogEvent, facts: Facts) => Omit<Reason, 'subject'>[];
const to = (userId: string | undefined, kind: CoreKind, data: NoticeData = {}): Omit<Reason, 'subject'>[] =>
  userId === undefined ? [] : [{ userId, kind, data }];
const mentioned: Finder = ({ data }) =>
  (Array.isArray(data['mentions']) ? data['mentions'] : []).flatMap((id) => to(text(id), 'mention'));
const givenTodo = (userId: string | undefined): Omit<Reason, 'subject'>[] =>
  to(userId, 'assignment', { verb: 'todo' }).map((reason) => ({ ...reason, needs: 'todos.own' }));
const imported =
  (verb: string): Finder =>
  ({ subject }, { importOwners }) =>
    to(importOwners.get(subject.id), 'import_done', { verb }).map((reason) => ({ ...reason, isOwn: true }));

const TOLD_VERDICTS: readonly string[] = ['create', 'update', 'failed', 'conflict'];
/** Whether an import had rows to store: a scheduled import that changes nothing causes no notification. */
const changesAnything = (event: LogEvent): boolean =>
  Object.values(part(event, 'counts')).some((verdicts) =>
    TOLD_VERDICTS.some((verdict) => Object.hasOwn(verdicts as object, verdict)),
  );

/** Finds further users to notify, by event type. */
const TO_OTHERS: Readonly<Record<string, Finder>> = {
  'card.comment_created': (event, facts) => [
    ...mentioned(event, facts),
    ...to(facts.commentAuthors.get(text(part(event, 'comment')['parent_id']) ?? ''), 'comment', { verb: 'reply' }),
  ],
  'card.comment_updated': mentioned,
  'card.todo_created': (event) => givenTodo(text(part(event, 'todo')['assignee_id'])),
  'card.todo_updated': (event, { todoGivers }) => {
    const { id, assignee_id: assignee, status } = part(event, 'todo');
    const changed = event.data['changed_fields'];
    const has = (field: string): boolean => Array.isArray(changed) && changed.includes(field);
    const giver = todoGivers.get(text(id) ?? '');
    return [
      ...(has('assignee_id') ? givenTodo(text(assignee)) : []),
      ...(has('status') && status === 'done' && giver !== assignee ? to(giver, 'todo_done') : []),
    ];
  },
  'card.stakeholder_added': (event) => {
    const { user_id: user, role } = part(event, 'stakeholder');
    return to(text(user), 'assignment', { verb: 'role', role: text(role) ?? '' });
  },
  'import.applied': (event, facts) => (changesAnything(event) ? imported('applied')(event, facts) : []),
  'import.failed': imported('failed'),
  'webhook.disabled': ({ data }) => to(text(data['owner_id']), 'webhook_disabled'),
  'job.failed': (_event, { jobManagers }) => jobManagers.flatMap((id) => to(id, 'job_failed')),
};

/** Names of the fields an update changed. */
export function changedFields({ data }: LogEvent): string[] {
  const changes = Array.isArray(data['changes']) ? (data['changes'] as unknown[]) : [];
  return changes.flatMap((change) => text((change as { field?: unknown } | null)?.field) ?? []);
}

const isBroken = ({ data }: LogEvent): boolean =>
  Array.isArray(data['changes']) &&
  (data['changes'] as { field?: unknown; new?: unknown }[]).some(
    ({ field, new: now }) => field === 'approval_status' && now === 'BROKEN',
  );

function* stakeholderReasons(event: LogEvent, facts: Facts): Iterable<Reason> {
  const said = TO_STAKEHOLDERS[event.type];
  if (!said) return;
  const [kind, verb] = event.type === 'card.updated' && isBroken(event) ? (['card_approval', 'broken'] as const) : said;
  const at = Date.parse(event.occurred_at);
  for (const id of cardsOf(event)) {
    const card = facts.cards.get(id);
    const subject: Subject =
      event.subject.kind === 'card'
        ? event.subject
        : { kind: 'card', id, type: card?.type ?? null, name: card?.name ?? null };
    for (const { userId, since, seesCosts } of card?.stakeholders ?? [])
      if (since <= at) yield { userId, kind, data: { verb }, subject, seesCosts };
    if (event.type === 'card.deleted')
      for (const userId of facts.former.get(id) ?? []) yield { userId, kind, data: { verb }, subject };
  }
}

/**
 * The users affected by an event and why: each user once, for the strongest reason, and never the user who caused it.
 * Permissions are not checked here.
 */
export function reasonsOf(event: LogEvent, facts: Facts): Reason[] {
  const strongest = new Map<string, Reason>();
  const others = (TO_OTHERS[event.type]?.(event, facts) ?? []).map(
    (reason): Reason => ({ ...reason, subject: event.subject }),
  );
  for (const reason of [...others, ...stakeholderReasons(event, facts)]) {
    if (reason.userId === event.actor?.id && !reason.isOwn) continue;
    const before = strongest.get(reason.userId);
    if (!before || STRENGTH.indexOf(reason.kind) < STRENGTH.indexOf(before.kind)) strongest.set(reason.userId, reason);
  }
  return [...strongest.values()];
}
