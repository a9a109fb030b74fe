/** Pools, lanes, groups and annotations, and elements that the file does not contain. */
import { element, rect } from '@lintel/sdk/drawing';
import { markerRow } from './activities.js';
import type { Bounds } from './geometry.js';
import { drawn, fit, inBox, upwards } from './labels.js';
import { elementOf, numberOf } from './moddle.js';
import { labelText } from './names.js';
import type { Pen } from './pen.js';
import type { Shape } from './scene.js';

/** The width of the band with the name of a pool or lane. */
const BAND = 30;

/** The part of a pool or lane with its name; all of it in a pool whose process is not shown. */
export function bandOf({ bounds, isHorizontal, isExpanded, type }: Shape): Bounds {
  if (type === 'participant' && !isExpanded) return bounds;
  return isHorizontal
    ? { ...bounds, width: Math.min(BAND, bounds.width) }
    : { ...bounds, height: Math.min(BAND, bounds.height) };
}

/** A pool or a lane. */
export function swimlane(shape: Shape, pen: Pen): string {
  const { bounds, type, isHorizontal, isExpanded } = shape;
  const isPool = type !== 'lane';
  const band = bandOf(shape);
  const inner = { ...band, x: band.x + 3, y: band.y + 3, width: band.width - 6, height: band.height - 6 };
  const isUpright = isHorizontal && (!isPool || isExpanded);
  const isTall = !isHorizontal && isPool && !isExpanded && bounds.height > bounds.width;
  const lines = { stroke: pen.frame, 'stroke-width': 1.3 };
  const line = isHorizontal
    ? `M${band.x + band.width} ${band.y}v${band.height}`
    : `M${band.x} ${band.y + band.height}h${band.width}`;
  const isMany = isPool && isMultiple(shape);
  return [
    rect(bounds.x, bounds.y, bounds.width, bounds.height, { fill: pen.fill, ...lines }),
    isPool && isExpanded ? element('path', { d: line, fill: 'none', ...lines, 'data-symbol': 'pool-band' }) : '',
    isUpright || isTall ? upwards(labelText(shape), inner, pen.ink) : inBox(labelText(shape), inner, pen.ink),
    isMany ? markerRow(['parallel'], bounds, pen) : '',
  ].join('');
}

/** Whether a participant stands for several. */
export function isMultiple({ element: participant }: Shape): boolean {
  const multiplicity = elementOf(participant, 'participantMultiplicity');
  return multiplicity !== undefined && !(numberOf(multiplicity, 'maximum') <= 1);
}

/** A group: a frame of dashes and dots around elements. Its name has its place outside. */
export const group = ({ bounds: { x, y, width, height } }: Shape, pen: Pen): string =>
  rect(x, y, width, height, {
    rx: Math.min(9, width / 4, height / 4),
    fill: 'none',
    stroke: pen.frame,
    'stroke-width': 1.4,
    'stroke-dasharray': '9 4 1.5 4',
    'data-symbol': 'group',
  });

/** An annotation: a text at an open bracket. */
export function annotation(shape: Shape, pen: Pen): string {
  const { x, y, width, height } = shape.bounds;
  const label = fit(labelText(shape), width - 10, height - 4);
  const bracket = Math.min(10, width);
  return [
    // An area without colour, so that the annotation can be pointed at.
    rect(x, y, width, height, { fill: 'none', 'pointer-events': 'all' }),
    element('path', {
      d: `M${x + bracket} ${y}H${x}V${y + height}h${bracket}`,
      fill: 'none',
      stroke: pen.frame,
      'stroke-width': 1.3,
      'data-symbol': 'annotation',
    }),
    drawn(label, x + 6, y + Math.max(2, Math.min(4, height - label.height)), pen.ink, 'start'),
  ].join('');
}

/** A shape whose element the file does not contain, or of a kind without a form in BPMN 2.0. */
export function unknown(shape: Shape, pen: Pen): string {
  const { x, y, width, height } = shape.bounds;
  return [
    rect(x, y, width, height, {
      fill: 'none',
      stroke: pen.frame,
      'stroke-width': 1.2,
      'stroke-dasharray': '3 3',
      'data-symbol': 'unknown',
    }),
    inBox(labelText(shape), { x: x + 4, y: y + 3, width: width - 8, height: height - 6 }, pen.ink),
  ].join('');
}
