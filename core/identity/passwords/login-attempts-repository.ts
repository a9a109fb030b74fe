import type { Database } from '../../foundation/db/database.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { deleteInSteps } from '../../foundation/db/delete-in-steps.js';

/** Days since the last log-in for which an address counts as known. */
const KNOWN_DAYS = 30;
/** Stored in place of an address for all unknown addresses together. */
export const UNKNOWN_ADDRESSES = '*';
/** Maximum number of addresses listed in an event. */
const ADDRESSES = 100;

/** Limits for wrong passwords, beyond which further attempts are refused. */
export interface LoginLimits {
  /** Wrong passwords from one address, or of one session. */
  max_misses: number;
  /** Wrong passwords from all unknown addresses together. */
  max_misses_unknown_addresses: number;
  /** Minutes within which wrong passwords are counted together. */
  window_minutes: number;
  /** Minutes for which attempts are refused. */
  lock_minutes: number;
}

/** The columns of a user needed for a log-in; all null where no user has the e-mail address. */
export interface Account {
  id: string;
  role: string;
  kind: 'person' | 'service';
  display_name: string;
  email: string;
  password_hash: string | null;
  /** Active, and with a local password. */
  may_log_in: boolean;
}

/** State of an account when a log-in is attempted. */
export interface Attempt {
  account: Account | undefined;
  /** Whether a log-in to the account from this address succeeded recently. */
  known: boolean;
  /** Whether the attempt is refused regardless of the password. */
  limited: boolean;
}

const limited = (account: string, sources: string): string =>
  `exists (select from login_misses m where m.account = ${account} and m.source = any(${sources}) and m.limited_until > clock_timestamp()) as limited`;
// Always returns one row, with the same steps whether or not a user has the address, so that timing reveals nothing.
const FIND = {
  name: 'login-find',
  text: `select u.id, u.role, u.kind, u.display_name, u.email, u.password_hash, coalesce(u.is_active and u.auth_provider = 'local', false) as may_log_in, known, ${limited('$2', 'sources')}
    from (select) as one left join users u on u.email_key = $1,
      lateral (select exists (select from login_addresses a where a.user_id = u.id and a.address = $3
        and a.last_login_at > clock_timestamp() - interval '${KNOWN_DAYS} days') as known) as k,
      lateral (select case when known then array[$3::text] else array[$3::text, '${UNKNOWN_ADDRESSES}'] end as sources) as s`,
};
const FIND_BY_ID = {
  name: 'login-find-by-id',
  text: `select id, role, kind, display_name, email, email_key, password_hash, is_active and auth_provider = 'local' as may_log_in from users where id = $1`,
};
const IS_LIMITED = { name: 'login-limited', text: `select ${limited('$1', '$2')}` };
// Nothing is counted while attempts are refused. Statements for the same source are serialised by the row lock.
const MISS = {
  name: 'login-miss',
  text: `insert into login_misses as m (account, source, at, limited_until, stale_at)
    select $1, $2, array[t], case when $3::int <= 1 then t + make_interval(mins => $5) end, t + make_interval(mins => greatest($4, $5)) from clock_timestamp() as t
    on conflict (account, source) do update set (at, limited_until, stale_at) = (
      select live[greatest(1, cardinality(live) - $3::int + 1):], case when cardinality(live) >= $3::int then now + make_interval(mins => $5) end,
        now + make_interval(mins => greatest($4, $5))
      from (select clock_timestamp() as now) as c,
        lateral (select array(select h from unnest(m.at) with ordinality as u(h, n) where h > now - make_interval(mins => $4) order by n) || now as live) as l)
    where m.limited_until is null or m.limited_until <= clock_timestamp()
    returning limited_until`,
};
const SOURCES = {
  name: 'login-miss-sources',
  text: `select source from login_misses where account = $1 and source <> '${UNKNOWN_ADDRESSES}' and source not like 'session %'
    and at[cardinality(at)] > clock_timestamp() - make_interval(mins => $2) order by at[cardinality(at)] desc limit ${ADDRESSES}`,
};
// Locks the rows in which concurrent attempts count failures, so that their counts are visible; in the order in which
// those are updated, to avoid deadlocks.
const HOLD = {
  name: 'login-hold',
  text: `select coalesce(limited_until > clock_timestamp(), false) as limited from login_misses where account = $1 and source = any($2) order by source = '${UNKNOWN_ADDRESSES}' for update`,
};
const FORGIVE = { name: 'login-forgive', text: 'delete from login_misses where account = $1 and source = $2' };
const STILL = {
  name: 'login-still',
  text: 'select from users where id = $1 and password_hash = $2 and is_active for update',
};
const CLEAR = { name: 'login-clear', text: 'delete from login_misses where account = $1 returning 1' };
const LOGGED_IN = {
  name: 'login-time',
  text: `with known as (insert into login_addresses (user_id, address, last_login_at) values ($1, $2, clock_timestamp())
      on conflict (user_id, address) do update set last_login_at = excluded.last_login_at)
    update users set last_login_at = date_trunc('milliseconds', clock_timestamp()) where id = $1`,
};
const CLEAN_MISSES = {
  name: 'login-misses-clean',
  text: `delete from login_misses where (account, source) in (
    select account, source from login_misses where stale_at < clock_timestamp() limit $1 for update skip locked) returning 1`,
};
const CLEAN_ADDRESSES = {
  name: 'login-addresses-clean',
  text: `delete from login_addresses where (user_id, address) in (
    select user_id, address from login_addresses where last_login_at < clock_timestamp() - interval '${KNOWN_DAYS} days' limit $1 for update skip locked) returning 1`,
};

type FindRow = { [K in keyof Account]: Account[K] | null } & { may_log_in: boolean; known: boolean; limited: boolean };

/** @param key digest of `emailKey`; see `accountKey` */
export async function findAttempt(db: Database, emailKey: string, key: Buffer, address: string): Promise<Attempt> {
  const [row] = await db.query<FindRow>(FIND, [emailKey, key, address]);
  const { known, limited, ...account } = row!;
  return { account: account.id === null ? undefined : (account as Account), known, limited };
}

export async function findAccountById(
  db: Database,
  id: string,
): Promise<(Account & { email_key: string }) | undefined> {
  return (await db.query<Account & { email_key: string } & Record<string, unknown>>(FIND_BY_ID, [id]))[0];
}

/** Whether attempts from one of the sources are refused. */
export async function isLimited(db: Database, key: Buffer, sources: readonly string[]): Promise<boolean> {
  return (await db.query<{ limited: boolean }>(IS_LIMITED, [key, sources]))[0]!.limited;
}

/**
 * Counts a wrong password.
 * @param max number of failures after which further attempts are refused
 * @returns the time until which attempts are now refused, null where they are not; undefined where they already were,
 *   and nothing was counted
 */
export async function countMiss(
  uow: UnitOfWork,
  key: Buffer,
  source: string,
  max: number,
  { window_minutes, lock_minutes }: LoginLimits,
): Promise<Date | null | undefined> {
  return (await uow.query<{ limited_until: Date | null }>(MISS, [key, source, max, window_minutes, lock_minutes]))[0]
    ?.limited_until;
}

/** The addresses from which wrong passwords came within the window, latest first. */
export async function missedFrom(uow: UnitOfWork, key: Buffer, { window_minutes }: LoginLimits): Promise<string[]> {
  return (await uow.query<{ source: string }>(SOURCES, [key, window_minutes])).map(({ source }) => source);
}

/**
 * Accepts a password that was verified against `hash`, and clears the failures of its source.
 * @param sources sources that must not be blocked, the attempt's own first
 * @returns whether the account still accepts the password
 */
export async function acceptPassword(
  uow: UnitOfWork,
  key: Buffer,
  sources: readonly string[],
  userId: string,
  hash: string,
): Promise<boolean> {
  // Locks the user first, in the same order as changes of a user that clear failures.
  if ((await uow.query(STILL, [userId, hash])).length === 0) return false;
  const held = await uow.query<{ limited: boolean }>(HOLD, [key, sources]);
  if (held.some(({ limited }) => limited)) return false;
  await uow.query(FORGIVE, [key, sources[0]]);
  return true;
}

/** Clears all failures of an account. @returns whether there were any */
export async function clearMisses(uow: UnitOfWork, key: Buffer): Promise<boolean> {
  return (await uow.query(CLEAR, [key])).length > 0;
}

/** Records a log-in and its address, which counts as known from now on. */
export async function markLogin(uow: UnitOfWork, userId: string, address: string): Promise<void> {
  await uow.query(LOGGED_IN, [userId, address]);
}

/** Deletes expired failure counts and addresses without a recent log-in. */
export async function cleanAttempts(db: Database): Promise<void> {
  await deleteInSteps(db, CLEAN_MISSES);
  await deleteInSteps(db, CLEAN_ADDRESSES);
}
