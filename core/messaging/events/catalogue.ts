import { Type, type TProperties, type TSchema } from 'typebox';
import { Nullable, Uuid } from '../../foundation/http/schemas.js';

/** An event type of the core: what happened, and the members of its data. */
interface CoreType {
  description: string;
  data: TSchema;
}

const Text = (description?: string): TSchema => Type.String(description === undefined ? {} : { description });
const Count = (): TSchema => Type.Integer({ minimum: 0 });
const Change = Type.Object({ field: Type.String(), old: Type.Unknown(), new: Type.Unknown() });
const CHANGED =
  'The changed fields; members of maps as `attributes/<key>`. Of maps, `old` and `new` have the changed keys only.';
const Changes = Type.Array(Change, { description: CHANGED });
const NamedChange = Type.Union([Change, Type.Object({ field: Type.String() })]);
const UserChanges = Type.Array(NamedChange, {
  description: 'The changed fields; preferences as `preferences.<key>`, without values.',
});
const Version = Type.Integer({
  minimum: 1,
  description: 'The version that the change led to; of a deletion, the last one.',
});

const of = (description: string, data: TProperties = {}): CoreType => ({ description, data: Type.Object(data) });
const changed = (description: string, data: TProperties = {}): CoreType =>
  of(description, { changes: Changes, ...data });
const versioned = (description: string, data: TProperties = {}): CoreType =>
  of(description, { version: Version, changes: Changes, ...data });

const Comment = Type.Optional(Text('As given by the user.'));
const Stakeholder = {
  stakeholder: Type.Optional(
    Type.Object(
      { id: Uuid(), user_id: Uuid(), role: Type.String(), display_name: Type.Optional(Type.String()) },
      { description: 'Absent for receivers who may not see stakeholders.' },
    ),
  ),
};
const Document = { document: Type.Object({ id: Uuid() }) };
const CommentOf = {
  comment: Type.Object({ id: Uuid(), parent_id: Nullable(Uuid()) }),
  mentions: Type.Optional(Type.Array(Type.String())),
};
const Todo = { todo: Type.Object({ id: Uuid(), status: Type.String(), assignee_id: Nullable(Uuid()) }) };
const Fields = { changed_fields: Type.Array(Type.String()) };
const Tags = Type.Array(Type.Object({ id: Uuid(), name: Type.String() }));
const Ends = { source_id: Uuid(), target_id: Uuid(), version: Version };
const Counts = { counts: Type.Object({}, { description: 'Rows of cards and relations by verdict or outcome.' }) };
const Attempt = { attempt: Count() };
const Failure = { ...Attempt, max_attempts: Count(), error: Text() };
const OfUser = { user_id: Uuid() };
const Login = { ...OfUser, address: Nullable(Text('Of the client.')), agent: Nullable(Text()) };
const Identity = { identity_id: Uuid(), issuer: Text(), identity_subject: Text('The claim `sub`.') };
const Account = { email: Text(), role: Text(), kind: Text() };

/** @param thing of the metamodel, such as `tag_group` */
const metamodel = (thing: string): Record<string, CoreType> => {
  const label = thing.replaceAll('_', ' ');
  const data = {
    changes: Type.Array(NamedChange, { description: CHANGED }),
    abridged: Type.Optional(Type.Boolean({ description: 'The values are left out, because they are too large.' })),
  };
  return {
    [`metamodel.${thing}_created`]: of(`A ${label} was created.`, data),
    [`metamodel.${thing}_updated`]: of(`A ${label} was changed.`, data),
    [`metamodel.${thing}_deleted`]: of(`A ${label} was deleted.`, data),
  };
};

/** All event types of the core, by type. Tests compare them with the events in the log. */
export const CORE_TYPES: Readonly<Record<string, CoreType>> = {
  'card.created': of('A card was created.', {
    version: Version,
    parent_id: Nullable(Uuid()),
    external_id: Nullable(Text()),
  }),
  'card.updated': versioned('Fields of a card were changed.', { comment: Comment }),
  'card.archived': versioned('A card was archived.', { comment: Comment }),
  'card.restored': versioned('An archived card was restored.', { comment: Comment }),
  'card.approved': versioned('A card was approved.', { comment: Comment }),
  'card.rejected': versioned('A card was rejected.', { comment: Comment }),
  'card.approval_reset': versioned('The approval of a card was reset.', { comment: Comment }),
  'card.deleted': of('A card was deleted for good.', { version: Version }),
  'card.tags_changed': of('Tags of a card were added or removed.', { added: Tags, removed: Tags }),
  'card.stakeholder_added': of('A user was given a stakeholder role on a card.', Stakeholder),
  'card.stakeholder_removed': of('A user lost a stakeholder role on a card.', Stakeholder),
  'card.comment_created': of('A card was commented on.', CommentOf),
  'card.comment_updated': of('A comment was changed.', CommentOf),
  'card.comment_deleted': of('A comment was deleted.', CommentOf),
  'card.document_created': of('A document of a card was added.', Document),
  'card.document_updated': of('A document of a card was changed.', { ...Document, ...Fields }),
  'card.document_deleted': of('A document of a card was removed.', Document),
  'card.todo_created': of('A to-do of a card was created.', Todo),
  'card.todo_updated': of('A to-do of a card was changed.', { ...Todo, ...Fields }),
  'card.todo_deleted': of('A to-do of a card was deleted.', Todo),
  'relation.created': of('A relation was created.', {
    ...Ends,
    valid_from: Nullable(Text()),
    valid_to: Nullable(Text()),
  }),
  'relation.updated': of('Fields of a relation were changed.', { ...Ends, changes: Changes }),
  'relation.deleted': of('A relation was deleted.', Ends),
  ...metamodel('type'),
  ...metamodel('relation_type'),
  ...metamodel('tag_group'),
  ...metamodel('tag'),
  'metamodel.seeded': of('The initial metamodel was created.', { card_types: Count(), relation_types: Count() }),
  'import.created': of('A file was uploaded for an import.', {
    format: Text(),
    size: Count(),
    options: Type.Object({}),
  }),
  'import.parsed': of('The preview of an import is complete.', Counts),
  'import.started': of('An import began to be applied.', Counts),
  'import.applied': of('An import was applied.', Counts),
  'import.failed': of('An import could not be read or applied.', {
    errors: Type.Array(Type.Object({ reason: Type.String() })),
  }),
  'import.cancelled': of('An import was cancelled.', { state: Text('Before.') }),
  'import.deleted': of('An import and its rows were deleted.', {
    state: Text(),
    retention_days: Type.Optional(Count()),
  }),
  'user.registered': of('A user registered.', Account),
  'user.created': of('A user was created.', Account),
  'user.updated': of('Fields of a user were changed.', {
    changes: UserChanges,
    password_changed: Type.Optional(Type.Boolean()),
  }),
  'user.password_changed': of('A user changed the own password.', {
    by_link: Type.Optional(Type.Boolean({ description: 'Whether by a mailed link, which ends all sessions.' })),
  }),
  'user.password_reset_requested': of('A link to set a new password was requested for an account.'),
  'user.email_change_requested': of('A user asked to change the own e-mail address.', { email: Text('The new one.') }),
  'user.email_change_confirmed': of('An address confirmed a change of an e-mail address.', {
    address: Text('`old` or `new`.'),
  }),
  'user.email_change_withdrawn': of('A change of an e-mail address was withdrawn.'),
  'user.locked': of('Log-ins to an account are refused after wrong passwords.', {
    locked_until: Text(),
    scope: Text(),
    addresses: Type.Array(Type.String()),
  }),
  'user.unlocked': of('An administrator permitted log-ins again.'),
  'user.identity_linked': of('An identity at a provider of single sign-on now signs in as a user.', Identity),
  'user.identity_unlinked': of('An identity at a provider of single sign-on no longer signs in as a user.', Identity),
  'user.deleted': of('A user was deleted.', { email: Text(), role: Text() }),
  'session.started': of('A user logged in.', {
    ...Login,
    method: Type.Optional(Text('`local` or `sso`.')),
    provider: Type.Optional(Nullable(Text('Id of the provider of single sign-on.'))),
  }),
  'session.refreshed': of('A session was continued with its refresh token.', Login),
  'session.ended': of('A session ended.', { ...OfUser, reason: Text() }),
  'api_token.created': of('An API token was made.', {
    ...OfUser,
    permissions: Type.Array(Type.String()),
    address_ranges: Type.Array(Type.String()),
    expires_at: Text(),
  }),
  'api_token.ended': of('An API token was revoked.', { ...OfUser, reason: Text() }),
  'invitation.created': of('A person was invited.', { email: Text(), role: Text(), expires_at: Text() }),
  'invitation.resent': of('An invitation was sent again.', { expires_at: Text() }),
  'invitation.withdrawn': of('An invitation was withdrawn.'),
  'invitation.accepted': of('An invitation was accepted.', OfUser),
  'role.created': of('A role was created.', {
    permissions: Type.Array(Type.String()),
    types: Type.Optional(Type.Object({})),
  }),
  'role.updated': changed('A role was changed.'),
  'role.archived': changed('A role was archived.'),
  'role.restored': changed('An archived role was restored.'),
  'settings.updated': changed('Settings were changed.'),
  'settings.logo_changed': changed('The logo was changed.'),
  'module.discovered': of('A module was found for the first time.', { enabled: Type.Boolean() }),
  'module.enabled': changed('A module was enabled.'),
  'module.disabled': changed('A module was disabled.'),
  'module.updated': changed('The settings of a module were changed.'),
  'module.migrated': of('The tables of a module were migrated.', {
    module_version: Text(),
    migrations: Type.Array(Type.String()),
  }),
  'module.failed': of('A module stopped on a node because of its errors.', {
    reason_code: Text(),
    reason: Text(),
    again_after_ms: Count(),
  }),
  'module.rescanned': of('The modules on disk were read again.', {
    loaded: Type.Array(Type.Unknown()),
    updated: Type.Array(Type.Unknown()),
    removed: Type.Array(Type.Unknown()),
    failed: Type.Array(Type.Unknown()),
    ignored: Type.Array(Type.Unknown()),
  }),
  'module.package_added': of('A package was named to be loaded as a module.', { package: Text() }),
  'module.removed': of('The data of a module were deleted.', { module_version: Text() }),
  'module.event_retried': of('A parked event was delivered again.', { subscription: Text(), position: Count() }),
  'job.queued': of('A job was queued, by a user or for an event; not for jobs of a schedule.'),
  'job.finished': of('A job succeeded; for jobs of a schedule only after a failed attempt.', Attempt),
  'job.failed': of('The last attempt of a job failed.', Failure),
  'job.postponed': of('An attempt of a job failed, and another one follows.', Failure),
  'job.retried': changed('A failed job was queued again by a user.'),
  'job.cancelled': changed('A job was cancelled by a user.'),
  'notification.created': of('A user was notified.', { ...OfUser, kind: Text() }),
  'notification.updated': of('A notification of a user was extended by another event.', { ...OfUser, kind: Text() }),
  'notification.read': of('A user read a notification.', OfUser),
  'notification.all_read': of('A user marked notifications as read.', {
    ...OfUser,
    count: Count(),
    until: Nullable(Text()),
  }),
  'notification.preferences_changed': changed('A user changed how to be notified.', OfUser),
  'webhook.created': of('A webhook was created.', {
    owner_id: Uuid(),
    name: Nullable(Text()),
    url: Text(),
    types: Type.Array(Type.String()),
    conditions: Type.Array(Type.Unknown()),
    is_active: Type.Boolean(),
  }),
  'webhook.updated': changed('A webhook was changed.'),
  'webhook.deleted': of('A webhook was deleted.'),
  'webhook.disabled': of('A webhook was disabled because of its owner.', { owner_id: Uuid(), reason: Text() }),
  'webhook.secret_rotated': of('The secret of a webhook was replaced.'),
  'webhook.redelivered': of('A delivery of a webhook was sent again by a user.', {
    delivery_id: Uuid(),
    redelivery_of: Uuid(),
    event_id: Count(),
  }),
  'secrets.rotated': of('Stored secrets were encrypted with another key.', { changed: Count() }),
  'events.expired': of('Old events were deleted.', {
    from: Count(),
    to: Count(),
    events: Count(),
    retention_days: Count(),
  }),
  'log.resumed': of(
    'Another server continues the log, or a former state of it: positions were skipped, because events that had them may be lost.',
    { reason: Text(), epoch: Count(), ended: Count(), resumed: Count() },
  ),
  'log.truncated': of('Events that had been announced are lost.', {
    from: Count(),
    to: Count(),
    events: Count(),
    epoch: Count(),
  }),
};
