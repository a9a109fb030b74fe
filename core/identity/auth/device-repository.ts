import type { Database } from '../../foundation/db/database.js';
import { deleteInSteps } from '../../foundation/db/delete-in-steps.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';

/** Days since the last log-in for which a device counts as known. */
export const KNOWN_DEVICE_DAYS = 90;

/** Maximum number of devices stored for a user: anyone who knows the password chooses the names of programs. */
const MOST_DEVICES = 100;

const RECENT = `clock_timestamp() - interval '${KNOWN_DEVICE_DAYS} days'`;
// Runs before the time of the log-in is stored: an account without one logs in for the first time. An account that has
// logged in within the time for which devices are kept and has none was last used before devices were recorded.
const MARK = {
  name: 'login-device-mark',
  text: `with mark as (insert into login_devices (user_id, family, network, last_login_at)
        select id, $2::text, $3::text, clock_timestamp() from users where id = $1 and kind = 'person'
      on conflict (user_id, family, network) do update set last_login_at = excluded.last_login_at),
    oldest as (delete from login_devices where (user_id, family, network) in (
      select user_id, family, network from login_devices where user_id = $1 and (family, network) <> ($2::text, $3::text)
      order by last_login_at desc offset ${MOST_DEVICES - 1}))
    select u.kind = 'person' and u.last_login_at is not null
        and (u.last_login_at <= ${RECENT} or exists (select from login_devices d where d.user_id = $1))
        and coalesce((select value->>'host' from settings where key = 'smtp'), '') <> ''
        and not exists (select from login_devices d where d.user_id = $1 and d.family = $2 and d.network = $3 and d.last_login_at > ${RECENT}) as is_news
      from users u where u.id = $1`,
};
const CLEAN = {
  name: 'login-devices-clean',
  text: `delete from login_devices where (user_id, family, network) in (
    select user_id, family, network from login_devices where last_login_at < ${RECENT} limit $1 for update skip locked) returning 1`,
};

/**
 * Records the device of a log-in of a person.
 * @param family of the browser or program
 * @param network of the client's address
 * @returns whether the person of the account is to be told: the device was unknown, it is not the first log-in of the
 *   account, and there is a mail server
 */
export async function markDevice(uow: UnitOfWork, userId: string, family: string, network: string): Promise<boolean> {
  return (await uow.query<{ is_news: boolean }>(MARK, [userId, family, network]))[0]?.is_news === true;
}

/** Deletes devices that no longer count as known. */
export async function cleanDevices(db: Database): Promise<void> {
  await deleteInSteps(db, CLEAN);
}
