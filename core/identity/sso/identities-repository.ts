import type { Database } from '../../foundation/db/database.js';
import { Bindings, type ListParams, type Page } from '../../foundation/db/list-query.js';
import { readPage } from '../../foundation/db/list.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';

const COLUMNS = 'i.id, i.user_id, i.issuer, i.subject, i.provider, i.created_by, i.created_at, i.last_login_at';

// Serialises sign-ins and links of one identity, so that a first sign-in creates one user.
const LOCK = {
  name: 'identity-lock',
  text: `select pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 36))`,
};
const FIND = {
  name: 'identity',
  text: `select ${COLUMNS} from user_identities i where i.issuer = $1 and i.subject = $2`,
};
const INSERT = {
  name: 'identity-insert',
  text: `insert into user_identities (id, user_id, issuer, subject, provider, created_by) values ($1, $2, $3, $4, $5, $6)`,
};
const USED = {
  name: 'identity-used',
  text: 'update user_identities set last_login_at = clock_timestamp(), provider = $2 where id = $1',
};
const DELETE = {
  name: 'identity-delete',
  text: 'delete from user_identities where id = $1 and user_id = $2 returning issuer, subject',
};
const ROLES = {
  name: 'identity-roles',
  text: 'select distinct u.role from user_identities i join users u on u.id = i.user_id where i.issuer = any($1)',
};
const COUNT = { name: 'identity-count', text: 'select count(*)::int as n from user_identities where user_id = $1' };

export interface IdentityRow {
  id: string;
  user_id: string;
  issuer: string;
  subject: string;
  provider: string;
  created_by: string | null;
  created_at: Date;
  last_login_at: Date | null;
}
type Row = IdentityRow & Record<string, unknown>;

/** Locks an identity until the unit of work ends, whether or not it exists, and reads it. */
export async function lockIdentity(uow: UnitOfWork, issuer: string, subject: string): Promise<IdentityRow | undefined> {
  await uow.query(LOCK, [issuer, subject]);
  return (await uow.query<Row>(FIND, [issuer, subject]))[0];
}

/** @throws identity_taken */
export async function insertIdentity(
  uow: UnitOfWork,
  identity: Omit<IdentityRow, 'created_at' | 'last_login_at'>,
): Promise<void> {
  const { id, user_id, issuer, subject, provider, created_by } = identity;
  await uow.query(INSERT, [id, user_id, issuer, subject, provider, created_by]);
}

/** Records a sign-in. @param provider by which it was made */
export async function markIdentity(uow: UnitOfWork, id: string, provider: string): Promise<void> {
  await uow.query(USED, [id, provider]);
}

/** @returns what was deleted; undefined where the user has no such identity */
export async function deleteIdentity(
  uow: UnitOfWork,
  id: string,
  userId: string,
): Promise<Pick<IdentityRow, 'issuer' | 'subject'> | undefined> {
  return (await uow.query<Row>(DELETE, [id, userId]))[0];
}

/** The roles of the accounts that have an identity of one of the issuers. */
export async function rolesAtIssuers(uow: UnitOfWork, issuers: readonly string[]): Promise<string[]> {
  return (await uow.query<{ role: string }>(ROLES, [issuers])).map(({ role }) => role);
}

export async function countIdentities(uow: UnitOfWork, userId: string): Promise<number> {
  return (await uow.query<{ n: number }>(COUNT, [userId]))[0]!.n;
}

const SPEC = {
  table: 'user_identities i',
  id: 'i.id',
  defaultSort: 'created_at',
  sorts: {
    created_at: { sql: 'i.created_at', type: 'timestamptz' },
    last_login_at: { sql: 'i.last_login_at', type: 'timestamptz', nullable: true },
  },
} as const;

/** The identities of a user. */
export async function listIdentities(db: Database, userId: string, query: ListParams): Promise<Page<IdentityRow>> {
  const bindings = new Bindings();
  return await readPage<Row>(db, {
    spec: SPEC,
    params: query,
    where: [`i.user_id = ${bindings.add(userId)}`],
    bindings,
    scope: `identities ${userId}`,
    columns: COLUMNS,
  });
}
