import type { Database } from '../../foundation/db/database.js';
import { deleteInSteps } from '../../foundation/db/delete-in-steps.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { sha256 } from '../../foundation/digest.js';

/** Length of the window in minutes within which mails are counted. */
const WINDOW_MINUTES = 60;

// A key has at most as many times as mails are allowed. Statements for the same key are serialised by the row lock.
const COUNT = {
  name: 'mail-limit-count',
  text: `insert into mail_limits as m (key, at, was_allowed, last_at) select $1, array[t], true, t from clock_timestamp() as t
    on conflict (key) do update set (at, was_allowed, last_at) = (
      select case when cardinality(live) < $2::int then live || now else live end, cardinality(live) < $2::int, now
      from (select clock_timestamp() as now) as c,
        lateral (select array(select h from unnest(m.at) with ordinality as u(h, n) where h > now - interval '${WINDOW_MINUTES} minutes' order by n) as live) as l)
    returning was_allowed`,
};
const CLEAN = {
  name: 'mail-limits-clean',
  text: `delete from mail_limits where key in (select key from mail_limits where last_at < clock_timestamp() - interval '${WINDOW_MINUTES} minutes' limit $1 for update skip locked) returning 1`,
};

/**
 * Counts a mail to an address, in the same way for addresses without an account.
 * @param key the kind of mail and the receiver; only its digest is stored, because the receiver may be any text
 * @param most maximum number in an hour
 * @returns whether it may be sent
 */
export async function mayMail(uow: UnitOfWork, key: string, most: number): Promise<boolean> {
  return (await uow.query<{ was_allowed: boolean }>(COUNT, [sha256(key), most]))[0]!.was_allowed;
}

/** Deletes counts older than the window. */
export async function cleanMailLimits(db: Database): Promise<void> {
  await deleteInSteps(db, CLEAN);
}
