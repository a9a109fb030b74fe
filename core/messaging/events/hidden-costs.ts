import type { LogEvent } from '@lintel/sdk';
import type { IsCost, OnceCosts } from '../../inventory/access/index.js';
import { withoutAttributes } from './redact.js';

/** Until the list of cost fields is loaded, every attribute is treated as one. */
const ALL_COSTS: IsCost = () => true;

/** Removes costs from events of cards and relations, for receivers who may not see them. */
export class HiddenCosts {
  private readonly costless = new WeakMap<LogEvent, { by: IsCost; event: LogEvent }>();

  constructor(private readonly costs: OnceCosts) {}

  /** Loads all fields that are or were costs. @returns whether a field is or was one */
  async current(): Promise<IsCost> {
    return await this.costs.current();
  }

  /**
   * The event without attributes that are or were costs, cached for all receivers; the event itself where it contains
   * none.
   */
  without(event: LogEvent): LogEvent {
    const { kind, type } = event.subject;
    if (kind !== 'card' && kind !== 'relation') return event;
    const by = this.costs.known ?? ALL_COSTS;
    const known = this.costless.get(event);
    if (known?.by === by) return known.event;
    const without = withoutAttributes(event, (key) => by(kind, type ?? '', key));
    this.costless.set(event, { by, event: without });
    return without;
  }
}
