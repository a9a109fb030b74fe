import type { JobRun } from '@lintel/sdk';
import { ORIGIN, type Host } from '../basics.js';
import { nextRun } from '../mappings/schedule.js';
import { deleteOldRuns, hasActiveRun } from './repository.js';
import { clock, lockDue, readDue, setNextRun } from './schedule-repository.js';
import { startRun } from './start.js';

const MOST_DUE = 500;

/** Starts the runs of schedules, and deletes old runs. */
export class Schedules {
  constructor(private readonly host: Host) {}

  /**
   * Starts a run of each mapping that is due, one for each slot in the whole cluster. After an outage one run is started, for the
   * earliest slot missed; a slot while a run of the mapping is active is skipped.
   * @returns numbers of runs
   */
  async due(job: JobRun): Promise<{ started: number; skipped: number }> {
    let started = 0;
    let skipped = 0;
    for (const id of await readDue(this.host.db, MOST_DUE)) {
      if (job.signal.aborted) break;
      try {
        const outcome = await this.start(job, id);
        if (outcome === 'started') started += 1;
        else if (outcome === 'skipped') skipped += 1;
      } catch (error) {
        this.host.log.warn({ err: error, mapping_id: id }, 'cmdbsync: a scheduled run could not be started');
      }
    }
    return { started, skipped };
  }

  /** Deletes runs that ended long ago. @returns their number */
  async cleanUp(job: JobRun): Promise<{ deleted: number }> {
    for (let deleted = 0; ; ) {
      const n = await this.host.transactions.run({ ...job.ctx, origin: ORIGIN }, async (uow) => {
        await job.guard(uow);
        return await deleteOldRuns(uow, this.host.settings().keep_runs_days);
      });
      deleted += n;
      if (n === 0 || job.signal.aborted) return { deleted };
    }
  }

  private async start(job: JobRun, id: string): Promise<'started' | 'skipped' | 'taken'> {
    const { host } = this;
    return await host.transactions.run({ ...job.ctx, origin: ORIGIN }, async (uow) => {
      await job.guard(uow);
      const mapping = await lockDue(uow, id);
      if (!mapping) return 'taken';
      const slot = mapping.next_run_at;
      const next =
        mapping.schedule === null ? undefined : nextRun(mapping.schedule, mapping.time_zone, await clock(uow));
      await setNextRun(uow, id, next ?? null);
      if (await hasActiveRun(uow, id)) return 'skipped';
      const { auto_apply, direction } = mapping;
      const options = {
        direction,
        is_full: false,
        dry_run: false,
        auto_apply,
        started_by: null,
        slot,
      };
      try {
        await uow.savepoint(() => startRun(host, uow, mapping, options));
        return 'started';
      } catch (error) {
        // Such as a service account that was deactivated: the next slot tries again.
        host.log.warn({ err: error, mapping_id: id }, 'cmdbsync: a scheduled run could not be started');
        return 'skipped';
      }
    });
  }
}
