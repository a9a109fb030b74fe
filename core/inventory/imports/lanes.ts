/** Number of parts of an import that are worked on at the same time. */
const LANES = 2;

/**
 * Works on parts of an import that are independent of each other: one is prepared while PostgreSQL stores another. The next
 * ones are begun when all of these have ended: PostgreSQL gives a lock that they share, such as that of a parent of many
 * cards, to the next one before it gives it to a user who waits to change the row.
 * @throws the error of a part, after which no further ones are begun, when the others under way have ended
 */
export async function inLanes<T>(
  parts: Iterable<T> | AsyncIterable<T>,
  work: (part: T) => Promise<void>,
): Promise<void> {
  const next = Symbol.asyncIterator in parts ? parts[Symbol.asyncIterator]() : parts[Symbol.iterator]();
  for (let isLast = false; !isLast; ) {
    const lane = async () => {
      const part = await next.next();
      if (part.done === true) isLast = true;
      else await work(part.value);
    };
    const ended = await Promise.allSettled(Array.from({ length: LANES }, lane));
    for (const result of ended) if (result.status === 'rejected') throw result.reason;
  }
}
