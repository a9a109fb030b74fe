/**
 * Writes rows in chunks, one statement each, in their order: the next one is prepared while PostgreSQL runs one.
 * @param size number of rows of a chunk
 * @param prepare makes what the statement of a chunk needs
 * @param send sends the statement
 * @throws the first error, when no statement is running any more
 */
export async function inChunks<T, P>(
  rows: readonly T[],
  size: number,
  prepare: (chunk: readonly T[]) => P | Promise<P>,
  send: (prepared: P) => Promise<unknown>,
): Promise<void> {
  let sent: Promise<unknown> = Promise.resolve();
  try {
    for (let i = 0; i < rows.length; i += size) {
      const prepared = await prepare(rows.slice(i, i + size));
      await sent;
      sent = send(prepared);
      // Its failure is thrown below, or before the next statement.
      sent.catch(() => undefined);
    }
  } finally {
    await sent;
  }
}
