/** Makes a draw.io file of cards and their relations, laid out by ELK. Runs in the worker. */
import { contrast, measure, shorten, wrap } from '@lintel/sdk/drawing';
import { escapeHtml } from '../drawio/label-text.js';
import { newCell, newFile, newGeometry, newPage, type DrawioCell, type Point } from '../drawio/model.js';
import { parseStyle } from '../drawio/style.js';
import { writeDrawio } from '../drawio/write.js';
import { layOut, type PlacedEdge } from './layout.js';
import { ownBytes } from './own-bytes.js';

/** A card of a generated diagram. */
export interface GeneratedCard {
  id: string;
  name: string;
  type: string;
  /** `#rrggbb`. */
  color: string;
}

/** A relation of a generated diagram. */
export interface GeneratedRelation {
  id: string;
  type: string;
  label: string;
  source: string;
  target: string;
}

export type Direction = 'right' | 'down';

/** The parts of the landscape to draw. */
export interface GenerateOrder {
  kind: 'generate';
  /** Of the page. */
  name: string;
  cards: readonly GeneratedCard[];
  relations: readonly GeneratedRelation[];
  /** Types in the legend, with their labels. */
  types: readonly { label: string; color: string }[];
  direction: Direction;
}

const FONT = { size: 12 };
const LABEL = { size: 10 };
const WIDTH = 160;
const PADDING = 10;
const LINE = 16;
const MOST_LINES = 6;
const MOST_LABEL = 130;
const LEGEND = { height: 24, gap: 10, padding: 14, below: 30 } as const;
/** With more relations the labels would take more space than the shapes, and most of the time of the layout; they are tooltips then. */
const MOST_LABELS = 120;
/** Free space at the edges of the page. */
const MARGIN = 20;

/** Black or white, whichever is easier to read on a colour by WCAG 2. */
export const readableOn = (color: string): string =>
  contrast('#000000', color) > contrast('#ffffff', color) ? '#000000' : '#ffffff';

/** A colour mixed with black. */
const darker = (color: string): string =>
  `#${[1, 3, 5]
    .map((at) =>
      Math.round(Number.parseInt(color.slice(at, at + 2), 16) * 0.65)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

const filled = (color: string): string =>
  `fillColor=${color};strokeColor=${darker(color)};fontColor=${readableOn(color)};fontSize=${FONT.size};`;

/** The size of the shape of a card, so that its name fits. */
function sized(card: GeneratedCard) {
  const { lines } = wrap(card.name, WIDTH - 2 * PADDING, MOST_LINES, FONT);
  return { id: card.id, width: WIDTH, height: Math.max(44, lines.length * LINE + 2 * PADDING), card };
}

const cardCell = ({ id, name, color, type }: GeneratedCard, at: Point, width: number, height: number): DrawioCell =>
  newCell({
    id: `card-${id}`,
    label: escapeHtml(name),
    style: parseStyle(`rounded=1;arcSize=12;whiteSpace=wrap;html=1;${filled(color)}`),
    vertex: true,
    parent: '1',
    geometry: newGeometry({ ...at, width, height }),
    user: [
      ['cardId', id],
      ['cardType', type],
    ],
  });

const share = (value: number): string => String(Math.round(value * 10_000) / 10_000);

/** The point in the middle of a line, by its length. */
export function middleOf(points: readonly Point[]): Point {
  const lengths = points.slice(1).map((point, i) => Math.hypot(point.x - points[i]!.x, point.y - points[i]!.y));
  let rest = lengths.reduce((sum, length) => sum + length, 0) / 2;
  for (const [i, length] of lengths.entries()) {
    if (rest <= length) {
      const part = length === 0 ? 0 : rest / length;
      const [a, b] = [points[i]!, points[i + 1]!];
      return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part };
    }
    rest -= length;
  }
  return points.at(-1)!;
}

interface Box extends Point {
  width: number;
  height: number;
}

function relationCell(relation: GeneratedRelation, { points, label }: PlacedEdge, from: Box, to: Box): DrawioCell {
  const [first, last] = [points[0]!, points.at(-1)!];
  const ends =
    `exitX=${share((first.x - from.x) / from.width)};exitY=${share((first.y - from.y) / from.height)};exitDx=0;exitDy=0;` +
    `entryX=${share((last.x - to.x) / to.width)};entryY=${share((last.y - to.y) / to.height)};entryDx=0;entryDy=0;`;
  const middle = middleOf(points);
  return newCell({
    id: `relation-${relation.id}`,
    label: escapeHtml(label?.text ?? ''),
    style: parseStyle(
      `edgeStyle=orthogonalEdgeStyle;rounded=0;html=1;endArrow=block;endFill=1;strokeColor=#666666;fontColor=#333333;fontSize=${LABEL.size};${ends}`,
    ),
    edge: true,
    parent: '1',
    source: `card-${relation.source}`,
    target: `card-${relation.target}`,
    geometry: newGeometry({
      relative: true,
      points: points.slice(1, -1),
      ...(label && { offset: { x: label.x - middle.x, y: label.y - middle.y } }),
    }),
    user: [
      ['relationId', relation.id],
      ['relationType', relation.type],
      ...(label ? [] : [['tooltip', escapeHtml(relation.label)] as const]),
    ],
  });
}

/** One shape for each type in a row, and the width of the row. */
function legendOf(types: GenerateOrder['types']): { cells: DrawioCell[]; width: number } {
  let x = MARGIN;
  const cells = types.map(({ label, color }, i) => {
    const width = Math.ceil(measure(shorten(label, WIDTH, FONT).lines[0] ?? '', FONT)) + 2 * LEGEND.padding;
    const cell = newCell({
      id: `legend-${i + 1}`,
      label: escapeHtml(label),
      style: parseStyle(`rounded=1;arcSize=50;whiteSpace=wrap;html=1;overflow=hidden;${filled(color)}`),
      vertex: true,
      parent: '1',
      geometry: newGeometry({ x, y: MARGIN, width, height: LEGEND.height }),
    });
    x += width + LEGEND.gap;
    return cell;
  });
  return { cells, width: x - LEGEND.gap + MARGIN };
}

/** Makes the file; shapes have the ids of their cards, edges those of their relations. */
export async function generate({ name, cards, relations, types, direction }: GenerateOrder) {
  const nodes = cards.map(sized);
  const labels = relations.map(({ label }) => {
    if (relations.length > MOST_LABELS) return undefined;
    const text = shorten(label, MOST_LABEL, LABEL).lines[0] ?? '';
    return text === '' ? undefined : { text, width: Math.ceil(measure(text, LABEL)) + 8, height: 16 };
  });
  const laid = await layOut(
    nodes,
    relations.map(({ source, target }, i) => ({ source, target, label: labels[i] })),
    direction,
  );
  const legend = legendOf(types);
  const shift = { x: MARGIN, y: MARGIN + LEGEND.height + LEGEND.below };
  const moved = (point: Point): Point => ({ x: Math.round(point.x + shift.x), y: Math.round(point.y + shift.y) });
  const boxes = new Map<string, Box>();
  const shapes = nodes.map(({ card, width, height }, i) => {
    const at = moved(laid.nodes[i]!);
    boxes.set(card.id, { ...at, width, height });
    return cardCell(card, at, width, height);
  });
  const edges = relations.map((relation, i) => {
    const { points, label } = laid.edges[i]!;
    const placed = { points: points.map(moved), label: label && { ...label, ...moved(label) } };
    return relationCell(relation, placed, boxes.get(relation.source)!, boxes.get(relation.target)!);
  });
  const page = newPage('page-1', name, [...legend.cells, ...edges, ...shapes]);
  page.model = new Map([
    ['dx', '0'],
    ['dy', '0'],
    ['grid', '1'],
    ['gridSize', '10'],
    ['page', '0'],
  ]);
  const file = newFile([page]);
  file.attributes.set('host', 'lintel');
  const bytes = ownBytes(writeDrawio(file, { compressed: false }));
  return {
    bytes,
    width: Math.max(laid.width + 2 * MARGIN, legend.width),
    height: laid.height + shift.y + MARGIN,
  };
}
