import type { Identity } from '../../identity/identity.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { UserRow } from '../../identity/users/index.js';
import { lockOwned, switchOff, type Judged } from './repository.js';
import type { DisabledReason } from './schemas.js';

export const MANAGE = 'webhooks.manage';

/** How the event log calls a webhook. */
export const webhookLabel = ({ name, url }: { name: string | null; url: string }): string => name ?? new URL(url).host;

/**
 * Why nothing may be sent by the rights of an owner.
 * @param identity as he is now; undefined where he is no active user
 */
export function ownerFault(identity: Identity | undefined): DisabledReason | undefined {
  if (!identity) return 'owner_inactive';
  return identity.permissions.has(MANAGE) ? undefined : 'owner_not_permitted';
}

/** Switches a webhook off, with its event, unless it is off, or is somebody else's or leads elsewhere by now. */
export async function disableWebhook(uow: UnitOfWork, webhook: Judged, reason: DisabledReason): Promise<void> {
  const off = await switchOff(uow, webhook, reason);
  if (!off) return;
  const { id, owner_id, url } = webhook;
  uow.emit({
    type: 'webhook.disabled',
    subject: { kind: 'webhook', id, name: webhookLabel({ name: off.name, url }) },
    data: { owner_id, reason },
  });
}

/** Nothing is sent by the rights of a user who is deleted. */
export async function releaseWebhooksOf(uow: UnitOfWork, { id }: Pick<UserRow, 'id'>): Promise<void> {
  for (const webhook of await lockOwned(uow, id)) await disableWebhook(uow, webhook, 'owner_inactive');
}
