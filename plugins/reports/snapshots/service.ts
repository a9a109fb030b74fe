import type { Inventory, InventoryField, InventoryFilters, JobRun } from '@lintel/sdk';
import type { ReportsHost } from '../host.js';
import { amount } from '../numbers.js';
import { typesOf } from '../parameters.js';
import { readFigures, readTrend, writeDay } from './repository.js';

export const SNAPSHOT = 'reports.snapshot';
/** Each hour, so that the last one of a day is the state at its end. */
export const SCHEDULE = '40 * * * *';
const DAY_MS = 86_400_000;

/** A day of a trend. */
export interface TrendDay {
  date: string;
  total: number;
  approved: number;
  /** Mean score of data quality; null without cards, and where parts of it may be hidden from the caller. */
  average_quality: number | null;
  /** Null where the caller may not see all of it. */
  cost?: number | null;
}

/** The figures of each day, for trends. */
export class Snapshots {
  constructor(private readonly host: ReportsHost) {}

  /** Stores the figures of today, in place of those of an earlier run. @returns the number of card types */
  async take(job: JobRun): Promise<{ types: number }> {
    const { today, rows } = await this.host.inventory.read(job.ctx, {}, async (inventory) => {
      const costs = new Map<string, InventoryField>();
      for (const { fields } of inventory.types.values())
        for (const field of fields) if (field.isCost) costs.set(field.key, field);
      return { today: inventory.today, rows: await readFigures(inventory, [...costs.values()]) };
    });
    const kept = this.host.settings().snapshot_days;
    const before = new Date(Date.parse(today) - kept * DAY_MS).toISOString().slice(0, 10);
    await this.host.transactions.run(job.ctx, async (uow) => {
      await job.guard(uow);
      await writeDay(uow, today, rows, before);
    });
    return { types: rows.length };
  }

  /**
   * The trend of the last days.
   * @param filters only `type` can be applied to it
   * @param days how many days back
   * @param cost a field that is summed as well, if the caller may see all costs
   * @returns undefined where the report has other filters
   */
  async trend(
    inventory: Inventory,
    filters: InventoryFilters,
    days: number,
    cost?: InventoryField,
  ): Promise<TrendDay[] | undefined> {
    if (Object.keys(filters).some((name) => name !== 'type')) return undefined;
    const types = typesOf(filters) ?? [...inventory.types.keys()];
    const since = new Date(Date.parse(inventory.today) - days * DAY_MS).toISOString().slice(0, 10);
    const seesAll = inventory.costs === 'all';
    const rows = await readTrend(
      inventory,
      types.filter((type) => inventory.types.has(type)),
      since,
      seesAll ? cost?.key : undefined,
    );
    return rows.map(({ day, total, approved, quality, open_quality, cost: sum }) => ({
      date: day,
      total,
      approved,
      // Without all costs the score would tell whether fields that are costs have values.
      average_quality:
        total === 0 || !inventory.wholeScores
          ? null
          : Math.round((Number(seesAll ? quality : open_quality) / total) * 10) / 10,
      ...(cost && { cost: seesAll ? amount(sum) : null }),
    }));
  }
}
