import type { RequestContext } from '@lintel/sdk';
import { checkVersion } from '../../foundation/conditions.js';
import type { Database } from '../../foundation/db/database.js';
import type { Transactions } from '../../foundation/db/unit-of-work.js';
import { invalid } from '../../foundation/errors.js';
import { pointerToken } from '../../foundation/json-pointer.js';
import { mergePatch } from '../../foundation/merge-patch.js';
import { channelsOf, type NotificationKinds } from './kinds.js';
import { lockPreferences, readPreferences, writePreferences } from './preferences-repository.js';
import type { PreferencesPatch, PreferencesView } from './schemas.js';
import type { Channels, StoredPreferences } from './types.js';

const CHANNELS = ['in_app', 'email'] as const;

/** Users' channel preferences by kind; unset ones use the kind's defaults. */
export class NotificationPreferences {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly kinds: NotificationKinds,
  ) {}

  /** The caller's preferences for every kind. */
  async read({ actor }: RequestContext): Promise<PreferencesView> {
    const { value, version } = await readPreferences(this.db, actor!.id);
    const kinds = this.kinds
      .list()
      .map((kind) => [
        kind.kind,
        { title: kind.title, description: kind.description, module: kind.module, ...channelsOf(kind, value) },
      ]);
    return { kinds: Object.fromEntries(kinds) as PreferencesView['kinds'], version };
  }

  /**
   * Changes the given preferences of the caller. @throws validation_failed naming unknown kinds, precondition_failed
   */
  async update(ctx: RequestContext, { kinds: patch }: PreferencesPatch): Promise<void> {
    const { id } = ctx.actor!;
    const unknown = Object.keys(patch).filter((kind) => !this.kinds.get(kind));
    if (unknown.length > 0)
      throw invalid(
        ...unknown.map((kind) => ({
          field: `/kinds/${pointerToken(kind)}`,
          reason: 'is no kind of notification',
        })),
      );
    await this.transactions.run(ctx, async (uow) => {
      const { value, version } = await lockPreferences(uow, id);
      const next = withoutEmpty(mergePatch(value, patch) as StoredPreferences);
      const changes = this.changesOf(value, next, Object.keys(patch));
      checkVersion(
        ctx,
        version,
        changes.map(({ field }) => field),
      );
      if (changes.length === 0) return { version };
      const stored = await writePreferences(uow, id, next);
      uow.emit({
        type: 'notification.preferences_changed',
        subject: { kind: 'notification', id },
        data: { user_id: id, changes },
      });
      return { version: stored };
    });
  }

  private changesOf(
    before: StoredPreferences,
    after: StoredPreferences,
    kinds: readonly string[],
  ): { field: string; old: boolean; new: boolean }[] {
    return kinds.flatMap((key) => {
      const kind = this.kinds.get(key)!;
      const [old, now] = [channelsOf(kind, before), channelsOf(kind, after)];
      return CHANNELS.filter((channel) => old[channel] !== now[channel]).map((channel) => ({
        field: `kinds.${key}.${channel}`,
        old: old[channel],
        new: now[channel],
      }));
    });
  }
}

function withoutEmpty(value: StoredPreferences): StoredPreferences {
  return Object.fromEntries(
    Object.entries(value).filter(([, channels]: [string, Channels]) => Object.keys(channels).length > 0),
  );
}
