import type {
  Disposable,
  ExportColumn,
  JobHandler,
  JobRun,
  LogEvent,
  ModuleActivation,
  ModuleManifest,
  ModuleServices,
  Subscription,
} from '@lintel/sdk';
import type { HostServices } from '../services.js';
import type { JobEnd as CoreEnd, JobRun as CoreJob } from '../../foundation/jobs/index.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { reasonOf, within } from '../install/fault.js';
import { EXPORTED_CARD } from '../../inventory/exports/index.js';
import type { InstalledModule } from '../installed.js';
import { checkColumn } from '../repository.js';
import { ModuleUnit, type EventCheck } from '../ports/unit.js';
import { eventCheck } from './event-rules.js';
import { demandRunning, inModule, type ModuleScope } from './module-scope.js';
import { ruleHooks } from './rule-hooks.js';

const ACTIVATE_MS = 5_000;
const DISPOSE_MS = 5_000;
/** Time in ms that `ended` of a job has. */
const ENDED_MS = 30_000;

/** A job with the SDK's interface; its signal is also aborted when the module ends. */
function jobRun(job: CoreJob, off: AbortSignal): JobRun {
  return {
    id: job.id,
    attempt: job.attempt,
    maxAttempts: job.maxAttempts,
    isLastAttempt: job.attempt >= job.maxAttempts,
    payload: job.payload as Record<string, unknown>,
    ctx: job.ctx,
    signal: AbortSignal.any([job.signal, off]),
    progress: (progress) => job.progress(progress),
    guard: (uow) => job.guard(ModuleUnit.core(uow)),
  };
}

/**
 * Everything that an enabled module runs on this node, to be ended in reverse order. Parts that must not run twice, its
 * jobs, schedules and subscriptions, start with `live`: during an update they start after the previous version has
 * ended.
 */
export class Activation implements ModuleActivation<unknown> {
  private readonly disposables: Disposable[] = [];
  /** What the module has in memory, each as a function that forgets it. */
  readonly memories: (() => void)[] = [];
  private readonly waiting: (() => Disposable)[] = [];
  private isLive = false;
  private isOver = false;
  readonly services: unknown;
  readonly host: ModuleServices;
  private readonly check: EventCheck;

  constructor(
    private readonly module: InstalledModule,
    private readonly core: HostServices,
  ) {
    this.services = module.services;
    this.host = module.host;
    this.check = eventCheck(module.id, module.manifest?.events);
  }

  /** @throws what the module's `activate` throws, or when it takes too long; everything started is ended then */
  async begin(): Promise<void> {
    this.module.isEnded = false;
    this.module.off = new AbortController();
    try {
      const { manifest, services } = this.module;
      await this.core.modules.roles.renew(this.module);
      for (const column of manifest?.exportColumns ?? []) await this.checkColumn(column);
      if (manifest) this.use(this.core.extensions.add(manifest, services, ruleHooks(this.module, this.core)));
      if (manifest?.cardsDeleted) this.use(this.core.cards.join({ deleting: this.cardsDeleted(manifest) }));
      await within(ACTIVATE_MS, 'its activation', () => this.run(() => manifest?.activate?.(this)));
    } catch (error) {
      await this.end();
      throw error;
    }
  }

  /** The manifest's `cardsDeleted`, for a transaction of the platform. */
  private cardsDeleted({
    id,
    events,
    cardsDeleted,
  }: ModuleManifest): (uow: UnitOfWork, ids: string[]) => Promise<void> {
    const check = eventCheck(id, events);
    return async (uow, ids) => {
      const unit = new ModuleUnit(uow, check, this.module.activeRole);
      try {
        await this.run(() => cardsDeleted!(this.services, unit, ids));
        unit.verify();
      } finally {
        unit.end();
      }
    };
  }

  private async checkColumn({ key, sql, type }: ExportColumn): Promise<void> {
    try {
      await checkColumn(this.core.db, await this.core.modules.roles.of(this.module), sql(EXPORTED_CARD), type);
    } catch (error) {
      throw new Error(`its export column ${key}: ${reasonOf(error)}`, { cause: error });
    }
  }

  /** Starts its jobs, schedules and subscriptions. @throws the first error; everything started is ended then */
  async live(): Promise<void> {
    this.isLive = true;
    try {
      for (const begin of this.waiting.splice(0)) this.use(begin());
    } catch (error) {
      await this.end();
      throw error;
    }
  }

  /** Ends everything; errors are logged. */
  async end(): Promise<void> {
    this.isOver = true;
    this.module.off.abort(new Error('the module is being disabled'));
    for (let dispose = this.disposables.pop(); dispose; dispose = this.disposables.pop()) await this.dispose(dispose);
    this.module.isEnded = true;
  }

  use(disposable: Disposable): void {
    // The activation may have timed out before this point.
    if (this.isOver) void this.dispose(disposable);
    else this.disposables.push(disposable);
  }

  listen(pattern: string, handler: (event: LogEvent) => void | Promise<void>): void {
    this.use(this.core.events.subscribe(pattern, (event) => this.run(() => handler(event))));
  }

  onSettings(handler: (before: Record<string, unknown>) => void | Promise<void>): void {
    const call = (before: Record<string, unknown>): void => {
      void (async () => this.run(() => handler(before)))().catch((error: unknown) =>
        this.host.log.error({ err: error }, 'a handler of changed settings failed'),
      );
    };
    this.module.onSettings.add(call);
    this.use(() => {
      this.module.onSettings.delete(call);
    });
  }

  onDatabaseReplaced(handler: () => void): void {
    this.memories.push(() => this.run(handler));
  }

  subscribe(subscription: Subscription): void {
    const handler: Subscription['handler'] = (...args) => this.run(() => subscription.handler(...args));
    this.later(() => this.core.subscriptions.begin(this.module.id, { ...subscription, handler }));
  }

  job(type: string, definition: JobHandler): void {
    this.own(type);
    this.later(() => this.registerJob(type, definition));
  }

  private registerJob(type: string, { handler, ended, maxAttempts, timeoutMs, leaseMs }: JobHandler): Disposable {
    const off = new AbortController();
    const working = new Set<Promise<unknown>>();
    /** Runs code of the module; an error that nothing caught fails it. */
    const running = async <T>(scope: Pick<ModuleScope, 'signal' | 'guard'>, code: () => Promise<T>): Promise<T> => {
      const work = new Promise<T>((resolve, reject) => {
        inModule({ module: this.module, fail: reject, ...scope }, async () => code()).then(resolve, reject);
      });
      working.add(work);
      return await work.finally(() => working.delete(work));
    };
    const unregister = this.core.jobs.register(type, {
      ...(maxAttempts !== undefined && { maxAttempts }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(leaseMs !== undefined && { leaseMs }),
      handler: async (job) => {
        const run = jobRun(job, off.signal);
        return await running({ signal: run.signal, guard: (uow) => job.guard(uow) }, () => handler(run));
      },
      ...(ended && {
        ended: (end) => running({}, () => this.callEnded(type, (of) => ended(of), end)),
      }),
    });
    return async () => {
      unregister();
      off.abort(new Error('the module is being disabled'));
      await Promise.allSettled(working);
    };
  }

  private async callEnded(type: string, ended: NonNullable<JobHandler['ended']>, end: CoreEnd): Promise<void> {
    const unit = new ModuleUnit(end.uow, this.check, this.module.activeRole);
    try {
      const payload = end.payload as Record<string, unknown>;
      await within(ENDED_MS, `the end of ${type}`, () => ended({ ...end, payload, uow: unit }));
      unit.verify();
      demandRunning(this.module);
    } finally {
      // The transaction ends now, also if the module continues.
      unit.end();
    }
  }

  cron({ job, expression }: { job: string; expression: string }): void {
    this.own(job);
    this.later(() => this.core.cron.add({ job, expression, timezone: 'UTC', jobType: job }));
  }

  private run<T>(work: () => T): T {
    return inModule({ module: this.module }, work);
  }

  private later(make: () => Disposable): void {
    if (this.isLive) this.use(make());
    else this.waiting.push(make);
  }

  private own(name: string): void {
    if (!name.startsWith(`${this.module.id}.`)) throw new Error(`the job ${name} must begin with ${this.module.id}.`);
  }

  private async dispose(disposable: Disposable): Promise<void> {
    try {
      await within(DISPOSE_MS, 'its disposal', disposable);
    } catch (error) {
      this.host.log.error({ reason: reasonOf(error) }, 'a resource of the module could not be released');
    }
  }
}
