import type { PermissionSet } from '@lintel/sdk';
import { seesCards } from '../../inventory/access/index.js';
import type { Metamodel } from '../../inventory/metamodel/index.js';
import type { NotificationKind, NotificationKinds } from './kinds.js';
import type { Subject } from './types.js';

/** Key of a notification's kind and subject, in the same form as `VISIBILITY_KEY` in the repository. */
const visibilityKey = (kind: string, subjectKind: string, cardType?: string | null): string =>
  subjectKind === 'card' ? `${kind} card ${cardType ?? ''}` : `${kind} ${subjectKind}`;

/** Whether a user with these permissions may be notified of a subject by a kind. */
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
 * The keys of everything a reader may currently see; other notifications are omitted from lists, counts and mails, such
 * as those about a card of a type hidden from the reader's role. Unknown types and kinds are not visible.
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
