import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { isUuid } from '../../foundation/ids.js';
import type { RbacService } from '../../identity/rbac/index.js';
import { receiverOf } from '../../identity/users/index.js';
import { readRecipients } from './recipient-repository.js';
import type { Recipient } from './types.js';

/**
 * The active users among these with current permissions, by id; locked against deletion until the unit of work ends.
 */
export async function recipientsOf(
  uow: UnitOfWork,
  ids: readonly string[],
  rbac: RbacService,
): Promise<Map<string, Recipient>> {
  const known = [...new Set(ids.filter(isUuid).map((id) => id.toLowerCase()))];
  const rows = known.length > 0 ? await readRecipients(uow, known) : [];
  return new Map(
    rows.map(({ preferences, takes_mail, ...user }) => [
      user.id,
      { id: user.id, preferences, takesMail: takes_mail, identity: receiverOf(user, rbac) },
    ]),
  );
}
