import type { LogEvent } from '@lintel/sdk';
import { isUuid } from '../../foundation/ids.js';

/** What is known of one card, read after the event at `asOf` was in the log. */
interface Known<T> {
  asOf: number;
  card: Promise<T | undefined>;
}

/** What was read is forgotten after so long. */
const FORGET_MS = 500;

/** The cards an event tells of: its own, or the ends of a relation. */
export function cardsOf({ subject, data }: LogEvent): string[] {
  const ids =
    subject.kind === 'card' ? [subject.id] : subject.kind === 'relation' ? [data['source_id'], data['target_id']] : [];
  return ids.filter((id) => typeof id === 'string' && isUuid(id)) as string[];
}

/**
 * What decides about cards, read once for all receivers of the same events. What was read before an event happened
 * does not do for it: the change before it may have been the one that made somebody a stakeholder, or made him one no
 * longer.
 */
export class CardVisibilityReader<T> {
  private known = new Map<string, Known<T>>();
  private since = 0;

  /**
   * @param idsOf ids of the cards that matter to an event
   * @param read what there is of cards, by id
   */
  constructor(
    private readonly idsOf: (event: LogEvent) => readonly string[],
    private readonly read: (ids: string[]) => Promise<ReadonlyMap<string, T>>,
  ) {}

  /** @returns what the cards are by now; one that is none is undefined */
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
        // Who waits for it is told; nobody need wait.
        card.catch(() => undefined);
        known.set(id, { asOf, card });
      }
    }
    return async (id) => await known.get(id)?.card;
  }
}
