import { TimeSlice } from './time-slice.js';

/** Characters of one batch, unless a row is longer itself. */
const BATCH = 1_000_000;

/**
 * Serialises rows as JSON arrays of about a million characters, in time slices: so that neither the serialisation nor the sending of a
 * statement with many long rows blocks the event loop. Rows of ordinary length are one array.
 * @param row maps an item to what is serialised; default: the item
 */
export async function* jsonBatches<T>(
  items: Iterable<T>,
  row: (item: T) => unknown = (item) => item,
): AsyncGenerator<string> {
  const slice = new TimeSlice();
  let texts: string[] = [];
  let length = 0;
  for (const item of items) {
    const text = JSON.stringify(row(item));
    texts.push(text);
    length += text.length;
    if (length > BATCH) {
      yield `[${texts.join()}]`;
      [texts, length] = [[], 0];
    }
    if (slice.isOver) await slice.next();
  }
  if (texts.length > 0) yield `[${texts.join()}]`;
}
