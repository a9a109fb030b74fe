import { TimeSlice } from '@lintel/sdk';

/**
 * Rows as the JSON parameter of a statement, written in portions, so that many large rows do not hold the event loop.
 * @param row what of an item goes into the statement
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
