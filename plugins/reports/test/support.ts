/** Independent computation of what reports show: over all pages of the lists, as the same caller. */
import type { Answer, Client } from '../../../test/support/app.js';

export interface Card {
  id: string;
  type: string;
  name: string;
  subtype: string | null;
  parent_id: string | null;
  path: { id: string }[] | string[];
  level: number;
  approval_status: string;
  data_quality: number;
  lifecycle: Record<string, string>;
  lifecycle_phase: string | null;
  attributes: Record<string, unknown>;
  stakeholders?: { user_id: string; role: string }[];
  updated_at: string;
}

export interface Relation {
  id: string;
  type: string;
  source_id: string;
  target_id: string;
  valid_to: string | null;
  attributes: Record<string, unknown>;
}

/** All items of a list, page by page. */
export async function all<T>(api: Client, path: string, query: Record<string, string> = {}): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const found: Answer<{ items: T[]; next_cursor: string | null }> = await api.get(path, {
      query: { ...query, page_size: 200, ...(cursor !== null && { cursor }) },
    });
    const { status, body } = found;
    if (status !== 200) throw new Error(`${path} gave ${status}`);
    items.push(...body.items);
    cursor = body.next_cursor;
  } while (cursor !== null);
  return items;
}

export const allCards = (api: Client, query: Record<string, string> = {}): Promise<Card[]> =>
  all<Card>(api, '/cards', query);
export const allRelations = (api: Client, query: Record<string, string> = {}): Promise<Relation[]> =>
  all<Relation>(api, '/relations', query);

/** A figure of a report, and where it is in the report. */
interface Linked {
  where: string;
  figure: number;
  href: string;
}

/** The figures with a link: objects with `href`, and `count` or `total`. */
export function linked(value: unknown, where = ''): Linked[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => linked(item, `${where}/${i}`));
  if (typeof value !== 'object' || value === null) return [];
  const { href, count, total } = value as { href?: unknown; count?: unknown; total?: unknown };
  const figure = typeof count === 'number' ? count : total;
  const own =
    typeof href === 'string' && href.includes('total=exact') && typeof figure === 'number'
      ? [{ where, figure, href }]
      : [];
  return [...own, ...Object.entries(value).flatMap(([key, part]) => linked(part, `${where}/${key}`))];
}

/**
 * Follows the links of a report, each address once.
 * @param most follows at most this many, evenly distributed
 * @returns the figures whose list has another total, with that
 */
export async function wrongLinks(api: Client, report: unknown, most = Number.POSITIVE_INFINITY): Promise<string[]> {
  const figures = linked(report);
  const every = Math.max(1, Math.ceil(figures.length / most));
  const totals = new Map<string, unknown>();
  const wrong: string[] = [];
  for (const { where, figure, href } of figures.filter((_, i) => i % every === 0)) {
    if (!totals.has(href)) {
      const { status, body } = await api.get(`${href}&page_size=1`);
      totals.set(href, status === 200 ? body.total : `${status} ${JSON.stringify(body.errors ?? body.detail)}`);
    }
    if (totals.get(href) !== figure) wrong.push(`${where}: ${figure}, but ${href} has ${String(totals.get(href))}`);
  }
  return wrong;
}

/** How many items have each key. */
export function counted<T>(
  items: readonly T[],
  keys: (item: T) => readonly (string | null)[],
): Map<string | null, number> {
  const counts = new Map<string | null, number>();
  for (const item of items) for (const key of keys(item)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/**
 * The parameters that a report refuses.
 * @returns their names, sorted and joined by commas; another status than 422 as text
 */
export async function refusedParameters(
  api: Client,
  report: string,
  query: Record<string, string | number | boolean>,
): Promise<string> {
  const { status, body } = await api.get(`/reports/${report}`, { query });
  return status === 422
    ? body.errors
        .map(({ field }) => field)
        .sort()
        .join()
    : String(status);
}
