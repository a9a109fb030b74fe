/** The course of lines: their ends on the outlines of shapes, and their bends. */
import { boundedNumber } from '../../drawio/index.js';
import { centre, turned, turnedBox, type Box, type Point } from '../geometry.js';
import { perimeterPoint } from '../perimeter.js';
import type { CellStyle } from '../style.js';
import { elbow, entityRelation, isometric, loop } from './elbow.js';
import { orthogonal } from './orthogonal.js';
import { segments } from './segments.js';
import type { Route, Terminal } from './terminals.js';

export type { Terminal } from './terminals.js';

type Router = (route: Route) => Point[];

const ROUTERS = new Map<string, Router>([
  ['orthogonalEdgeStyle', orthogonal],
  ['wireEdgeStyle', orthogonal],
  ['segmentEdgeStyle', segments],
  ['elbowEdgeStyle', elbow],
  ['sideToSideEdgeStyle', elbow],
  ['topToBottomEdgeStyle', elbow],
  ['entityRelationEdgeStyle', entityRelation],
  ['loopEdgeStyle', loop],
  ['isometricEdgeStyle', isometric],
]);
const NOT_ORTHOGONAL = /^(none|loopEdgeStyle|isometricEdgeStyle)$/;

/** Shapes that lines meet in their middle. */
const isPoint = ({ style }: Terminal): boolean => style.is('snapToPoint');

/** The end that a style fixes at a shape by shares of its box; undefined if it floats. */
function fixedPoint(terminal: Terminal | undefined, style: CellStyle, name: 'exit' | 'entry'): Point | undefined {
  const [x, y] = [style.get(`${name}X`), style.get(`${name}Y`)];
  if (!terminal || terminal.isEdge || isPoint(terminal) || x === undefined || y === undefined) return undefined;
  const { box, style: own } = terminal;
  const middle = centre(box);
  const turns: Record<string, number> = { south: 90, west: 180, north: 270 };
  const turn = own.is('anchorPointDirection', true) ? (turns[own.get('direction') ?? ''] ?? 0) : 0;
  const isAcross = turn === 90 || turn === 270;
  const shape: Box = isAcross
    ? { x: middle.x - box.height / 2, y: middle.y - box.width / 2, width: box.height, height: box.width }
    : box;
  let point = {
    x: shape.x + boundedNumber(x, 0.5, 100) * shape.width + style.number(`${name}Dx`, 0),
    y: shape.y + boundedNumber(y, 0.5, 100) * shape.height + style.number(`${name}Dy`, 0),
  };
  if (style.is(`${name}Perimeter`, true)) {
    const aim = turned(point, middle, turn);
    return turned(perimeterPoint(box, aim, own, false), middle, own.rotation);
  }
  const [flipH, flipV] = isAcross ? [own.is('flipV'), own.is('flipH')] : [own.is('flipH'), own.is('flipV')];
  if (flipH) point = { ...point, x: 2 * middle.x - point.x };
  if (flipV) point = { ...point, y: 2 * middle.y - point.y };
  return turned(point, middle, turn + own.rotation);
}

function floatingPoint(
  terminal: Terminal,
  next: Point,
  style: CellStyle,
  isOrthogonal: boolean,
  isSource: boolean,
): Point {
  const { box, style: own, isEdge } = terminal;
  if (isEdge || isPoint(terminal)) return centre(box);
  const middle = centre(box);
  const rotation = own.rotation;
  const spacing =
    style.number('perimeterSpacing', 0, 1_000) +
    style.number(isSource ? 'sourcePerimeterSpacing' : 'targetPerimeterSpacing', 0, 1_000);
  const point = perimeterPoint(box, turned(next, middle, -rotation), own, isOrthogonal && rotation === 0, spacing);
  return turned(point, middle, rotation);
}

/** What a line is given by its cell: its geometry in coordinates of the page, and its shapes. */
export interface LineInput {
  source: Terminal | undefined;
  target: Terminal | undefined;
  sourcePoint: Point | undefined;
  targetPoint: Point | undefined;
  waypoints: readonly Point[];
  style: CellStyle;
}

function routerOf(route: Route): Router | undefined {
  const { style, source, target, waypoints, start, end } = route;
  const isLoop = source !== undefined && source === target && waypoints.length < 2;
  if (isLoop && (!style.is('orthogonalLoop') || (!start && !end))) return loop;
  if (style.is('noEdgeStyle')) return undefined;
  return ROUTERS.get(style.get('edgeStyle') ?? 'none');
}

/** The points of a line from its source to its target; undefined if it has no ends. */
export function routeLine({ sourcePoint, targetPoint, ...input }: LineInput): Point[] | undefined {
  const { source, target, waypoints, style } = input;
  const start = source ? fixedPoint(source, style, 'exit') : sourcePoint;
  const end = target ? fixedPoint(target, style, 'entry') : targetPoint;
  if ((!source && !start) || (!target && !end)) return undefined;
  const router = routerOf({ start, end, source, target, waypoints, style });
  const middle = router ? router({ start, end, source, target, waypoints, style }) : [...waypoints];
  const name = style.get('edgeStyle') ?? 'none';
  const isOrthogonal = style.is('orthogonal', ROUTERS.has(name) && !NOT_ORTHOGONAL.test(name));
  const last = end ?? floatingPoint(target!, middle.at(-1) ?? start ?? middleOf(source!), style, isOrthogonal, false);
  // The end at the target is known before that at the source, as in mxGraph: a line without bends aims at it.
  const first = start ?? floatingPoint(source!, middle[0] ?? last, style, isOrthogonal, true);
  return [first, ...middle, last].filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
}

const middleOf = ({ box, style }: Terminal): Point => centre(turnedBox(box, style.rotation));
