import type { JobEnd, JobRun, RequestContext, UnitOfWork } from '@lintel/sdk';
import { ORIGIN, type Host } from '../basics.js';
import type { Mapping } from '../mappings/definition.js';
import { findMapping } from '../mappings/load-repository.js';
import type { Run, RunState } from './definition.js';
import { lockForWork, openRecords, saveRun, setWatermark, supersedeRecords } from './lifecycle-repository.js';
import { lockMapping } from './schedule-repository.js';
import { tellOwner } from './notify.js';

/** Milliseconds between two events about the progress of a run. */
const PROGRESS_MS = 2_000;

/** The run was ended by others: its job stops. */
export class RunEnded extends Error {}

/** Counts with further ones added. */
export function added(
  counts: Readonly<Record<string, number>>,
  more: Readonly<Record<string, number>>,
): Record<string, number> {
  const sum = { ...counts };
  for (const [key, n] of Object.entries(more)) if (n !== 0) sum[key] = (sum[key] ?? 0) + n;
  return sum;
}

/** Ends an active run because of an error. @param run locked */
async function failRun(
  host: Host,
  uow: UnitOfWork,
  mapping: Mapping,
  run: Run,
  error: { code: string; detail: string },
): Promise<void> {
  if (!['queued', 'reading', 'applying'].includes(run.state)) return;
  await supersedeRecords(uow, run.id);
  await saveRun(uow, { ...run, state: 'failed' }, error);
  uow.emit({
    type: 'cmdbsync_run.failed',
    subject: { kind: 'cmdbsync_run', id: run.id, name: mapping.name },
    data: { mapping_id: mapping.id, state: 'failed', counts: run.counts, error },
  });
  await tellOwner(host, uow, mapping, run.id, 'run_failed');
}

/**
 * Ends the run of a job that has ended without it, such as because its service account was switched off: otherwise the mapping could
 * not run again. For `ended` of the jobs.
 */
export async function endWithJob(host: Host, { id, state, payload, uow }: JobEnd): Promise<void> {
  const run = state === 'done' ? undefined : await lockForWork(uow, String(payload['run_id']));
  const mapping = run && (await findMapping(uow, run.mapping_id));
  // A later job of the run, such as of records that were approved since, goes on by itself.
  if (!run || !mapping || run.job_id !== id) return;
  const detail = 'Its job did not complete; the service account may have been switched off.';
  await failRun(host, uow, mapping, run, { code: 'job_failed', detail });
}

/** The transactions of one run: each holds the lease of its job and the row of the run, so that a run is written by one job only. */
export class RunWork {
  private toldAt = 0;

  constructor(
    readonly host: Host,
    readonly job: JobRun,
    readonly mapping: Mapping,
    private readonly runId: string,
  ) {}

  /** With the rights of the service account, and the origin of synchronised changes. */
  get ctx(): RequestContext {
    return { ...this.job.ctx, origin: ORIGIN };
  }

  /**
   * A transaction of the run.
   * @param work returns what has changed of the run
   * @param withMapping locks the mapping too, before the run as the start of a run does
   * @throws RunEnded if the run is not in one of the states any more
   */
  async step(
    states: readonly RunState[],
    work: (uow: UnitOfWork, run: Run) => Promise<Partial<Run> | undefined>,
    withMapping = false,
  ): Promise<Run> {
    const { host, job } = this;
    return await host.transactions.run(this.ctx, async (uow) => {
      await job.guard(uow);
      if (withMapping) await lockMapping(uow, this.mapping.id);
      const run = await lockForWork(uow, this.runId);
      if (!run || !states.includes(run.state)) throw new RunEnded();
      const changes = await work(uow, run);
      if (!changes) return run;
      const next: Run = { ...run, ...changes };
      await saveRun(uow, next);
      if (next.state !== run.state) this.tell(uow, next);
      else if (next.state !== 'cancelled') this.tellProgress(uow, next);
      return next;
    });
  }

  /** Ends the run because of an error: what was found is given up, and what was applied stays. */
  async fail(code: string, detail: string): Promise<void> {
    const { host, job, mapping } = this;
    await host.transactions.run(this.ctx, async (uow) => {
      await job.guard(uow);
      const run = await lockForWork(uow, this.runId);
      if (run) await failRun(host, uow, mapping, run, { code, detail });
    });
  }

  /**
   * Ends the work of the job: the run is done, or waits for decisions.
   * @returns false if records were approved meanwhile, so that the work goes on
   */
  async end(): Promise<boolean> {
    const { host, mapping } = this;
    let isOver = true;
    await this.step(
      ['applying'],
      async (uow, run) => {
        const { approved, waiting, failed } = await openRecords(uow, run.id);
        isOver = approved === 0;
        if (!isOver) return undefined;
        if (waiting > 0) {
          await tellOwner(host, uow, mapping, run.id, run.guard_tripped ? 'guard_tripped' : 'review');
          return { state: 'review' };
        }
        // Otherwise the next incremental run reads again what was not applied.
        if (run.is_read && failed === 0 && run.watermark !== null) await setWatermark(uow, run.id);
        return { state: 'done' };
      },
      true,
    );
    return isOver;
  }

  private tellProgress(uow: UnitOfWork, run: Run): void {
    if (performance.now() - this.toldAt < PROGRESS_MS) return;
    this.toldAt = performance.now();
    this.emit(uow, 'cmdbsync_run.progressed', run);
  }

  private tell(uow: UnitOfWork, run: Run): void {
    const types: Partial<Record<RunState, string>> = {
      reading: 'cmdbsync_run.started',
      review: 'cmdbsync_run.reviewed',
      done: 'cmdbsync_run.finished',
    };
    this.emit(uow, types[run.state] ?? 'cmdbsync_run.progressed', run);
  }

  private emit(uow: UnitOfWork, type: string, run: Run): void {
    uow.emit({
      type,
      subject: { kind: 'cmdbsync_run', id: run.id, name: this.mapping.name },
      data: { mapping_id: run.mapping_id, state: run.state, counts: run.counts },
    });
  }
}
