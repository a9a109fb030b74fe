import { problemsOf, type RequestContext } from '@lintel/sdk';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/schema.js';
import type { Services } from '../container.js';
import { systemContext } from '../context.js';
import { registerConstraint } from '../db/constraints.js';
import type { Database } from '../db/database.js';
import type { Revisions } from '../db/revisions.js';
import type { Transactions } from '../db/unit-of-work.js';
import { ERRORS, problem } from '../errors.js';
import type { Log } from '../log.js';
import { discover } from './discover.js';
import { ModuleFault, reasonOf, within } from './fault.js';
import { addGate } from './gate.js';
import { moduleServices } from './host-api.js';
import { InstalledModule } from './installed.js';
import { isolate, MountFailure } from './isolate.js';
import { load } from './load.js';
import { migrateModule } from './migrations.js';
import { mountModule } from './mount.js';
import { inOrder } from './order.js';
import { readModules, rememberModules } from './repository.js';
import type { ModulePatch } from './schemas.js';
import { Switchboard } from './switchboard.js';
import { changeModule } from './toggle.js';

/** An answer waits so long for this node to have switched; the others have a second anyway. */
const SETTLE_MS = 5_000;

/** Finds, checks, migrates, mounts and switches modules. What goes wrong in one stays with that one. */
export class ModuleHost {
  private readonly modules = new Map<string, InstalledModule>();
  private board: Switchboard | undefined;

  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly revisions: Revisions,
    private readonly config: Config,
    readonly log: Log,
  ) {}

  /** Whether a module does not answer on this node; one that is not known never does. */
  isOff(id: string): boolean {
    return this.modules.get(id)?.isOn !== true;
  }

  /** Every module that was found, sound or not. */
  list(): InstalledModule[] {
    return [...this.modules.values()];
  }

  get(id: string): InstalledModule | undefined {
    return this.modules.get(id);
  }

  /** What an OpenAPI tag of a module is about. */
  tagDescription(name: string): string | undefined {
    return this.list().flatMap((m) => m.manifest?.openapi?.tags ?? []).find((tag) => tag.name === name)?.description;
  }

  /**
   * Builds what serves, with every module that can be built with, and switches the enabled ones on.
   * @param assemble builds an app and mounts the modules it is given by `mount`; off-line, may be called several times
   * @param discard ends an app that is not used
   */
  async build<T>(core: Services, assemble: (modules: readonly InstalledModule[]) => Promise<T>, discard: (app: T) => void): Promise<T> {
    await this.find(core);
    const app = await isolate(inOrder(this.list()), assemble, discard);
    const mounted = inOrder(this.list());
    for (const module of mounted) await this.prepare(core, module);
    for (const { id, fault } of this.list()) if (fault) this.log.error({ module: id, code: fault.code, reason: fault.message }, 'the module does not run');
    const board = new Switchboard(core, mounted);
    this.board = board;
    this.revisions.on('modules', () => this.read().then(() => board.steer()));
    await this.read();
    board.steer();
    await board.settled();
    return app;
  }

  /** Mounts modules behind their gate. @throws MountFailure of the first that cannot be mounted */
  async mount(app: FastifyInstance, modules: readonly InstalledModule[]): Promise<void> {
    addGate(app, (id) => this.isOff(id));
    for (const module of modules) await mountModule(app, module).catch((error: unknown) => { throw new MountFailure(module, error); });
  }

  /**
   * Switches a module on or off, changes its settings, or both. On this node it has happened when this returns,
   * on the others within a second.
   * @throws not_found, invalid_state, module_in_use, precondition_failed, validation_failed
   */
  async update(ctx: RequestContext, id: string, patch: ModulePatch): Promise<void> {
    const module = this.modules.get(id);
    if (!module?.stored || !module.manifest) throw problem('not_found');
    if (patch.enabled && !module.stored.enabled) await this.migrate(module);
    await changeModule(this.transactions, this.modules, module, ctx, patch);
    // Off it is already; what still runs of it ends on its own.
    if (patch.enabled) await within(SETTLE_MS, 'the switch', () => module.switched).catch((error: unknown) => this.log.warn({ module: id, reason: reasonOf(error) }, 'the module is still being switched'));
  }

  async close(): Promise<void> {
    await this.board?.close();
  }

  private async find(core: Services): Promise<void> {
    for (const loaded of await Promise.all((await discover(this.config.pluginsDir, this.config.modules)).map(load))) {
      const module = new InstalledModule(loaded);
      const other = this.modules.get(module.id);
      if (other) {
        this.log.error({ module: module.id, source: module.source }, 'two modules have the same id; the first is used');
        continue;
      }
      module.host = moduleServices(module, core, (capability) => this.offered(capability.id));
      this.modules.set(module.id, module);
    }
    claimSegments(this.list());
    const sound = inOrder(this.list());
    const known = new Set((await readModules(this.db)).map(({ id }) => id));
    const fresh = sound.filter(({ id }) => !known.has(id)).map(({ id, manifest }) => ({ id, enabled: manifest!.enabledByDefault }));
    if (fresh.length > 0) await this.transactions.run(systemContext('modules'), async (uow) => {
      for (const id of await rememberModules(uow, fresh)) {
        uow.emit({ type: 'module.discovered', subject: { kind: 'module', id, name: this.modules.get(id)!.manifest!.title }, data: { enabled: fresh.some((f) => f.id === id && f.enabled) } });
      }
    });
    await this.read();
  }

  /** Makes known what a module that was mounted declares, and brings its tables up to date if it is on. */
  private async prepare(core: Services, module: InstalledModule): Promise<void> {
    const { id, manifest } = module;
    if (!manifest) return;
    try {
      await core.permissions.declare(id, manifest.permissions);
      core.permissions.declareOnCards(id, manifest.cardPermissions ?? []);
      for (const { kind, permission } of manifest.events ?? []) core.visibility.register(kind, { permission });
      const made = problemsOf({ ...ERRORS, ...manifest.errors });
      for (const [constraint, code] of Object.entries(manifest.constraints ?? {})) registerConstraint(constraint, () => made(code as keyof typeof ERRORS));
      if (module.stored?.enabled) await migrateModule(this.db, this.transactions, module);
    } catch (error) {
      module.fault = error instanceof ModuleFault ? error : new ModuleFault('mount', reasonOf(error), error);
    }
  }

  private async migrate(module: InstalledModule): Promise<void> {
    if (module.fault && !module.fault.mayPass) return;
    try {
      await migrateModule(this.db, this.transactions, module);
    } catch (error) {
      if (!(error instanceof ModuleFault)) throw error;
      module.fault = error;
    }
  }

  private async read(): Promise<void> {
    for (const stored of await readModules(this.db)) {
      const module = this.modules.get(stored.id);
      if (!module) continue;
      module.stored = stored;
      module.settings.take(stored.settings);
    }
  }

  private offered(id: string): unknown {
    for (const module of this.modules.values()) {
      const provision = module.isOn && module.manifest?.provides?.find((p) => p.capability.id === id);
      if (provision) return provision.make(module.services);
    }
    return undefined;
  }
}

/** The path below a card is one module's. */
function claimSegments(modules: InstalledModule[]): void {
  const owners = new Map<string, string>();
  for (const module of modules.filter((m) => !m.external && !m.fault)) {
    const segment = module.manifest?.cardRoutes?.segment;
    if (segment === undefined) continue;
    const owner = owners.get(segment);
    if (owner !== undefined) module.fault = new ModuleFault('invalid_manifest', `/cardRoutes: ${segment} belongs to ${owner}`);
    else owners.set(segment, module.id);
  }
}
