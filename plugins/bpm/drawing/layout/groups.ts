/** Places of groups, which BPMN relates with their elements by a category. */
import { boxAround, boxOfPoints, grown, type Bounds } from '../geometry.js';
import { elementOf, elementsOf, isA, type BpmnNode } from '../moddle.js';
import type { Places } from './interchange.js';

/** Space in px between a group and what is inside of it: its elements, and groups around some of these. */
const SPACE = 10;
/** Groups that others may be around. */
const MOST_COMPARED = 200;

/**
 * Places each group around the elements and flows that have its category value (BPMN 2.0, 8.4.1.3 and 10.3.1). A group without such
 * elements has no place: the file does not say what it is around.
 * @param containers processes and collaborations that the diagram shows
 * @param places of everything else; the groups are added
 */
export function addGroups(containers: readonly BpmnNode[], places: Places): void {
  const members = new Map<BpmnNode, Bounds[]>();
  const add = (element: BpmnNode, box: Bounds): void => {
    for (const category of elementsOf(element, 'categoryValueRef')) {
      const boxes = members.get(category);
      if (boxes) boxes.push(box);
      else members.set(category, [box]);
    }
  };
  const all = new Set(containers);
  for (const [element, box] of places.boxes) {
    add(element, box);
    if (isA(element, 'bpmn:SubProcess', 'bpmn:SubChoreography')) all.add(element);
  }
  for (const [element, points] of places.lines) add(element, boxOfPoints(points));
  const groups = [...all].flatMap((container) =>
    elementsOf(container, 'artifacts').flatMap((group) => {
      const category = isA(group, 'bpmn:Group') ? elementOf(group, 'categoryValueRef') : undefined;
      const around = category && boxAround(members.get(category) ?? []);
      return around ? [{ group, around }] : [];
    }),
  );
  groups.sort((a, b) => a.around.width * a.around.height - b.around.width * b.around.height);
  const inner: { around: Bounds; box: Bounds }[] = [];
  for (const { group, around } of groups) {
    const inside = inner.filter((one) => isWithin(one.around, around)).map(({ box }) => box);
    const box = grown(boxAround([around, ...inside])!, SPACE);
    places.boxes.set(group, box);
    if (inner.length < MOST_COMPARED) inner.push({ around, box });
  }
}

const isWithin = (inner: Bounds, outer: Bounds): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;
