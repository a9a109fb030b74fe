import type { HostServices } from '../services.js';
import { systemContext } from '../../foundation/context.js';
import { Activation } from './activation.js';
import { ModuleFault, reasonOf } from '../install/fault.js';
import type { InstalledModule } from '../installed.js';

/** Time that a disabled module has to complete its running requests. */
const DRAIN_MS = 10_000;

/**
 * Enables and disables modules on this node according to their stored state. Disabling takes effect at once; enabling
 * takes effect when everything of the module is running. Switches of one module are serialised, those of different
 * modules are independent.
 */
export class ModuleSupervisor {
  private closed = false;
  private readonly retries = new Set<NodeJS.Timeout>();

  /** @param modules in order of their requirements */
  constructor(
    private readonly core: HostServices,
    private modules: readonly InstalledModule[],
  ) {}

  /** Starts switching every module to its stored state; `settled` waits for the result. */
  reconcile(): void {
    for (const module of this.modules) {
      if (module.fault?.mayPass && !module.stored?.enabled) module.fault = undefined;
      if (!this.shouldRun(module)) module.isOn = false;
      module.switched = module.switched
        .then(() => this.move(module))
        .catch((error: unknown) => {
          this.core.modules.log.error({ err: error, module: module.id }, 'the module could not be switched');
        });
    }
  }

  /**
   * Replaces modules. A leaving module completes its requests and ends; its replacement serves new requests after the
   * swap, and starts its jobs, schedules and subscriptions when the leaving one has ended.
   * @param modules all that are mounted, in order of their requirements
   * @param arriving the new ones among them, already activated if enabled
   * @param swap lets the new app serve requests
   */
  exchange(
    modules: readonly InstalledModule[],
    leaving: readonly InstalledModule[],
    arriving: readonly InstalledModule[],
    swap: () => void,
  ): void {
    this.modules = modules;
    for (const module of arriving) module.isOn = module.activation !== undefined && this.shouldRun(module);
    swap();
    for (const module of leaving) {
      const replacement = arriving.find((m) => m.id === module.id);
      // Requests routed before the swap are completed by the previous version.
      if (!replacement) module.isOn = false;
      module.switched = module.switched.then(() => this.off(module));
    }
    for (const module of arriving) {
      const before = leaving.find((m) => m.id === module.id);
      module.switched = (before?.switched ?? Promise.resolve()).then(() => this.live(module));
    }
  }

  /**
   * Counts an error of a module that nothing caught. The fifth in ten minutes switches the module off on this node, and it is
   * tried again after a pause.
   */
  uncaught(module: InstalledModule, error: unknown): void {
    const reason = reasonOf(error);
    this.core.modules.log.error({ err: error, module: module.id }, 'an error of a module was not caught');
    const pauseMs = module.faults.add(performance.now());
    if (pauseMs === undefined || !module.isOn) return;
    const fault = new ModuleFault(
      'unstable',
      `five of its errors within ten minutes were not caught: ${reason}`,
      error,
    );
    module.fault = fault;
    this.reconcile();
    const { transactions } = this.core;
    void transactions
      .run(systemContext('modules'), async (uow) => {
        const subject = { kind: 'module', id: module.id, name: module.manifest?.title ?? module.id };
        uow.emit({
          type: 'module.failed',
          subject,
          data: { reason_code: fault.code, reason: fault.message, again_after_ms: pauseMs },
        });
      })
      .catch((err: unknown) =>
        this.core.modules.log.error({ err, module: module.id }, 'its failure could not be stored'),
      );
    const retry = setTimeout(() => {
      this.retries.delete(retry);
      if (module.fault !== fault) return;
      module.fault = undefined;
      this.reconcile();
    }, pauseMs).unref();
    this.retries.add(retry);
  }

  /** Resolves when all switches started so far have completed. */
  async settled(): Promise<void> {
    await Promise.all(this.modules.map((m) => m.switched));
  }

  /** Ends all modules, dependent ones first. */
  async close(): Promise<void> {
    this.closed = true;
    for (const retry of this.retries) clearTimeout(retry);
    for (const module of this.modules) module.isOn = false;
    for (const module of [...this.modules].reverse()) {
      await module.switched;
      await this.off(module);
    }
  }

  private shouldRun(module: InstalledModule): boolean {
    if (this.closed || !module.stored?.enabled) return false;
    if (module.fault && (!module.fault.mayPass || module.fault.code === 'unstable')) return false;
    return module.requires.every((id) => this.modules.some((m) => m.id === id && this.shouldRun(m)));
  }

  private async move(module: InstalledModule): Promise<void> {
    const shouldRun = this.shouldRun(module);
    if (!shouldRun) {
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
      // It may have been disabled during activation; the next switch then ends it.
      module.isOn = this.shouldRun(module);
    } catch (error) {
      module.fault =
        error instanceof ModuleFault
          ? error
          : new ModuleFault('activation', `its activation fails: ${reasonOf(error)}`, error);
      this.core.modules.log.error(
        { module: module.id, reason: module.fault.message },
        'the module could not be enabled',
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
        'the module could not be enabled',
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
