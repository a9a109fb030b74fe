import type { Metamodel } from '../../inventory/metamodel/index.js';
import type { NotificationKinds } from './kinds.js';
import type { NotificationRow } from './repository.js';
import type { NotificationView } from './schemas.js';
import { titleOf } from './titles.js';

/** A notification as returned to its receiver. */
export function viewNotification(
  row: NotificationRow,
  kinds: NotificationKinds,
  metamodel: Metamodel,
): NotificationView {
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
