import type { Identity } from '../identity.js';
import type { RbacService } from '../rbac/index.js';
import type { User } from './model.js';
import type { UserRow } from './repository.js';
import type { UserView } from './schemas.js';

/** The representation of a user for other users: without password hash and preferences. */
export function viewUser(user: UserRow): UserView {
  const {
    id,
    email,
    display_name,
    role,
    kind,
    is_active,
    auth_provider,
    locale,
    last_login_at,
    created_at,
    updated_at,
    version,
  } = user;
  return {
    id,
    email,
    display_name,
    role,
    kind,
    is_active,
    auth_provider,
    locale,
    version,
    last_login_at: last_login_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}

/** A user as receiver of events, with current permissions and without a session. */
export function receiverOf(
  { id, display_name, email, role }: Pick<User, 'id' | 'display_name' | 'email' | 'role'>,
  rbac: RbacService,
): Identity {
  return {
    actor: { id, displayName: display_name, email, role, sessionId: '' },
    permissions: rbac.permissionsOf(role),
    expiresAt: Number.POSITIVE_INFINITY,
  };
}
