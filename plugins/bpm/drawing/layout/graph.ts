/** The content of a process or sub-process as a graph: nodes with sizes, and edges between them. */
import type { Bounds, Point } from '../geometry.js';
import { laidOut } from '../labels.js';
import { elementOf, elementsOf, isA, textOf, type BpmnNode } from '../moddle.js';

/** Places of elements, relative to the upper left corner of what contains them. */
export interface Content {
  boxes: Map<BpmnNode, Bounds>;
  lines: Map<BpmnNode, Point[]>;
  labels: Map<BpmnNode, Bounds>;
  width: number;
  height: number;
}

/** An element with a place, and the events on its border. */
export interface GraphNode {
  element: BpmnNode;
  width: number;
  height: number;
  /** Index of its lane, or -1. */
  lane: number;
  /** Events on its lower border, from left to right. */
  attached: BpmnNode[];
  /** The size of a name outside, below the element. */
  label: { width: number; height: number } | undefined;
}

export interface GraphEdge {
  element: BpmnNode;
  source: GraphNode;
  target: GraphNode;
  /** The index of the attached event at which it begins, or -1. */
  from: number;
  label: { width: number; height: number } | undefined;
}

/** A lane, and the lanes inside of it. */
export interface LaneTree {
  element: BpmnNode;
  /** Its index among the lanes without lanes inside, or -1. */
  index: number;
  lanes: LaneTree[];
}

export interface Graph {
  nodes: GraphNode[];
  edges: GraphEdge[];
  lanes: LaneTree[];
  /** Lanes without lanes inside. */
  laneCount: number;
}

export const EVENT = 36;
/** Space in px between events on a border. */
export const EVENT_STEP = EVENT + 24;
const LABEL = { width: 96, lines: 4, size: 11 };
const EDGE_LABEL = { width: 110, lines: 3, size: 11 };

const sizeOfLabel = (text: string, { width, lines, size }: typeof LABEL): GraphNode['label'] => {
  if (text.trim() === '') return undefined;
  const fitted = laidOut(text, width, lines, size);
  return { width: Math.ceil(fitted.width) + 4, height: Math.ceil(fitted.height) + 4 };
};

function sizeOf(element: BpmnNode): [number, number] {
  if (isA(element, 'bpmn:Event')) return [EVENT, EVENT];
  if (isA(element, 'bpmn:Gateway')) return [50, 50];
  if (isA(element, 'bpmn:DataStoreReference')) return [50, 50];
  if (isA(element, 'bpmn:ItemAwareElement')) return [36, 50];
  if (isA(element, 'bpmn:ChoreographyActivity')) return [110, 100];
  if (isA(element, 'bpmn:TextAnnotation')) {
    const { width, height } = laidOut(textOf(element, 'text'), 150, 12, 11);
    return [Math.max(60, width + 18), Math.max(30, height + 12)];
  }
  return [100, 80];
}

const isNamedBelow = (element: BpmnNode): boolean =>
  isA(element, 'bpmn:Event', 'bpmn:Gateway', 'bpmn:ItemAwareElement');

/** Elements of a container that have a place of their own; events on borders have one on their activity. */
export const placedIn = (container: BpmnNode): BpmnNode[] => [
  ...elementsOf(container, 'flowElements').filter((one) =>
    isA(one, 'bpmn:FlowNode', 'bpmn:DataObjectReference', 'bpmn:DataStoreReference'),
  ),
  ...elementsOf(container, 'artifacts').filter((one) => isA(one, 'bpmn:TextAnnotation')),
];

/** Lanes of a process, the lane of each node, and how many lanes have no lanes inside. */
function lanesOf(container: BpmnNode): { lanes: LaneTree[]; laneOf: Map<BpmnNode, number>; count: number } {
  const laneOf = new Map<BpmnNode, number>();
  let count = 0;
  const read = (sets: readonly BpmnNode[]): LaneTree[] =>
    sets
      .flatMap((set) => elementsOf(set, 'lanes'))
      .map((element) => {
        const child = elementOf(element, 'childLaneSet');
        const lanes = read(child ? [child] : []);
        const index = lanes.length > 0 ? -1 : count++;
        const own = index === -1 ? (firstLeaf(lanes)?.index ?? 0) : index;
        for (const node of elementsOf(element, 'flowNodeRef'))
          if (index !== -1 || !laneOf.has(node)) laneOf.set(node, own);
        return { element, index, lanes };
      });
  return { lanes: read(elementsOf(container, 'laneSets')), laneOf, count };
}

function firstLeaf([first]: readonly LaneTree[]): LaneTree | undefined {
  return first && (first.index === -1 ? firstLeaf(first.lanes) : first);
}

/** The elements at both ends of an edge, several for an association of data with several sources. */
function linksOf(container: BpmnNode): [element: BpmnNode, from: BpmnNode | undefined, to: BpmnNode | undefined][] {
  const links: ReturnType<typeof linksOf> = [];
  const direct = [...elementsOf(container, 'flowElements'), ...elementsOf(container, 'artifacts')];
  for (const one of direct) {
    if (isA(one, 'bpmn:SequenceFlow', 'bpmn:Association'))
      links.push([one, elementOf(one, 'sourceRef'), elementOf(one, 'targetRef')]);
    for (const data of elementsOf(one, 'dataInputAssociations'))
      links.push([data, elementsOf(data, 'sourceRef')[0], one]);
    for (const data of elementsOf(one, 'dataOutputAssociations')) links.push([data, one, elementOf(data, 'targetRef')]);
  }
  return links;
}

/** Nodes without a lane, such as data, are in that of their first neighbour. */
function spreadLanes({ nodes, edges, laneCount }: Graph): void {
  if (laneCount === 0) return;
  for (let round = 0; round < 2; round++)
    for (const { source, target } of edges) {
      if (source.lane === -1) source.lane = target.lane;
      if (target.lane === -1) target.lane = source.lane;
    }
  for (const node of nodes) if (node.lane === -1) node.lane = 0;
}

/**
 * Reads the graph of a container.
 * @param contents the laid out contents of the sub-processes inside of it, which give their sizes
 */
export function graphOf(container: BpmnNode, contents: ReadonlyMap<BpmnNode, Content>): Graph {
  const { lanes, laneOf, count } = lanesOf(container);
  const placed = placedIn(container);
  const present = new Set(placed);
  const byElement = new Map<BpmnNode, GraphNode>();
  const attached: [BpmnNode, BpmnNode][] = [];
  const nodes: GraphNode[] = [];
  for (const element of placed) {
    const host = elementOf(element, 'attachedToRef');
    if (host && host !== element && present.has(host) && !isA(host, 'bpmn:BoundaryEvent')) {
      attached.push([element, host]);
      continue;
    }
    const content = contents.get(element);
    const [width, height] = content ? [content.width, content.height] : sizeOf(element);
    const label = isNamedBelow(element) ? sizeOfLabel(nameOf(element), LABEL) : undefined;
    const node = { element, width, height, lane: laneOf.get(element) ?? -1, attached: [], label };
    nodes.push(node);
    byElement.set(element, node);
  }
  const events = new Map<BpmnNode, [GraphNode, number]>();
  for (const [event, host] of attached) {
    const node = byElement.get(host)!;
    events.set(event, [node, node.attached.length]);
    node.attached.push(event);
    node.width = Math.max(node.width, node.attached.length * EVENT_STEP + 20);
  }
  const edges: GraphEdge[] = [];
  for (const [element, from, to] of linksOf(container)) {
    const [source, index] = events.get(from!) ?? [byElement.get(from!), -1];
    const target = byElement.get(to!) ?? events.get(to!)?.[0];
    const label = isA(element, 'bpmn:SequenceFlow') ? sizeOfLabel(textOf(element, 'name'), EDGE_LABEL) : undefined;
    if (source && target) edges.push({ element, source, target, from: index, label });
  }
  const graph = { nodes, edges, lanes, laneCount: count };
  spreadLanes(graph);
  return graph;
}

const nameOf = (element: BpmnNode): string =>
  textOf(element, 'name') ||
  textOf(elementOf(element, 'dataObjectRef'), 'name') ||
  textOf(elementOf(element, 'dataStoreRef'), 'name');

/** Whether an association is drawn between its ends without an effect on their order. */
export const isLoose = ({ element }: GraphEdge): boolean => !isA(element, 'bpmn:SequenceFlow');

/** Whether a node is data or an annotation, which the flow does not pass. */
export const isSatellite = ({ element }: GraphNode): boolean => !isA(element, 'bpmn:FlowNode');

/** The middles of the events on the lower border of a node, from its left edge. */
export const eventOffset = (node: GraphNode, index: number): number =>
  node.width / 2 + (index - (node.attached.length - 1) / 2) * EVENT_STEP;

/** Whether a sub-process shows what it contains. */
export const isFilled = (element: BpmnNode): boolean =>
  isA(element, 'bpmn:SubProcess', 'bpmn:SubChoreography') && placedIn(element).length > 0;
