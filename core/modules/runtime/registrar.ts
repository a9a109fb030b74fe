import { problemsOf } from '@lintel/sdk';
import type { HostServices } from '../services.js';
import { systemContext } from '../../foundation/context.js';
import { registerConstraint } from '../../foundation/db/constraints.js';
import { ERRORS } from '../../foundation/errors.js';
import { Activation } from './activation.js';
import { ModuleFault, faultOf } from '../install/fault.js';
import { fingerprint } from '../install/fingerprint.js';
import type { InstalledModule } from '../installed.js';
import { migrateModule } from '../install/migrations.js';
import { inOrder } from '../install/order.js';
import { notificationKinds } from '../ports/notification-port.js';
import { readModules, rememberModules } from '../repository.js';

type Modules = ReadonlyMap<string, InstalledModule>;

/** What the workspace and the core know of modules: rows, settings, tables, permissions, kinds of events. */
export class Registrar {
  constructor(private readonly core: HostServices) {}

  /** Makes a row for each sound module that is seen for the first time, and reads what is stored of all. */
  async remember(modules: Modules): Promise<void> {
    const known = new Set((await readModules(this.core.db)).map(({ id }) => id));
    const fresh = inOrder([...modules.values()]).filter(({ id }) => !known.has(id));
    if (fresh.length > 0) await this.makeRows(fresh);
    await this.read(modules);
  }

  async read(modules: Modules): Promise<void> {
    for (const stored of await readModules(this.core.db)) {
      const module = modules.get(stored.id);
      if (!module) continue;
      module.stored = stored;
      await this.takeSettings(module);
    }
  }

  async takeSettings({ settings, stored }: InstalledModule): Promise<void> {
    settings.take(stored!.settings, await this.core.secrets.getAll(settings.secretNames));
  }

  /**
   * Brings the tables of a module that was mounted up to date if it is on, and makes known what it declares.
   * @param before what it takes the place of
   * @throws what its migrations or declarations are refused with
   */
  async prepare(module: InstalledModule, before: InstalledModule = module): Promise<void> {
    const { id, manifest } = module;
    if (!manifest) return;
    const { db, transactions, permissions, visibility } = this.core;
    if (module.stored?.enabled) await migrateModule(db, transactions, module);
    await permissions.declare(id, manifest.permissions);
    permissions.declareOnCards(id, manifest.cardPermissions ?? []);
    // Without a pause between the two: events of a kind without a rule would be shown to nobody.
    for (const undo of before.declared.splice(0)) undo();
    for (const { kind, permission } of manifest.events ?? [])
      module.declared.push(visibility.register(kind, { permission }));
    for (const notice of notificationKinds(module)) module.declared.push(this.core.notificationKinds.declare(notice));
    const made = problemsOf({ ...ERRORS, ...manifest.errors });
    for (const [constraint, code] of Object.entries(manifest.constraints ?? {}))
      registerConstraint(constraint, () => made(code as keyof typeof ERRORS));
  }

  /**
   * The same for a module that comes while others serve: it is activated before it takes anybody's place.
   * @throws ModuleFault; what it takes the place of is as it was then
   */
  async prepareAnew(module: InstalledModule, before: InstalledModule | undefined): Promise<void> {
    try {
      if (!module.stored) await this.makeRows([module]);
      await this.read(new Map([[module.id, module]]));
      // Half of one version and half of another must not migrate anything, nor serve.
      if ((await fingerprint(module.candidate.folder)) !== module.candidate.fingerprint)
        throw new ModuleFault('broken', 'its files changed while it was loaded: look for it again');
      await this.prepare(module, before);
      if (!module.stored?.enabled) return;
      const activation = new Activation(module, this.core);
      await activation.begin();
      module.activation = activation;
    } catch (error) {
      this.withdraw(module);
      if (before && !before.fault) await this.prepare(before);
      throw faultOf(error, 'activation');
    }
  }

  /** Forgets on this node what a module declared. */
  withdraw(module: InstalledModule): void {
    for (const undo of module.declared.splice(0)) undo();
    this.core.permissions.withdraw(module.id);
  }

  private async makeRows(modules: readonly InstalledModule[]): Promise<void> {
    const found = modules.map(({ id, manifest }) => ({ id, enabled: manifest!.enabledByDefault }));
    await this.core.transactions.run(systemContext('modules'), async (uow) => {
      for (const id of await rememberModules(uow, found)) {
        const { manifest } = modules.find((m) => m.id === id)!;
        uow.emit({
          type: 'module.discovered',
          subject: { kind: 'module', id, name: manifest!.title },
          data: { enabled: manifest!.enabledByDefault },
        });
      }
    });
  }
}
