import type { RequestContext, UnitOfWork } from '@lintel/sdk';

export const VISIBILITIES = ['private', 'shared', 'public'] as const;

/** The users and roles with whom a report is shared. */
export interface SharedWith {
  users: string[];
  roles: string[];
}

/** Members of a saved report that determine who sees it. */
export interface Owned {
  created_by: string | null;
  visibility: (typeof VISIBILITIES)[number];
  shared_with: SharedWith;
}

/**
 * Condition for the saved reports that the caller sees: the own ones, the public ones, and those shared with the caller.
 * @param bind returns the placeholder of a value
 * @param alias of the table
 */
export function seenSql(
  { actor }: Pick<RequestContext, 'actor'>,
  bind: (value: unknown) => string,
  alias: string,
): string {
  const isPublic = `${alias}.visibility = 'public'`;
  if (!actor) return isPublic;
  const shared = (members: Partial<SharedWith>): string =>
    `${alias}.shared_with @> ${bind(JSON.stringify(members))}::jsonb`;
  return `${isPublic} or ${alias}.created_by = ${bind(actor.id)}
    or (${alias}.visibility = 'shared' and (${shared({ users: [actor.id] })} or ${shared({ roles: [actor.role] })}))`;
}

/** The same for a saved report that was read. */
export function sees(
  { actor }: Pick<RequestContext, 'actor'>,
  { created_by, visibility, shared_with }: Owned,
): boolean {
  if (visibility === 'public') return true;
  if (!actor) return false;
  if (created_by === actor.id) return true;
  return visibility === 'shared' && (shared_with.users.includes(actor.id) || shared_with.roles.includes(actor.role));
}

/**
 * The users and roles with whom a report cannot be shared. Read in the transaction of the change: one that waits for a second
 * connection could block others that do the same.
 */
export async function unknownAmong(uow: UnitOfWork, { users, roles }: SharedWith): Promise<SharedWith> {
  if (users.length + roles.length === 0) return { users: [], roles: [] };
  const [known] = await uow.query<SharedWith & Record<string, unknown>>(
    {
      name: 'reports-audience',
      text: `select array(select u.id::text from users u where u.id = any($1::uuid[]) and u.is_active) as users,
        array(select r.key from roles r where r.key = any($2::text[]) and not r.is_archived) as roles`,
    },
    [users, roles],
  );
  return {
    users: users.filter((id) => !known!.users.includes(id)),
    roles: roles.filter((key) => !known!.roles.includes(key)),
  };
}

/** Ids of private reports whose owner was deleted, at most 1,000. */
export async function findAbandoned(uow: UnitOfWork): Promise<string[]> {
  const rows = await uow.query<{ id: string }>({
    name: 'reports-abandoned',
    text: `select r.id from reports_saved r where r.created_by is null and r.visibility = 'private' order by r.id limit 1000`,
  });
  return rows.map(({ id }) => id);
}
