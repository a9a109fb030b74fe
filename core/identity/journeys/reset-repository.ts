import type { Database } from '../../foundation/db/database.js';
import { deleteInSteps } from '../../foundation/db/delete-in-steps.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';

const MAY_RESET = `u.is_active and u.kind = 'person' and u.auth_provider = 'local'`;
/** What a reset is bound to: it ends when the address or the password changes. */
const STATE = `sha256(convert_to(u.email_key || ' ' || coalesce(u.password_hash, ''), 'UTF8'))`;

// Selects from the users, so that neither an unknown nor an excluded account gets a row.
const INSERT = {
  name: 'password-reset-insert',
  text: `insert into password_resets (id, user_id, account_state) select $1, u.id, ${STATE} from users u where u.email_key = $2 and ${MAY_RESET}
    returning user_id`,
};
const BY_TOKEN = {
  name: 'password-reset-by-token',
  text: `select r.user_id, u.email from mail_tokens t join password_resets r on r.id = t.reset_id join users u on u.id = r.user_id
    where t.hash = $1 and t.purpose = 'reset' and t.expires_at > clock_timestamp() and r.account_state = ${STATE} and ${MAY_RESET}`,
};
const IS_VALID = {
  name: 'password-reset-valid',
  text: `select from mail_tokens t join password_resets r on r.id = t.reset_id join users u on u.id = r.user_id
    where t.hash = $1 and t.purpose = 'reset' and t.expires_at > clock_timestamp() and r.account_state = ${STATE} and ${MAY_RESET}`,
};
const MAIL = {
  name: 'password-reset-mail',
  text: `select u.email, u.display_name, u.locale, clock_timestamp() + interval '1 hour' as expires_at
    from password_resets r join users u on u.id = r.user_id where r.id = $1 and r.account_state = ${STATE} and ${MAY_RESET} for key share of r`,
};
const END = { name: 'password-resets-end', text: 'delete from password_resets where user_id = $1' };
// Longer than all attempts to send the mail, and the validity of its link.
const CLEAN = {
  name: 'password-resets-clean',
  text: `delete from password_resets where id in (select id from password_resets where created_at < clock_timestamp() - interval '1 day' limit $1 for update skip locked) returning 1`,
};

/** @returns the user; undefined where no account with the address may set a password by mail */
export async function insertReset(uow: UnitOfWork, id: string, emailKey: string): Promise<string | undefined> {
  return (await uow.query<{ user_id: string }>(INSERT, [id, emailKey]))[0]?.user_id;
}

/** The account whose password a token may set. */
export async function accountOfToken(
  db: Database,
  hash: Buffer,
): Promise<{ user_id: string; email: string } | undefined> {
  return (await db.query<{ user_id: string; email: string }>(BY_TOKEN, [hash]))[0];
}

/** Whether the token may still set the password; to be asked while the user is locked. */
export async function isResetValid(uow: UnitOfWork, hash: Buffer): Promise<boolean> {
  return (await uow.query(IS_VALID, [hash])).length > 0;
}

interface ResetMail {
  email: string;
  display_name: string;
  locale: string | null;
  expires_at: Date;
}

/** What the mail of a reset contains; `expires_at` is an hour from now. */
export async function readResetMail(uow: UnitOfWork, id: string): Promise<ResetMail | undefined> {
  return (await uow.query<ResetMail & Record<string, unknown>>(MAIL, [id]))[0];
}

/** Ends all resets of a user, with their tokens. */
export async function endResets(uow: UnitOfWork, userId: string): Promise<void> {
  await uow.query(END, [userId]);
}

/** Deletes resets that were not used. */
export async function cleanResets(db: Database): Promise<void> {
  await deleteInSteps(db, CLEAN);
}
