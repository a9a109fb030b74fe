import type { Bounded } from '@lintel/sdk';
import type { Database } from '../../foundation/db/database.js';
import { deleteInSteps } from '../../foundation/db/delete-in-steps.js';
import { Bindings, type Page } from '../../foundation/db/list-query.js';
import { readPage } from '../../foundation/db/list.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { InvitationQuery } from './schemas.js';

export type InvitationState = 'pending' | 'accepted' | 'withdrawn' | 'expired';
/** Validity of an invitation after it was made or resent. */
const VALID = `interval '7 days'`;
/** Days for which an invitation that has ended is kept. */
const KEPT_DAYS = 90;

const STATUS = `case when i.state = 'pending' and i.expires_at <= clock_timestamp() then 'expired' else i.state end`;
const COLUMNS = `i.id, i.email, i.display_name, i.role, i.locale, i.invited_by, u.display_name as inviter_name, ${STATUS} as status,
  i.user_id, i.created_at, i.sent_at, i.expires_at, i.ended_at`;
const INVITERS = 'left join users u on u.id = i.invited_by';

/** Invitations that can still be accepted; others are deleted after some days. */
export const INVITATIONS: Bounded = {
  table: 'invitations',
  author: 'invited_by',
  bounds: [
    {
      per: [],
      most: 5_000,
      of: 'pending invitations',
      where: "r.state = 'pending' and r.expires_at > clock_timestamp()",
    },
  ],
};
const EXPIRE = {
  name: 'invitation-expire',
  text: `update invitations set state = 'expired', ended_at = expires_at where email_key = $1 and state = 'pending' and expires_at <= clock_timestamp()`,
};
const INSERT = {
  name: 'invitation-insert',
  text: `insert into invitations (id, email, email_key, display_name, role, locale, invited_by, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp() + ${VALID}) returning expires_at`,
};
const HAS_ACCOUNT = { name: 'invitation-account', text: 'select from users where email_key = $1' };
const FIND = { name: 'invitation', text: `select ${COLUMNS} from invitations i ${INVITERS} where i.id = $1` };
const LOCK = {
  name: 'invitation-lock',
  text: `select i.*, ${STATUS} as status from invitations i where i.id = $1 for update`,
};
const RESEND = {
  name: 'invitation-resend',
  text: `update invitations set sent_at = clock_timestamp(), expires_at = clock_timestamp() + ${VALID}, invited_by = $2 where id = $1 returning expires_at`,
};
const END = {
  name: 'invitation-end',
  text: `update invitations set state = $2, user_id = $3, ended_at = clock_timestamp() where id = $1`,
};
const BY_TOKEN = {
  name: 'invitation-by-token',
  text: `select i.id, i.email, i.display_name from mail_tokens t join invitations i on i.id = t.invitation_id
    where t.hash = $1 and t.purpose = 'accept' and t.expires_at > clock_timestamp() and i.state = 'pending' and i.expires_at > clock_timestamp()`,
};
const MAIL = {
  name: 'invitation-mail',
  text: `select i.email, i.display_name, i.locale, i.expires_at, u.display_name as inviter from invitations i join users u on u.id = i.invited_by and u.is_active
    where i.id = $1 and i.state = 'pending' and i.expires_at > clock_timestamp() for update of i`,
};
const CLEAN = {
  name: 'invitations-clean',
  text: `delete from invitations where id in (select id from invitations
    where coalesce(ended_at, expires_at) < clock_timestamp() - interval '${KEPT_DAYS} days' limit $1 for update skip locked) returning 1`,
};

export interface InvitationRow {
  id: string;
  email: string;
  display_name: string | null;
  role: string;
  locale: string | null;
  invited_by: string | null;
  inviter_name: string | null;
  /** As its state, or expired where its time is over. */
  status: InvitationState;
  user_id: string | null;
  created_at: Date;
  sent_at: Date;
  expires_at: Date;
  ended_at: Date | null;
}
type Row = InvitationRow & Record<string, unknown>;
export type LockedInvitation = Pick<
  InvitationRow,
  'id' | 'email' | 'display_name' | 'role' | 'locale' | 'invited_by' | 'status'
> & { email_key: string; state: InvitationState };

/** @returns the end of its validity @throws 409 `invitation_exists` */
export async function insertInvitation(
  uow: UnitOfWork,
  invitation: Pick<InvitationRow, 'id' | 'email' | 'display_name' | 'role' | 'locale'> & {
    email_key: string;
    invited_by: string;
  },
): Promise<Date> {
  const { id, email, email_key, display_name, role, locale, invited_by } = invitation;
  await uow.query(EXPIRE, [email_key]);
  const rows = await uow.query<{ expires_at: Date }>(INSERT, [
    id,
    email,
    email_key,
    display_name,
    role,
    locale,
    invited_by,
  ]);
  return rows[0]!.expires_at;
}

/** Whether an account has the e-mail address. */
export async function hasAccount(uow: UnitOfWork, emailKey: string): Promise<boolean> {
  return (await uow.query(HAS_ACCOUNT, [emailKey])).length > 0;
}

export async function findInvitation(db: Database, id: string): Promise<InvitationRow | undefined> {
  return (await db.query<Row>(FIND, [id]))[0];
}

/** Reads and locks an invitation until the unit of work ends. */
export async function lockInvitation(uow: UnitOfWork, id: string): Promise<LockedInvitation | undefined> {
  return (await uow.query<LockedInvitation & Record<string, unknown>>(LOCK, [id]))[0];
}

/** @returns the new end of its validity */
export async function prolongInvitation(uow: UnitOfWork, id: string, inviterId: string): Promise<Date> {
  return (await uow.query<{ expires_at: Date }>(RESEND, [id, inviterId]))[0]!.expires_at;
}

/** @param userId the account that was made by it */
export async function endInvitation(
  uow: UnitOfWork,
  id: string,
  state: 'accepted' | 'withdrawn',
  userId: string | null,
): Promise<void> {
  await uow.query(END, [id, state, userId]);
}

/** The invitation that a token accepts, while it is pending. */
export async function invitationOfToken(
  db: Database,
  hash: Buffer,
): Promise<Pick<InvitationRow, 'id' | 'email' | 'display_name'> | undefined> {
  return (
    await db.query<Pick<InvitationRow, 'id' | 'email' | 'display_name'> & Record<string, unknown>>(BY_TOKEN, [hash])
  )[0];
}

/** What the mail of a pending invitation contains; locked until the unit of work ends. */
export async function readInvitationMail(
  uow: UnitOfWork,
  id: string,
): Promise<
  (Pick<InvitationRow, 'email' | 'display_name' | 'locale' | 'expires_at'> & { inviter: string }) | undefined
> {
  return (
    await uow.query<
      Pick<InvitationRow, 'email' | 'display_name' | 'locale' | 'expires_at'> & { inviter: string } & Record<
          string,
          unknown
        >
    >(MAIL, [id])
  )[0];
}

const SPEC = {
  table: 'invitations i',
  id: 'i.id',
  defaultSort: 'created_at',
  defaultDir: 'desc',
  sorts: {
    created_at: { sql: 'i.created_at', type: 'timestamptz' },
    email: { sql: 'i.email_key', type: 'text' },
    expires_at: { sql: 'i.expires_at', type: 'timestamptz' },
  },
} as const;

export async function listInvitations(db: Database, query: InvitationQuery): Promise<Page<InvitationRow>> {
  const bindings = new Bindings();
  const where: string[] = [];
  if (query.status !== undefined) where.push(`${STATUS} = any(${bindings.add(query.status.split(','))})`);
  return await readPage<Row>(db, {
    spec: SPEC,
    params: query,
    where,
    bindings,
    scope: JSON.stringify(['invitations', query.status]),
    columns: COLUMNS,
    joins: INVITERS,
  });
}

/** Deletes invitations that ended long ago. */
export async function cleanInvitations(db: Database): Promise<void> {
  await deleteInSteps(db, CLEAN);
}
