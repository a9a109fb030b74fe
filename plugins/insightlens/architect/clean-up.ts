import type { JobRun } from '@lintel/sdk';
import { ORIGIN, type Host } from '../basics.js';
import { deleteOldProposals } from './repository.js';

export const CLEAN_PROPOSALS_JOB = 'insightlens.clean_proposals';

/** Deletes proposals that were not committed: after 30 days those that have failed or were cancelled, after a year the others. @returns their number */
export async function cleanProposals(host: Host, job: JobRun): Promise<{ deleted: number }> {
  for (let deleted = 0; ; ) {
    const n = await host.transactions.run({ ...job.ctx, origin: ORIGIN }, async (uow) => {
      await job.guard(uow);
      return await deleteOldProposals(uow);
    });
    deleted += n;
    if (n === 0 || job.signal.aborted) return { deleted };
  }
}
