import type { FieldError, ModuleServices, RequestContext } from '@lintel/sdk';
import { NAME, publicationOf, type PortalDefinition } from './definition.js';

type Fault = Omit<FieldError, 'in'>;

/** Whether a member of two definitions is the same. */
const isSame = (a: PortalDefinition, b: PortalDefinition, ...members: (keyof PortalDefinition)[]): boolean =>
  members.every((member) => JSON.stringify(a[member]) === JSON.stringify(b[member]));

/**
 * Whether a fault was there before the change: a field that was deleted later, or costs that another user has published, do
 * not prevent changes of other members.
 */
function wasThere({ field }: Fault, before: PortalDefinition, next: PortalDefinition): boolean {
  if (before.type !== next.type) return false;
  const [, member, index = ''] = field.split('/');
  if (member === 'type') return isSame(before, next, 'fields', 'costs', 'filters');
  if (member === 'filters') return isSame(before, next, 'filters');
  if (member !== 'fields') return false;
  const key = next.fields[Number(index)]!;
  // Other filters would publish the costs of other cards.
  if (next.costs.includes(key) && !isSame(before, next, 'filters')) return false;
  return before.fields.includes(key) && before.costs.includes(key) === next.costs.includes(key);
}

const twice = (member: keyof PortalDefinition, keys: readonly string[]): Fault[] =>
  keys.flatMap((key, i) => (keys.indexOf(key) < i ? [{ field: `/${member}/${i}`, reason: 'is there twice' }] : []));

/** What visitors are offered must be shown. */
function offered(next: PortalDefinition): Fault[] {
  const shown = [NAME, ...next.fields];
  const unshown = (member: 'visitor_filters' | 'search_fields', among: readonly string[]): Fault[] =>
    next[member].flatMap((key, i) =>
      among.includes(key) ? [] : [{ field: `/${member}/${i}`, reason: 'is not among the fields' }],
    );
  return [
    ...unshown('visitor_filters', next.fields),
    ...unshown('search_fields', shown),
    ...(shown.includes(next.sort_by) ? [] : [{ field: '/sort_by', reason: 'is not among the fields' }]),
  ];
}

/**
 * Checks a portal before it is written. While it becomes published everything is checked with the rights of the caller, else
 * what has changed.
 * @returns all faults
 */
export function faultsOf(
  { inventory }: Pick<ModuleServices, 'inventory'>,
  ctx: RequestContext,
  next: PortalDefinition & { is_published: boolean },
  before: (PortalDefinition & { is_published: boolean }) | undefined,
): Fault[] {
  const isOpened = next.is_published && before?.is_published !== true;
  const faults = inventory.publications.faults(publicationOf(next), ctx);
  return [
    ...(before && !isOpened ? faults.filter((fault) => !wasThere(fault, before, next)) : faults),
    ...(['fields', 'costs', 'visitor_filters', 'search_fields'] as const).flatMap((member) =>
      twice(member, next[member]),
    ),
    ...offered(next),
  ];
}
