import type { Database } from '../../foundation/db/database.js';
import { readPage } from '../../foundation/db/list.js';
import { Bindings, type ListParams, type ListSpec, type Page } from '../../foundation/db/list-query.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { NoticeData } from './types.js';

/** SQL of a notification's kind and subject as one text: see `visibilityKey`. */
export const VISIBILITY_KEY = `n.kind || ' ' || case when n.subject_kind = 'card' then 'card ' || coalesce(n.subject_type, '') else n.subject_kind end`;
const OWN = `n.user_id = $1 and n.in_app and ${VISIBILITY_KEY} = any($2::text[])`;
const NOW = "date_trunc('milliseconds', clock_timestamp())";

const SPEC: ListSpec = {
  table: 'notifications n',
  id: 'n.id',
  defaultSort: 'created_at',
  defaultDir: 'desc',
  sorts: {
    created_at: { sql: 'n.created_at', type: 'timestamptz' },
    updated_at: { sql: 'n.updated_at', type: 'timestamptz' },
  },
};
export const COLUMNS = `n.id, n.kind, n.position::float8 as position, n.subject_kind, n.subject_id, n.subject_type, n.subject_name, n.actor_id, n.actor_name, n.title, n.link,
  n.count, n.data, n.created_at, n.updated_at, n.read_at, n.version`;

const FIND = { name: 'notification-find', text: `select ${COLUMNS} from notifications n where ${OWN} and n.id = $3` };
const LOCK = {
  name: 'notification-lock',
  text: `select n.read_at is not null as is_read, n.version from notifications n where ${OWN} and n.id = $3 for update`,
};
const UNREAD = {
  name: 'notifications-unread',
  text: `select count(*)::int as unread from notifications n where ${OWN} and n.read_at is null`,
};
const READ = {
  name: 'notification-read',
  text: `update notifications set read_at = ${NOW}, version = version + 1 where id = $1 returning version`,
};
const READ_ALL = {
  name: 'notifications-read-all',
  text: `with due as (select n.id from notifications n where ${OWN} and n.read_at is null and n.updated_at <= coalesce($3::timestamptz, 'infinity')
      order by n.user_id, n.kind, n.group_key for update)
    update notifications n set read_at = ${NOW}, version = n.version + 1 from due where n.id = due.id returning 1`,
};
/** Deletes a bounded number at a time. Read notifications expire after half a year, unread ones after a year. */
const CLEAN = {
  name: 'notifications-clean',
  text: `delete from notifications where id in (select id from notifications
    where created_at < clock_timestamp() - interval '180 days' and (read_at < clock_timestamp() - interval '180 days' or updated_at < clock_timestamp() - interval '365 days')
    limit $1) returning 1`,
};

export interface NotificationRow {
  id: string;
  kind: string;
  position: number | null;
  subject_kind: string;
  subject_id: string;
  subject_type: string | null;
  subject_name: string | null;
  actor_id: string | null;
  actor_name: string | null;
  title: string | null;
  link: string | null;
  count: number;
  data: NoticeData;
  created_at: Date;
  updated_at: Date;
  read_at: Date | null;
  version: number;
}
type Row = NotificationRow & Record<string, unknown>;

/** A user and the visibility keys of the notifications that the user may currently see. */
export interface Reader {
  userId: string;
  visible: readonly string[];
}

interface NotificationFilters {
  unread?: boolean | undefined;
  kind?: string | undefined;
}

export async function listNotifications(
  db: Database,
  { userId, visible }: Reader,
  { unread, kind, ...params }: ListParams & NotificationFilters,
): Promise<Page<NotificationRow>> {
  const bindings = new Bindings();
  const where = [
    `n.user_id = ${bindings.add(userId)}`,
    'n.in_app',
    `${VISIBILITY_KEY} = any(${bindings.add(visible)}::text[])`,
  ];
  if (unread !== undefined) where.push(`n.read_at is ${unread ? '' : 'not '}null`);
  if (kind !== undefined) where.push(`n.kind = any(${bindings.add(kind.split(','))}::text[])`);
  return await readPage<Row>(db, {
    spec: SPEC,
    params,
    where,
    bindings,
    scope: JSON.stringify([userId, unread, kind]),
    columns: COLUMNS,
  });
}

export async function findNotification(
  db: Database,
  { userId, visible }: Reader,
  id: string,
): Promise<NotificationRow | undefined> {
  return (await db.query<Row>(FIND, [userId, visible, id]))[0];
}

export async function countUnread(db: Database, { userId, visible }: Reader): Promise<number> {
  return (await db.query<{ unread: number }>(UNREAD, [userId, visible]))[0]!.unread;
}

export async function lockNotification(
  uow: UnitOfWork,
  { userId, visible }: Reader,
  id: string,
): Promise<{ is_read: boolean; version: number } | undefined> {
  return (await uow.query<{ is_read: boolean; version: number }>(LOCK, [userId, visible, id]))[0];
}

/** @returns the new version */
export async function markRead(uow: UnitOfWork, id: string): Promise<number> {
  return (await uow.query<{ version: number }>(READ, [id]))[0]!.version;
}

/**
 * Marks notifications last updated at or before `until`, or all when absent. @returns the number of unread ones among
 * them
 */
export async function markAllRead(
  uow: UnitOfWork,
  { userId, visible }: Reader,
  until: string | undefined,
): Promise<number> {
  return (await uow.query(READ_ALL, [userId, visible, until ?? null])).length;
}

/** Deletes some expired notifications. @returns their number */
export async function cleanNotifications(uow: UnitOfWork, most: number): Promise<number> {
  return (await uow.query(CLEAN, [most])).length;
}
