/** Number of parts of an import that are worked on at the same time. */
export const LANES = 2;

const iteratorOf = <T>(parts: Iterable<T> | AsyncIterable<T>): Iterator<T> | AsyncIterator<T> =>
  Symbol.asyncIterator in parts ? parts[Symbol.asyncIterator]() : parts[Symbol.iterator]();

/**
 * Works on parts of an import that are independent of each other: one is prepared while PostgreSQL works on another.
 * @param most parts that are begun before all of them have ended, for parts that lock what users change: PostgreSQL gives a
 * lock that parts share, such as that of a parent of many cards, to the next part before it gives it to a user who waits
 * @throws the error of a part, after which no further ones are begun, when the others under way have ended
 */
export async function inLanes<T>(
  parts: Iterable<T> | AsyncIterable<T>,
  work: (part: T) => Promise<void>,
  most = Infinity,
): Promise<void> {
  const next = iteratorOf(parts);
  let isOver = false;
  while (!isOver) {
    let begun = 0;
    const lane = async () => {
      try {
        while (!isOver && begun < most) {
          begun++;
          const part = await next.next();
          if (part.done === true) isOver = true;
          else await work(part.value);
        }
      } catch (error) {
        isOver = true;
        throw error;
      }
    };
    const ended = await Promise.allSettled(Array.from({ length: LANES }, lane));
    for (const result of ended) if (result.status === 'rejected') throw result.reason;
  }
}
