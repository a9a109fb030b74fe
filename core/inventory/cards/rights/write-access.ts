import type { Access } from '@lintel/sdk';
import type { OperationKind } from '../types.js';

/**
 * The application permission each operation on a card needs, and the permission of a stakeholder role that suffices on
 * the card. The routes state their access by it, and `authorityOf` checks each operation by it.
 */
export const WRITE_PERMISSIONS = {
  create: ['cards.create', undefined],
  update: ['cards.edit', 'card.edit'],
  upsert: ['cards.edit', 'card.edit'],
  archive: ['cards.archive', 'card.archive'],
  restore: ['cards.archive', 'card.archive'],
  delete: ['cards.delete', undefined],
  approve: ['cards.approve', 'card.approve'],
  reject: ['cards.approve', 'card.approve'],
  reset: ['cards.approve', 'card.approve'],
} as const satisfies Record<OperationKind, readonly [string, string | undefined]>;

/** The access of a route that does one operation; the card is the path parameter `id`. */
export function writeAccess(op: OperationKind): Access {
  const [permission, cardPermission] = WRITE_PERMISSIONS[op];
  return cardPermission === undefined ? { permission } : { permission, card: 'id', cardPermission };
}
