/** Number of parts of an import that are worked on at the same time. */
const LANES = 2;

/**
 * Works on parts of an import that are independent of each other: one is prepared while PostgreSQL stores another.
 * @throws the error of a part, after which no further ones are begun, when the others under way have ended
 */
export async function inLanes<T>(
  parts: Iterable<T> | AsyncIterable<T>,
  work: (part: T) => Promise<void>,
): Promise<void> {
  const next = Symbol.asyncIterator in parts ? parts[Symbol.asyncIterator]() : parts[Symbol.iterator]();
  let isFailed = false;
  const lane = async () => {
    try {
      for (let part = await next.next(); !isFailed && part.done !== true; part = await next.next())
        await work(part.value);
    } catch (error) {
      isFailed = true;
      throw error;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: LANES }, lane));
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
}
