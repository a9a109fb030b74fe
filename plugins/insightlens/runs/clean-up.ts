import type { JobRun } from '@lintel/sdk';
import { ORIGIN, type Host } from '../basics.js';
import { deleteOld } from './clean-up-repository.js';

/** Deletes old runs with their results, in batches; what people have decided stays. @returns number of rows */
export async function cleanUp(host: Host, job: JobRun): Promise<{ deleted: number }> {
  for (let deleted = 0; ; ) {
    const n = await host.transactions.run({ ...job.ctx, origin: ORIGIN }, async (uow) => {
      await job.guard(uow);
      return await deleteOld(uow, host.settings().keep_runs);
    });
    deleted += n;
    if (n === 0 || job.signal.aborted) return { deleted };
  }
}
