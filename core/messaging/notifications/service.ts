import type { RequestContext } from '@lintel/sdk';
import { checkVersion } from '../../foundation/conditions.js';
import type { Database } from '../../foundation/db/database.js';
import type { Transactions } from '../../foundation/db/unit-of-work.js';
import { problem } from '../../foundation/errors.js';
import type { EventKind } from '../events/index.js';
import type { Page } from '../../foundation/db/list-query.js';
import type { Metamodel, MetamodelService } from '../../inventory/metamodel/index.js';
import type { NotificationKinds } from './kinds.js';
import {
  countUnread,
  findNotification,
  listNotifications,
  lockNotification,
  markAllRead,
  markRead,
  type NotificationRow,
  type Reader,
} from './repository.js';
import type { NotificationQuery, NotificationView, ReadAll } from './schemas.js';
import { titleOf } from './titles.js';
import { visibleKeys } from './visibility.js';

/** Only their receiver may see these events; auditors may not. */
export const NOTIFICATION_EVENTS: EventKind = { permission: 'notifications.own', only: 'user_id', holdsCards: false };

/** The caller's own notifications; other users' notifications are treated as not found. */
export class NotificationService {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly metamodel: MetamodelService,
    private readonly kinds: NotificationKinds,
  ) {}

  /** Those whose subjects the caller may still see, the latest first. */
  async list(ctx: RequestContext, query: NotificationQuery): Promise<Page<NotificationView>> {
    const page = await listNotifications(this.db, this.reader(ctx), query);
    return { ...page, items: page.items.map((row) => viewNotification(row, this.kinds, this.metamodel.current)) };
  }

  /** Number of unread notifications that the caller may see. */
  async unread(ctx: RequestContext): Promise<number> {
    return await countUnread(this.db, this.reader(ctx));
  }

  /** @throws not_found */
  async get(ctx: RequestContext, id: string): Promise<NotificationView> {
    const row = await findNotification(this.db, this.reader(ctx), id);
    if (!row) throw problem('not_found');
    return viewNotification(row, this.kinds, this.metamodel.current);
  }

  /** Marks one as read; no effect if it already is. @throws not_found, precondition_failed */
  async read(ctx: RequestContext, id: string): Promise<void> {
    const reader = this.reader(ctx);
    await this.transactions.run(ctx, async (uow) => {
      const row = await lockNotification(uow, reader, id);
      if (!row) throw problem('not_found');
      checkVersion(ctx, row.version, row.is_read ? [] : ['read_at']);
      if (row.is_read) return { id, version: row.version };
      uow.emit({ type: 'notification.read', subject: { kind: 'notification', id }, data: { user_id: reader.userId } });
      return { id, version: await markRead(uow, id) };
    });
  }

  /** Marks all notifications created or updated until a time as read. @returns how many were unread */
  async readAll(ctx: RequestContext, { until }: ReadAll): Promise<number> {
    const reader = this.reader(ctx);
    const { count } = await this.transactions.run(ctx, async (uow) => {
      const count = await markAllRead(uow, reader, until);
      if (count > 0)
        uow.emit({
          type: 'notification.all_read',
          subject: { kind: 'notification', id: reader.userId },
          data: { user_id: reader.userId, count, until: until ?? null },
        });
      return { count };
    });
    return count;
  }

  private reader({ actor, permissions }: RequestContext): Reader {
    return { userId: actor!.id, visible: visibleKeys(this.kinds, this.metamodel.current, permissions) };
  }
}

/** A notification as returned to its receiver. */
function viewNotification(row: NotificationRow, kinds: NotificationKinds, metamodel: Metamodel): NotificationView {
  const { id, kind, count, data, link, position, created_at, updated_at, read_at, version } = row;
  return {
    id,
    kind,
    title: titleOf(row, kinds, metamodel),
    count,
    link,
    version,
    subject: { kind: row.subject_kind, id: row.subject_id, type: row.subject_type, name: row.subject_name },
    actor: row.actor_id === null ? null : { id: row.actor_id, display_name: row.actor_name ?? '' },
    fields: [...(data.fields ?? [])],
    event_id: position,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    read_at: read_at?.toISOString() ?? null,
  };
}
