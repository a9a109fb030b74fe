/** Tasks, sub-processes, calls and transactions, with their symbols, markers and labels. */
import { rect } from '@lintel/sdk/drawing';
import { eventSymbol } from './event-definitions.js';
import { grown, overlap, type Bounds } from './geometry.js';
import { drawn, fit, SIZES } from './labels.js';
import { elementOf, elementsOf, flagOf, isA, localName, textOf, type BpmnNode } from './moddle.js';
import { labelText } from './names.js';
import { event } from './nodes.js';
import { symbol, type Pen } from './pen.js';
import type { Shape } from './scene.js';
import { INSTANTIATING_RECEIVE, MARKERS, TASKS, type Marker } from './symbols.js';

const ICON = 17;
const MARKER = 14;

/** The repetition of an activity. */
export function loopMarker(activity: BpmnNode | undefined): Marker | undefined {
  const loop = elementOf(activity, 'loopCharacteristics');
  if (isA(loop, 'bpmn:StandardLoopCharacteristics')) return 'loop';
  if (isA(loop, 'bpmn:MultiInstanceLoopCharacteristics'))
    return flagOf(loop, 'isSequential') ? 'sequential' : 'parallel';
  const ofChoreography = textOf(activity, 'loopType');
  if (ofChoreography === 'Standard') return 'loop';
  if (ofChoreography === 'MultiInstanceSequential') return 'sequential';
  return ofChoreography === 'MultiInstanceParallel' ? 'parallel' : undefined;
}

/** The task that a call activity calls, if the file contains it: the call is drawn with its symbol. */
export function calledTask(shape: Shape, tasks: ReadonlyMap<string, BpmnNode>): string | undefined {
  const called = textOf(shape.element, 'calledElement');
  const global = tasks.get(called) ?? tasks.get(called.replace(/^.*:/, ''));
  return global && localName(global).replace(/^global(.)/, (_, first: string) => first.toLowerCase());
}

function markersOf({ element, isExpanded, type }: Shape, called: string | undefined): Marker[] {
  const markers: Marker[] = [];
  if (flagOf(element, 'isForCompensation')) markers.push('compensation');
  const loop = loopMarker(element);
  if (loop) markers.push(loop);
  const canExpand = isA(
    element,
    'bpmn:SubProcess',
    'bpmn:CallActivity',
    'bpmn:SubChoreography',
    'bpmn:CallChoreography',
  );
  if (canExpand && !isExpanded && called === undefined) markers.push('collapsed');
  if (type === 'adHocSubProcess') markers.push('adHoc');
  return markers;
}

/** The box of the markers at the lower edge of a shape. */
function rowOf(markers: readonly Marker[], { x, y, width, height }: Bounds): Bounds {
  const size = Math.min(MARKER, height * 0.35);
  const wide = (size + 3) * markers.length - 3;
  return { x: x + (width - wide) / 2, y: y + height - size - 3, width: wide, height: size };
}

/** Markers beside each other at the lower edge of a box. */
export function markerRow(markers: readonly Marker[], bounds: Bounds, pen: Pen): string {
  const row = rowOf(markers, bounds);
  return markers
    .map((name, i) => symbol(`marker-${name}`, MARKERS[name], row.x + i * (row.height + 3), row.y, row.height, pen))
    .join('');
}

/** The symbol in the upper left corner of an activity. */
function icon({ element, type, bounds }: Shape, kind: string, pen: Pen): string {
  const isStart = type === 'receiveTask' && flagOf(element, 'instantiate') === true;
  const parts = isStart ? INSTANTIATING_RECEIVE : TASKS[kind];
  if (!parts) return '';
  const size = Math.min(ICON, bounds.width * 0.3, bounds.height * 0.4);
  return symbol(isStart ? 'receiveTask-instantiating' : kind, parts, bounds.x + 5, bounds.y + 5, size, pen, 1);
}

/** The start of a collapsed event sub-process, in its upper left corner. */
function startOf({ element, bounds, isExpanded }: Shape, pen: Pen): string {
  const start = elementsOf(element, 'flowElements').find((one) => isA(one, 'bpmn:StartEvent'));
  if (isExpanded || !start || eventSymbol(start) === undefined) return '';
  const box = { x: bounds.x + 5, y: bounds.y + 5, width: 18, height: 18 };
  return event({ element: start, type: 'startEvent', bounds: box } as Shape, pen);
}

/** Where a text of some height may begin in a shape: in the middle, or as near to it as possible. */
function* tops({ y, height }: Bounds, high: number): Generator<number> {
  const middle = y + (height - high) / 2;
  yield middle;
  for (let step = 2; step <= Math.min(height / 2, 60); step += 2)
    for (const top of [middle - step, middle + step]) if (top >= y + 3 && top + high <= y + height - 2) yield top;
}

/** The name of an activity, which avoids its symbol, its markers and the events on its border as far as it can. */
function label(shape: Shape, pen: Pen, taken: readonly Bounds[]): string {
  const { x, y, width, height } = shape.bounds;
  const text = labelText(shape);
  const middle = x + width / 2;
  if (shape.isExpanded && isA(shape.element, 'bpmn:SubProcess', 'bpmn:CallActivity'))
    return drawn(fit(text, width - 16, Math.min(height, 32)), middle, y + 5, pen.ink);
  for (const size of SIZES) {
    const fitted = fit(text, width - 10, height - 6, [size]);
    if (fitted.block.isCut || fitted.block.isTorn) continue;
    for (const top of tops(shape.bounds, fitted.height)) {
      const box = { x: middle - fitted.width / 2, y: top, width: fitted.width, height: fitted.height };
      if (!taken.some((other) => overlap(box, other))) return drawn(fitted, middle, top, pen.ink);
    }
  }
  const fitted = fit(text, width - 10, height - 6);
  return drawn(fitted, middle, y + (height - fitted.height) / 2, pen.ink);
}

/** An activity. @param tasks the global tasks of the file by id @param attached the boxes of the events on its border */
export function activity(
  shape: Shape,
  pen: Pen,
  tasks: ReadonlyMap<string, BpmnNode>,
  attached: readonly Bounds[],
): string {
  const { bounds, element, type } = shape;
  const called = type === 'callActivity' ? calledTask(shape, tasks) : undefined;
  const isOnEvent = flagOf(element, 'triggeredByEvent') === true;
  const radius = Math.min(9, bounds.width / 4, bounds.height / 4);
  const lines = { rx: radius, stroke: pen.frame };
  const markers = markersOf(shape, called);
  const [drawnIcon, start] = [icon(shape, called ?? type, pen), isOnEvent ? startOf(shape, pen) : ''];
  const inner = grown(bounds, -3);
  const taken = [...attached];
  if (drawnIcon !== '' || start !== '')
    taken.push({ x: bounds.x + 4, y: bounds.y + 4, width: ICON + 3, height: ICON + 2 });
  const row = type === 'transaction' ? inner : bounds;
  if (markers.length > 0) taken.push(rowOf(markers, row));
  return [
    rect(bounds.x, bounds.y, bounds.width, bounds.height, {
      ...lines,
      fill: pen.fill,
      'stroke-width': type === 'callActivity' ? 4 : 1.5,
      'stroke-dasharray': isOnEvent ? '1.5 3.5' : undefined,
      'stroke-linecap': isOnEvent ? 'round' : undefined,
    }),
    type === 'transaction'
      ? rect(inner.x, inner.y, inner.width, inner.height, {
          ...lines,
          rx: Math.max(radius - 3, 0),
          fill: 'none',
          'stroke-width': 1.2,
          'data-symbol': 'transaction',
        })
      : '',
    drawnIcon,
    start,
    markerRow(markers, row, pen),
    label(shape, pen, taken),
  ].join('');
}
