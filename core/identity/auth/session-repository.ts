import type { Database } from '../../foundation/db/database.js';
import { Bindings, type ListParams, type Page } from '../../foundation/db/list-query.js';
import { readPage } from '../../foundation/db/list.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { ClientInfo } from '../../foundation/http/client-address.js';
import type { SignedInBy } from '../identity.js';
import type { SignIn } from './sign-in.js';

/** Lifetime of an unused refresh token. */
const REFRESH = `interval '30 days'`;
const LIVE = 's.ended_at is null and s.expires_at > clock_timestamp()';

// Ids of sessions and of API tokens are both UUIDs, so that at most one of the two exists.
const READ = {
  name: 'session-read',
  text: `select s.user_id, s.expires_at, s.last_used_at, u.display_name, u.email, u.role, s.method, s.provider, null::jsonb as token
      from sessions s join users u on u.id = s.user_id where s.id = $1 and ${LIVE} and u.is_active
    union all
    select t.user_id, t.expires_at, t.last_used_at, u.display_name, u.email, u.role, null, null,
        jsonb_build_object('name', t.name, 'permissions', t.permissions, 'address_ranges', t.address_ranges)
      from api_tokens t join users u on u.id = t.user_id
      where t.id = $1 and t.ended_at is null and t.expires_at > clock_timestamp() and u.is_active`,
};
const TOUCH = { name: 'session-touch', text: 'update sessions set last_used_at = clock_timestamp() where id = $1' };
// At most once a minute for all nodes.
const TOUCH_TOKEN = {
  name: 'api-token-touch',
  text: `update api_tokens set last_used_at = clock_timestamp()
    where id = $1 and (last_used_at is null or last_used_at < clock_timestamp() - interval '1 minute')`,
};
const START = {
  name: 'session-start',
  text: `with s as (insert into sessions (id, user_id, expires_at, address, agent, method, provider, id_token)
      values ($1, $2, clock_timestamp() + make_interval(days => $6), $4, $5, $7, $8, $9) returning id, expires_at),
    token as (insert into refresh_tokens (hash, session_id, expires_at) select $3, id, least(expires_at, clock_timestamp() + ${REFRESH}) from s)
    select expires_at from s`,
};
// A single statement: of several requests with the same token, only one finds it unused.
const SPEND = {
  name: 'refresh-spend',
  text: `update refresh_tokens r set used_at = clock_timestamp() from sessions s join users u on u.id = s.user_id
    where r.hash = $1 and r.used_at is null and r.expires_at > clock_timestamp() and s.id = r.session_id and ${LIVE} and u.is_active
    returning r.session_id`,
};
const SPENT = {
  name: 'refresh-spent',
  text: 'select session_id from refresh_tokens where hash = $1 and used_at is not null',
};
// An issued but unused token is replaced by the new one without counting as used.
const PROLONG = {
  name: 'session-prolong',
  text: `with s as (update sessions s set last_used_at = clock_timestamp(), address = $3, agent = $4 where s.id = $1 and ${LIVE} returning s.id, s.user_id, s.expires_at, s.method, s.provider),
    gone as (delete from refresh_tokens r using s where r.session_id = s.id and r.used_at is null),
    token as (insert into refresh_tokens (hash, session_id, expires_at) select $2, id, least(expires_at, clock_timestamp() + ${REFRESH}) from s)
    select user_id, expires_at, method, provider from s`,
};
// The expiry of a session is never extended.
const USE = {
  name: 'session-use',
  text: `update sessions s set last_used_at = clock_timestamp(), address = $2, agent = $3 where s.id = $1 and ${LIVE} returning s.user_id, s.expires_at, s.method, s.provider`,
};
// Until the transaction ends, nothing can end the session.
const HOLD = { name: 'session-hold', text: `select from sessions s where s.id = $1 and ${LIVE} for share` };
/** Maximum number of active sessions per user; beyond it, the least recently used ones are ended. */
const MOST_SESSIONS = 100;
const END_OLDEST = {
  name: 'session-end-oldest',
  text: `update sessions s set ended_at = clock_timestamp() where id = any(array(
      select s.id from sessions s where s.user_id = $1 and ${LIVE} order by s.last_used_at desc, s.id desc offset $2 for update skip locked))
    returning s.id`,
};
const END = {
  name: 'session-end',
  text: `update sessions s set ended_at = clock_timestamp() where s.id = $1 and ${LIVE} returning s.user_id`,
};
const END_OWN = {
  name: 'session-end-own',
  text: `update sessions s set ended_at = clock_timestamp() where s.id = $1 and s.user_id = $2 and ${LIVE} returning s.user_id`,
};
const END_OTHERS = {
  name: 'session-end-others',
  text: `update sessions s set ended_at = clock_timestamp() where s.user_id = $1 and s.id <> $2 and ${LIVE} returning s.id`,
};
const CLEAN_SESSIONS = {
  name: 'sessions-clean',
  text: `delete from sessions where expires_at < clock_timestamp() - interval '1 day' or ended_at < clock_timestamp() - interval '1 day'`,
};
// Kept for a while, so that an administrator can look up what an event names.
const CLEAN_API_TOKENS = {
  name: 'api-tokens-clean',
  text: `delete from api_tokens where coalesce(ended_at, expires_at) < clock_timestamp() - interval '90 days'`,
};
const CLEAN_TOKENS = { name: 'refresh-clean', text: 'delete from refresh_tokens where expires_at < clock_timestamp()' };

interface SessionRow {
  user_id: string;
  expires_at: Date;
  /** Null for an API token that was not used yet. */
  last_used_at: Date | null;
  display_name: string;
  email: string;
  role: string;
  /** Null for an API token. */
  method: SignedInBy['method'] | null;
  provider: string | null;
  /** Null for a session. */
  token: { name: string; permissions: string[]; address_ranges: string[] } | null;
}

/** An active session or API token, with its user. */
export async function readSession(db: Database, id: string): Promise<SessionRow | undefined> {
  return (await db.query<SessionRow & Record<string, unknown>>(READ, [id]))[0];
}

/** Records the use of a session or, at most once a minute, of an API token. */
export async function touchSession(db: Database, id: string, isToken: boolean): Promise<void> {
  await db.query(isToken ? TOUCH_TOKEN : TOUCH, [id]);
}

/** An active session. */
export interface LiveSession extends SignedInBy {
  user_id: string;
  /** Latest end of the session. */
  expires_at: Date;
}

/**
 * @param days lifetime of the session, regardless of refreshes
 * @returns the latest end of the session
 */
export async function startSession(
  uow: UnitOfWork,
  id: string,
  { userId, method, provider, idToken = null }: SignIn,
  refreshHash: Buffer,
  client: ClientInfo,
  days: number,
): Promise<Date> {
  if ((await uow.query(END_OLDEST, [userId, MOST_SESSIONS - 1])).length > 0) uow.bump('sessions');
  const [row] = await uow.query<{ expires_at: Date }>(START, [
    id,
    userId,
    refreshHash,
    client.address,
    client.agent,
    days,
    method,
    provider,
    idToken,
  ]);
  return row!.expires_at;
}

/**
 * Marks a refresh token as used. @returns its session; undefined where the token is unknown, used or expired, or the
 * session is not active
 */
export async function spendRefreshToken(uow: UnitOfWork, hash: Buffer): Promise<string | undefined> {
  return (await uow.query<{ session_id: string }>(SPEND, [hash]))[0]?.session_id;
}

/** The session of a refresh token that was already used. */
export async function sessionOfSpentToken(uow: UnitOfWork, hash: Buffer): Promise<string | undefined> {
  return (await uow.query<{ session_id: string }>(SPENT, [hash]))[0]?.session_id;
}

/** Issues the next refresh token of an active session; an unused earlier one becomes invalid. */
export async function prolongSession(
  uow: UnitOfWork,
  id: string,
  refreshHash: Buffer,
  client: ClientInfo,
): Promise<LiveSession | undefined> {
  return (
    await uow.query<LiveSession & Record<string, unknown>>(PROLONG, [id, refreshHash, client.address, client.agent])
  )[0];
}

/** Records the use of an active session and the client's address; its refresh token remains valid. */
export async function useSession(uow: UnitOfWork, id: string, client: ClientInfo): Promise<LiveSession | undefined> {
  return (await uow.query<LiveSession & Record<string, unknown>>(USE, [id, client.address, client.agent]))[0];
}

/**
 * @param ownerId if given, only a session of this user is ended. @returns the session's user; undefined where it was
 *   not active
 */
export async function endSession(uow: UnitOfWork, id: string, ownerId?: string): Promise<string | undefined> {
  const rows =
    ownerId === undefined
      ? await uow.query<{ user_id: string }>(END, [id])
      : await uow.query<{ user_id: string }>(END_OWN, [id, ownerId]);
  return rows[0]?.user_id;
}

/** Ends all active sessions of a user except one. @returns their ids */
export async function endOtherSessions(uow: UnitOfWork, userId: string, keptId: string): Promise<string[]> {
  return (await uow.query<{ id: string }>(END_OTHERS, [userId, keptId])).map(({ id }) => id);
}

/** Keeps a session from being ended until the transaction ends. @returns whether it is active */
export async function holdSession(uow: UnitOfWork, id: string): Promise<boolean> {
  return (await uow.query(HOLD, [id])).length > 0;
}

interface SessionListRow {
  id: string;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
  address: string | null;
  agent: string | null;
}

const SPEC = {
  table: 'sessions s',
  id: 's.id',
  defaultSort: 'last_used_at',
  defaultDir: 'desc',
  sorts: {
    created_at: { sql: 's.created_at', type: 'timestamptz' },
    last_used_at: { sql: 's.last_used_at', type: 'timestamptz' },
  },
} as const;

/** The active sessions of a user. */
export async function listSessions(db: Database, userId: string, query: ListParams): Promise<Page<SessionListRow>> {
  const bindings = new Bindings();
  const where = [`s.user_id = ${bindings.add(userId)}`, LIVE];
  return await readPage<SessionListRow & Record<string, unknown>>(db, {
    spec: SPEC,
    params: query,
    where,
    bindings,
    scope: userId,
    columns: 's.id, s.created_at, s.last_used_at, s.expires_at, s.address, s.agent',
  });
}

/** Deletes ended sessions and API tokens. A used refresh token is kept for its original lifetime, so that its reuse is detected. */
export async function cleanSessions(db: Database): Promise<void> {
  await db.query(CLEAN_SESSIONS);
  await db.query(CLEAN_TOKENS);
  await db.query(CLEAN_API_TOKENS);
}
