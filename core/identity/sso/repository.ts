import type { Database } from '../../foundation/db/database.js';
import { deleteInSteps } from '../../foundation/db/delete-in-steps.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { CODE_SECONDS, REQUEST_SECONDS } from './binding.js';

// Sign-ins can be begun by anyone: each also removes expired ones, so that no more are stored than begin within their lifetime.
const ADD_REQUEST = {
  name: 'sso-request-add',
  text: `with expired as (delete from sso_requests where state_hash in (
      select state_hash from sso_requests where expires_at < clock_timestamp() limit 5 for update skip locked))
    insert into sso_requests (state_hash, browser_hash, provider, issuer, return_to, code_challenge, expires_at)
    values ($1, $2, $3, $4, $5, $6, clock_timestamp() + interval '${REQUEST_SECONDS} seconds')`,
};
// A single statement: of several callbacks with one state, only one finds it. Another browser does not use it up.
const TAKE_REQUEST = {
  name: 'sso-request-take',
  text: `delete from sso_requests where state_hash = $1 and browser_hash = $2
    returning provider, issuer, return_to, code_challenge, expires_at > clock_timestamp() as is_live`,
};
const ADD_CODE = {
  name: 'sso-code-add',
  text: `insert into sso_codes (code_hash, state_hash, browser_hash, code_challenge, identity_id, provider, id_token, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp() + interval '${CODE_SECONDS} seconds')`,
};
const TAKE_CODE = {
  name: 'sso-code-take',
  text: `delete from sso_codes where code_hash = $1
    returning state_hash, browser_hash, code_challenge, identity_id, provider, id_token, expires_at > clock_timestamp() as is_live`,
};
// Locked until the session is stored: a deactivation that comes first is seen, one that comes later ends the session.
const LOCK_SIGNED_IN = {
  name: 'sso-signed-in-lock',
  text: `select u.id from user_identities i join users u on u.id = i.user_id where i.id = $1 for update of u`,
};
// A separate statement: the first one does not see that the identity was unlinked while it waited for the user.
const SIGNED_IN = {
  name: 'sso-signed-in',
  text: `select u.id from user_identities i join users u on u.id = i.user_id where i.id = $1 and u.is_active`,
};
const CLEAN_REQUESTS = {
  name: 'sso-requests-clean',
  text: `delete from sso_requests where state_hash in (
    select state_hash from sso_requests where expires_at < clock_timestamp() limit $1 for update skip locked) returning 1`,
};
const CLEAN_CODES = {
  name: 'sso-codes-clean',
  text: `delete from sso_codes where code_hash in (
    select code_hash from sso_codes where expires_at < clock_timestamp() limit $1 for update skip locked) returning 1`,
};
const READ_SESSION = {
  name: 'sso-session',
  text: `select provider, id_token from sessions where id = $1 and method = 'sso'`,
};

/** A sign-in that has begun. */
export interface SsoRequest {
  provider: string;
  issuer: string;
  return_to: string;
  /** S256 of the verifier that the client must present with the code; null: it must present the cookie. */
  code_challenge: string | null;
}

/** A code that can be exchanged for a session. */
export interface SsoCode {
  state_hash: Buffer;
  browser_hash: Buffer;
  code_challenge: string | null;
  identity_id: string;
  provider: string;
  /** Encrypted; null where it is too long. */
  id_token: Buffer | null;
}
type Taken<T> = T & { is_live: boolean } & Record<string, unknown>;

export async function addRequest(
  db: Database,
  stateHash: Buffer,
  browserHash: Buffer,
  { provider, issuer, return_to, code_challenge }: SsoRequest,
): Promise<void> {
  await db.query(ADD_REQUEST, [stateHash, browserHash, provider, issuer, return_to, code_challenge]);
}

/** Takes a sign-in that has begun, once. @returns undefined where there is none, or of another browser, or expired */
export async function takeRequest(
  db: Database,
  stateHash: Buffer,
  browserHash: Buffer,
): Promise<SsoRequest | undefined> {
  const [row] = await db.query<Taken<SsoRequest>>(TAKE_REQUEST, [stateHash, browserHash]);
  return row?.is_live === true ? row : undefined;
}

export async function addCode(uow: UnitOfWork, codeHash: Buffer, code: SsoCode): Promise<void> {
  const { state_hash, browser_hash, code_challenge, identity_id, provider, id_token } = code;
  await uow.query(ADD_CODE, [codeHash, state_hash, browser_hash, code_challenge, identity_id, provider, id_token]);
}

/** Takes a code, once: also one that is then refused. @returns undefined where there is none, or it has expired */
export async function takeCode(db: Database, codeHash: Buffer): Promise<SsoCode | undefined> {
  const [row] = await db.query<Taken<SsoCode>>(TAKE_CODE, [codeHash]);
  return row?.is_live === true ? row : undefined;
}

/** The active user of an identity, locked until the unit of work ends. @returns the id */
export async function lockSignedIn(uow: UnitOfWork, identityId: string): Promise<string | undefined> {
  await uow.query(LOCK_SIGNED_IN, [identityId]);
  return (await uow.query<{ id: string }>(SIGNED_IN, [identityId]))[0]?.id;
}

/** By what a session of single sign-on was started. */
export async function readSsoSession(
  db: Database,
  sessionId: string,
): Promise<{ provider: string; id_token: Buffer | null } | undefined> {
  return (await db.query<{ provider: string; id_token: Buffer | null }>(READ_SESSION, [sessionId]))[0];
}

/** Deletes expired sign-ins and codes. */
export async function cleanSso(db: Database): Promise<void> {
  await deleteInSteps(db, CLEAN_REQUESTS);
  await deleteInSteps(db, CLEAN_CODES);
}
