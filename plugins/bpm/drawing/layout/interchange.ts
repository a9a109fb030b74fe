/** Places of elements as diagram interchange of BPMN 2.0. */
import { moddle } from '../../notation/model.js';
import type { Bounds, Point } from '../geometry.js';
import { elementsOf, isA, type BpmnNode } from '../moddle.js';

/** Where the shapes, lines and labels of a diagram are. */
export interface Places {
  boxes: Map<BpmnNode, Bounds>;
  lines: Map<BpmnNode, Point[]>;
  labels: Map<BpmnNode, Bounds>;
}

const create = (type: string, properties: Record<string, unknown>): BpmnNode =>
  moddle.create(type, properties) as BpmnNode;

const round = (value: number): number => Math.round(value * 10) / 10;
const bounds = ({ x, y, width, height }: Bounds): BpmnNode =>
  create('dc:Bounds', { x: round(x), y: round(y), width: round(width), height: round(height) });
const labelAt = (box: Bounds | undefined): Record<string, unknown> =>
  box ? { label: create('bpmndi:BPMNLabel', { bounds: bounds(box) }) } : {};

/** What the shape of an element states besides its place. */
function statedOf(element: BpmnNode, isFilled: (element: BpmnNode) => boolean): Record<string, unknown> {
  if (isA(element, 'bpmn:Participant', 'bpmn:Lane')) return { isHorizontal: true };
  if (isA(element, 'bpmn:ExclusiveGateway')) return { isMarkerVisible: true };
  if (isA(element, 'bpmn:SubProcess', 'bpmn:SubChoreography')) return { isExpanded: isFilled(element) };
  return {};
}

/** An id that no element of the file has. */
function unusedId(definitions: BpmnNode, wanted: string): string {
  const used = new Set<unknown>();
  for (const diagram of elementsOf(definitions, 'diagrams')) used.add(diagram.id);
  let id = wanted;
  for (let i = 2; used.has(id); i++) id = `${wanted}_${i}`;
  return id;
}

/** A diagram with the given places, for a file. @param plane the process or collaboration that it shows */
export function diagramFor(definitions: BpmnNode, plane: BpmnNode, name: string, places: Places): BpmnNode {
  const containers = new Set([...places.boxes.keys()].map((element) => element.$parent));
  const shapes = [...places.boxes].map(([element, box]) =>
    create('bpmndi:BPMNShape', {
      id: `${element.id ?? 'element'}_di`,
      bpmnElement: element,
      ...statedOf(element, (one) => containers.has(one)),
      bounds: bounds(box),
      ...labelAt(places.labels.get(element)),
    }),
  );
  const edges = [...places.lines].map(([element, points]) =>
    create('bpmndi:BPMNEdge', {
      id: `${element.id ?? 'flow'}_di`,
      bpmnElement: element,
      waypoint: points.map(({ x, y }) => create('dc:Point', { x: round(x), y: round(y) })),
      ...labelAt(places.labels.get(element)),
    }),
  );
  const id = unusedId(definitions, 'BPMNDiagram_laid_out');
  return create('bpmndi:BPMNDiagram', {
    id,
    name,
    plane: create('bpmndi:BPMNPlane', { id: `${id}_plane`, bpmnElement: plane, planeElement: [...shapes, ...edges] }),
  });
}
