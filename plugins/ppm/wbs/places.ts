import type { UnitOfWork } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { positionAt, UnknownAnchor, type Anchor } from '../plan/order.js';
import { pathOf, readPlaces, siblingsOf } from './repository.js';

/**
 * Requires that an item can have others below it.
 * @param moved the item that is moved, with those below it; they cannot be their own parents
 * @returns the number of items above a child of the parent
 * @throws validation_failed
 */
export async function requireParent(
  host: Host,
  uow: UnitOfWork,
  cardId: string,
  parentId: string | null,
  moved?: string,
): Promise<number> {
  if (parentId === null) return 0;
  const field = '/parent_id';
  const parent = (await readPlaces(uow, cardId, [parentId])).get(parentId);
  if (!parent) throw host.invalid({ field, reason: 'names no item of the plan' });
  if (parent.is_milestone) throw host.invalid({ field, reason: 'names a milestone' });
  const path = await pathOf(uow, cardId, parentId);
  if (moved !== undefined && path.includes(moved))
    throw host.invalid({ field, reason: 'names the item itself or one below it' });
  return path.length;
}

/** The parent to which an item is moved. */
interface Target {
  cardId: string;
  parentId: string | null;
  /** Null for a new item. */
  moved: string | null;
  /** Its position, if its parent stays the same. */
  current?: number | undefined;
}

/** The position of an item at a place. @throws validation_failed */
export async function placeIn(
  host: Host,
  uow: UnitOfWork,
  { cardId, parentId, moved, current }: Target,
  anchor: Anchor,
): Promise<number> {
  if (anchor.before_id !== undefined && anchor.after_id !== undefined)
    throw host.invalid({ field: '/after_id', reason: 'cannot be given together with before_id' });
  try {
    // A new item has no id yet: no row has the nil UUID.
    return await positionAt(anchor, siblingsOf(uow, cardId, parentId, moved ?? NIL), current);
  } catch (error) {
    if (!(error instanceof UnknownAnchor)) throw error;
    throw host.invalid({ field: `/${error.field}`, reason: 'names no other item of the parent' });
  }
}

const NIL = '00000000-0000-0000-0000-000000000000';
