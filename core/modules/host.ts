import { AsyncResource } from 'node:async_hooks';
import type { RequestContext } from '@lintel/sdk';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/schema.js';
import type { HostServices } from './services.js';
import type { Database } from '../foundation/db/database.js';
import type { Revisions } from '../foundation/db/revisions.js';
import type { Transactions } from '../foundation/db/unit-of-work.js';
import { invalid, problem } from '../foundation/errors.js';
import type { Log } from '../foundation/log.js';
import { ensureSession } from '../identity/identity.js';
import { claimSegments } from './install/card-segments.js';
import type { Candidate } from './install/discover.js';
import { ModuleFault, faultOf, reasonOf, within } from './install/fault.js';
import type { Loaded } from './install/load.js';
import { addGate } from './mount/gate.js';
import { moduleServices } from './runtime/module-services.js';
import { InstalledModule } from './installed.js';
import { isolate, MountFailure } from './runtime/isolate.js';
import { migrateModule } from './install/migrations.js';
import { mountModule } from './mount/mount.js';
import { inOrder } from './install/order.js';
import { Packages } from './install/packages.js';
import { Registrar } from './runtime/registrar.js';
import { readModules } from './repository.js';
import { ModuleRoles } from './runtime/module-roles.js';
import { admit, type Admission } from './runtime/admission.js';
import { retryParkedEvent, type ParkedEvent } from './admin/parked-events.js';
import type { ModulePatch, RescanView } from './admin/schemas.js';
import { compare, loadIn, same, viewScan, type Scanned } from './runtime/scan.js';
import { ModuleSupervisor } from './runtime/module-supervisor.js';
import { isFrom, runningModule, traced } from './runtime/module-scope.js';
import { changeModule } from './runtime/toggle.js';
import { removeModule } from './admin/uninstall.js';

/** Maximum time a response waits for the module to switch on this node; other nodes switch within a second. */
const SETTLE_MS = 5_000;

/** Functions with which the host replaces the app that serves requests. */
export interface Assembly<T> {
  /**
   * Builds an app and mounts the given modules with `mount`; does not serve requests, and may be called several times.
   */
  build(modules: readonly InstalledModule[]): Promise<T>;
  /** Closes an app that is not used. */
  discard(app: T): void;
  /** Lets the app serve all requests from now on, and closes the previous one. */
  swap(app: T): void;
}

/** Finds, checks, migrates, mounts and switches modules. An error in one module does not affect the others. */
export class ModuleHost {
  private modules = new Map<string, InstalledModule>();
  private supervisor!: ModuleSupervisor;
  private core!: HostServices;
  private registrar!: Registrar;
  private assembly!: Assembly<unknown>;
  private scanning: Promise<unknown> = Promise.resolve();
  private scans = 0;
  private closed = false;
  private readonly packages: Packages;
  /** The database roles of modules. */
  readonly roles: ModuleRoles;
  private readonly ownContext = new AsyncResource('ModuleHost');

  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly revisions: Revisions,
    config: Config,
    readonly log: Log,
  ) {
    this.packages = new Packages(db, transactions, config);
    this.roles = new ModuleRoles(db, transactions, log);
  }

  /** All modules that were found, with or without a fault. */
  list(): InstalledModule[] {
    return [...this.modules.values()];
  }

  /** The module with this id; undefined if none was found. */
  get(id: string): InstalledModule | undefined {
    return this.modules.get(id);
  }

  /** Description of an OpenAPI tag of a module. */
  tagDescription(name: string): string | undefined {
    return this.list()
      .flatMap((m) => m.manifest?.openapi?.tags ?? [])
      .find((tag) => tag.name === name)?.description;
  }

  /** Builds the app with every module that can be mounted, and activates the enabled ones. */
  async build<T>(core: HostServices, assembly: Assembly<T>): Promise<T> {
    this.core = core;
    this.registrar = new Registrar(core);
    this.assembly = assembly as Assembly<unknown>;
    const found = await this.install(await this.packages.discover(), 0);
    for (const module of found) this.add(module);
    await this.roles.check(this.list());
    claimSegments(this.list());
    await this.registrar.ensureRows(this.modules);
    const app = await isolate(
      inOrder(this.list()),
      (modules) => assembly.build(modules),
      (built) => assembly.discard(built),
    );
    const mounted = inOrder(this.list());
    for (const module of mounted)
      await this.registrar.prepare(module).catch((error: unknown) => {
        module.fault = faultOf(error, 'mount');
      });
    this.logFaults(this.list());
    this.supervisor = new ModuleSupervisor(core, mounted);
    this.revisions.on('modules', async () => {
      await this.registrar.read(this.modules);
      // What modules start does not belong to what has read the revisions.
      this.ownContext.runInAsyncScope(() => this.supervisor.reconcile());
    });
    this.revisions.on('module_files', async () => {
      void this.scan().catch((error: unknown) =>
        this.log.error({ err: error }, 'the installed modules could not be scanned'),
      );
    });
    await this.registrar.read(this.modules);
    this.supervisor.reconcile();
    await this.supervisor.settled();
    this.roles.announce(this.list());
    return app;
  }

  /** Migrates enabled modules again and lets all modules forget what they have in memory of the database, which may be another one. */
  async renew(): Promise<void> {
    await this.roles.check(this.list());
    await this.registrar.ensureRows(this.modules);
    for (const module of inOrder(this.list())) {
      if (!module.fault)
        await this.registrar.prepare(module).catch((error: unknown) => {
          module.fault = faultOf(error, 'migration');
        });
      for (const forget of module.activation?.memories ?? []) forget();
    }
    this.logFaults(this.list().filter(({ fault }) => fault !== undefined));
    this.ownContext.runInAsyncScope(() => this.supervisor.reconcile());
  }

  /** Adds the route constraint of modules to an app. Called before routes exist, because the router would add them again. */
  gate(app: FastifyInstance): void {
    addGate(app, (id) => app.moduleOff(id));
  }

  /** Mounts modules behind the route constraint. @throws MountFailure for the first that cannot be mounted */
  async mount(app: FastifyInstance, modules: readonly InstalledModule[]): Promise<void> {
    for (const module of modules)
      await mountModule(app, module).catch((error: unknown) => {
        throw new MountFailure(module, error);
      });
  }

  /**
   * Enables or disables a module, changes its settings, or both. On this node it is in effect when this returns, on the
   * others within a second.
   * @throws not_found, session_required for an API token that enables it, invalid_state, module_in_use,
   *   precondition_failed, validation_failed
   */
  async update(ctx: RequestContext, id: string, patch: ModulePatch): Promise<void> {
    const module = this.modules.get(id);
    if (!module?.stored || !module.manifest) throw problem('not_found');
    if (patch.enabled && !module.stored.enabled) {
      // Migrating it declares its permissions, which are given to roles.
      ensureSession(ctx);
      await this.migrate(module);
    }
    await changeModule(this.core, this.modules, module, ctx, patch);
    // A disabled module already rejects requests; its running work ends without waiting.
    if (patch.enabled) await this.waitForSwitch(module);
  }

  /**
   * Deletes all stored data of a disabled module, in one transaction: its tables with the `down` functions of its migrations,
   * settings, secrets, files, permissions, jobs, notifications. The module remains installed and disabled, as when it was
   * first found.
   * @param confirm the id, repeated
   * @throws not_found, a 422 where `confirm` differs, precondition_required, precondition_failed, invalid_state while
   *   it is enabled or its code is missing or does not revert its migrations, module_in_use
   */
  async remove(ctx: RequestContext, id: string, confirm: string | undefined): Promise<void> {
    const module = this.modules.get(id);
    if (!module?.stored) throw problem('not_found');
    if (confirm !== id) throw invalid({ field: 'confirm', reason: 'must be the id of the module', in: 'query' });
    await module.switched;
    await removeModule(this.core, module, ctx);
    await this.registrar.read(this.modules);
  }

  /** Schedules a retry of a parked event. @throws not_found */
  async retryParked(ctx: RequestContext, event: ParkedEvent): Promise<void> {
    await retryParkedEvent(this.core, ctx, event, this.modules.get(event.id)?.manifest?.title ?? event.id);
  }

  /**
   * Scans for modules that were installed, updated or removed, here and on every other node, and serves them. Requests
   * are not affected during the scan; modules that cannot be served are left out, or stay at their previous version.
   */
  async rescan(ctx: RequestContext): Promise<RescanView> {
    const outcome = await this.scan();
    await this.transactions.run(ctx, async (uow) => {
      uow.emit({
        type: 'module.rescanned',
        subject: { kind: 'module', id: 'all', name: 'All modules' },
        data: { ...outcome },
      });
      uow.bump('module_files');
    });
    return outcome;
  }

  /** The module whose code is running now, if it is not part of Lintel. */
  get running(): InstalledModule | undefined {
    return runningModule();
  }

  /**
   * Handles an error that nothing in the process caught.
   * @returns whether it was traced to a module: then the request or the job fails that it occurred in, and nothing else
   */
  uncaught(error: unknown): boolean {
    const scope = traced(error, this.list());
    if (!scope) {
      // While a module is imported it is not in the list yet.
      const candidate = this.packages.found.find(({ folder }) => isFrom(error, folder));
      if (candidate) this.log.error({ err: error, source: candidate.name }, 'an error of a module was not caught');
      return candidate !== undefined;
    }
    // Any value can be thrown, also none.
    scope.fail?.(error instanceof Error ? error : new Error(reasonOf(error)));
    const supervisor = this.supervisor as ModuleSupervisor | undefined;
    if (supervisor) supervisor.uncaught(scope.module, error);
    else this.log.error({ err: error, module: scope.module.id }, 'an error of a module was not caught');
    return true;
  }

  /** Counts an error of a module that a request met, as one that it did not catch. */
  failed(module: InstalledModule, error: Error): void {
    this.supervisor.uncaught(module, error);
  }

  /**
   * Adds a package to those that every node loads, and scans for it.
   * @throws invalid_state where the environment forbids it; a 422 where the package is not installed
   */
  async installPackage(ctx: RequestContext, name: string): Promise<RescanView> {
    await this.packages.add(ctx, name);
    return await this.rescan(ctx);
  }

  /** Ends all modules; a scan that is running completes first. */
  async close(): Promise<void> {
    this.closed = true;
    await this.scanning.catch(() => undefined);
    await (this.supervisor as ModuleSupervisor | undefined)?.close();
  }

  private async scan(): Promise<RescanView> {
    const mine = this.scanning.then(() => this.scanOnce());
    this.scanning = mine.catch(() => undefined);
    return await mine;
  }

  private async scanOnce(): Promise<RescanView> {
    const seen = await this.packages.discover();
    const before = this.list();
    const { gone, fresh } = compare(before, seen);
    const { ignored } = this.packages;
    if (this.closed || (fresh.length === 0 && gone.length === 0))
      return { loaded: [], updated: [], removed: [], failed: [], ignored };
    const arrived = await this.install(fresh, ++this.scans);
    await this.roles.check(arrived);
    const serving = before.filter((m) => !m.fault);
    const stored = new Map((await readModules(this.db)).map((row) => [row.id, row]));
    for (const module of arrived) {
      const other = before.find((m) => m.id === module.id && !gone.includes(m));
      if (other && !same(other.candidate, module.candidate))
        module.fault ??= new ModuleFault('invalid_manifest', `/id: ${module.id} is that of another module`);
      module.stored = stored.get(module.id);
      if (module.stored) await this.registrar.loadSettings(module);
    }
    const admission = await admit(
      serving.filter((m) => !gone.includes(m)),
      arrived,
      gone.length > 0,
      {
        build: (modules) => this.assembly.build(modules),
        discard: (app) => this.assembly.discard(app),
        claim: claimSegments,
        prepare: (module) => this.registrar.prepareArrived(module, this.modules.get(module.id)),
        undo: (module) => this.registrar.undoArrived(module, this.modules.get(module.id)),
      },
    );
    const scanned = { before, serving, gone, arrived };
    await this.exchange(scanned, admission);
    return { ...viewScan(scanned, admission.admitted), ignored };
  }

  /**
   * Serves the admitted modules. A failure is shown for the module itself, or for the version it should have replaced.
   */
  private async exchange(
    { before, serving, gone, arrived }: Scanned,
    { app, modules, admitted }: Admission<unknown>,
  ): Promise<void> {
    // A version that could not be loaded was found under the name of its package.
    const isRenamed = (m: InstalledModule) =>
      arrived.some((other) => same(other.candidate, m.candidate) && other.id !== m.id);
    const next = new Map(before.filter((m) => !gone.includes(m) && !isRenamed(m)).map((m) => [m.id, m]));
    for (const module of arrived) {
      const other = next.get(module.id);
      if (other && !other.fault && module.fault) other.update = module.fault;
      else next.set(module.id, module);
    }
    this.modules = next;
    await this.registrar.ensureRows(this.modules);
    await this.registrar.drop(gone.map(({ id }) => id).filter((id) => !this.modules.has(id)));
    this.logFaults(arrived);
    this.roles.announce(arrived);
    if (app === undefined) return;
    const leaving = serving.filter((m) => !modules.includes(m));
    this.supervisor.exchange(modules, leaving, admitted, () => this.assembly.swap(app));
    for (const module of leaving) if (!modules.some((m) => m.id === module.id)) this.registrar.withdraw(module);
    for (const module of admitted) await this.waitForSwitch(module);
  }

  private async waitForSwitch(module: InstalledModule): Promise<void> {
    await within(SETTLE_MS, 'the switch', () => module.switched).catch((error: unknown) =>
      this.log.warn({ module: module.id, reason: reasonOf(error) }, 'the module is still being switched'),
    );
  }

  /**
   * Loads candidates, the modules of Lintel before the others, and uses none before all are loaded: what an import changes in built-in
   * objects is restored when it ends, and until then all code would use it.
   * @param scan 0 at startup; in later scans previously imported files are imported again
   */
  private async install(candidates: readonly Candidate[], scan: number): Promise<InstalledModule[]> {
    const loaded = new Map<Candidate, Loaded>();
    for (const isForeign of [false, true])
      await Promise.all(
        candidates
          .filter(({ foreign }) => foreign === isForeign)
          .map(async (candidate) => loaded.set(candidate, await loadIn(scan, candidate))),
      );
    return candidates.map((candidate) => {
      const known = this.list().find((m) => same(m.candidate, candidate))?.id;
      const module = new InstalledModule(loaded.get(candidate)!, known);
      module.host = moduleServices(module, this.core, (capability) => this.findCapability(capability.id));
      return module;
    });
  }

  private add(module: InstalledModule): void {
    const other = this.modules.get(module.id);
    if (!other) this.modules.set(module.id, module);
    else
      this.log.error({ module: module.id, source: module.source }, 'two modules have the same id; the first is used');
  }

  private logFaults(modules: readonly InstalledModule[]): void {
    for (const { id, fault, candidate } of modules)
      if (fault)
        this.log.error(
          { module: id, code: fault.code, reason: fault.describe(candidate.folder) },
          'the module does not run',
        );
  }

  private async migrate(module: InstalledModule): Promise<void> {
    if (module.fault && !module.fault.mayPass) return;
    try {
      const { db, transactions, log } = this;
      await migrateModule({ db, transactions, log }, module);
      await this.registrar.declarePermissions(module);
    } catch (error) {
      module.fault = faultOf(error, 'migration');
    }
  }

  private findCapability(id: string): unknown {
    for (const module of this.modules.values()) {
      const provision = module.isOn && module.manifest?.provides?.find((p) => p.capability.id === id);
      if (provision) return provision.make(module.services);
    }
    return undefined;
  }
}
