import type { Database } from '../../foundation/db/database.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { COLUMNS, VISIBILITY_KEY, type NotificationRow } from './repository.js';

/**
 * The first attempt assigns all due notifications to the job; later attempts use the same ones, so that the mail is the
 * same.
 */
const CLAIM = {
  name: 'notification-mail-claim',
  text: `update notifications n set mail_job = $2 where n.user_id = $1 and n.mail_state = 'due' and n.mail_job is null
    and not exists (select from notifications o where o.user_id = $1 and o.mail_state in ('due', 'failed') and o.mail_job = $2)`,
};
const BATCH = {
  name: 'notification-mail-batch',
  text: `select ${COLUMNS}, ${VISIBILITY_KEY} as visibility from notifications n where n.user_id = $1 and n.mail_job = $2 and n.mail_state in ('due', 'failed') order by n.created_at, n.id for update`,
};
const SETTLE = {
  name: 'notification-mail-settle',
  text: `update notifications set mail_state = $2 where id = any($1::uuid[])`,
};
const LEFT = {
  name: 'notification-mail-left',
  text: `select exists (select from notifications where user_id = $1 and mail_state = 'due' and mail_job is null) as is_left`,
};
const STRANDED = {
  name: 'notification-mail-stranded',
  text: `select distinct user_id from notifications where mail_state = 'due' and mail_job is null and updated_at < clock_timestamp() - interval '1 hour' limit $1`,
};

/** A notification to be mailed, with its visibility key. */
export type MailRow = NotificationRow & { visibility: string };

/** Assigns the due notifications of a user to a job; repeated attempts return the same ones. */
export async function claimMail(uow: UnitOfWork, userId: string, jobId: string): Promise<MailRow[]> {
  await uow.query(CLAIM, [userId, jobId]);
  return await uow.query<MailRow & Record<string, unknown>>(BATCH, [userId, jobId]);
}

/** @param state null for notifications that are not to be mailed after all */
export async function settleMail(
  uow: UnitOfWork,
  ids: readonly string[],
  state: 'sent' | 'failed' | null,
): Promise<void> {
  if (ids.length > 0) await uow.query(SETTLE, [ids, state]);
}

/** Whether a user has due notifications that are not assigned to a job. */
export async function isMailLeft(uow: UnitOfWork, userId: string): Promise<boolean> {
  return (await uow.query<{ is_left: boolean }>(LEFT, [userId]))[0]!.is_left;
}

/** Users with notifications that have been due for long and have no job, because the node failed. */
export async function strandedReceivers(db: Database, most: number): Promise<string[]> {
  return (await db.query<{ user_id: string }>(STRANDED, [most])).map(({ user_id }) => user_id);
}
