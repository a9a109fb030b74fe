/** Which pages of a saved file are those of the stored one. */
import type { DrawioFile, DrawioPage } from '../drawio/model.js';

/**
 * For each stored page the one that was saved for it: that with its id, or else the one in its place that no other stored page is.
 * Of several pages with one id, the first is the first.
 */
export function pagesFor(saved: DrawioFile, stored: DrawioFile): (DrawioPage | undefined)[] {
  const byId = new Map<string, DrawioPage[]>();
  for (const page of saved.pages) {
    if (page.id === '') continue;
    const beside = byId.get(page.id);
    if (beside) beside.push(page);
    else byId.set(page.id, [page]);
  }
  const found = stored.pages.map(({ id }) => byId.get(id)?.shift());
  const taken = new Set(found);
  return found.map((page, number) => {
    if (page) return page;
    const other = saved.pages[number];
    if (!other || taken.has(other)) return undefined;
    taken.add(other);
    return other;
  });
}
