import { problemsOf } from '@lintel/sdk';
import { isDeepStrictEqual } from 'node:util';
import type { HostServices } from '../services.js';
import { systemContext } from '../../foundation/context.js';
import { databaseProblem, registerConstraint } from '../../foundation/db/constraints.js';
import { ERRORS } from '../../foundation/errors.js';
import { Activation } from './activation.js';
import { ModuleFault, faultOf } from '../install/fault.js';
import { fingerprint } from '../install/fingerprint.js';
import type { InstalledModule } from '../installed.js';
import { checkMigrations, migrateModule } from '../install/migrations.js';
import { inOrder } from '../install/order.js';
import { notificationKinds } from '../ports/notification-port.js';
import { dropModules, isMigrated, readModules, storeModules } from '../repository.js';

type Modules = ReadonlyMap<string, InstalledModule>;

/** Stored data and declarations of modules: rows, settings, tables, permissions, kinds of events. */
export class Registrar {
  constructor(private readonly core: HostServices) {}

  /** Creates a row for each new module without a fault, and reads the stored state of all. */
  async ensureRows(modules: Modules): Promise<void> {
    const known = new Set((await readModules(this.core.db)).map(({ id }) => id));
    const fresh = inOrder([...modules.values()]).filter(({ id }) => !known.has(id));
    if (fresh.length > 0) await this.makeRows(fresh);
    await this.read(modules);
  }

  /**
   * Reads the stored rows and settings of modules; those without a row are unchanged. A module of which they cannot be used has a
   * fault, and the others run.
   */
  async read(modules: Modules): Promise<void> {
    for (const stored of await readModules(this.core.db)) {
      const module = modules.get(stored.id);
      if (!module) continue;
      module.stored = stored;
      try {
        await this.loadSettings(module);
        if (module.hasPermissions === (stored.migrations !== null) || module.fault) continue;
        await this.declarePermissions(module);
      } catch (error) {
        // Without the database nothing is known of any module.
        if (databaseProblem(error)?.code === 'unavailable') throw error;
        module.fault = faultOf(error, 'mount');
      }
    }
  }

  /**
   * Declares the permissions of a module that has been enabled at least once, and withdraws those of one whose data was
   * deleted: with the keys, roles would hold them again.
   */
  async declarePermissions(module: InstalledModule): Promise<void> {
    const { id, manifest, stored } = module;
    const { permissions } = this.core;
    module.hasPermissions = stored?.migrations != null;
    if (!manifest || !module.hasPermissions) return permissions.withdraw(id);
    // The row read before may be older than a deletion on another node.
    module.hasPermissions = await permissions.declare(id, manifest.permissions, (uow) => isMigrated(uow, id));
    if (!module.hasPermissions) return permissions.withdraw(id);
    permissions.declareOnCards(id, manifest.cardPermissions ?? []);
  }

  /** Deletes the metrics of modules that are not installed any more, and what is stored of them if they have no data. */
  async drop(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.core.metrics.drop(id);
    if (ids.length > 0) await this.core.transactions.run(systemContext('modules'), (uow) => dropModules(uow, ids));
  }

  /** Applies the settings of a module's row, and its stored secrets. */
  async loadSettings({ settings, stored, onSettings }: InstalledModule): Promise<void> {
    const before = settings.current;
    settings.take(stored!.settings, await this.core.secrets.getAll(settings.secretNames));
    if (!isDeepStrictEqual(before, settings.current)) for (const call of onSettings) call(before);
  }

  /**
   * Applies the pending migrations of a mounted module if it is enabled, and registers its declarations.
   * @param before the version it replaces
   * @throws the error of its migrations or declarations
   */
  async prepare(module: InstalledModule, before: InstalledModule = module): Promise<void> {
    const { manifest } = module;
    if (!manifest) return;
    const { db, transactions, visibility, modules } = this.core;
    await checkMigrations(db, module);
    if (module.stored?.enabled) await migrateModule({ db, transactions, log: modules.log }, module);
    // They were declared when its row was read, unless it had none or was migrated just now.
    if (!module.hasPermissions) await this.declarePermissions(module);
    // Without an await in between: while a kind has no rule, its events are not visible to receivers.
    for (const undo of before.declared.splice(0)) undo();
    for (const { kind, cards = 'unknown', ...rule } of manifest.events ?? [])
      module.declared.push(visibility.register(kind, { ...rule, cards, module: module.id }));
    for (const notice of notificationKinds(module)) module.declared.push(this.core.notificationKinds.declare(notice));
    const made = problemsOf({ ...ERRORS, ...manifest.errors });
    for (const [constraint, code] of Object.entries(manifest.constraints ?? {}))
      registerConstraint(constraint, () => made(code as keyof typeof ERRORS));
  }

  /**
   * The same for a module added while others serve requests: it is activated before it replaces another version.
   * @throws ModuleFault; the version to be replaced is then unchanged
   */
  async prepareArrived(module: InstalledModule, before: InstalledModule | undefined): Promise<void> {
    try {
      if (!module.stored) await this.makeRows([module]);
      await this.read(new Map([[module.id, module]]));
      // A mixture of two versions must neither migrate nor serve.
      if (fingerprint(module.candidate.folder) !== module.candidate.fingerprint)
        throw new ModuleFault('broken', 'its files changed while it was loaded: scan again');
      await this.prepare(module, before);
      if (!module.stored?.enabled) return;
      const activation = new Activation(module, this.core);
      await activation.begin();
      module.activation = activation;
    } catch (error) {
      await this.undoArrived(module, before);
      throw faultOf(error, 'activation');
    }
  }

  /**
   * Ends a module prepared by `prepareArrived` and removes its declarations.
   * @param before the version it should have replaced, whose declarations apply again
   */
  async undoArrived(module: InstalledModule, before: InstalledModule | undefined): Promise<void> {
    await module.activation?.end();
    module.activation = undefined;
    this.withdraw(module);
    if (!before || before.fault) return;
    // They were withdrawn with those of the other version.
    before.hasPermissions = false;
    await this.prepare(before);
  }

  /** Removes the declarations of a module on this node. */
  withdraw(module: InstalledModule): void {
    for (const undo of module.declared.splice(0)) undo();
    this.core.permissions.withdraw(module.id);
    module.hasPermissions = false;
  }

  private async makeRows(modules: readonly InstalledModule[]): Promise<void> {
    const found = modules.map(({ id, manifest }) => ({ id, enabled: manifest!.enabledByDefault }));
    await this.core.transactions.run(systemContext('modules'), async (uow) => {
      for (const id of await storeModules(uow, found)) {
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
