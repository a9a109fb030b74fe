import type { NotificationKind } from './kinds.js';
import type { Channels, StoredPreferences } from './types.js';

/** By which ways somebody is told of a kind: as he said, else as the kind has it. */
export function channelsOf(
  { kind, email }: Pick<NotificationKind, 'kind' | 'email'>,
  preferences: StoredPreferences,
): Required<Channels> {
  const own = Object.hasOwn(preferences, kind) ? preferences[kind] : undefined;
  return { in_app: own?.in_app ?? true, email: own?.email ?? email };
}
