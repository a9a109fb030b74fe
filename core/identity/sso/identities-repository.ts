import type { Database } from '../../foundation/db/database.js';
import { Bindings, type ListParams, type Page } from '../../foundation/db/list-query.js';
import { readPage } from '../../foundation/db/list.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { RoleDecision } from '../users/index.js';
import type { RulesByIssuer } from './group-roles.js';

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
  text: 'update user_identities set last_login_at = clock_timestamp(), provider = $2, groups = $3 where id = $1',
};
const DELETE = {
  name: 'identity-delete',
  text: 'delete from user_identities where id = $1 and user_id = $2 returning issuer, subject',
};
const ROLES = {
  name: 'identity-roles',
  text: 'select distinct u.role from user_identities i join users u on u.id = i.user_id where i.issuer = any($1)',
};
const FORGET_GROUPS = {
  name: 'identity-groups-forget',
  text: 'update user_identities set groups = null where issuer = any($1) and groups is not null',
};
// The rules are one JSON value, in which a group is found by binary search: a join of groups and map may compare each with each.
const DECIDE_ROLES = {
  name: 'identity-roles-decide',
  text: `with last as materialized (
      select distinct on (i.user_id) i.user_id, i.issuer, i.groups from user_identities i
      where i.groups is not null and i.user_id in (
        select a.user_id from user_identities a where a.issuer in (select jsonb_object_keys($1::jsonb)))
      order by i.user_id, i.last_login_at desc nulls last, i.id desc),
    decided as materialized (
      select l.user_id, case when m.place is null then r.of->>'others' else r.of->'roles'->>m.place end as role
      from last l cross join lateral (select $1::jsonb->l.issuer as of, $1::jsonb->l.issuer->'places' as places offset 0) r
      cross join lateral (select min((r.places->>g.name)::int) as place from unnest(l.groups) as g(name)) m
      where r.of is not null)
    select u.id, u.display_name, u.role as old, d.role from decided d join users u on u.id = d.user_id
    where u.is_active and u.role is distinct from d.role order by u.id for no key update of u`,
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

/** Records a sign-in. @param provider by which it was made @param groups named by it; undefined: not known */
export async function markIdentity(
  uow: UnitOfWork,
  id: string,
  provider: string,
  groups: readonly string[] | undefined,
): Promise<void> {
  await uow.query(USED, [id, provider, groups ?? null]);
}

/** Deletes the stored groups of the identities of these issuers. */
export async function forgetGroups(uow: UnitOfWork, issuers: readonly string[]): Promise<void> {
  await uow.query(FORGET_GROUPS, [issuers]);
}

/**
 * What rules decide about the active accounts whose last sign-in with groups was at one of these issuers. The accounts are locked.
 * @returns those that get another role, and those whose sign-ins are refused
 */
export async function decideRoles(uow: UnitOfWork, rules: RulesByIssuer): Promise<RoleDecision[]> {
  const values = [...rules].map(([issuer, { map, others }]) => {
    // Of a group that is named twice, the first place counts.
    const places = map.map(({ group }, place) => [group, place] as const).reverse();
    return [issuer, { places: Object.fromEntries(places), roles: map.map(({ role }) => role), others }];
  });
  return await uow.query<RoleDecision & Record<string, unknown>>(DECIDE_ROLES, [
    JSON.stringify(Object.fromEntries(values)),
  ]);
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
