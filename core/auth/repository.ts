import type { Database } from '../db/database.js';
import type { UnitOfWork } from '../db/unit-of-work.js';

const WINDOW = 'make_interval(mins => $3)';
const COUNTED = `case when first_failed_at > now() - ${WINDOW} then failed_logins + 1 else 1 end`;
const OPEN = '(locked_until is null or locked_until <= now())';

const FIND = {
  name: 'login-find',
  text: `select id, role, display_name, email, password_hash, is_active and auth_provider = 'local' and ${OPEN} as may_log_in from users where email_key = $1`,
};
const FIND_BY_ID = {
  name: 'login-find-by-id',
  text: `select id, role, display_name, email, password_hash, is_active and auth_provider = 'local' and ${OPEN} as may_log_in from users where id = $1`,
};
const MISS = {
  name: 'login-miss',
  text: `update users set failed_logins = ${COUNTED},
      first_failed_at = case when first_failed_at > now() - ${WINDOW} then first_failed_at else now() end,
      locked_until = case when ${COUNTED} >= $2 then now() + make_interval(mins => $4) end
    where id = $1 and ${OPEN} returning display_name, locked_until`,
};
// The hash must still be the one verified, and the misses that others made meanwhile must not have locked the account.
const HIT = {
  name: 'login-hit',
  text: `update users set failed_logins = 0, first_failed_at = null, locked_until = null
    where id = $1 and password_hash = $2 and is_active and ${OPEN} returning id`,
};
const LOGGED_IN = { name: 'login-time', text: `update users set last_login_at = date_trunc('milliseconds', clock_timestamp()) where id = $1` };
const REGISTER_LOCK = { name: 'register-lock', text: 'select pg_advisory_xact_lock(7315003)' };
const ANY_USER = { name: 'users-any', text: 'select exists (select from users) as any' };

export interface Account {
  id: string;
  role: string;
  display_name: string;
  email: string;
  password_hash: string | null;
  /** Active, local and not locked. */
  may_log_in: boolean;
}

export async function findAccount(db: Database, emailKey: string): Promise<Account | undefined> {
  return (await db.query<Account & Record<string, unknown>>(FIND, [emailKey]))[0];
}

export async function findAccountById(db: Database, id: string): Promise<Account | undefined> {
  return (await db.query<Account & Record<string, unknown>>(FIND_BY_ID, [id]))[0];
}

/** When an account is locked. */
export interface LoginLimits {
  max_misses: number;
  window_minutes: number;
  lock_minutes: number;
}

/** Counts a wrong password. @returns the account's name and whether this locked it; undefined where it is locked already */
export async function countMiss(uow: UnitOfWork, userId: string, { max_misses, window_minutes, lock_minutes }: LoginLimits): Promise<{ name: string; lockedUntil: Date | null } | undefined> {
  const [row] = await uow.query<{ display_name: string; locked_until: Date | null }>(MISS, [userId, max_misses, window_minutes, lock_minutes]);
  return row && { name: row.display_name, lockedUntil: row.locked_until };
}

/** Accepts a password that was verified against `hash`. @returns whether the account still takes it */
export async function acceptPassword(uow: UnitOfWork, userId: string, hash: string): Promise<boolean> {
  return (await uow.query(HIT, [userId, hash])).length > 0;
}

export async function markLogin(uow: UnitOfWork, userId: string): Promise<void> {
  await uow.query(LOGGED_IN, [userId]);
}

/** Lets one registration in at a time, until the transaction ends. */
export async function lockRegistration(uow: UnitOfWork): Promise<void> {
  await uow.query(REGISTER_LOCK);
}

/** Whether there is any user; a statement of its own, so that it sees what the one before committed. */
export async function anyUser(on: Pick<Database, 'query'>): Promise<boolean> {
  return (await on.query<{ any: boolean }>(ANY_USER))[0]!.any;
}
