import type { Database } from '../../foundation/db/database.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { deleteInSteps } from '../../foundation/db/delete-in-steps.js';

/** Days for which an address is known from the last log-in on. */
export const KNOWN_DAYS = 30;
/** In place of an address: all those that are not known. */
export const UNKNOWN_ADDRESSES = '*';
/** Addresses an event tells of at most. */
const ADDRESSES = 100;

/** When wrong passwords have further tries refused. */
export interface LoginLimits {
  /** Wrong passwords from one address, or of one session. */
  max_misses: number;
  /** Wrong passwords from all addresses that are not known together. */
  max_misses_unknown_addresses: number;
  /** Minutes within which they count together. */
  window_minutes: number;
  /** Minutes for which tries are refused. */
  lock_minutes: number;
}

/** A user as far as a log-in asks; all null where nobody has the address. */
export interface Account {
  id: string;
  role: string;
  display_name: string;
  email: string;
  password_hash: string | null;
  /** Active and local. */
  may_log_in: boolean;
}

/** What a try to log in finds. */
export interface Attempt {
  account: Account | undefined;
  /** Whether somebody logged in to the account from this address lately. */
  known: boolean;
  /** Whether it is refused, whatever the password. */
  limited: boolean;
}

const limited = (account: string, sources: string): string =>
  `exists (select from login_misses m where m.account = ${account} and m.source = any(${sources}) and m.limited_until > clock_timestamp()) as limited`;
// One row in every case, by the same steps for addresses nobody has.
const FIND = {
  name: 'login-find',
  text: `select u.id, u.role, u.display_name, u.email, u.password_hash, coalesce(u.is_active and u.auth_provider = 'local', false) as may_log_in, known, ${limited('$2', 'sources')}
    from (select) as one left join users u on u.email_key = $1,
      lateral (select exists (select from login_addresses a where a.user_id = u.id and a.address = $3
        and a.last_login_at > clock_timestamp() - interval '${KNOWN_DAYS} days') as known) as k,
      lateral (select case when known then array[$3::text] else array[$3::text, '${UNKNOWN_ADDRESSES}'] end as sources) as s`,
};
const FIND_BY_ID = {
  name: 'login-find-by-id',
  text: `select id, role, display_name, email, email_key, password_hash, is_active and auth_provider = 'local' as may_log_in from users where id = $1`,
};
const IS_LIMITED = { name: 'login-limited', text: `select ${limited('$1', '$2')}` };
// Nothing is counted while tries are refused. Of one source the statements find the row one after the other.
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
// The rows others count misses in are held, so that what they have counted decides; in the order in which they count.
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

/** Whether tries from one of the sources are refused. */
export async function isLimited(db: Database, key: Buffer, sources: readonly string[]): Promise<boolean> {
  return (await db.query<{ limited: boolean }>(IS_LIMITED, [key, sources]))[0]!.limited;
}

/**
 * Counts a wrong password.
 * @param max how many have further tries refused
 * @returns until when they are from now on, null where they are not; undefined where they were before, and nothing was counted
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

/** The addresses wrong passwords came from within the window, latest first. */
export async function missedFrom(uow: UnitOfWork, key: Buffer, { window_minutes }: LoginLimits): Promise<string[]> {
  return (await uow.query<{ source: string }>(SOURCES, [key, window_minutes])).map(({ source }) => source);
}

/**
 * Accepts a password that was verified against `hash`, and forgives the misses of its source.
 * @param sources that must not be limited, the own one first
 * @returns whether the account still takes it
 */
export async function acceptPassword(
  uow: UnitOfWork,
  key: Buffer,
  sources: readonly string[],
  userId: string,
  hash: string,
): Promise<boolean> {
  // The user first, as whoever changes one and forgives their misses does.
  if ((await uow.query(STILL, [userId, hash])).length === 0) return false;
  const held = await uow.query<{ limited: boolean }>(HOLD, [key, sources]);
  if (held.some(({ limited }) => limited)) return false;
  await uow.query(FORGIVE, [key, sources[0]]);
  return true;
}

/** Forgives all misses on an account. @returns whether there were any */
export async function clearMisses(uow: UnitOfWork, key: Buffer): Promise<boolean> {
  return (await uow.query(CLEAR, [key])).length > 0;
}

/** Notes a log-in and the address it came from, which is known from now on. */
export async function markLogin(uow: UnitOfWork, userId: string, address: string): Promise<void> {
  await uow.query(LOGGED_IN, [userId, address]);
}

/** Deletes what limits nothing any more, and addresses from which nobody has logged in lately. */
export async function cleanAttempts(db: Database): Promise<void> {
  await deleteInSteps(db, CLEAN_MISSES);
  await deleteInSteps(db, CLEAN_ADDRESSES);
}
