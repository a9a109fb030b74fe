import { ConnectorError } from '@lintel/sdk';
import { valueAt } from '../../../transforms/values.js';
import type { RestPaging } from '../settings.js';
import { digest, partOf, type Listed, type ListSource, type Part } from './source.js';

/** Characters of a cursor or link of the other system. */
const LONGEST = 1_500;

/** How far a list was read by cursors or links of the other system. */
export interface Followed {
  /** Its cursor, or the path and query of its link; undefined for the first page. */
  to?: string | undefined;
  /** Number of pages so far. */
  pages: number;
  /** Digest of the cursor or link at the last power of two of pages: if it comes again, the pages form a cycle (Brent, 1980). */
  mark?: string | undefined;
  /** Digest of the id of the last record that was returned of this page. */
  after?: string | undefined;
}

/** Reads a page that names the next one, or a list that is one page. */
export async function readFollowed(
  source: ListSource,
  paging: RestPaging,
  position: Followed | undefined,
  limit: number,
): Promise<Part<Followed>> {
  const { to, pages, mark, after: before } = position ?? { pages: 0 };
  const size: Record<string, string> =
    paging.kind === 'none' || paging.size_param === ''
      ? {}
      : { [paging.size_param]: String(Math.min(limit, paging.size)) };
  const first =
    to !== undefined && paging.kind === 'link'
      ? await source.follow(to)
      : await source.list({ ...size, ...(to !== undefined && { [paging.param ?? 'cursor']: to }) });
  const { part, after } = await partOf(first, before, limit);
  if (after !== undefined) return { first, records: part, next: { to, pages, mark, after } };
  const next = nextOf(source, paging, first);
  if (next === undefined) return { first, records: part };
  if (next.length > LONGEST)
    throw new ConnectorError('invalid_answer', `The name of the next page has more than ${LONGEST} characters.`);
  if (next === to || (mark !== undefined && digest(next) === mark))
    throw new ConnectorError('invalid_answer', 'The pages of the other system form a cycle.');
  const count = pages + 1;
  const isMarked = (count & (count - 1)) === 0;
  return { first, records: part, next: { to: next, pages: count, mark: isMarked ? digest(next) : mark } };
}

function nextOf(source: ListSource, { kind, next }: RestPaging, page: Listed): string | undefined {
  if (kind === 'none') return undefined;
  const isHeader = kind === 'link' && next === '';
  const found = isHeader ? nextLink(page.headers['link'] ?? '') : memberOf(page.body, next);
  if (found === null || found === undefined || found === '' || found === false) return undefined;
  if (typeof found !== 'string' && typeof found !== 'number')
    throw new ConnectorError('invalid_answer', 'The name of the next page is no text.');
  return kind === 'link' ? source.followed(String(found), page.url) : String(found);
}

/** A member of an answer; undefined if the answer is a list. */
export const memberOf = (body: unknown, path: string): unknown =>
  body !== null && typeof body === 'object' && !Array.isArray(body)
    ? valueAt(body as Record<string, unknown>, path)
    : undefined;

/** The target of the relation `next` of a `Link` header (RFC 8288). */
function nextLink(header: string): string | undefined {
  for (const [, target, parameters] of header.matchAll(/<([^<>]*)>([^<]*)/g)) {
    const relation = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters!);
    if ((relation?.[1] ?? relation?.[2] ?? '').toLowerCase().split(/\s+/).includes('next')) return target;
  }
  return undefined;
}
