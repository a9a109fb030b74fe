import type { JobRun, LogEvent, ModuleServices, RequestContext } from '@lintel/sdk';
import { countJudged, keepMatrix, lockExpired, recomputeChunk, type ChangedCells } from './jobs-repository.js';
import { EXPIRED, notifyOwners } from './notices.js';
import type { Register } from './resource.js';

export const EXPIRE = 'risks.expire_acceptances';
export const RECOMPUTE = 'risks.recompute_levels';
const CHUNK = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Changes to risks that jobs and events cause, without a request by a user. */
export class RiskJobs {
  constructor(
    private readonly host: ModuleServices,
    private readonly register: Register,
  ) {}

  /** Changes risks whose acceptance ends to in_progress, and notifies their owners. @returns their number */
  async expire(job: JobRun): Promise<{ expired: number }> {
    for (let expired = 0; ; ) {
      const done = await this.host.transactions.run(job.ctx, async (uow) => {
        await job.guard(uow);
        const due = await lockExpired(uow, CHUNK);
        await this.register.writeIn(
          uow,
          due.map(({ id, accepted_by, rationale, expires_on }) => ({
            op: 'transition',
            id,
            to: 'in_progress',
            event: { type: EXPIRED, data: { accepted_by, rationale, expires_on } },
          })),
        );
        await notifyOwners(this.host, uow, due);
        return due.length;
      });
      expired += done;
      if (done === 0 || job.signal.aborted) return { expired };
    }
  }

  /** Stores a changed matrix, and queues the update of stored levels. */
  async matrixChanged({ position, subject, data }: LogEvent, ctx: RequestContext): Promise<void> {
    const change =
      subject.id === 'risks'
        ? (data['changes'] as { field: string; new?: unknown }[] | undefined)?.find(
            ({ field }) => field === 'settings.matrix',
          )
        : undefined;
    if (!change?.new) return;
    await this.host.transactions.run(ctx, async (uow) => {
      if (await keepMatrix(uow, position, change.new as ChangedCells)) await this.host.jobs.enqueue(uow, RECOMPUTE, {});
    });
  }

  /** Computes the levels of all risks. Derived: no version, no history, no event. @returns how many changed */
  async recompute(job: JobRun): Promise<{ changed: number }> {
    const total = await countJudged(this.host.db);
    let [after, done, changed] = [FIRST, 0, 0];
    for (;;) {
      const chunk = await this.host.transactions.run(job.ctx, async (uow) => {
        await job.guard(uow);
        return await recomputeChunk(uow, after, CHUNK);
      });
      done += chunk.seen;
      changed += chunk.changed;
      await job.progress({ done, total: Math.max(total, done) });
      if (chunk.last === null || job.signal.aborted) return { changed };
      after = chunk.last;
    }
  }
}
