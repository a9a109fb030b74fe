import type { RestPaging } from '../settings.js';
import { digest, moved, partOf, type ListSource, type Part } from './source.js';

/** How far a list of pages was read whose size cannot be chosen. */
export interface FixedPosition {
  /** Number of the page, from 0. */
  page: number;
  /** Digest of the id of the last record of the page before. */
  last?: string | undefined;
  /** Digest of the id of the last record that was returned of this page. */
  after?: string | undefined;
}

/**
 * Reads a page of fixed size. Such pages cannot overlap: after each one the page before is read again, which has to end as it did.
 */
export async function readFixed(
  source: ListSource,
  { param, first }: RestPaging,
  position: FixedPosition | undefined,
  limit: number,
): Promise<Part<FixedPosition>> {
  const { page, last, after: before } = position ?? { page: 0 };
  const read = async (n: number) => await source.list({ [param ?? 'page']: String(n + first) });
  const found = await read(page);
  if (last !== undefined && before === undefined) {
    const again = (await read(page - 1)).records.at(-1);
    if (!again || digest(again.id) !== last) moved();
  }
  const { part, after } = await partOf(found, before, limit);
  const end = found.records.at(-1);
  return {
    first: found,
    records: part,
    next: after !== undefined ? { page, last, after } : end ? { page: page + 1, last: digest(end.id) } : undefined,
  };
}
