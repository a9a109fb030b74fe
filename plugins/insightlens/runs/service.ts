import type { JobRun, PageResult, RequestContext, UnitOfWork } from '@lintel/sdk';
import { KINDS } from '../analyses/index.js';
import { ORIGIN, type Host } from '../basics.js';
import { RUN_JOB } from './definition.js';
import { tellRun } from './events.js';
import { findRunView, hasActiveRun, insertRun, listRuns, lockRun, saveRun, setJob } from './repository.js';
import type { RunQuery, RunView } from './schemas.js';

const ACTIVE = ['queued', 'running'];

/** Runs of analyses: list, start, cancel. */
export class RunService {
  constructor(private readonly host: Host) {}

  async list({ kind, state, is_current, ...params }: RunQuery): Promise<PageResult<RunView>> {
    return await listRuns(this.host.db, params, { kind, state, is_current });
  }

  /** @throws not_found */
  async get(id: string): Promise<RunView> {
    const run = await findRunView(this.host.db, id);
    if (!run) throw this.host.problem('not_found');
    return run;
  }

  /**
   * Queues a run of an analysis, which reads with the rights of the system.
   * @param kind of an analysis
   * @throws insightlens_run_active
   */
  async start(ctx: RequestContext, kind: string): Promise<RunView> {
    const id = await this.host.transactions.run(ctx, (uow) => this.startIn(uow, kind));
    return await this.get(id);
  }

  /** Starts a run of each analysis that has none under way, if the module is set to. For the nightly job. @returns their number */
  async nightly(job: JobRun): Promise<{ started: number }> {
    if (!this.host.settings().nightly) return { started: 0 };
    let started = 0;
    for (const kind of KINDS)
      started += await this.host.transactions.run({ ...job.ctx, origin: ORIGIN }, async (uow) => {
        await job.guard(uow);
        if (await hasActiveRun(uow, kind)) return 0;
        await this.startIn(uow, kind);
        return 1;
      });
    return { started };
  }

  /**
   * Ends a run that is active; the findings of the run before stay shown.
   * @throws not_found, invalid_state, and those of `If-Match`
   */
  async cancel(ctx: RequestContext, id: string): Promise<RunView> {
    const { host } = this;
    await host.transactions.run(ctx, async (uow) => {
      const run = await lockRun(uow, id);
      if (!run) throw host.problem('not_found');
      host.checkVersion(uow.ctx, run.version, ['state']);
      if (!ACTIVE.includes(run.state))
        throw host.problem('invalid_state', {
          detail: `The run is ${run.state}.`,
          state: run.state,
          allowed: ACTIVE,
        });
      await saveRun(uow, { ...run, state: 'cancelled' });
      tellRun(uow, 'cancelled', { ...run, state: 'cancelled' });
      return { id };
    });
    return await this.get(id);
  }

  private async startIn(uow: UnitOfWork, kind: string): Promise<string> {
    const id = this.host.newId();
    await insertRun(uow, { id, kind, started_by: uow.ctx.actor?.id ?? null });
    await setJob(uow, id, await this.host.jobs.enqueue(uow, RUN_JOB, { run_id: id }));
    tellRun(uow, 'queued', { id, kind, state: 'queued', phase: 0, percent: 0 });
    return id;
  }
}
