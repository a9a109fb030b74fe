import type { NotificationKind } from './kinds.js';
import type { Channels, StoredPreferences } from './types.js';

/** The channels of a kind for a user: the user's preference, else the kind's default. */
export function channelsOf(
  { kind, email }: Pick<NotificationKind, 'kind' | 'email'>,
  preferences: StoredPreferences,
): Required<Channels> {
  const own = Object.hasOwn(preferences, kind) ? preferences[kind] : undefined;
  return { in_app: own?.in_app ?? true, email: own?.email ?? email };
}
