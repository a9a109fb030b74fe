import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { queueOnce } from '../../foundation/jobs/index.js';

/** Type of the jobs that mail one user's due notifications. */
export const MAIL_JOB = 'notifications.mail';
/** Number of attempts, over about four hours. */
export const MAIL_ATTEMPTS = 6;
/** Time in ms during which notifications are collected for one mail. */
const DELAY_MS = 10_000;

/** Queues a mail job for each of these users; a job already queued for a user covers all due notifications. */
export async function queueMails(uow: UnitOfWork, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  const payloads = [...new Set(userIds)].sort().map((user_id) => ({ user_id }));
  await queueOnce(
    uow,
    { type: MAIL_JOB, origin: 'notifications', delayMs: DELAY_MS, maxAttempts: MAIL_ATTEMPTS },
    payloads,
  );
}
