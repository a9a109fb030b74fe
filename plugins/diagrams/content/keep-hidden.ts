/** Keeps what the user who saves a file does not see of it. */
import { newCell, type DrawioCell, type DrawioFile, type DrawioPage } from '../drawio/model.js';
import { cellsById } from './card-shapes.js';
import { maskedCells, type MaskKind } from './masking.js';
import { placeOf, type CardShape } from './stored.js';

/** The page of the saved file that was a page of the stored one: by its id, or else by its place. */
function pageFor(saved: DrawioFile, stored: DrawioFile, number: number): DrawioPage | undefined {
  const { id } = stored.pages[number]!;
  const isUnique = (file: DrawioFile): boolean => file.pages.filter((page) => page.id === id).length === 1;
  if (id !== '' && isUnique(stored) && isUnique(saved)) return saved.pages.find((page) => page.id === id);
  const other = saved.pages[number];
  const isAnother = other !== undefined && other.id !== '' && stored.pages.some((page) => page.id === other.id);
  return isAnother ? undefined : other;
}

/** A page with the layers of a stored page and nothing else. */
const emptied = (page: DrawioPage): DrawioPage => ({
  ...page,
  cells: page.cells.filter(({ vertex, edge }) => !vertex && !edge),
});

/** The content of a cell from the stored one; its place and connections are those that were saved. */
function restore(saved: DrawioCell, { label, wrapper, style, children, attributes }: DrawioCell): void {
  Object.assign(saved, { label, wrapper, style, children, attributes });
}

/** Puts the masked cells of a page back. @returns the ids of those that are there */
function keepOnPage(page: DrawioPage, stored: DrawioPage, masked: ReadonlyMap<number, MaskKind>): Set<string> {
  const cells = cellsById(page);
  const layer = page.cells.find(({ parent, vertex, edge }) => parent !== undefined && !vertex && !edge)?.id ?? '1';
  const kept = new Set<string>();
  stored.cells.forEach((cell, at) => {
    const kind = masked.get(at);
    if (kind === undefined) return;
    const saved = cells.get(cell.id);
    if (saved) restore(saved, cell);
    // A line to a hidden card may be removed, as it was shown; the card itself may not.
    else if (kind === 'edge') return;
    else {
      const parent = cell.parent !== undefined && cells.has(cell.parent) ? cell.parent : layer;
      const copy = newCell({ ...cell, parent });
      copy.wrapper = cell.wrapper;
      page.cells.push(copy);
      cells.set(copy.id, copy);
    }
    kept.add(cell.id);
  });
  return kept;
}

/**
 * Puts the content of shapes of hidden cards back into a file that a user saves who got them masked. A shape that is missing in
 * the file is added again.
 * @param saved is changed
 * @param shapes of the stored file
 * @returns the shapes that were kept, by page of the saved file and id of the cell, as they are in the stored file
 */
export function keepHidden(
  saved: DrawioFile,
  stored: DrawioFile,
  shapes: readonly CardShape[],
  isHidden: (card: string) => boolean,
): Map<string, CardShape> {
  const kept = new Map<string, CardShape>();
  maskedCells(stored, shapes, isHidden).forEach((masked, number) => {
    if (masked.size === 0) return;
    const storedPage = stored.pages[number]!;
    let page = pageFor(saved, stored, number);
    if (!page) {
      page = emptied(storedPage);
      saved.pages.push(page);
    }
    const there = keepOnPage(page, storedPage, masked);
    const at = saved.pages.indexOf(page);
    for (const shape of shapes)
      if (shape.page === number && masked.get(shape.at) === 'shape' && there.has(shape.cell))
        kept.set(placeOf(at, shape.cell), shape);
  });
  return kept;
}
