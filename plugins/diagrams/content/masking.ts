/** Hides the shapes of cards that the reader may not see, with everything that belongs to them. */
import { isHtml, setText, type DrawioCell, type DrawioFile, type DrawioPage } from '../drawio/model.js';
import type { Style } from '../drawio/style.js';
import { byPlace, cellsById, nearestIn } from './card-shapes.js';
import { placeOf, type CardShape } from './stored.js';

/** The label of the shape of a hidden card. */
export const MASKED_LABEL = 'Not visible';

/** `shape`: of a hidden card; `inner`: within one, and not of a card itself; `edge`: connected with one, or a label of such an edge. */
export type MaskKind = 'shape' | 'inner' | 'edge';

/** Parts of a style that say nothing about the card: size, place and routing. */
const KEPT_KEYS = new Set(
  (
    'rounded whiteSpace html container collapsible startSize horizontal childLayout horizontalStack resizeParent ' +
    'recursiveResize rotation direction edgeStyle curved elbow orthogonalLoop jettySize exitX exitY exitDx exitDy ' +
    'exitPerimeter entryX entryY entryDx entryDy entryPerimeter endArrow startArrow endFill startFill arcSize ' +
    'align verticalAlign resizable connectable'
  ).split(' '),
);
const KEPT_NAMES = new Set(['swimlane', 'ellipse', 'group', 'edgeLabel']);

/** The kinds of the masked cells of a page, by index of the cell. */
function maskedOfPage(
  page: DrawioPage,
  number: number,
  shapes: Map<string, CardShape>,
  isHidden: (card: string) => boolean,
) {
  const cells = cellsById(page);
  const [hidden, shown] = [new Set<string>(), new Set<string>()];
  const kinds = new Map<number, MaskKind>();
  page.cells.forEach((cell, at) => {
    const shape = shapes.get(placeOf(number, at));
    if (shape === undefined) return;
    if (isHidden(shape.card)) {
      hidden.add(cell.id);
      kinds.set(at, 'shape');
    } else shown.add(cell.id);
  });
  if (hidden.size === 0) return kinds;
  const around = nearestIn(cells, (one) => hidden.has(one) || shown.has(one));
  const isWithin = (id: string | undefined): boolean => {
    const found = around(id);
    return found !== undefined && hidden.has(found);
  };
  const edges = new Set<string>();
  page.cells.forEach((cell, at) => {
    if (kinds.has(at) || !cell.edge || shown.has(cell.id)) return;
    if (isWithin(cell.source) || isWithin(cell.target)) {
      kinds.set(at, 'edge');
      edges.add(cell.id);
    }
  });
  const edgeAround = nearestIn(cells, (id) => edges.has(id));
  page.cells.forEach((cell, at) => {
    if (kinds.has(at) || shown.has(cell.id) || (!cell.vertex && !cell.edge && cell.label === undefined)) return;
    if (edgeAround(cell.parent) !== undefined) kinds.set(at, 'edge');
    else if (isWithin(cell.parent)) kinds.set(at, 'inner');
  });
  return kinds;
}

/** The masked cells of each page, by index of the cell. @param isHidden whether the reader may not see a card */
export function maskedCells(
  file: DrawioFile,
  shapes: readonly CardShape[],
  isHidden: (card: string) => boolean,
): Map<number, MaskKind>[] {
  const places = byPlace(shapes);
  return file.pages.map((page, number) => maskedOfPage(page, number, places, isHidden));
}

const neutral = (style: Style, isEdge: boolean): Style => [
  ...style.filter(({ key, value }) => (value === undefined ? KEPT_NAMES.has(key) : KEPT_KEYS.has(key))),
  ...(isEdge ? [] : [{ key: 'fillColor', value: '#f5f5f5' }]),
  { key: 'strokeColor', value: '#b3b3b3' },
  { key: 'fontColor', value: '#808080' },
];

/** Removes from a cell all that may tell something about the card; its place, size and connections stay. */
export function mask(cell: DrawioCell, kind: MaskKind): void {
  cell.wrapper = undefined;
  cell.children = [];
  cell.attributes = new Map(
    [...cell.attributes].filter(([name]) => ['visible', 'connectable', 'collapsed'].includes(name)),
  );
  const isInner = kind === 'inner' && cell.vertex;
  // Texts within a hidden shape would show as grey boxes; they are only placed areas.
  cell.style = neutral(cell.style, cell.edge || isInner);
  if (isInner) cell.style.push({ key: 'fillColor', value: 'none' });
  if (kind !== 'shape') {
    cell.label = undefined;
    return;
  }
  cell.label = '';
  setText(cell, MASKED_LABEL);
  if (isHtml(cell)) return;
  cell.label = MASKED_LABEL;
}
