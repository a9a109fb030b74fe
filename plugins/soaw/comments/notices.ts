import type { UnitOfWork } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { findCommenters, type CommentedDocument } from './repository.js';

export const COMMENT_ADDED = 'soaw.comment_added';

/** Notifies the author of the document, and those who have commented on the same section. */
export async function notifyOfComment(
  host: Host,
  uow: UnitOfWork,
  section: string | null,
  document: CommentedDocument,
): Promise<void> {
  const to = new Set(await findCommenters(uow, document.id, section));
  if (document.created_by !== null) to.add(document.created_by);
  if (to.size === 0) return;
  await host.notifications.send(uow, {
    to: [...to],
    kind: COMMENT_ADDED,
    subject: { kind: 'soaw', id: document.id, name: document.title },
    title: `New comment on “${document.title}”`,
    group: document.id,
  });
}
