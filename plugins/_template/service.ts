import type { JobRun, ModuleServices } from '@lintel/sdk';
import { items } from './items.js';
import { doneBefore } from './repository.js';
import type { Settings } from './settings.js';

/** Maximum number of items per transaction, so that other requests do not wait long. */
const BATCH = 100;

export class StarterService {
  readonly items;

  constructor(private readonly host: ModuleServices<Settings>) {
    this.items = items.service(host);
  }

  /** Deletes items that have been done for longer than the setting. @returns their number */
  async sweep(job: JobRun): Promise<{ deleted: number }> {
    let deleted = 0;
    for (let last = BATCH; last === BATCH && !job.signal.aborted; deleted += last) {
      last = await this.host.transactions.run(job.ctx, async (uow) => {
        await job.guard(uow);
        const ids = await doneBefore(uow, this.host.settings().keep_days, BATCH);
        for (const id of ids) await this.items.removeIn(uow, id);
        return ids.length;
      });
      await job.progress({ deleted: deleted + last });
    }
    return { deleted };
  }
}
