import type { PermissionSet } from '@lintel/sdk';
import { seesCards } from '../../inventory/access/index.js';
import type { Metamodel } from '../../inventory/metamodel/index.js';
import type { NotificationKind, NotificationKinds } from './kinds.js';
import type { Subject } from './types.js';

/** Names what a notification is and is about, as SQL puts it together: see `SIGHT` in the repository. */
export const visibilityKey = (kind: string, subjectKind: string, cardType?: string | null): string =>
  subjectKind === 'card' ? `${kind} card ${cardType ?? ''}` : `${kind} ${subjectKind}`;

/** Whether somebody with these permissions may be told of a subject by a kind. */
export function maySee(
  { subjects }: NotificationKind,
  { kind, type }: Pick<Subject, 'kind' | 'type'>,
  permissions: PermissionSet,
): boolean {
  const needs = subjects.get(kind);
  if (!needs) return false;
  if (kind !== 'card') return needs.every((key) => permissions.has(key));
  return type !== null && seesCards(permissions, type) && needs.every((key) => permissions.has(key, type));
}

/**
 * Everything a reader may be shown now, as keys: what is not among them is left out of lists, counts and mails,
 * such as a card of a type his role sees no more. Fails closed for types and kinds there are no longer.
 */
export function visibleKeys(kinds: NotificationKinds, metamodel: Metamodel, permissions: PermissionSet): string[] {
  const keys: string[] = [];
  for (const kind of kinds.list()) {
    if (!kind.isOn()) continue;
    for (const subject of kind.subjects.keys()) {
      const types = subject === 'card' ? [...metamodel.types.keys()] : [null];
      for (const type of types)
        if (maySee(kind, { kind: subject, type }, permissions)) keys.push(visibilityKey(kind.kind, subject, type));
    }
  }
  return keys;
}
