import type { ModuleServices } from '../services.js';
import type { Known } from './known.js';
import type { ResourceParts } from './parts.js';

/**
 * Requires the application permission for a write, or a stakeholder role on cards of the resource.
 * @param cards of the resource
 * @param how whether a role on some of them is sufficient
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
