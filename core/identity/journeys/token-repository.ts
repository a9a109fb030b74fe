import type { Database } from '../../foundation/db/database.js';
import { deleteInSteps } from '../../foundation/db/delete-in-steps.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';

/** What a token of a link allows. */
export type TokenPurpose = 'accept' | 'reset' | 'confirm_old' | 'confirm_new' | 'withdraw';
/** What a token belongs to; exactly one is given. */
export interface TokenOwner {
  invitationId?: string;
  resetId?: string;
  changeId?: string;
}

const INSERT = {
  name: 'mail-token-insert',
  text: `insert into mail_tokens (hash, purpose, invitation_id, reset_id, change_id, expires_at) values ($1, $2, $3, $4, $5, $6)`,
};
const SPEND = {
  name: 'mail-token-spend',
  text: `delete from mail_tokens where hash = $1 and purpose = any($2) and expires_at > clock_timestamp() returning purpose`,
};
const END = {
  name: 'mail-tokens-end',
  text: `delete from mail_tokens where invitation_id = $1 or reset_id = $2 or change_id = $3`,
};
const CLEAN = {
  name: 'mail-tokens-clean',
  text: `delete from mail_tokens where hash in (select hash from mail_tokens where expires_at < clock_timestamp() limit $1 for update skip locked) returning 1`,
};

const valuesOf = ({ invitationId, resetId, changeId }: TokenOwner): (string | null)[] => [
  invitationId ?? null,
  resetId ?? null,
  changeId ?? null,
];

export async function insertMailToken(
  uow: UnitOfWork,
  hash: Buffer,
  purpose: TokenPurpose,
  owner: TokenOwner,
  expiresAt: Date,
): Promise<void> {
  await uow.query(INSERT, [hash, purpose, ...valuesOf(owner), expiresAt]);
}

/** Spends a token: of several units of work with it, one succeeds. @returns whether this one did */
export async function spendMailToken(uow: UnitOfWork, hash: Buffer, ...purposes: TokenPurpose[]): Promise<boolean> {
  return (await uow.query(SPEND, [hash, purposes])).length > 0;
}

/** Ends all tokens of an invitation, a reset or a change of an address. */
export async function endMailTokens(uow: UnitOfWork, owner: TokenOwner): Promise<void> {
  await uow.query(END, valuesOf(owner));
}

/** Deletes expired tokens. */
export async function cleanMailTokens(db: Database): Promise<void> {
  await deleteInSteps(db, CLEAN);
}
