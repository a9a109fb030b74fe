import { createHash } from 'node:crypto';
import { ConnectorError, TimeSlice, type ConnectorRecord } from '@lintel/sdk';

/** Records of an answer, in their order. */
export interface Listed {
  records: ConnectorRecord[];
  /** Digests of the ids of its records, once they were asked for. */
  digests?: string[];
  /** Address of the request. */
  address: string;
  /** The answer, for the paths in it. */
  body: unknown;
  headers: Readonly<Record<string, string>>;
  /** Address of the answer. */
  url: string;
}

/** The list of a table, with the parameters that do not belong to its paging. */
export interface ListSource {
  /** Reads a page. @param parameters of the paging */
  list(parameters: Readonly<Record<string, string>>): Promise<Listed>;
  /** Reads the page of a link. */
  follow(path: string): Promise<Listed>;
  /** Path and query of a link in an answer. @throws ConnectorError `invalid_answer` if it leads elsewhere */
  followed(link: string, from: string): string;
}

/** A page, and where the next one begins; undefined after the last one. */
export interface Part<State> {
  first: Listed;
  records: ConnectorRecord[];
  next?: State | undefined;
}

/** A short digest of an id or position, so that cursors are short whatever the other system sends. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16);

/** The digests of the ids of a page, which is as long as the other system makes it. */
export async function digestsOf(page: Listed): Promise<string[]> {
  if (page.digests) return page.digests;
  const digests: string[] = [];
  const slice = new TimeSlice();
  for (const { id } of page.records) {
    digests.push(digest(id));
    if (slice.isOver) await slice.next();
  }
  return (page.digests = digests);
}

/** @throws ConnectorError: a record that follows an unknown position may have been left out */
export function moved(): never {
  throw new ConnectorError('invalid_answer', 'The list changed so much during the read that records may be missing.');
}

/**
 * The records of a page that may be larger than the limit.
 * @param after digest of the id of the last record that was returned of it
 */
export async function partOf(
  page: Listed,
  after: string | undefined,
  limit: number,
): Promise<{ part: ConnectorRecord[]; after: string | undefined }> {
  const { records } = page;
  const start = after === undefined ? 0 : (await digestsOf(page)).lastIndexOf(after) + 1;
  if (after !== undefined && start === 0) moved();
  const part = records.slice(start, start + limit);
  return { part, after: start + part.length < records.length ? digest(part.at(-1)!.id) : undefined };
}
