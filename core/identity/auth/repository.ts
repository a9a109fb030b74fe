import type { Database } from '../../foundation/db/database.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';

const REGISTER_LOCK = { name: 'register-lock', text: 'select pg_advisory_xact_lock(7315006)' };
const ANY_USER = { name: 'users-any', text: 'select exists (select from users) as any' };

/** Serialises registrations until the transaction ends. */
export async function lockRegistration(uow: UnitOfWork): Promise<void> {
  await uow.query(REGISTER_LOCK);
}

/** Whether any user exists; a separate statement, so that it sees what was committed before the lock was taken. */
export async function anyUser(on: Pick<Database, 'query'>): Promise<boolean> {
  return (await on.query<{ any: boolean }>(ANY_USER))[0]!.any;
}
