/** Conversations, and choreographies: activities with a band for each participant. */
import { element, rect } from '@lintel/sdk/drawing';
import { loopMarker, markerRow } from './activities.js';
import { isMultiple } from './containers.js';
import { centerOf, type Bounds } from './geometry.js';
import { inBox } from './labels.js';
import { elementOf, elementsOf, flagOf, textOf, type BpmnNode } from './moddle.js';
import { labelText } from './names.js';
import { envelope } from './nodes.js';
import { symbol, type Pen } from './pen.js';
import type { Shape } from './scene.js';
import { MARKERS, type Marker } from './symbols.js';

/** A conversation: a hexagon, thick if it calls another one. */
export function conversation({ bounds, type }: Shape, pen: Pen): string {
  const { x, y, width, height } = bounds;
  const slope = Math.min(width / 4, height / 2);
  const d = `M${x} ${y + height / 2}L${x + slope} ${y}H${x + width - slope}L${x + width} ${y + height / 2}L${x + width - slope} ${y + height}H${x + slope}Z`;
  const size = Math.min(12, height * 0.35);
  return [
    element('path', {
      d,
      fill: pen.fill,
      stroke: pen.frame,
      'stroke-width': type === 'callConversation' ? 4 : 1.5,
      'stroke-linejoin': 'round',
      'data-symbol': 'conversation',
    }),
    type === 'subConversation'
      ? symbol('marker-collapsed', MARKERS.collapsed, x + (width - size) / 2, y + height - size - 2, size, pen)
      : '',
  ].join('');
}

/** The bands of choreography activities, by the shape of the interchange to which they belong. */
export function bandsOf(shapes: readonly Shape[]): ReadonlyMap<BpmnNode, Shape[]> {
  const bands = new Map<BpmnNode, Shape[]>();
  for (const shape of shapes) {
    const activity = elementOf(shape.di, 'choreographyActivityShape');
    if (!activity) continue;
    const known = bands.get(activity);
    if (known) known.push(shape);
    else bands.set(activity, [shape]);
  }
  return bands;
}

interface Band {
  bounds: Bounds;
  name: string;
  isTop: boolean;
  isInitiating: boolean;
  isMany: boolean;
}

function bandBox({ bounds, name, isTop, isInitiating, isMany }: Band, pen: Pen): string {
  const { x, y, width, height } = bounds;
  const radius = Math.min(9, width / 4, height / 2);
  const corner = (dx: number, dy: number): string => `a${radius} ${radius} 0 0 1 ${dx} ${dy}`;
  const d = isTop
    ? `M${x} ${y + height}v${radius - height}${corner(radius, -radius)}h${width - 2 * radius}${corner(radius, radius)}v${height - radius}Z`
    : `M${x} ${y}h${width}v${height - radius}${corner(-radius, radius)}h${2 * radius - width}${corner(-radius, -radius)}Z`;
  const marker = isMany ? Math.min(14, height * 0.5) : 0;
  return [
    element('path', {
      d,
      fill: isInitiating ? pen.fill : pen.theme.shade,
      stroke: pen.frame,
      'stroke-width': 1.3,
      'data-symbol': isInitiating ? 'band-initiating' : 'band',
    }),
    inBox(
      name,
      { x: x + 5, y: y + 1, width: width - 10, height: height - 2 - marker },
      isInitiating ? pen.ink : pen.theme.ink,
    ),
    isMany ? markerRow(['parallel'], bounds, pen) : '',
  ].join('');
}

/** The message of a band, joined to it with a dotted line. */
function messageOf(
  { di, bounds, element: participant }: Shape,
  isTop: boolean,
  isInitiating: boolean,
  pen: Pen,
): string {
  if (flagOf(di, 'isMessageVisible') !== true) return '';
  const box = messageBox(bounds, isTop);
  const { x } = centerOf(box);
  const choreography = elementOf(elementOf(di, 'choreographyActivityShape'), 'bpmnElement');
  const flow = elementsOf(choreography, 'messageFlowRef').find((one) => elementOf(one, 'sourceRef') === participant);
  const name = textOf(elementOf(flow, 'messageRef'), 'name');
  const [from, to] = isTop ? [box.y + box.height, bounds.y] : [bounds.y + bounds.height, box.y];
  return [
    element('path', { d: `M${x} ${from}V${to}`, stroke: pen.frame, 'stroke-width': 1.3, 'stroke-dasharray': '1.5 3' }),
    envelope(box, pen, !isInitiating),
    inBox(name, { x: x - 60, y: isTop ? box.y - 16 : box.y + box.height + 2, width: 120, height: 14 }, pen.theme.ink),
  ].join('');
}

const messageBox = ({ x, y, width, height }: Bounds, isTop: boolean): Bounds => ({
  x: x + width / 2 - 14,
  y: isTop ? y - 34 : y + height + 14,
  width: 28,
  height: 20,
});

/** The box of a participant of a choreography with its message, for the size of the picture. */
export const bandExtent = ({ di, bounds }: Shape): Bounds =>
  flagOf(di, 'isMessageVisible') === true
    ? { x: bounds.x - 10, y: bounds.y - 54, width: bounds.width + 20, height: bounds.height + 108 }
    : bounds;

/** The participant of a choreography activity; shaded if it does not start the exchange. */
export function band(shape: Shape, pen: Pen): string {
  const kind = textOf(shape.di, 'participantBandKind');
  const [isTop, isInitiating] = [kind.startsWith('top'), kind.endsWith('_initiating') && !kind.includes('non_')];
  const box = { bounds: shape.bounds, name: labelText(shape), isTop, isInitiating, isMany: isMultiple(shape) };
  if (kind.startsWith('middle'))
    return [
      rect(shape.bounds.x, shape.bounds.y, shape.bounds.width, shape.bounds.height, {
        fill: isInitiating ? pen.fill : pen.theme.shade,
        stroke: pen.frame,
        'stroke-width': 1.3,
        'data-symbol': 'band-middle',
      }),
      inBox(box.name, shape.bounds, pen.theme.ink),
    ].join('');
  return bandBox(box, pen) + messageOf(shape, isTop, isInitiating, pen);
}

/** The bands of an activity whose interchange has none: its first two participants. */
function impliedBands({ element: activity, bounds }: Shape): Band[] {
  const height = Math.min(20, bounds.height / 4);
  const initiating = elementOf(activity, 'initiatingParticipantRef');
  return elementsOf(activity, 'participantRef')
    .slice(0, 2)
    .map((participant, i) => ({
      bounds: { ...bounds, y: i === 0 ? bounds.y : bounds.y + bounds.height - height, height },
      name: textOf(participant, 'name'),
      isTop: i === 0,
      isInitiating: participant === initiating,
      isMany: false,
    }));
}

/** A choreography activity. @param bands the shapes of its participants, which are drawn on their own */
export function choreography(shape: Shape, pen: Pen, bands: readonly Shape[]): string {
  const { bounds, element: activity, type, isExpanded } = shape;
  const implied = bands.length > 0 ? [] : impliedBands(shape);
  const middle = centerOf(bounds).y;
  let [top, bottom] = [bounds.y, bounds.y + bounds.height];
  for (const { bounds: one } of [...bands, ...implied])
    if (centerOf(one).y < middle) top = Math.max(top, one.y + one.height);
    else bottom = Math.min(bottom, one.y);
  const markers: Marker[] = [];
  const loop = loopMarker(activity);
  if (loop) markers.push(loop);
  if (type !== 'choreographyTask' && !isExpanded) markers.push('collapsed');
  const open = { x: bounds.x, y: top, width: bounds.width, height: Math.max(bottom - top, 0) };
  const isOpen = type === 'subChoreography' && isExpanded;
  const text = {
    x: open.x + 5,
    y: open.y + 3,
    width: open.width - 10,
    height: isOpen ? 16 : open.height - 6 - (markers.length > 0 ? 15 : 0),
  };
  return [
    rect(bounds.x, bounds.y, bounds.width, bounds.height, {
      rx: Math.min(9, bounds.width / 4, bounds.height / 4),
      fill: pen.fill,
      stroke: pen.frame,
      'stroke-width': type === 'callChoreography' ? 4 : 1.5,
      'data-symbol': 'choreography',
    }),
    ...implied.map((one) => bandBox(one, pen)),
    inBox(labelText(shape), text, pen.ink),
    markerRow(markers, open, pen),
  ].join('');
}
