import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { uuidv7 } from '../../foundation/ids.js';
import { channelsOf, type NotificationKinds } from './kinds.js';
import { queueMails } from './mail-queue.js';
import type { Notice, Recipient } from './types.js';
import { storeNotices, type StoredNotice } from './write-repository.js';

/** Rows per statement, which bounds the size even for 500 events and 10,000 users. */
const CHUNK = 5_000;

/** Stores notifications according to the users' channels, with their events and mail jobs. */
export class NotificationWriter {
  constructor(private readonly kinds: NotificationKinds) {}

  /** @param recipients users missing here are not notified */
  async write(uow: UnitOfWork, notices: readonly Notice[], recipients: ReadonlyMap<string, Recipient>): Promise<void> {
    const wanted = collapsed(notices).flatMap((notice) => {
      const kind = this.kinds.get(notice.kind);
      const recipient = recipients.get(notice.userId);
      if (!kind || !recipient) return [];
      const { in_app, email } = channelsOf(kind, recipient.preferences);
      const isMailed = email && recipient.takesMail && notice.neverMailed !== true;
      return in_app || isMailed ? [{ ...notice, id: uuidv7(), isShown: in_app, isMailed }] : [];
    });
    // Sorted by key: concurrent transactions lock rows in the same order, so there is no deadlock.
    wanted.sort((a, b) => (key(a) < key(b) ? -1 : 1));
    const stored: StoredNotice[] = [];
    for (let i = 0; i < wanted.length; i += CHUNK)
      stored.push(...(await storeNotices(uow, wanted.slice(i, i + CHUNK))));
    for (const { id, user_id, kind, is_new } of stored) {
      uow.emit({
        type: is_new ? 'notification.created' : 'notification.updated',
        subject: { kind: 'notification', id },
        data: { user_id, kind },
      });
    }
    await queueMails(
      uow,
      stored.filter(({ is_due }) => is_due).map(({ user_id }) => user_id),
    );
  }
}

const key = ({ userId, kind, group }: Notice): string => `${userId} ${kind} ${group}`;

/** Combines notices of the same key, in order: the first determines the subject. */
function collapsed(notices: readonly Notice[]): Notice[] {
  const byKey = new Map<string, Notice>();
  for (const notice of notices) {
    const first = byKey.get(key(notice));
    byKey.set(key(notice), first ? joined(first, notice) : notice);
  }
  return [...byKey.values()];
}

function joined(first: Notice, next: Notice): Notice {
  const { verb } = first.data;
  return {
    ...first,
    count: first.count + next.count,
    position: next.position,
    actor: first.actor?.id === next.actor?.id ? first.actor : null,
    data: verb === undefined ? {} : { verb: verb === next.data.verb ? verb : 'mixed' },
  };
}
