/** The labels of shapes that may be cards. Runs in the worker. */
import { textOf } from '../drawio/model.js';
import { styleValue } from '../drawio/style.js';
import { cellsById, nearestIn } from './card-shapes.js';
import type { LabelledShape, LabelsOrder } from './orders.js';
import { maskedCells } from './masking.js';
import { openStored } from './save.js';
import { placeOf } from './stored.js';

/** Longer labels are sentences, not names. */
const MOST_CHARACTERS = 200;

/** The shapes with a label that are neither of cards nor labels of edges, in the order of the file, without what is masked for the user. */
export function readLabels({ stored, hidden, most }: LabelsOrder): { labels: LabelledShape[]; isCut: boolean } {
  const file = openStored(stored);
  const isHidden = new Set(hidden);
  const masked = maskedCells(file, stored, (card) => isHidden.has(card));
  const ofCards = new Set(stored.shapes.map(({ page, at }) => placeOf(page, at)));
  const labels: LabelledShape[] = [];
  for (const [page, { cells }] of file.pages.entries()) {
    const byId = cellsById(file.pages[page]!);
    const edges = new Set(cells.flatMap(({ edge, id }) => (edge ? [id] : [])));
    const edgeAround = nearestIn(byId, (id) => edges.has(id));
    for (const [at, cell] of cells.entries()) {
      if (masked[page]!.has(at)) continue;
      if (!cell.vertex || cell.id === '' || byId.get(cell.id) !== cell || ofCards.has(placeOf(page, at))) continue;
      if (edgeAround(cell.parent) !== undefined) continue;
      if (styleValue(cell.style, 'shape') === 'partialRectangle') continue;
      const text = textOf(cell).trim();
      if (text === '' || text.length > MOST_CHARACTERS || !/\p{L}/u.test(text)) continue;
      if (labels.length === most) return { labels, isCut: true };
      labels.push({ page, cell: cell.id, text });
    }
  }
  return { labels, isCut: false };
}
