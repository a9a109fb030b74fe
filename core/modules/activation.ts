import type { Disposable, JobHandler, JobRun, LogEvent, ModuleActivation, ModuleServices } from '@lintel/sdk';
import type { Services } from '../container.js';
import type { UnitOfWork } from '../db/unit-of-work.js';
import type { JobRun as CoreJob } from '../jobs/index.js';
import { reasonOf, within } from './fault.js';
import type { InstalledModule } from './installed.js';

const ACTIVATE_MS = 5_000;
const DISPOSE_MS = 5_000;

/** A job as the SDK has it; its signal also tells of the end of the module. */
function jobRun(job: CoreJob, off: AbortSignal): JobRun {
  return {
    id: job.id, payload: job.payload as Record<string, unknown>, ctx: job.ctx, signal: AbortSignal.any([job.signal, off]),
    progress: (progress) => job.progress(progress),
    guard: (uow) => job.guard(uow as UnitOfWork),
  };
}

/** All that an enabled module has running on this node, so that it can be ended, last first. */
export class Activation implements ModuleActivation<unknown> {
  private readonly disposables: Disposable[] = [];
  private isOver = false;
  readonly services: unknown;
  readonly host: ModuleServices;

  constructor(private readonly module: InstalledModule, private readonly core: Services) {
    this.services = module.services;
    this.host = module.host;
  }

  /** @throws what the module's `activate` throws, or when it takes too long; nothing is left then */
  async begin(): Promise<void> {
    try {
      await within(ACTIVATE_MS, 'its activation', () => this.module.manifest?.activate?.(this));
    } catch (error) {
      await this.end();
      throw error;
    }
  }

  /** Ends everything; what cannot be ended is logged and left. */
  async end(): Promise<void> {
    this.isOver = true;
    for (let dispose = this.disposables.pop(); dispose; dispose = this.disposables.pop()) await this.dispose(dispose);
  }

  use(disposable: Disposable): void {
    // A module that was given up on may still come this far.
    if (this.isOver) void this.dispose(disposable);
    else this.disposables.push(disposable);
  }

  subscribe(pattern: string, handler: (event: LogEvent) => void | Promise<void>): void {
    this.use(this.core.events.subscribe(pattern, handler));
  }

  job(type: string, { handler, ...limits }: JobHandler): void {
    this.own(type);
    const off = new AbortController();
    const working = new Set<Promise<unknown>>();
    const unregister = this.core.jobs.register(type, {
      ...limits,
      handler: async (job) => {
        const work = handler(jobRun(job, off.signal));
        working.add(work);
        return await work.finally(() => working.delete(work));
      },
    });
    this.use(async () => {
      unregister();
      off.abort(new Error('the module is being switched off'));
      await Promise.allSettled(working);
    });
  }

  cron({ job, expression }: { job: string; expression: string }): void {
    this.own(job);
    this.use(this.core.cron.add({ job, expression, timezone: 'UTC', jobType: job }));
  }

  private own(name: string): void {
    if (!name.startsWith(`${this.module.id}.`)) throw new Error(`the job ${name} must begin with ${this.module.id}.`);
  }

  private async dispose(disposable: Disposable): Promise<void> {
    try {
      await within(DISPOSE_MS, 'its disposal', disposable);
    } catch (error) {
      this.host.log.error({ reason: reasonOf(error) }, 'the module left something running');
    }
  }
}
