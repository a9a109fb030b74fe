import type { Services } from '../container.js';
import { Activation } from './activation.js';
import { ModuleFault, reasonOf } from './fault.js';
import type { InstalledModule } from './installed.js';

/** How long a module that is switched off may still work on the requests it has. */
const DRAIN_MS = 10_000;

/**
 * Switches modules on and off on this node so that what runs is what is stored. A gate closes at once; a gate opens
 * when all behind it runs. Switches of one module follow one another, those of different modules do not wait.
 */
export class Switchboard {
  private closed = false;

  /** @param modules in order of their requirements */
  constructor(private readonly core: Services, private readonly modules: readonly InstalledModule[]) {}

  /** Moves every module to where its stored row says it shall be; `settled` tells when they are there. */
  steer(): void {
    for (const module of this.modules) {
      if (module.fault?.mayPass && !module.stored?.enabled) module.fault = undefined;
      if (!this.wanted(module)) module.isOn = false;
      module.switched = module.switched.then(() => this.move(module)).catch((error: unknown) => {
        this.core.modules.log.error({ err: error, module: module.id }, 'the module could not be switched');
      });
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
    if (!wanted) await this.off(module);
    else if (!module.activation) await this.on(module);
    else module.isOn = true;
  }

  private async on(module: InstalledModule): Promise<void> {
    const required = this.modules.filter((m) => module.requires.includes(m.id));
    await Promise.all(required.map((m) => m.switched));
    try {
      const missing = required.find((m) => !m.isOn);
      if (missing) throw new ModuleFault('requirement', `requires ${missing.id}, which is not running`);
      if (!module.isMigrated) throw module.fault?.code === 'migration' ? module.fault : new ModuleFault('migration', 'its migrations have not run');
      const activation = new Activation(module, this.core);
      await activation.begin();
      module.activation = activation;
      module.fault = undefined;
      // It may have been switched off while it started; then the next move ends it.
      module.isOn = this.wanted(module);
    } catch (error) {
      module.fault = error instanceof ModuleFault ? error : new ModuleFault('activation', `its activation fails: ${reasonOf(error)}`, error);
      this.core.modules.log.error({ module: module.id, reason: module.fault.message }, 'the module could not be switched on');
    }
  }

  private async off(module: InstalledModule): Promise<void> {
    module.isOn = false;
    if (!module.activation) return;
    await module.idle(DRAIN_MS);
    await module.activation.end();
    module.activation = undefined;
  }
}
