import type { PermissionDeclaration } from '@lintel/sdk';
import type { Database } from '../../foundation/db/database.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';

export interface StoredRole {
  key: string;
  label: string;
  permissions: string[];
  /** Rules per card type: `{Application: {"cards.edit": false}}`. */
  types: Record<string, Record<string, boolean>>;
  is_default: boolean;
  is_archived: boolean;
}

const READ_ROLES = {
  name: 'roles-read',
  text: 'select key, label, permissions, types, is_default, is_archived from roles',
};
const SEED_ROLE = {
  name: 'role-seed',
  text: `insert into roles (key, label, description, permissions, is_system, is_default) values ($1, $2, $3, $4, true, $5)
    on conflict do nothing returning key`,
};
const NEW_KEYS = {
  name: 'permission-keys-new',
  text: `insert into permission_keys (key, owner) select key, $2 from unnest($1::text[]) as key order by key
    on conflict (key) do nothing returning key`,
};
// In an earlier release the core may have declared what is a module's now, and a module what is the core's. Names of modules begin their keys.
const TAKE_OVER_KEYS = {
  name: 'permission-keys-take-over',
  text: `update permission_keys set owner = $2 where key = any($1) and owner <> $2 and 'core' in (owner, $2)`,
};
const FOREIGN_KEYS = {
  name: 'permission-keys-foreign',
  text: 'select key, owner from permission_keys where key = any($1) and owner <> $2 order by key',
};
const LOCK_ROLES = {
  name: 'roles-lock',
  text: 'select key, label, permissions, types, is_default, is_archived from roles where is_system and key = any($1) order by key for update',
};
const GRANT = {
  name: 'role-grant',
  text: `update roles set permissions = $2, version = version + 1,
      updated_at = greatest(updated_at + interval '1 ms', date_trunc('milliseconds', clock_timestamp()))
    where key = $1`,
};
// Serialises changes of roles, also against granting a role: the grant was checked against the role's permissions.
const LOCK_ALL = { name: 'roles-lock-all', text: 'select pg_advisory_xact_lock(7315020)' };
const LOCK_ALL_SHARED = { name: 'roles-lock-all-shared', text: 'select pg_advisory_xact_lock_shared(7315020)' };
const TYPE_KEYS = { name: 'roles-type-keys', text: 'select key from card_types order by key' };
// Locks the caller's role until the transaction that grants a permission ends. The user is locked before the join: a lock
// that waits for a change of the role would compare the new role with the row that was joined before, and find nothing.
const GIVER = {
  name: 'roles-giver',
  text: `with u as materialized (select role from users where id = $1 and is_active for share)
    select r.permissions, r.types from u join roles r on r.key = u.role`,
};
const RULED = {
  name: 'roles-ruled',
  text: `select key, label, types->$1 as rules from roles where types ? $1 order by key`,
};
const DROP_RULES = {
  name: 'roles-drop-rules',
  text: `update roles set types = types - $1, version = version + 1,
      updated_at = greatest(updated_at + interval '1 ms', date_trunc('milliseconds', clock_timestamp()))
    where types ? $1`,
};
const ROLES_OF = {
  name: 'card-roles-of',
  text: 'select distinct c.type, s.role from card_stakeholders s join cards c on c.id = s.card_id where s.user_id = $1 order by 1, 2',
};
const STAKES_LOCKED = {
  name: 'card-stakes-locked',
  text: `select k.type, s.role, k.id <> c.id as is_above from cards c join card_stakeholders s on s.card_id = any(c.path_ids || c.id) and s.user_id = $1
    join cards k on k.id = s.card_id where c.id = $2 for share of s`,
};
const STAKES = {
  name: 'card-stakes',
  text: `select c.id, c.type, array_agg(s.role) as roles from card_stakeholders s join cards c on c.id = s.card_id
    where s.user_id = $1 group by c.id, c.type`,
};
const CARDS_WITH_ROLES = {
  name: 'card-ids-with-roles',
  text: `select distinct c.id from card_stakeholders s join cards c on c.id = s.card_id
    join unnest($1::text[], $2::text[]) as r(type, role) on r.type = c.type and r.role = s.role`,
};
const STAKES_ON = {
  name: 'card-stakes-on',
  text: `select k.id, k.type, array_agg(s.role) as roles, k.id <> c.id as is_above
    from cards c cross join lateral unnest(c.path_ids || c.id) as at(id)
    join card_stakeholders s on s.card_id = at.id and s.user_id = $1 join cards k on k.id = at.id
    where c.id = $2 group by k.id, k.type, c.id`,
};

// More stakeholders than any card has in practice; the limit bounds a request to one with very many.
const STAKEHOLDERS_ON = {
  name: 'card-stakeholders-on',
  text: `select s.user_id, k.type, array_agg(s.role) as roles, k.id <> c.id as is_above
    from cards c join card_stakeholders s on s.card_id = any(c.path_ids || c.id) join cards k on k.id = s.card_id
    where c.id = $1 group by s.user_id, k.id, k.type, c.id order by s.user_id limit 10000`,
};

/** A user's stakeholder roles on one card. */
interface Stakes {
  id: string;
  type: string;
  roles: string[];
}
/** The same relative to another card: whether they are held on a card above it. */
interface StakesOn extends Stakes {
  is_above: boolean;
}

/** The stakeholder roles on a card and on the cards above it, by user. */
export async function readStakeholdersOn(
  on: Pick<Database, 'query'>,
  cardId: string,
): Promise<(Omit<StakesOn, 'id'> & { user_id: string })[]> {
  return await on.query<Omit<StakesOn, 'id'> & { user_id: string } & Record<string, unknown>>(STAKEHOLDERS_ON, [
    cardId,
  ]);
}

export async function readRoles(on: Pick<Database, 'query'>): Promise<StoredRole[]> {
  return await on.query<StoredRole & Record<string, unknown>>(READ_ROLES);
}

/** Exclusive lock: no other unit of work changes or grants roles until this one ends. */
export async function lockRoles(uow: UnitOfWork): Promise<void> {
  await uow.query(LOCK_ALL);
}

/** Shared lock: roles do not change until the unit of work ends. */
export async function shareRoles(uow: UnitOfWork): Promise<void> {
  await uow.query(LOCK_ALL_SHARED);
}

/** @returns whether the role was created */
export async function seedRole(
  uow: UnitOfWork,
  role: { key: string; label: string; description: string; is_default: boolean },
  permissions: string[],
): Promise<boolean> {
  return (
    (await uow.query(SEED_ROLE, [role.key, role.label, role.description, JSON.stringify(permissions), role.is_default]))
      .length > 0
  );
}

/** Stores declared keys. @returns those that were not declared before */
export async function storeKeys(uow: UnitOfWork, owner: string, keys: string[]): Promise<string[]> {
  return (await uow.query<{ key: string }>(NEW_KEYS, [keys, owner])).map(({ key }) => key);
}

/** Gives keys to their owner, as far as they belonged to the core, or belong to it now. */
export async function takeOverKeys(uow: UnitOfWork, owner: string, keys: string[]): Promise<void> {
  await uow.query(TAKE_OVER_KEYS, [keys, owner]);
}

/** The keys among these that another owner declared. */
export async function foreignKeys(
  uow: UnitOfWork,
  owner: string,
  keys: string[],
): Promise<{ key: string; owner: string }[]> {
  return await uow.query<{ key: string; owner: string }>(FOREIGN_KEYS, [keys, owner]);
}

/** Adds keys to the system roles named in their declarations. @returns the roles that changed, before and after */
export async function grantToRoles(
  uow: UnitOfWork,
  declarations: readonly PermissionDeclaration[],
): Promise<{ role: StoredRole; permissions: string[] }[]> {
  const wanted = [...new Set(declarations.flatMap((d) => d.roles))];
  if (wanted.length === 0) return [];
  const changed: { role: StoredRole; permissions: string[] }[] = [];
  for (const role of await uow.query<StoredRole & Record<string, unknown>>(LOCK_ROLES, [wanted])) {
    const added = declarations
      .filter((d) => (d.roles as readonly string[]).includes(role.key) && !role.permissions.includes(d.key))
      .map((d) => d.key);
    if (added.length === 0) continue;
    const permissions = [...role.permissions, ...added].sort();
    await uow.query(GRANT, [role.key, JSON.stringify(permissions)]);
    changed.push({ role, permissions });
  }
  return changed;
}

/** The cards on which a user has stakeholder roles, with the roles. */
export async function readStakes(db: Pick<Database, 'query'>, userId: string): Promise<Stakes[]> {
  return db.query<Stakes & Record<string, unknown>>(STAKES, [userId]);
}

/** The ids of the cards on which any user has one of these stakeholder roles of card types. */
export async function readCardsWithRoles(
  on: Pick<Database, 'query'>,
  roles: readonly { type: string; role: string }[],
): Promise<string[]> {
  const values = [roles.map(({ type }) => type), roles.map(({ role }) => role)];
  return (await on.query<{ id: string }>(CARDS_WITH_ROLES, values)).map(({ id }) => id);
}

/** The stakeholder roles a user has on a card and on the cards above it. */
export async function readStakesOn(on: Pick<Database, 'query'>, userId: string, cardId: string): Promise<StakesOn[]> {
  return on.query<StakesOn & Record<string, unknown>>(STAKES_ON, [userId, cardId]);
}

/** A stakeholder role of a card type, and whether it is held on a card above. */
interface HeldRole {
  type: string;
  role: string;
  is_above: boolean;
}

/**
 * The stakeholder roles a user has on a card and above it, locked so that they are not removed until the unit of work
 * ends.
 */
export async function lockStakesOn(uow: UnitOfWork, userId: string, cardId: string): Promise<HeldRole[]> {
  return await uow.query<HeldRole & Record<string, unknown>>(STAKES_LOCKED, [userId, cardId]);
}

/** All stakeholder roles of a user, on any card. */
export async function readRolesOf(uow: UnitOfWork, userId: string): Promise<{ type: string; role: string }[]> {
  return await uow.query<{ type: string; role: string }>(ROLES_OF, [userId]);
}

/** Keys of all card types. While the roles are locked, no type is deleted until the unit of work ends. */
export async function readTypeKeys(uow: UnitOfWork): Promise<string[]> {
  return (await uow.query<{ key: string }>(TYPE_KEYS)).map(({ key }) => key);
}

/**
 * The permissions of an active user's role; the user is locked so that the role cannot change until the unit of work
 * ends.
 */
export async function lockGiver(
  uow: UnitOfWork,
  userId: string,
): Promise<Pick<StoredRole, 'permissions' | 'types'> | undefined> {
  return (await uow.query<Pick<StoredRole, 'permissions' | 'types'> & Record<string, unknown>>(GIVER, [userId]))[0];
}

/** Removes the rules for a card type from all roles. @returns the roles that had rules, with those rules */
export async function dropRulesOf(
  uow: UnitOfWork,
  cardType: string,
): Promise<{ key: string; label: string; rules: Record<string, boolean> }[]> {
  const ruled = await uow.query<{ key: string; label: string; rules: Record<string, boolean> }>(RULED, [cardType]);
  if (ruled.length > 0) await uow.query(DROP_RULES, [cardType]);
  return ruled;
}
