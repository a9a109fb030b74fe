import { createHash } from 'node:crypto';
import { TimeSlice, type BytesResult, type RequestContext } from '@lintel/sdk';
import { requireInitiative, type Host } from '../basics.js';
import { dateOf } from '../calendar/days.js';
import { completions } from '../schedule/completion.js';
import type { Plans, ScheduledPlan } from '../schedule/plan.js';
import type { ItemRow } from '../schedule/repository.js';
import { mapInSlices } from '../slices.js';
import { csvOf } from './csv-write.js';
import type { FileCalendar } from './file-plan.js';
import { mspdiOf } from './mspdi-write.js';
import type { StoredPlan } from './stored.js';

/** Plans as files. */
export class PlanExport {
  constructor(
    private readonly host: Host,
    private readonly plans: Plans,
  ) {}

  /**
   * @returns the file and its name
   * @throws not_found, invalid_state for a plan without a schedule
   */
  async file(
    ctx: RequestContext,
    cardId: string,
    format: 'csv' | 'mspdi',
  ): Promise<Omit<BytesResult, 'type'> & { name: string }> {
    const card = await requireInitiative(this.host, ctx, cardId);
    const hasCosts = (await this.host.cards.seesCosts(ctx, [card.id])).has(card.id);
    const plan = await this.plans.scheduled(ctx, await this.plans.loadStored(card.id));
    const stored = await this.#stored(card.name, plan);
    const { bytes, digest } = await written(await (format === 'csv' ? csvOf : mspdiOf)(stored, hasCosts));
    const extension = format === 'csv' ? 'csv' : 'xml';
    return {
      version: plan.row?.version ?? 1,
      derived: digest,
      bytes,
      name: `${card.name}.${extension}`,
    };
  }

  async #stored(title: string, plan: ScheduledPlan<ItemRow>): Promise<StoredPlan> {
    const { row, items, times, days, dependencies, calendar, origin, holidays } = plan;
    const { working_days, hours_per_day } = this.host.settings();
    const done = await completions(items, times.items);
    const own = sorted(row?.calendar?.exceptions ?? []);
    const dates = new Set(own.map(({ date }) => date));
    const others = holidays.filter(({ date }) => !dates.has(date));
    return {
      title,
      start_date: row?.start_date ?? null,
      calendar: row?.calendar ? { working_days: row.calendar.working_days ?? null, exceptions: own } : null,
      effective: {
        working_days: [...working_days].sort((a, b) => a - b),
        exceptions: sorted([...others.map(({ date, name }) => ({ date, working: false, name })), ...own]),
      },
      startDay: dateOf(calendar.dayAt(origin)),
      items: await mapInSlices(items, ({ row: item, outline, depth, isSummary }, i) => ({
        row: item,
        outline,
        depth,
        isSummary,
        completion: done[i]!,
        computed: {
          start: dateOf(days[i]!.start),
          finish: dateOf(days[i]!.finish),
          days: times.items[i]!.duration,
          isCritical: times.items[i]!.isCritical,
        },
      })),
      dependencies,
      hoursPerDay: hours_per_day,
      currency: this.host.workspace().currency,
    };
  }
}

/** Characters that are encoded at once. */
const CHUNK = 65_536;

/** Writes the pieces of a file, in time slices. @returns its bytes and their digest */
async function written(pieces: Iterable<string>): Promise<{ bytes: Buffer; digest: string }> {
  const hash = createHash('sha256');
  const chunks: Buffer[] = [];
  const slice = new TimeSlice();
  let text = '';
  const take = (): void => {
    const chunk = Buffer.from(text);
    hash.update(chunk);
    chunks.push(chunk);
    text = '';
  };
  for (const piece of pieces) {
    text += piece;
    if (text.length >= CHUNK) take();
    if (slice.isOver) await slice.next();
  }
  take();
  return { bytes: Buffer.concat(chunks), digest: hash.digest('hex') };
}

/** Exceptions by date, with a name or null. */
export const sorted = (
  exceptions: readonly { date: string; working: boolean; name?: string | null }[],
): FileCalendar['exceptions'] =>
  exceptions
    .map(({ date, working, name }) => ({ date, working, name: name === undefined || name === '' ? null : name }))
    .sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
