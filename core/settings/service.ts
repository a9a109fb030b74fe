import { isDeepStrictEqual } from 'node:util';
import type { RequestContext } from '@lintel/sdk';
import { checkVersion } from '../foundation/conditions.js';
import type { Database } from '../foundation/db/database.js';
import type { Revisions } from '../foundation/db/revisions.js';
import type { Transactions } from '../foundation/db/unit-of-work.js';
import { mergePatch } from '../foundation/merge-patch.js';
import { ensureSession } from '../identity/identity.js';
import { giverOf, type RbacService } from '../identity/rbac/index.js';
import { lockSection, readSection, seedSettings, writeSection } from './repository.js';
import { DEFAULTS, SIGN_IN_KEYS, type GeneralSettings, type SettingsPatch } from './schemas.js';

const complete = (value: SettingsPatch): GeneralSettings => mergePatch(DEFAULTS, value) as GeneralSettings;

const KEYS = Object.keys(DEFAULTS) as (keyof GeneralSettings)[];

/** The general settings of the workspace: cached in memory on every node; changes take effect within a second. */
export class SettingsService {
  private held: GeneralSettings = DEFAULTS;

  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly revisions: Revisions,
    private readonly rbac: RbacService,
  ) {}

  get current(): GeneralSettings {
    return this.held;
  }

  async start(): Promise<void> {
    this.revisions.on('settings', () => this.load());
    await seedSettings(this.db);
    await this.load();
  }

  /** The stored settings with their version. */
  async read(): Promise<GeneralSettings & { version: number }> {
    const { value, version } = await readSection<SettingsPatch>(this.db, 'general');
    return { ...complete(value), version };
  }

  /**
   * Changes the given settings.
   * @throws `session_required` for an API token that changes how users sign in, `precondition_failed` when If-Match names another version, `forbidden` for a caller who opens registration
   *   without having all permissions of the default role, which every new user gets
   */
  async update(ctx: RequestContext, patch: SettingsPatch): Promise<void> {
    await this.transactions.run(ctx, async (uow) => {
      const { value, version } = await lockSection<SettingsPatch>(uow, 'general');
      const before = complete(value);
      const next = mergePatch(value, patch) as SettingsPatch;
      const after = complete(next);
      const changed = KEYS.filter((key) => !isDeepStrictEqual(before[key], after[key]));
      checkVersion(ctx, version, changed);
      if (changed.length === 0) return { version };
      if (changed.some((key) => SIGN_IN_KEYS.includes(key))) ensureSession(ctx);
      if (after.registration.enabled && !before.registration.enabled) {
        const policy = await this.rbac.grantPolicy(uow);
        policy.ensureWithin(await giverOf(uow), policy.defaultRole);
      }
      uow.emit({
        type: 'settings.updated',
        subject: { kind: 'settings', id: 'general', name: 'General settings' },
        data: { changes: changed.map((field) => ({ field, old: before[field], new: after[field] })) },
      });
      uow.bump('settings');
      return { version: await writeSection(uow, 'general', next) };
    });
  }

  private async load(): Promise<void> {
    this.held = complete((await readSection<SettingsPatch>(this.db, 'general')).value);
  }
}
