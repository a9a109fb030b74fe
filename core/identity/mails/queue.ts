import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { queueOnce } from '../../foundation/jobs/index.js';

/** Type of the jobs that send one mail about an account. */
export const ACCOUNT_MAIL_JOB = 'accounts.mail';
/** Number of attempts, over about four hours. */
export const ACCOUNT_MAIL_ATTEMPTS = 6;

/** The mails about accounts. */
export type AccountMail = 'invitation' | 'password_reset' | 'email_change_old' | 'email_change_new' | 'sign_in';

/** What a job contains: never a token, an address or a name. */
export interface AccountMailPayload {
  mail: AccountMail;
  id: string;
}

/**
 * Queues a mail within the unit of work of the change it is about, so that either both are stored or none.
 * @param id of the invitation, the reset, the change of the address or the session
 */
export async function queueAccountMail(uow: UnitOfWork, mail: AccountMail, id: string): Promise<void> {
  const payload: AccountMailPayload = { mail, id };
  await queueOnce(uow, { type: ACCOUNT_MAIL_JOB, origin: 'accounts', delayMs: 0, maxAttempts: ACCOUNT_MAIL_ATTEMPTS }, [
    payload,
  ]);
}
