import type { EventInput, RequestContext } from '@lintel/sdk';
import { checkVersion } from '../../foundation/conditions.js';
import type { HostServices } from '../services.js';
import { problem, validationFailed } from '../../foundation/errors.js';
import { ensureSession } from '../../identity/identity.js';
import type { InstalledModule } from '../installed.js';
import { lockModules, writeModule, type StoredModule } from '../repository.js';
import type { ModulePatch } from '../admin/schemas.js';

/** @throws unless the stored state of all modules allows the change */
function checkSwitch(
  modules: ReadonlyMap<string, InstalledModule>,
  module: InstalledModule,
  stored: readonly StoredModule[],
  on: boolean,
): void {
  const isOn = (id: string) => stored.some((row) => row.id === id && row.enabled);
  if (!on) {
    const required_by = [...modules.values()]
      .filter((m) => m.requires.includes(module.id) && isOn(m.id))
      .map((m) => m.id);
    if (required_by.length > 0)
      throw problem('module_in_use', {
        detail: `${required_by.join(', ')} cannot work without ${module.id}.`,
        required_by,
      });
    return;
  }
  const requires = module.requires.filter((id) => !isOn(id));
  if (requires.length > 0)
    throw problem('module_in_use', { detail: `${module.id} cannot work without ${requires.join(', ')}.`, requires });
  const { fault } = module;
  if (fault && (!fault.mayPass || !module.isMigrated))
    throw problem('invalid_state', {
      detail: `The module cannot be enabled: ${fault.message}`,
      state: module.state,
      reason_code: fault.code,
    });
}

/**
 * Stores a change of one module's row with its events, in one transaction.
 * @throws session_required for an API token that enables a module, which gives its permissions to roles, module_in_use, invalid_state, precondition_failed, validation_failed
 */
export async function changeModule(
  { transactions, secrets }: Pick<HostServices, 'transactions' | 'secrets'>,
  modules: ReadonlyMap<string, InstalledModule>,
  module: InstalledModule,
  ctx: RequestContext,
  patch: ModulePatch,
): Promise<void> {
  const subject: EventInput['subject'] = { kind: 'module', id: module.id, name: module.manifest!.title };
  await transactions.run(ctx, async (uow) => {
    const rows = await lockModules(uow);
    const row = rows.find(({ id }) => id === module.id)!;
    const names = module.settings.secretNames;
    const present = names.length > 0 ? await secrets.present(names, uow) : new Set<string>();
    const {
      stored: settings,
      secrets: given,
      changes,
      errors,
    } = module.settings.change(row.settings, patch.settings ?? {}, present);
    const enabled = patch.enabled ?? row.enabled;
    const changed = [...(enabled !== row.enabled ? ['enabled'] : []), ...changes.map(({ field }) => field)];
    checkVersion(ctx, row.version, changed);
    if (errors.length > 0) throw validationFailed(errors);
    if (changed.length === 0) return { id: row.id, version: row.version };
    if (enabled !== row.enabled) {
      checkSwitch(modules, module, rows, enabled);
      if (enabled) ensureSession(ctx);
      uow.emit({
        type: enabled ? 'module.enabled' : 'module.disabled',
        subject,
        data: { changes: [{ field: 'enabled', old: row.enabled, new: enabled }] },
      });
    }
    if (changes.length > 0) uow.emit({ type: 'module.updated', subject, data: { changes } });
    for (const { name, value } of given) {
      if (value === null) await secrets.remove(name, uow);
      else await secrets.set(name, Buffer.from(value, 'utf8'), uow);
    }
    uow.bump('modules');
    return { id: row.id, version: await writeModule(uow, { ...row, enabled, settings }) };
  });
}
