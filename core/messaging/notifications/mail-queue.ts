import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { queueOnce } from '../../foundation/jobs/index.js';

/** Type of the jobs that mail one user what is due. */
export const MAIL_JOB = 'notifications.mail';
/** Attempts, over some four hours. */
export const MAIL_ATTEMPTS = 6;
/** So long what comes is collected, to be one mail. */
const DELAY_MS = 10_000;

/** Has each of these users mailed what is due, shortly; whoever waits for a mail already gets all of it by that one. */
export async function queueMails(uow: UnitOfWork, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  const payloads = [...new Set(userIds)].sort().map((user_id) => ({ user_id }));
  await queueOnce(
    uow,
    { type: MAIL_JOB, origin: 'notifications', delayMs: DELAY_MS, maxAttempts: MAIL_ATTEMPTS },
    payloads,
  );
}
