import type { Database } from '../../foundation/db/database.js';
import { deleteInSteps } from '../../foundation/db/delete-in-steps.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { TokenPurpose } from './token-repository.js';

/** Days for which a change that has ended is kept. */
const KEPT_DAYS = 90;
const COLUMNS =
  'c.id, c.user_id, c.old_email, c.new_email, c.confirmed_old_at, c.confirmed_new_at, c.created_at, c.expires_at';
const OPEN = `c.state = 'pending' and c.expires_at > clock_timestamp()`;

const INSERT = {
  name: 'email-change-insert',
  text: `insert into email_changes as c (id, user_id, old_email, new_email, expires_at) values ($1, $2, $3, $4, clock_timestamp() + interval '1 day') returning ${COLUMNS}`,
};
/** A change of another address than the current one cannot be applied: an administrator changed the address meanwhile. */
const MAY_APPLY = `u.id = c.user_id and u.email = c.old_email and u.is_active and u.auth_provider = 'local'`;
const FIND = {
  name: 'email-change',
  text: `select ${COLUMNS} from email_changes c join users u on ${MAY_APPLY} where c.user_id = $1 and ${OPEN}`,
};
// Includes one that has expired, so that it does not prevent the next one.
const WITHDRAW = {
  name: 'email-change-withdraw',
  text: `update email_changes c set state = 'withdrawn' where c.user_id = $1 and c.state = 'pending' returning c.id, c.expires_at > clock_timestamp() as was_open`,
};
const OF_TOKEN = {
  name: 'email-change-of-token',
  text: `select c.user_id from mail_tokens t join email_changes c on c.id = t.change_id where t.hash = $1 and t.expires_at > clock_timestamp() and ${OPEN}`,
};
const LOCK_OF_TOKEN = {
  name: 'email-change-lock',
  text: `select ${COLUMNS}, t.purpose from mail_tokens t join email_changes c on c.id = t.change_id
    where t.hash = $1 and t.purpose = any($2) and t.expires_at > clock_timestamp() and ${OPEN} for update`,
};
const CONFIRM = {
  name: 'email-change-confirm',
  text: `with spent as (delete from mail_tokens where change_id = $1 and purpose = $2)
    update email_changes set confirmed_old_at = case when $2 = 'confirm_old' then clock_timestamp() else confirmed_old_at end,
      confirmed_new_at = case when $2 = 'confirm_new' then clock_timestamp() else confirmed_new_at end
    where id = $1 returning confirmed_old_at is not null and confirmed_new_at is not null as is_complete`,
};
const APPLY = { name: 'email-change-apply', text: `update email_changes set state = 'applied' where id = $1` };
const MAIL = {
  name: 'email-change-mail',
  text: `select ${COLUMNS}, u.display_name, u.locale from email_changes c join users u on ${MAY_APPLY}
    where c.id = $1 and ${OPEN} for update of c`,
};
const CLEAN = {
  name: 'email-changes-clean',
  text: `delete from email_changes where id in (select id from email_changes where expires_at < clock_timestamp() - interval '${KEPT_DAYS} days' limit $1 for update skip locked) returning 1`,
};

export interface EmailChangeRow {
  id: string;
  user_id: string;
  old_email: string;
  new_email: string;
  confirmed_old_at: Date | null;
  confirmed_new_at: Date | null;
  created_at: Date;
  expires_at: Date;
}
type Row = EmailChangeRow & Record<string, unknown>;

export async function insertEmailChange(
  uow: UnitOfWork,
  change: Pick<EmailChangeRow, 'id' | 'user_id' | 'old_email' | 'new_email'>,
): Promise<EmailChangeRow> {
  return (await uow.query<Row>(INSERT, [change.id, change.user_id, change.old_email, change.new_email]))[0]!;
}

/** The change of a user that is to be confirmed. */
export async function findEmailChange(db: Database, userId: string): Promise<EmailChangeRow | undefined> {
  return (await db.query<Row>(FIND, [userId]))[0];
}

/** Withdraws the change of a user. @returns its id, and whether it could still be confirmed; undefined where there is none */
export async function withdrawChange(
  uow: UnitOfWork,
  userId: string,
): Promise<{ id: string; was_open: boolean } | undefined> {
  return (await uow.query<{ id: string; was_open: boolean }>(WITHDRAW, [userId]))[0];
}

/** The user whose change a token belongs to. */
export async function userOfChangeToken(db: Database, hash: Buffer): Promise<string | undefined> {
  return (await db.query<{ user_id: string }>(OF_TOKEN, [hash]))[0]?.user_id;
}

/** The change of a token of one of the purposes, locked until the unit of work ends. */
export async function lockChangeOfToken(
  uow: UnitOfWork,
  hash: Buffer,
  purposes: readonly TokenPurpose[],
): Promise<(EmailChangeRow & { purpose: TokenPurpose }) | undefined> {
  return (await uow.query<Row & { purpose: TokenPurpose }>(LOCK_OF_TOKEN, [hash, purposes]))[0];
}

/** Stores a confirmation, and ends the tokens for it. @returns whether both addresses have confirmed */
export async function confirmChange(
  uow: UnitOfWork,
  id: string,
  purpose: 'confirm_old' | 'confirm_new',
): Promise<boolean> {
  return (await uow.query<{ is_complete: boolean }>(CONFIRM, [id, purpose]))[0]!.is_complete;
}

export async function markApplied(uow: UnitOfWork, id: string): Promise<void> {
  await uow.query(APPLY, [id]);
}

/** What the mails of a change contain; locked until the unit of work ends. */
export async function readChangeMail(
  uow: UnitOfWork,
  id: string,
): Promise<(EmailChangeRow & { display_name: string; locale: string | null }) | undefined> {
  return (await uow.query<Row & { display_name: string; locale: string | null }>(MAIL, [id]))[0];
}

/** Deletes changes that ended long ago. */
export async function cleanEmailChanges(db: Database): Promise<void> {
  await deleteInSteps(db, CLEAN);
}
