import type { HostServices } from '../services.js';
import { Activation } from './activation.js';
import { ModuleFault, reasonOf } from '../install/fault.js';
import type { InstalledModule } from '../installed.js';

/** How long a module that is switched off may still work on the requests it has. */
const DRAIN_MS = 10_000;

/**
 * Switches modules on and off on this node so that what runs is what is stored. A gate closes at once; a gate opens
 * when all behind it runs. Switches of one module follow one another, those of different modules do not wait.
 */
export class ModuleSupervisor {
  private closed = false;

  /** @param modules in order of their requirements */
  constructor(
    private readonly core: HostServices,
    private modules: readonly InstalledModule[],
  ) {}

  /** Moves every module to where its stored row says it shall be; `settled` tells when they are there. */
  steer(): void {
    for (const module of this.modules) {
      if (module.fault?.mayPass && !module.stored?.enabled) module.fault = undefined;
      if (!this.wanted(module)) module.isOn = false;
      module.switched = module.switched
        .then(() => this.move(module))
        .catch((error: unknown) => {
          this.core.modules.log.error({ err: error, module: module.id }, 'the module could not be switched');
        });
    }
  }

  /**
   * Lets others take the place of modules. What leaves finishes its requests and ends; what takes its place answers
   * from the swap on, and begins what only one may have when the other has ended.
   * @param modules all that are mounted, in order of their requirements
   * @param arriving those of them that are new, activated already if they are to run
   * @param swap lets the app they are mounted in answer
   */
  exchange(
    modules: readonly InstalledModule[],
    leaving: readonly InstalledModule[],
    arriving: readonly InstalledModule[],
    swap: () => void,
  ): void {
    this.modules = modules;
    for (const module of arriving) module.isOn = module.activation !== undefined && this.wanted(module);
    swap();
    for (const module of leaving) {
      const inheritsCosts = arriving.find((m) => m.id === module.id);
      // Requests that found the route before the swap are answered by the one they found.
      if (!inheritsCosts) module.isOn = false;
      module.switched = module.switched.then(() => this.off(module));
    }
    for (const module of arriving) {
      const before = leaving.find((m) => m.id === module.id);
      module.switched = (before?.switched ?? Promise.resolve()).then(() => this.live(module));
    }
  }

  /** Resolves when every switch begun so far is done. */
  async settled(): Promise<void> {
    await Promise.all(this.modules.map((m) => m.switched));
  }

  /** Switches all off, those first that others do not require. */
  async close(): Promise<void> {
    this.closed = true;
    for (const module of this.modules) module.isOn = false;
    for (const module of [...this.modules].reverse()) {
      await module.switched;
      await this.off(module);
    }
  }

  private wanted(module: InstalledModule): boolean {
    if (this.closed || !module.stored?.enabled || (module.fault && !module.fault.mayPass)) return false;
    return module.requires.every((id) => this.modules.some((m) => m.id === id && this.wanted(m)));
  }

  private async move(module: InstalledModule): Promise<void> {
    const wanted = this.wanted(module);
    if (!wanted) {
      module.isOn = false;
      await this.off(module);
    } else if (!module.activation) await this.on(module);
    else module.isOn = true;
  }

  private async on(module: InstalledModule): Promise<void> {
    const required = this.modules.filter((m) => module.requires.includes(m.id));
    await Promise.all(required.map((m) => m.switched));
    try {
      const missing = required.find((m) => !m.isOn);
      if (missing) throw new ModuleFault('requirement', `requires ${missing.id}, which is not running`);
      if (!module.isMigrated)
        throw module.fault?.code === 'migration'
          ? module.fault
          : new ModuleFault('migration', 'its migrations have not run');
      const activation = new Activation(module, this.core);
      await activation.begin();
      await activation.live();
      module.activation = activation;
      module.fault = undefined;
      // It may have been switched off while it started; then the next move ends it.
      module.isOn = this.wanted(module);
    } catch (error) {
      module.fault =
        error instanceof ModuleFault
          ? error
          : new ModuleFault('activation', `its activation fails: ${reasonOf(error)}`, error);
      this.core.modules.log.error(
        { module: module.id, reason: module.fault.message },
        'the module could not be switched on',
      );
    }
  }

  private async live(module: InstalledModule): Promise<void> {
    try {
      await module.activation?.live();
    } catch (error) {
      module.fault = new ModuleFault('activation', `its activation fails: ${reasonOf(error)}`, error);
      module.isOn = false;
      module.activation = undefined;
      this.core.modules.log.error(
        { module: module.id, reason: module.fault.message },
        'the module could not be switched on',
      );
    }
  }

  private async off(module: InstalledModule): Promise<void> {
    if (!module.activation) return;
    await module.idle(DRAIN_MS);
    await module.activation.end();
    module.activation = undefined;
  }
}
