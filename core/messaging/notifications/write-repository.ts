import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { Notice } from './types.js';

const NOW = "date_trunc('milliseconds', clock_timestamp())";

/**
 * An existing notification is counted up and becomes unread again. Events up to its stored position are not counted
 * twice. A mail in progress or already sent is not sent again for the same events.
 */
const STORE = {
  name: 'notifications-store',
  text: `insert into notifications as n (id, user_id, kind, group_key, in_app, position, subject_kind, subject_id, subject_type, subject_name,
      actor_id, actor_name, title, link, count, data, mail_state, created_at, updated_at)
    select w.id, w.user_id, w.kind, w.group_key, w.in_app, w.position, w.subject_kind, w.subject_id, w.subject_type, w.subject_name,
      w.actor_id, w.actor_name, w.title, w.link, w.count, w.data, w.mail_state, now.at, now.at
    from (select ${NOW} as at) now, rows from (jsonb_to_recordset($1::jsonb) as (id uuid, user_id uuid, kind text, group_key text, in_app boolean, position bigint,
      subject_kind text, subject_id text, subject_type text, subject_name text, actor_id uuid, actor_name text, title text, link text, count int, data jsonb, mail_state text))
      with ordinality as w(id, user_id, kind, group_key, in_app, position, subject_kind, subject_id, subject_type, subject_name, actor_id, actor_name, title, link, count, data, mail_state, nth)
    order by w.nth
    on conflict (user_id, kind, group_key) do update set count = n.count + excluded.count, position = excluded.position, in_app = n.in_app or excluded.in_app,
      read_at = null, version = n.version + 1, updated_at = greatest(n.updated_at + interval '1 ms', excluded.updated_at),
      actor_id = case when n.actor_id is not distinct from excluded.actor_id then n.actor_id end,
      actor_name = case when n.actor_id is not distinct from excluded.actor_id then n.actor_name end,
      data = case when n.data ? 'verb' then jsonb_build_object('verb', case when n.data->'verb' = excluded.data->'verb' then n.data->'verb' else '"mixed"'::jsonb end) else '{}'::jsonb end
    where n.position is null or n.position < excluded.position
    returning id, user_id, kind, xmax = 0 as is_new, mail_state = 'due' and xmax = 0 as is_due`,
};

interface WantedNotice extends Notice {
  id: string;
  isShown: boolean;
  isMailed: boolean;
}

export interface StoredNotice {
  id: string;
  user_id: string;
  kind: string;
  /** Whether the notification was created. */
  is_new: boolean;
  /** Whether it is due to be mailed. */
  is_due: boolean | null;
}

/** Stores notices, or counts up existing notifications; no two notices may have the same user, kind and group. */
export async function storeNotices(uow: UnitOfWork, notices: readonly WantedNotice[]): Promise<StoredNotice[]> {
  const rows = notices.map(
    ({ id, userId, kind, group, isShown, isMailed, position, subject, actor, title, link, count, data }) => ({
      id,
      user_id: userId,
      kind,
      group_key: group,
      in_app: isShown,
      position,
      title,
      link,
      count,
      data,
      mail_state: isMailed ? 'due' : null,
      subject_kind: subject.kind,
      subject_id: subject.id,
      subject_type: subject.type,
      subject_name: subject.name,
      actor_id: actor?.id ?? null,
      actor_name: actor?.name ?? null,
    }),
  );
  return await uow.query<StoredNotice & Record<string, unknown>>(STORE, [JSON.stringify(rows)]);
}
