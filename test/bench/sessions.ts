import { createHmac, randomUUID } from 'node:crypto';
import { AUDIENCE, ISSUER, type Claims } from '../../core/identity/auth/access-tokens.js';
import { uuidv7 } from '../../core/foundation/ids.js';
import type { Bench } from './bench.js';
import { TOKEN_KEY } from './service.js';

const VALID_SECONDS = 3_600;
const USERS = `insert into users (id, email, email_key, display_name, role, created_at, updated_at)
  select id, id || '@example.org', id || '@example.org', 'Receiver', role, now(), now() from unnest($1::uuid[], $2::text[]) as u(id, role)`;
const SESSIONS = `insert into sessions (id, user_id, expires_at) select id, user_id, now() + interval '1 day' from unnest($1::uuid[], $2::uuid[]) as s(id, user_id)`;

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function sign(sub: string, sid: string, role: string): string {
  const iat = Math.floor(Date.now() / 1_000);
  const claims: Claims = {
    sub,
    sid,
    role,
    jti: randomUUID(),
    iat,
    exp: iat + VALID_SECONDS,
    iss: ISSUER,
    aud: AUDIENCE,
  };
  const input = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${input}.${createHmac('sha256', TOKEN_KEY).update(input).digest('base64url')}`;
}

/**
 * Creates users with one session each directly in the database, because hashing passwords takes too long; every other
 * user has a role that sees costs.
 * @returns their access tokens
 */
export async function makeSessions({ connect }: Bench, count: number): Promise<string[]> {
  const users = Array.from({ length: count }, (_, n) => ({
    id: uuidv7(),
    session: uuidv7(),
    role: n % 2 === 0 ? 'member' : 'viewer',
  }));
  const client = await connect();
  try {
    await client.query(USERS, [users.map(({ id }) => id), users.map(({ role }) => role)]);
    await client.query(SESSIONS, [users.map(({ session }) => session), users.map(({ id }) => id)]);
  } finally {
    await client.end();
  }
  return users.map(({ id, session, role }) => sign(id, session, role));
}
