import type { ModuleServices } from '../services.js';
import type { Known } from './known.js';
import type { ResourceParts } from './parts.js';

/**
 * Demands what a write of a resource demands of its caller: the application permission, or a stakeholder role on cards.
 * @param cards those of the resource
 * @param how many of them there must be a role on
 * @throws forbidden
 */
export function requireRight(
  parts: ResourceParts,
  host: ModuleServices,
  known: Known,
  permission: string,
  cards: readonly string[],
  how: 'some' | 'every',
): void {
  const writable = known.writable(permission);
  if (!writable) return;
  const may = (card: string): boolean => writable.has(card);
  if (cards.length > 0 && (how === 'some' ? cards.some(may) : cards.every(may))) return;
  const { spec, links } = parts;
  const cardPermission = spec.card?.permission ?? links?.permission;
  throw host.problem('forbidden', {
    detail: `The permission ${permission} is required.`,
    required_permission: permission,
    ...(cardPermission !== undefined && { or_card_permission: cardPermission }),
  });
}
