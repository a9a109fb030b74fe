import type { Host } from '../basics.js';
import { dayOf } from '../calendar/days.js';
import { visitInSlices } from '../slices.js';
import { findBaseline, readFrozen, type FrozenItem } from './repository.js';

/** A baseline with its items. */
export interface ReadBaseline {
  id: string;
  name: string;
  created_at: Date;
  items: FrozenItem[];
  /** By item; those without dates are omitted. */
  days: Map<string, { start: number; finish: number }>;
}

/** Reads baselines. */
export class BaselineReader {
  constructor(private readonly host: Host) {}

  /** @throws not_found if the plan has no such baseline */
  async find(cardId: string, id: string): Promise<ReadBaseline> {
    const found = await findBaseline(this.host.db, cardId, id);
    if (!found) throw this.host.problem('not_found');
    const items = await readFrozen(this.host.db, found.id);
    const days: ReadBaseline['days'] = new Map();
    await visitInSlices(items, ({ id: item, start_date, end_date }) => {
      if (start_date !== null && end_date !== null)
        days.set(item, { start: dayOf(start_date), finish: dayOf(end_date) });
    });
    return { ...found, items, days };
  }
}
