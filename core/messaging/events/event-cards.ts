import type { LogEvent } from '@lintel/sdk';
import { isUuid } from '../../foundation/ids.js';

/** The state of one card, read after the event at position `asOf` was in the log. */
interface Known<T> {
  asOf: number;
  card: Promise<T | undefined>;
}

/** Lifetime of a cache entry in ms. */
const FORGET_MS = 500;

/** The cards an event refers to, each once: its subject, or the ends of a relation. */
export function cardsOf({ subject, data }: LogEvent): string[] {
  const ids =
    subject.kind === 'card' ? [subject.id] : subject.kind === 'relation' ? [data['source_id'], data['target_id']] : [];
  return [...new Set(ids)].filter((id): id is string => typeof id === 'string' && isUuid(id));
}

/**
 * Reads the card data that decides about visibility once for all receivers of the same events. Data read before an
 * event happened must not be used for it: the preceding change may have added or removed a stakeholder.
 */
export class EventCardReader<T> {
  private known = new Map<string, Known<T>>();
  private since = 0;

  /**
   * @param idsOf ids of the cards that are relevant to an event
   * @param read reads cards by id; unknown ids are omitted
   */
  constructor(
    private readonly idsOf: (event: LogEvent) => readonly string[],
    private readonly read: (ids: string[]) => Promise<ReadonlyMap<string, T>>,
  ) {}

  /** @returns a function for the current state of the cards; undefined for an id that is not a card */
  of(events: readonly LogEvent[]): (id: string) => Promise<T | undefined> {
    if (performance.now() - this.since > FORGET_MS) {
      this.known = new Map();
      this.since = performance.now();
    }
    const { known } = this;
    const due = new Map<string, number>();
    for (const event of events) {
      for (const id of this.idsOf(event))
        if ((known.get(id)?.asOf ?? 0) < event.position && (due.get(id) ?? 0) < event.position)
          due.set(id, event.position);
    }
    if (due.size > 0) {
      const reading = this.read([...due.keys()]);
      for (const [id, asOf] of due) {
        const card = reading.then((all) => all.get(id));
        // A caller that awaits the promise gets the error; without one it must not be an unhandled rejection.
        card.catch(() => undefined);
        known.set(id, { asOf, card });
      }
    }
    return async (id) => await known.get(id)?.card;
  }
}
