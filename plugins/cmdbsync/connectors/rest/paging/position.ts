import { ConnectorError, type ConnectorRecord } from '@lintel/sdk';
import type { RestPaging } from '../settings.js';
import { digest, digestsOf, moved, type Listed, type ListSource, type Part } from './source.js';

/** Digests of ids in a position. */
const ANCHORS = 8;
/** Requests that search the last records that were read, in a list that has become shorter. */
const MOST_BACK = 6;
/** Pages in succession without a new record. */
const MOST_EMPTY = 5;

/** How far a list was read by page numbers or offsets. */
export interface Position {
  /** Number of records before the next one. */
  at: number;
  /** Digests of the ids of the last records that were read, the latest first. */
  anchors: string[];
  /** Records of the largest page so far. */
  seen: number;
  /** Pages in succession without a new record. */
  empty: number;
}

interface Window {
  start: number;
  size: number;
}

/**
 * Reads a page of a list by offsets or numbers of pages. Records that are deleted during the read move those after them to the
 * front, where they would be left out. Therefore each page overlaps the one before: it continues after the last record that was
 * read, wherever that is now. This needs an order in which records that exist keep their places relative to each other. The read
 * ends with a page that has nothing after that record, not with a short one, because other systems limit the sizes of pages.
 */
export async function readPosition(
  source: ListSource,
  paging: RestPaging,
  position: Position | undefined,
  limit: number,
): Promise<Part<Position>> {
  const windows = windowsOf(paging);
  if (!position) {
    const first = await windows.read(source, { start: 0, size: Math.min(limit, paging.size) });
    const records = first.records.slice(0, limit);
    const next = { at: records.length, anchors: anchorsOf(records, []), seen: first.records.length, empty: 0 };
    return { first, records, next: records.length === 0 ? undefined : next };
  }
  const { at, anchors, empty } = position;
  const step = Math.ceil(Math.min(paging.size, Math.max(position.seen, 2)) / 2);
  let target = at;
  for (let back = 0; back <= MOST_BACK; back++) {
    const window = windows.around(target, position.seen, back === 0 ? limit : paging.size);
    const page = await windows.read(source, window);
    const found = lastRead(await digestsOf(page), anchors);
    if (found === undefined) {
      if (window.start === 0) moved();
      target = Math.max(1, target - step);
      continue;
    }
    const records = page.records.slice(found + 1, found + 1 + limit);
    // A page that lacks a record which others still have is not complete: it says nothing about the end.
    const isInPlace = back === 0 && window.start + found === at - 1;
    if (records.length === 0 && isInPlace) {
      if (page.records.length >= position.seen) await demandEnd(source, windows, at);
      return { first: page, records };
    }
    if (records.length === 0 && empty >= MOST_EMPTY)
      throw new ConnectorError(
        'invalid_answer',
        'The pages of the other system do not fit together: it does not obey the parameters of the paging.',
      );
    return {
      first: page,
      records,
      next: {
        at: window.start + found + 1 + records.length,
        anchors: anchorsOf(records, anchors),
        seen: Math.max(position.seen, page.records.length),
        empty: records.length === 0 ? empty + 1 : 0,
      },
    };
  }
  return moved();
}

const anchorsOf = (records: readonly ConnectorRecord[], before: readonly string[]): string[] =>
  [
    ...records
      .slice(-ANCHORS)
      .map(({ id }) => digest(id))
      .reverse(),
    ...before,
  ].slice(0, ANCHORS);

/** Where the last record that was read is, or one before it if that was deleted. */
function lastRead(digests: readonly string[], anchors: readonly string[]): number | undefined {
  for (const anchor of anchors) {
    const at = digests.lastIndexOf(anchor);
    if (at >= 0) return at;
  }
  return undefined;
}

/** A page that is as large as any before may have been cut by the other system just before the next record. */
async function demandEnd(source: ListSource, windows: Windows, at: number): Promise<void> {
  const { records } = await windows.read(source, { start: at, size: 1 });
  if (records.length > 0)
    throw new ConnectorError('invalid_answer', 'The pages of the other system are too small to be read without loss.');
}

interface Windows {
  read(source: ListSource, window: Window): Promise<Listed>;
  /** A window that has the record before a position, and at least one place after it. */
  around(at: number, seen: number, limit: number): Window;
}

function windowsOf({ kind, param, size_param, size, first }: RestPaging): Windows {
  if (kind === 'offset')
    return {
      read: async (source, { start, size }) =>
        await source.list({ [param ?? 'offset']: String(start), [size_param]: String(size) }),
      around: (at, _seen, limit) => ({ start: at - 1, size: Math.min(Math.max(limit + 1, 2), size) }),
    };
  return {
    read: async (source, { start, size }) =>
      await source.list({ [param ?? 'page']: String(start / size + first), [size_param]: String(size) }),
    // Pages of larger sizes than were seen may be cut, so that their numbers would mean other records.
    around: (at, seen, limit) => pageAround(at, Math.min(seen, size), limit) ?? pageAround(at, size, limit) ?? moved(),
  };
}

/** The size of pages of which one has the record before a position and the most records after it. */
function pageAround(at: number, most: number, limit: number): Window | undefined {
  let best: Window | undefined;
  let gain = 0;
  for (let size = 2; size <= most; size++) {
    const start = Math.floor((at - 1) / size) * size;
    const after = Math.min(start + size - at, limit);
    if (after > gain) [best, gain] = [{ start, size }, after];
  }
  return best;
}
