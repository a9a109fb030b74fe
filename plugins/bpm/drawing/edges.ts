/** Flows and associations: their lines, and the signs at their ends. */
import { element, rounded } from '@lintel/sdk/drawing';
import { centerOf, distance, entering, isInside, linePath, middleOf, towards } from './geometry.js';
import type { Bounds, Outline, Point } from './geometry.js';
import { elementOf, isA, textOf } from './moddle.js';
import { envelope } from './nodes.js';
import type { Pen } from './pen.js';
import type { Edge, Shape } from './scene.js';

/** How far, in px, an end of a line may lie inside of a shape: half of the width of its frame, and some rounding. */
const SLACK = 4;

const outlineOf = ({ element: node }: Shape): Outline =>
  isA(node, 'bpmn:Event') ? 'ellipse' : isA(node, 'bpmn:Gateway') ? 'diamond' : 'rectangle';

/** The line without its part inside of a shape in which it begins: some tools let it begin in the middle. */
function outOf(points: readonly Point[], shape: Shape | undefined): readonly Point[] {
  if (!shape || !isInside(points[0]!, shape.bounds, SLACK)) return points;
  const first = points.findIndex((point) => !isInside(point, shape.bounds));
  if (first === -1) return points;
  const [inside, outside] = [points[first - 1]!, points[first]!];
  const end = entering(outside, inside, shape.bounds, outlineOf(shape));
  return distance(end, outside) < 1 ? points : [end, ...points.slice(first)];
}

const isContainer = (shape: Shape | undefined, other: Shape | undefined): boolean =>
  shape !== undefined && other !== undefined && isInside(centerOf(other.bounds), shape.bounds);

/** The points of an edge between the outlines of its shapes. */
export function wayOf({ points, source, target }: Edge): readonly Point[] {
  // A line from a container to its content is inside of it along its whole length.
  const from = outOf(points, isContainer(source, target) ? undefined : source);
  return outOf(from.toReversed(), isContainer(target, source) ? undefined : target).toReversed();
}

/** A path at the end of a line: its first coordinate along the line, backwards from the end, its second across. */
function sign(end: Point, before: Point, steps: readonly (readonly [number, number])[], isClosed: boolean): string {
  const length = distance(end, before) || 1;
  const [x, y] = [(before.x - end.x) / length, (before.y - end.y) / length];
  const path = steps
    .map(([along, across]) => `${rounded(end.x + along * x - across * y)} ${rounded(end.y + along * y + across * x)}`)
    .join('L');
  return `M${path}${isClosed ? 'Z' : ''}`;
}

const ARROW = [
  [0, 0],
  [9, 4],
  [9, -4],
] as const;
const OPEN = [
  [8, 4.5],
  [0, 0],
  [8, -4.5],
] as const;
const DIAMOND = [
  [0, 0],
  [7, 4],
  [14, 0],
  [7, -4],
] as const;
const SLASH = [
  [5, 5],
  [10, -5],
] as const;

/** A line with the sign of its kind at each end. */
interface Look {
  width: number;
  dash?: string;
  radius?: number;
  /** Path, how it is filled and its name, per end. */
  signs: (readonly [name: string, path: string, fill: string])[];
  /** Lengths in px by which the line is shorter than its way. */
  trims: readonly [start: number, end: number];
}

function sequence({ element: flow, source }: Edge, way: readonly Point[], pen: Pen): Look {
  const [first, second] = [way[0]!, way[1]!];
  const [last, before] = [way.at(-1)!, way.at(-2)!];
  const signs: Look['signs'] = [['arrow', sign(last, before, ARROW, true), pen.stroke]];
  const from = elementOf(flow, 'sourceRef') ?? source?.element;
  const isConditional = elementOf(flow, 'conditionExpression') !== undefined && isA(from, 'bpmn:Activity');
  const isDefault = flow !== undefined && elementOf(from, 'default') === flow;
  if (isDefault) signs.push(['default', sign(first, second, SLASH, false), 'none']);
  else if (isConditional) signs.push(['conditional', sign(first, second, DIAMOND, true), pen.fill]);
  return { width: 1.5, signs, trims: [isConditional && !isDefault ? 14 : 0, 7] };
}

function message(way: readonly Point[], pen: Pen): Look {
  const [first, last, before] = [way[0]!, way.at(-1)!, way.at(-2)!];
  const circle = `M${rounded(first.x - 3.5)} ${rounded(first.y)}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0Z`;
  return {
    width: 1.3,
    dash: '7 4',
    signs: [
      ['message-start', circle, pen.fill],
      ['message-end', sign(last, before, ARROW, true), pen.fill],
    ],
    trims: [3, 8],
  };
}

function association({ element: edge, type }: Edge, way: readonly Point[]): Look {
  const isData = type === 'dataInputAssociation' || type === 'dataOutputAssociation' || type === 'dataAssociation';
  const direction = isData ? 'One' : textOf(edge, 'associationDirection');
  const signs: Look['signs'] = [];
  if (direction === 'One' || direction === 'Both')
    signs.push(['open-arrow', sign(way.at(-1)!, way.at(-2)!, OPEN, false), 'none']);
  if (direction === 'Both') signs.push(['open-arrow', sign(way[0]!, way[1]!, OPEN, false), 'none']);
  return { width: 1.3, dash: '1.5 3.5', signs, trims: [0, 0] };
}

function lookOf(edge: Edge, way: readonly Point[], pen: Pen): Look {
  switch (edge.type) {
    case 'sequenceFlow':
      return sequence(edge, way, pen);
    case 'messageFlow':
      return message(way, pen);
    case 'unknown':
      return {
        width: 1.2,
        dash: '3 3',
        signs: [['arrow', sign(way.at(-1)!, way.at(-2)!, ARROW, true), pen.stroke]],
        trims: [0, 7],
      };
    case 'conversationLink':
      return { width: 4, signs: [], trims: [0, 0] };
    default:
      return association(edge, way);
  }
}

/** A line that ends before a sign of some length, as far as its last segment is long enough. */
function trimmed(way: readonly Point[], [start, end]: Look['trims']): Point[] {
  const points = [...way];
  const cut = (at: number, next: number, length: number): void => {
    const [from, to] = [points[at]!, points[next]!];
    points[at] = towards(from, to, Math.min(length, distance(from, to) / 2));
  };
  if (start > 0) cut(0, 1, start);
  if (end > 0) cut(points.length - 1, points.length - 2, end);
  return points;
}

/** The box of the envelope on a message flow, if the interchange shows one. */
export function decoratorOf({ type, di }: Edge, way: readonly Point[]): Bounds | undefined {
  // The tree has a default of the property for edges that do not state it, and for those that are no message flows.
  if (type !== 'messageFlow' || !Object.hasOwn(di, 'messageVisibleKind')) return undefined;
  const { x, y } = middleOf(way).point;
  return { x: x - 12, y: y - 8, width: 24, height: 16 };
}

/** An edge. @param way its points between the outlines of its shapes */
export function line(edge: Edge, way: readonly Point[], pen: Pen): string {
  const { width, dash, signs, trims, radius } = lookOf(edge, way, pen);
  const d = linePath(trimmed(way, trims), radius);
  const stroke = { stroke: pen.stroke, 'stroke-width': width, fill: 'none' };
  const decorator = decoratorOf(edge, way);
  return [
    element('path', {
      d,
      ...stroke,
      'stroke-dasharray': dash,
      'stroke-linecap': dash?.startsWith('1.5') ? 'round' : undefined,
    }),
    // The link of a conversation is a double line: a thick one with a thinner one in the colour of the background on it.
    edge.type === 'conversationLink'
      ? element('path', {
          d,
          fill: 'none',
          stroke: pen.theme.background,
          'stroke-width': 1.6,
          'data-symbol': 'double-line',
        })
      : '',
    ...signs.map(([name, path, fill]) =>
      element('path', {
        d: path,
        fill,
        stroke: pen.stroke,
        'stroke-width': 1.3,
        'stroke-linejoin': 'round',
        'data-symbol': name,
      }),
    ),
    decorator ? envelope(decorator, pen, textOf(edge.di, 'messageVisibleKind') === 'non_initiating') : '',
  ].join('');
}
