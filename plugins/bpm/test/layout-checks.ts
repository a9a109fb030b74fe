/** What is wrong with the places that a layout gives to the elements of a file. */
import type { BpmnNode } from '../drawing/index.js';
import { elementOf, elementsOf, isA, numberOf } from '../drawing/moddle.js';
import { isOverlapping, isWithin, type Box } from './drawing-support.js';

interface Point {
  x: number;
  y: number;
}
/** Boxes of elements, and points of lines. */
export interface Laid {
  boxes: Map<BpmnNode, Box>;
  lines: Map<BpmnNode, Point[]>;
}

const boxOf = (bounds: BpmnNode | undefined): Box => ({
  x: numberOf(bounds, 'x'),
  y: numberOf(bounds, 'y'),
  width: numberOf(bounds, 'width'),
  height: numberOf(bounds, 'height'),
});

/** The places of a diagram. */
export function placesOf(made: BpmnNode): Laid {
  const laid: Laid = { boxes: new Map(), lines: new Map() };
  for (const item of elementsOf(elementOf(made, 'plane'), 'planeElement')) {
    const element = elementOf(item, 'bpmnElement')!;
    if (isA(item, 'bpmndi:BPMNShape')) laid.boxes.set(element, boxOf(elementOf(item, 'bounds')));
    else
      laid.lines.set(
        element,
        elementsOf(item, 'waypoint').map((point) => ({ x: numberOf(point, 'x'), y: numberOf(point, 'y') })),
      );
  }
  return laid;
}

export const name = (element: BpmnNode): string => String(element.id);
const isContainer = (element: BpmnNode, { boxes }: Laid): boolean =>
  isA(element, 'bpmn:Participant', 'bpmn:Lane') || [...boxes.keys()].some((one) => one.$parent === element);

const onFrame = ({ x, y }: Point, box: Box): boolean =>
  x >= box.x - 1 &&
  x <= box.x + box.width + 1 &&
  y >= box.y - 1 &&
  y <= box.y + box.height + 1 &&
  Math.min(
    Math.abs(x - box.x),
    Math.abs(x - box.x - box.width),
    Math.abs(y - box.y),
    Math.abs(y - box.y - box.height),
  ) <= 1;

/** The box of a part of a line that runs along an axis, without its ends. */
const between = (a: Point, b: Point): Box => ({
  x: Math.min(a.x, b.x) + 2,
  y: Math.min(a.y, b.y) + 2,
  width: Math.max(Math.abs(a.x - b.x) - 4, 1.5),
  height: Math.max(Math.abs(a.y - b.y) - 4, 1.5),
});

/** What is wrong with a layout; empty if nothing is. @param nodes elements that must have a place */
export function problemsOf(laid: Laid, nodes: readonly BpmnNode[]): string[] {
  const problems = nodes.filter((node) => !laid.boxes.has(node)).map((node) => `${name(node)} has no place`);
  const leaves = [...laid.boxes].filter(([one]) => !isContainer(one, laid));
  for (const [i, [one, box]] of leaves.entries())
    for (const [other, second] of leaves.slice(i + 1)) {
      const isOnBorder = elementOf(one, 'attachedToRef') === other || elementOf(other, 'attachedToRef') === one;
      if (!isOnBorder && isOverlapping(box, second)) problems.push(`${name(one)} overlaps ${name(other)}`);
    }
  const lanes = [...laid.boxes.keys()].filter((one) => isA(one, 'bpmn:Lane'));
  const lanesOf = (node: BpmnNode): number =>
    lanes.filter((lane) => elementsOf(lane, 'flowNodeRef').includes(node)).length;
  for (const [one, box] of laid.boxes) {
    const around = one.$parent && laid.boxes.get(one.$parent);
    if (around && !isWithin(box, around)) problems.push(`${name(one)} is outside of ${name(one.$parent!)}`);
    for (const node of isA(one, 'bpmn:Lane') ? elementsOf(one, 'flowNodeRef') : [])
      if (lanesOf(node) === 1 && laid.boxes.has(node) && !isWithin(laid.boxes.get(node)!, box))
        problems.push(`${name(node)} is outside of its lane`);
  }
  for (const [flow, points] of laid.lines) {
    const [source, target] = [elementOf(flow, 'sourceRef'), elementOf(flow, 'targetRef')];
    const [from, to] = [source && laid.boxes.get(source), target && laid.boxes.get(target)];
    if (from && !onFrame(points[0]!, from)) problems.push(`${name(flow)} does not begin at its source`);
    if (to && !onFrame(points.at(-1)!, to)) problems.push(`${name(flow)} does not end at its target`);
    for (const [i, point] of points.slice(1).entries())
      for (const [one, box] of leaves) {
        const isEnd = [source, target, elementOf(source, 'attachedToRef'), flow.$parent].includes(one);
        const isOnEnd = elementOf(one, 'attachedToRef') === source || elementOf(one, 'attachedToRef') === target;
        if (!isEnd && !isOnEnd && isOverlapping(between(points[i]!, point), box))
          problems.push(`${name(flow)} passes through ${name(one)}`);
      }
  }
  return problems;
}

/** The flow nodes of a container and of all sub-processes inside. */
export const flowNodes = (container: BpmnNode): BpmnNode[] =>
  elementsOf(container, 'flowElements').flatMap((one) => (isA(one, 'bpmn:FlowNode') ? [one, ...flowNodes(one)] : []));
