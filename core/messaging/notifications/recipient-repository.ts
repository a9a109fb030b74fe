import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { StoredPreferences } from './types.js';

// Locked against deletion until their notifications are stored. Mail requires a mail server and an account of a person.
const RECIPIENTS = {
  name: 'notification-recipients',
  text: `select u.id, u.display_name, u.email, u.role, coalesce(p.value, '{}') as preferences,
      u.kind = 'person' and coalesce((select value->>'host' from settings where key = 'smtp'), '') <> '' as takes_mail
    from users u left join notification_preferences p on p.user_id = u.id
    where u.is_active and u.id = any($1::uuid[]) order by u.id for key share of u`,
};
const OF_ROLES = {
  name: 'notification-of-roles',
  text: 'select id from users where is_active and role = any($1::text[])',
};
/** Without any stakeholder no card is read: those of a large import are many. */
const STAKES = {
  name: 'notification-stakes',
  text: `select c.id as card_id, c.type as card_type, c.name as card_name, s.user_id, s.role, s.role_type, s.is_above, s.since
    from cards c left join lateral (
      select h.user_id, h.role, k.type as role_type, k.id <> c.id as is_above, h.created_at as since
      from unnest(c.path_ids || c.id) as at(id) join card_stakeholders h on h.card_id = at.id join cards k on k.id = at.id) s on true
    where c.id = any($1::uuid[]) and exists (select from card_stakeholders)`,
};
/** Users who held a role on a deleted card, reconstructed from its history, which remains. */
const FORMER = {
  name: 'notification-former-stakes',
  text: `with moves as (
      select x.card_id, substr(c.value->>'field', 14) as role, c.value as change
      from card_changes x cross join lateral jsonb_array_elements(x.changes) c
      where x.card_id = any($1::uuid[]) and c.value->>'field' like 'stakeholders.%')
    select card_id, role, coalesce(change->'new'->>'user_id', change->'old'->>'user_id') as user_id from moves group by 1, 2, 3
    having count(*) filter (where change->'new' <> 'null') > count(*) filter (where change->'old' <> 'null')`,
};
const AUTHORS = {
  name: 'notification-comment-authors',
  text: 'select id, author_id as user_id from card_comments where id = any($1::uuid[]) and author_id is not null',
};
const GIVERS = {
  name: 'notification-todo-givers',
  text: 'select id, created_by as user_id from card_todos where id = any($1::uuid[]) and created_by is not null',
};
const IMPORTERS = {
  name: 'notification-importers',
  text: 'select id, coalesce(applied_by, created_by) as user_id from imports where id = any($1::uuid[]) and coalesce(applied_by, created_by) is not null',
};

interface RecipientRow {
  id: string;
  display_name: string;
  email: string;
  role: string;
  preferences: StoredPreferences;
  takes_mail: boolean;
}

/** A stakeholder role on a card, or on a card above it; a card without stakeholders has one row without a user. */
interface StakeRow {
  card_id: string;
  card_type: string;
  card_name: string;
  user_id: string | null;
  role: string;
  /** Type of the card on which the role is held. */
  role_type: string;
  is_above: boolean;
  since: Date;
}

interface FormerStakeRow {
  card_id: string;
  user_id: string;
  role: string;
}

/** The active users among these. */
export async function readRecipients(uow: UnitOfWork, ids: readonly string[]): Promise<RecipientRow[]> {
  return await uow.query<RecipientRow & Record<string, unknown>>(RECIPIENTS, [ids]);
}

/** Ids of the active users with any of the roles. */
export async function usersOfRoles(uow: UnitOfWork, roles: readonly string[]): Promise<string[]> {
  return (await uow.query<{ id: string }>(OF_ROLES, [roles])).map(({ id }) => id);
}

/** These cards with the current stakeholder roles on and above them; none where no card has a stakeholder. */
export async function readStakeholders(uow: UnitOfWork, cardIds: readonly string[]): Promise<StakeRow[]> {
  return await uow.query<StakeRow & Record<string, unknown>>(STAKES, [cardIds]);
}

/** Users who held a role on these deleted cards until the deletion. */
export async function readFormerStakeholders(uow: UnitOfWork, cardIds: readonly string[]): Promise<FormerStakeRow[]> {
  return await uow.query<FormerStakeRow & Record<string, unknown>>(FORMER, [cardIds]);
}

const OWNERS = { comments: AUTHORS, todos: GIVERS, imports: IMPORTERS };

/** The author of a comment, the creator of a to-do or the user who ran an import, by its id, where known. */
export async function readOwners(
  uow: UnitOfWork,
  of: keyof typeof OWNERS,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  return new Map(
    (await uow.query<{ id: string; user_id: string }>(OWNERS[of], [ids])).map(({ id, user_id }) => [id, user_id]),
  );
}
