/**
 * A part of a report that needs a further permission.
 * @returns undefined where the caller lacks it
 */
export async function permitted<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    // The sources refuse before a statement is sent, so that the transaction goes on.
    if ((error as { code?: unknown }).code === 'forbidden') return undefined;
    throw error;
  }
}
