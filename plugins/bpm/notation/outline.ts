/** The parts of a file that the rules and the list of elements go through, in document order. */
import { node, nodes, type BpmnNode } from './model.js';

/** What has flow elements: a process, a choreography, a sub-process. */
export interface Container {
  node: BpmnNode;
  /** The process or choreography; `node` itself at the top. */
  process: BpmnNode;
  /** The sub-process or process around it. */
  parent: Container | undefined;
  /** Flow nodes: activities, events, gateways. */
  flowNodes: BpmnNode[];
  sequenceFlows: BpmnNode[];
  data: BpmnNode[];
}

export interface LaneIn {
  node: BpmnNode;
  process: BpmnNode;
  parent: BpmnNode | undefined;
}

export interface Outline {
  definitions: BpmnNode;
  processes: BpmnNode[];
  /** Containers before those that they contain. */
  containers: Container[];
  lanes: LaneIn[];
  participants: BpmnNode[];
  messageFlows: BpmnNode[];
  associations: BpmnNode[];
  dataStores: BpmnNode[];
  diagrams: BpmnNode[];
}

/** Goes through a file once. */
export function outlineOf(definitions: BpmnNode): Outline {
  const outline: Outline = {
    definitions,
    processes: [],
    containers: [],
    lanes: [],
    participants: [],
    messageFlows: [],
    associations: [],
    dataStores: [],
    diagrams: [...nodes(definitions, 'diagrams')],
  };
  for (const root of nodes(definitions, 'rootElements')) {
    if (root.$instanceOf('bpmn:FlowElementsContainer')) addProcess(outline, root);
    // A choreography is a collaboration too.
    if (root.$instanceOf('bpmn:Collaboration')) addCollaboration(outline, root);
    if (root.$instanceOf('bpmn:DataStore')) outline.dataStores.push(root);
  }
  return outline;
}

function addCollaboration(outline: Outline, root: BpmnNode): void {
  outline.participants.push(...nodes(root, 'participants'));
  outline.messageFlows.push(...nodes(root, 'messageFlows'));
  addAssociations(outline, root);
}

function addProcess(outline: Outline, process: BpmnNode): void {
  outline.processes.push(process);
  addContainer(outline, process, process, undefined);
}

/** Nesting is limited by the reader. */
function addContainer(outline: Outline, of: BpmnNode, process: BpmnNode, parent: Container | undefined): void {
  const container: Container = { node: of, process, parent, flowNodes: [], sequenceFlows: [], data: [] };
  outline.containers.push(container);
  for (const laneSet of nodes(of, 'laneSets')) addLanes(outline, laneSet, process, undefined);
  // A choreography is a collaboration too, whose associations are there already.
  if (!of.$instanceOf('bpmn:Collaboration')) addAssociations(outline, of);
  const io = parent ? undefined : node(of, 'ioSpecification');
  if (io) container.data.push(...nodes(io, 'dataInputs'), ...nodes(io, 'dataOutputs'));
  for (const element of nodes(of, 'flowElements')) {
    if (element.$instanceOf('bpmn:FlowNode')) container.flowNodes.push(element);
    else if (element.$instanceOf('bpmn:SequenceFlow')) container.sequenceFlows.push(element);
    else container.data.push(element);
  }
  for (const element of container.flowNodes)
    if (element.$instanceOf('bpmn:FlowElementsContainer')) addContainer(outline, element, process, container);
}

function addLanes(outline: Outline, laneSet: BpmnNode, process: BpmnNode, parent: BpmnNode | undefined): void {
  for (const lane of nodes(laneSet, 'lanes')) {
    outline.lanes.push({ node: lane, process, parent });
    const inner = node(lane, 'childLaneSet');
    if (inner) addLanes(outline, inner, process, lane);
  }
}

function addAssociations(outline: Outline, of: BpmnNode): void {
  for (const artifact of nodes(of, 'artifacts'))
    if (artifact.$instanceOf('bpmn:Association')) outline.associations.push(artifact);
}
