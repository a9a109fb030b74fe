import type { LogEvent } from '@lintel/sdk';
import type { Database } from '../db/database.js';
import { isUuid } from '../ids.js';
import { readCards, type CardRecord } from './repository.js';

/** What is known of one card, read after the event at `asOf` was in the log. */
interface Known {
  asOf: number;
  card: Promise<CardRecord | undefined>;
}

/** What was read is forgotten after so long. */
const FORGET_MS = 500;

/** The cards an event tells of: its own, or the ends of a relation. */
export function cardsOf({ subject, data }: LogEvent): string[] {
  const ids = subject.kind === 'card' ? [subject.id] : subject.kind === 'relation' ? [data['source_id'], data['target_id']] : [];
  return ids.filter((id) => typeof id === 'string' && isUuid(id)) as string[];
}

/**
 * Types and stakeholders of cards, read once for all receivers of the same events. What was read before an event
 * happened does not do for it: the change before it may have been the one that made somebody a stakeholder, or made
 * him one no longer.
 */
export class CardSight {
  private known = new Map<string, Known>();
  private since = 0;

  constructor(private readonly db: Database) {}

  /** @returns what the cards are by now; one that is gone is undefined */
  of(events: readonly LogEvent[]): (id: string) => Promise<CardRecord | undefined> {
    if (performance.now() - this.since > FORGET_MS) {
      this.known = new Map();
      this.since = performance.now();
    }
    const { known } = this;
    const due = new Map<string, number>();
    for (const event of events) {
      for (const id of cardsOf(event)) if ((known.get(id)?.asOf ?? 0) < event.position && (due.get(id) ?? 0) < event.position) due.set(id, event.position);
    }
    if (due.size > 0) {
      const reading = readCards(this.db, [...due.keys()]);
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
