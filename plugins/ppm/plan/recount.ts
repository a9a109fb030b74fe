import type { JobRun, LogEvent, ModuleActivation, ModuleServices, RequestContext, UnitOfWork } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { planChanged } from '../rollup/queue.js';
import type { PpmServices } from '../services.js';
import type { Settings } from '../settings.js';
import { daysIn } from '../wbs/dates.js';
import { readDatedPlans, recountDurations } from '../wbs/repository.js';
import type { Calendars } from './calendars.js';
import { isSuperseded, lockPlan } from './repository.js';

/** The job that counts working days anew after the calendar of the organisation has changed. */
const RECOUNT = 'ppm.recount';
/** Time after a holiday was written in which further ones are awaited, in milliseconds. */
const DELAY_MS = 5_000;

/** Queues the job, in the transaction that changes a holiday. */
export async function holidaysChanged(host: Pick<ModuleServices, 'jobs'>, uow: UnitOfWork, id: string): Promise<void> {
  await host.jobs.enqueue(uow, RECOUNT, { holiday_id: id }, { runAt: new Date(Date.now() + DELAY_MS) });
}

/** Keeps the stored durations of items with two dates, which follow from the calendar. */
export class Recounts {
  constructor(
    private readonly host: Host,
    private readonly calendars: Calendars,
  ) {}

  /** Counts the items of a plan anew, which is locked. @returns how many have another duration now */
  async of(uow: UnitOfWork, cardId: string): Promise<number> {
    const calendar = (await this.calendars.of([cardId], uow))(cardId);
    const items = await recountDurations(uow, cardId, daysIn(calendar));
    if (items > 0) await planChanged(this.host as unknown as ModuleServices, uow, cardId);
    return items;
  }

  /** Counts all plans anew, each in a transaction. @returns the number of changed plans; null if a later job does it */
  async all(job: JobRun): Promise<{ changed: number | null }> {
    const { host } = this;
    const holiday = job.payload['holiday_id'];
    if (typeof holiday === 'string' && (await isSuperseded(host.db, holiday))) return { changed: null };
    let changed = 0;
    for (const id of await readDatedPlans(host.db)) {
      if (job.signal.aborted) break;
      const items = await host.transactions.run(job.ctx, async (uow) => {
        await job.guard(uow);
        await lockPlan(uow, id);
        const counted = await this.of(uow, id);
        if (counted > 0)
          uow.emit({
            type: 'ppm_plan.recounted',
            subject: { kind: 'ppm_plan', id },
            data: { card_id: id, items: counted },
          });
        return counted;
      });
      if (items > 0) changed += 1;
    }
    return { changed };
  }

  /** Queues the job after the working days in the settings have changed. */
  async heard({ subject, data }: LogEvent, ctx: RequestContext): Promise<void> {
    const fields = (data['changes'] as { field: string }[] | undefined)?.map(({ field }) => field) ?? [];
    if (subject.id !== 'ppm' || !fields.includes('settings.working_days')) return;
    await this.host.transactions.run(ctx, async (uow) => {
      await this.host.jobs.enqueue(uow, RECOUNT, {});
    });
  }
}

/** Starts what keeps durations. */
export function activateRecounts(module: ModuleActivation<PpmServices, Settings>): void {
  const { recounts } = module.services;
  module.job(RECOUNT, { handler: (job) => recounts.all(job), timeoutMs: 600_000 });
  module.subscribe({
    name: 'calendars',
    pattern: ['module.updated'],
    handler: (event, { ctx }) => recounts.heard(event, ctx),
  });
}
