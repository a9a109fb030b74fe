import type { Identity } from '../../identity/identity.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { UserRow } from '../../identity/users/index.js';
import { lockOwned, disableUnchanged, type DisableTarget } from './repository.js';
import type { DisabledReason } from './schemas.js';

export const MANAGE = 'webhooks.manage';

/** Name of a webhook in the event log. */
export const webhookLabel = ({ name, url }: { name: string | null; url: string }): string => name ?? new URL(url).host;

/**
 * The reason why nothing may be sent with the permissions of an owner.
 * @param identity current identity of the owner; undefined where the user is not active
 */
export function ownerFault(identity: Identity | undefined): DisabledReason | undefined {
  if (!identity) return 'owner_inactive';
  return identity.permissions.has(MANAGE) ? undefined : 'owner_not_permitted';
}

/**
 * Disables a webhook, with its event, unless it is already disabled or its owner or URL has changed in the meantime.
 */
export async function disableWebhook(uow: UnitOfWork, webhook: DisableTarget, reason: DisabledReason): Promise<void> {
  const off = await disableUnchanged(uow, webhook, reason);
  if (!off) return;
  const { id, owner_id, url } = webhook;
  uow.emit({
    type: 'webhook.disabled',
    subject: { kind: 'webhook', id, name: webhookLabel({ name: off.name, url }) },
    data: { owner_id, reason },
  });
}

/** Disables the webhooks of a user who is deleted, because nothing may be sent with the user's permissions any more. */
export async function releaseWebhooksOf(uow: UnitOfWork, { id }: Pick<UserRow, 'id'>): Promise<void> {
  for (const webhook of await lockOwned(uow, id)) await disableWebhook(uow, webhook, 'owner_inactive');
}
