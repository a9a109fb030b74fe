/** Hides what belongs to cards that the reader may not see. */
import {
  geometryOf,
  isHtml,
  newGeometry,
  setText,
  type DrawioCell,
  type DrawioFile,
  type DrawioPage,
} from '../drawio/model.js';
import type { Style, StyleEntry } from '../drawio/style.js';
import { cellsById, nearestIn } from './card-shapes.js';
import { cardsOfContent, isOfAll, ownersOfPage, recordsOf, type OwnerRecords, type Owners } from './owners.js';
import { placeOf, type HeldCell, type MaskKind, type StoredOwners } from './stored.js';

/** The label of the shape of a hidden card. */
export const MASKED_LABEL = 'Not visible';

/** A cell that belongs to cards. */
export interface OwnedCell {
  kind: MaskKind;
  owners: Owners;
}

const wordsOf = (text: string): Set<string> => new Set(text.split(' '));
/** Parts of a style that say nothing about the card: size, place and routing. */
const KEPT_KEYS = wordsOf(
  'rounded whiteSpace html container collapsible startSize horizontal childLayout horizontalStack resizeParent ' +
    'recursiveResize rotation direction edgeStyle curved elbow orthogonalLoop jettySize exitX exitY exitDx exitDy ' +
    'exitPerimeter entryX entryY entryDx entryDy entryPerimeter endArrow startArrow endFill startFill arcSize ' +
    'align verticalAlign resizable connectable',
);
/** Their values, besides numbers: any other text could have been chosen for the card. */
const KEPT_VALUES = wordsOf(
  'wrap nowrap auto none north south east west left center right top middle bottom horizontal vertical stackLayout treeLayout ' +
    'flowLayout orthogonalEdgeStyle elbowEdgeStyle entityRelationEdgeStyle segmentEdgeStyle isometricEdgeStyle ' +
    'sideToSideEdgeStyle topToBottomEdgeStyle block blockThin classic classicThin open openThin openAsync async oval diamond ' +
    'diamondThin box halfCircle dash cross circle circlePlus doubleBlock baseDash ERone ERmandOne ERmany ERoneToMany ' +
    'ERzeroToOne ERzeroToMany',
);
const KEPT_NAMES = wordsOf('swimlane ellipse group edgeLabel');
const NUMBER = /^-?\d{1,7}(\.\d{1,10})?$/;

const isKept = ({ key, value }: StyleEntry): boolean =>
  value === undefined ? KEPT_NAMES.has(key) : KEPT_KEYS.has(key) && (NUMBER.test(value) || KEPT_VALUES.has(value));

/** The cells of a page that belong to cards, by index. */
function ownedOfPage(
  page: DrawioPage,
  number: number,
  records: OwnerRecords,
  held: ReadonlyMap<string, HeldCell>,
): Map<number, OwnedCell> {
  const owners = ownersOfPage(page, number, records);
  if (owners.size === 0) return new Map();
  const cells = cellsById(page);
  const edgeAround = nearestIn(cells, (id) => cells.get(id)?.edge ?? false);
  const kindAt = (at: number): MaskKind => {
    const [place, cell] = [placeOf(number, at), page.cells[at]!];
    const known = held.get(place)?.kind;
    if (known !== undefined) return known;
    if (records.shapes.has(place)) return 'shape';
    const isLine = cell.edge && (cell.source !== undefined || cell.target !== undefined);
    return isLine || edgeAround(cell.parent) !== undefined ? 'edge' : 'inner';
  };
  return new Map([...owners].map(([at, one]) => [at, { kind: kindAt(at), owners: one }]));
}

/** The cells of each page that belong to cards, by index of the cell. */
export function ownedCells(file: DrawioFile, stored: StoredOwners): Map<number, OwnedCell>[] {
  const records = recordsOf(stored);
  const held = new Map(stored.held.map((cell) => [placeOf(cell.page, cell.at), cell]));
  return file.pages.map((page, number) => ownedOfPage(page, number, records, held));
}

/** The masked ones of owned cells. @param isHidden whether the reader may not see a card */
export function maskedOf(
  owned: readonly Map<number, OwnedCell>[],
  stored: StoredOwners,
  isHidden: (card: string) => boolean,
): Map<number, OwnedCell>[] {
  const isAnyHidden = cardsOfContent(stored).some(isHidden);
  const isMasked = ({ owners }: OwnedCell): boolean => isOfAll(owners) || [...owners].some(isHidden);
  return owned.map((cells) => new Map(isAnyHidden ? [...cells].filter(([, cell]) => isMasked(cell)) : []));
}

/** The masked cells of each page, by index of the cell. @param isHidden whether the reader may not see a card */
export function maskedCells(
  file: DrawioFile,
  stored: StoredOwners,
  isHidden: (card: string) => boolean,
): Map<number, OwnedCell>[] {
  if (!cardsOfContent(stored).some(isHidden)) return file.pages.map(() => new Map());
  return maskedOf(ownedCells(file, stored), stored, isHidden);
}

const neutral = (style: Style, isEdge: boolean): Style => [
  ...style.filter(isKept),
  ...(isEdge ? [] : [{ key: 'fillColor', value: '#f5f5f5' }]),
  { key: 'strokeColor', value: '#b3b3b3' },
  { key: 'fontColor', value: '#808080' },
];

/** The geometry of a masked cell: the numbers of the stored one, without what else it may contain. */
export const maskedGeometry = (cell: DrawioCell): DrawioCell['geometry'] =>
  cell.geometry && newGeometry(geometryOf(cell));

/** Removes from a cell all that may tell something about the card; its place, size and connections stay. */
export function mask(cell: DrawioCell, kind: MaskKind): void {
  cell.wrapper = undefined;
  cell.children = [];
  cell.geometry = maskedGeometry(cell);
  cell.attributes = new Map(
    [...cell.attributes].filter(
      ([name, value]) => ['visible', 'connectable', 'collapsed'].includes(name) && /^[01]$/.test(value),
    ),
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
