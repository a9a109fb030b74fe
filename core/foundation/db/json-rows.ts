import { TimeSlice } from '@lintel/sdk';

/**
 * Serialises rows as the JSON parameter of a statement, in time slices, so that many large rows do not block the event
 * loop.
 * @param row maps an item to the part that goes into the statement
 */
export async function jsonRows<T>(items: readonly T[], row: (item: T) => unknown): Promise<string> {
  const texts: string[] = [];
  const slice = new TimeSlice();
  for (const item of items) {
    texts.push(JSON.stringify(row(item)));
    if (slice.isOver) await slice.next();
  }
  return `[${texts.join()}]`;
}
