/** Rules on ids, events, lanes and processes. */
import { called, isNamed, MAX_ID } from './identity.js';
import { node, nodes, textOf, type BpmnNode } from './model.js';
import type { Outline } from './outline.js';
import type { ProblemCode } from './problems.js';
import type { Tree } from './tree.js';

/** Adds what is wrong in the parts of a file but for its flows and diagrams. */
export function checkStructure(tree: Tree, outline: Outline): void {
  checkIds(tree, outline);
  for (const { flowNodes } of outline.containers)
    for (const flowNode of flowNodes) if (flowNode.$type === 'bpmn:BoundaryEvent') checkBoundary(tree, flowNode);
  checkLanes(tree, outline);
  if (outline.processes.length === 0 && outline.participants.length === 0)
    tree.problems.add('warning', 'no_process', 'The file contains no process.', at(tree, outline.definitions));
}

const at = (tree: Tree, element: BpmnNode): { line?: number | undefined; id?: string | undefined } => ({
  line: tree.lineOf(element),
  id: textOf(element, 'id'),
});

/** Elements without a usable id have no entry in the list of elements, so that they can have no links. */
function checkIds(tree: Tree, { processes, containers, participants, lanes, messageFlows }: Outline): void {
  const inside = containers.flatMap(({ flowNodes, sequenceFlows, data }) => [...flowNodes, ...sequenceFlows, ...data]);
  const inLanes = lanes.map((lane) => lane.node);
  for (const element of [...processes, ...inside, ...participants, ...inLanes, ...messageFlows]) {
    if (isNamed(tree, element)) continue;
    const id = textOf(element, 'id');
    if (!id) tree.problems.add('error', 'missing_id', `The ${called(element)} has no id.`, at(tree, element));
    else if (id.length > MAX_ID)
      tree.problems.add('error', 'invalid_id', `An id has more than ${MAX_ID} characters.`, at(tree, element));
  }
}

function checkBoundary(tree: Tree, event: BpmnNode): void {
  const host = node(event, 'attachedToRef');
  const problem = (code: ProblemCode, message: string): void =>
    tree.problems.add('error', code, message, at(tree, event));
  if (!host) {
    if (!tree.isUnresolved(event, 'attachedToRef'))
      problem('boundary_without_host', `The ${called(event)} is not attached to an activity.`);
  } else if (host.$parent !== event.$parent)
    problem('boundary_crosses_border', `The ${called(event)} is not in the process or sub-process of ${called(host)}.`);
}

/** A lane names elements of its own process, and an element is in one of the lanes at most. */
function checkLanes(tree: Tree, { lanes, containers }: Outline): void {
  const processOf = new Map(
    containers.flatMap(({ flowNodes, process }) => flowNodes.map((flowNode) => [flowNode, process] as const)),
  );
  const laneOf = new Map<BpmnNode, { node: BpmnNode; parent: BpmnNode | undefined }>();
  for (const lane of lanes) {
    for (const element of nodes(lane.node, 'flowNodeRef')) {
      const warn = (code: ProblemCode, message: string): void =>
        tree.problems.add('warning', code, message, at(tree, lane.node));
      if (processOf.has(element) && processOf.get(element) !== lane.process)
        warn('lane_of_other_process', `The ${called(lane.node)} names ${called(element)} of another process.`);
      const other = laneOf.get(element);
      // An inner lane and its outer lane may both name an element.
      if (other && other.parent === lane.parent && other.node !== lane.node)
        warn('in_two_lanes', `The ${called(element)} is in ${called(other.node)} and in ${called(lane.node)}.`);
      laneOf.set(element, lane);
    }
  }
}
