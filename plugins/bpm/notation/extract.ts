/** The elements and flows of a file as plain data. */
import { flowOrder } from './flow-order.js';
import { idOf, isNamed } from './identity.js';
import { isTrue, localName, node, nodes, textOf, type BpmnNode } from './model.js';
import type { Container, Outline } from './outline.js';
import type { BpmnElement, BpmnElementKind, BpmnFlow } from './reading.js';
import type { Tree } from './tree.js';

const MAX_NAME = 2_000;
const MAX_DOCUMENTATION = 20_000;

/** The first kind whose type an element has. */
const KINDS: readonly (readonly [type: string, kind: BpmnElementKind])[] = [
  ['bpmn:Event', 'event'],
  ['bpmn:Gateway', 'gateway'],
  ['bpmn:CallActivity', 'call_activity'],
  ['bpmn:CallChoreography', 'call_activity'],
  ['bpmn:SubProcess', 'sub_process'],
  ['bpmn:SubChoreography', 'sub_process'],
  ['bpmn:FlowNode', 'task'],
  ['bpmn:DataStore', 'data_store'],
  ['bpmn:DataStoreReference', 'data_store'],
  ['bpmn:Lane', 'lane'],
  ['bpmn:Participant', 'participant'],
  ['bpmn:ItemAwareElement', 'data_object'],
];

/** Where an element is. */
interface Place {
  process: BpmnNode | undefined;
  parent: BpmnNode | undefined;
}

/** An element of the file with its place, in the order of the list. */
interface Placed extends Place {
  element: BpmnNode;
}

/** Elements that can be named by their ids, in order of the sequence flow; see `BpmnReading`. */
export function elementsOf(tree: Tree, outline: Outline): BpmnElement[] {
  const lanes = lanesOf(tree, outline);
  return placed(outline)
    .filter(({ element }) => isNamed(tree, element))
    .map(({ element, process, parent }, i) => ({
      bpmn_id: textOf(element, 'id')!,
      kind: KINDS.find(([type]) => element.$instanceOf(type))![1],
      type: localName(element),
      event_definition: eventDefinition(element),
      name: nameOf(element),
      documentation: documentationOf(element),
      process_bpmn_id: idOf(tree, process),
      parent_bpmn_id: idOf(tree, parent),
      lane_bpmn_id: lanes.get(element) ?? hostLane(lanes, element),
      position: i + 1,
      called_element: calledElement(element),
    }));
}

/** Flows with an id, in order of the file. */
export function flowsOf(tree: Tree, outline: Outline): BpmnFlow[] {
  const flow = (kind: BpmnFlow['kind'], of: BpmnNode, source?: BpmnNode, target?: BpmnNode): BpmnFlow[] =>
    isNamed(tree, of)
      ? [
          {
            bpmn_id: textOf(of, 'id')!,
            kind,
            source: idOf(tree, source ?? node(of, 'sourceRef')),
            target: idOf(tree, target ?? node(of, 'targetRef')),
            name: nameOf(of),
          },
        ]
      : [];
  return [
    ...outline.containers.flatMap(({ sequenceFlows }) => sequenceFlows.flatMap((of) => flow('sequence', of))),
    ...outline.messageFlows.flatMap((of) => flow('message', of)),
    ...outline.associations.flatMap((of) => flow('association', of)),
    ...outline.containers.flatMap(({ flowNodes }) =>
      flowNodes.flatMap((activity) => [
        ...nodes(activity, 'dataInputAssociations').flatMap((of) =>
          flow('data', of, nodes(of, 'sourceRef')[0], activity),
        ),
        ...nodes(activity, 'dataOutputAssociations').flatMap((of) => flow('data', of, activity)),
      ]),
    ),
  ];
}

function placed({ containers, participants, lanes, dataStores }: Outline): Placed[] {
  const byNode = new Map(containers.map((container) => [container.node, container]));
  const place = ({ node: of, process, parent }: Container): Place => ({ process, parent: parent && of });
  const flowNodes = (container: Container): Placed[] =>
    flowOrder(container).flatMap((element) => {
      const inner = byNode.get(element);
      return [{ element, ...place(container) }, ...(inner ? flowNodes(inner) : [])];
    });
  const top = containers.filter(({ parent }) => !parent);
  const data = containers.flatMap((container) => container.data.map((element) => ({ element, ...place(container) })));
  const isStore = ({ element }: Placed): boolean => element.$type === 'bpmn:DataStoreReference';
  return [
    ...top.flatMap(flowNodes),
    ...participants.map((element) => ({ element, process: node(element, 'processRef'), parent: undefined })),
    ...lanes.map(({ node: element, process, parent }) => ({ element, process, parent })),
    ...data.filter((of) => !isStore(of)),
    ...data.filter(isStore),
    ...dataStores.map((element) => ({ element, process: undefined, parent: undefined })),
  ];
}

/** The innermost lane of each element that a lane names. */
function lanesOf(tree: Tree, { lanes }: Outline): Map<BpmnNode, string> {
  const found = new Map<BpmnNode, string>();
  // Inner lanes come after outer ones.
  for (const { node: lane } of lanes) {
    const id = idOf(tree, lane);
    if (id !== null) for (const element of nodes(lane, 'flowNodeRef')) found.set(element, id);
  }
  return found;
}

function hostLane(lanes: Map<BpmnNode, string>, element: BpmnNode): string | null {
  const host = node(element, 'attachedToRef');
  return (host && lanes.get(host)) ?? null;
}

function nameOf(element: BpmnNode): string | null {
  const own = textOf(element, 'name')?.trim();
  const data = node(element, 'dataObjectRef') ?? node(element, 'dataStoreRef');
  const name = own || (data && textOf(data, 'name')?.trim());
  return name ? shortened(name, MAX_NAME) : null;
}

function documentationOf(element: BpmnNode): string | null {
  const texts = nodes(element, 'documentation').flatMap((of) => textOf(of, 'text')?.trim() || []);
  return texts.length > 0 ? shortened(texts.join('\n\n'), MAX_DOCUMENTATION) : null;
}

function shortened(text: string, length: number): string {
  return text.length > length ? text.slice(0, length).toWellFormed() : text;
}

function eventDefinition(element: BpmnNode): string | null {
  const definitions = [...nodes(element, 'eventDefinitions'), ...nodes(element, 'eventDefinitionRef')];
  if (definitions.length > 1) return isTrue(element, 'parallelMultiple') ? 'parallelMultiple' : 'multiple';
  return definitions[0] ? localName(definitions[0]).replace(/EventDefinition$/, '') : null;
}

/** `calledElement` is a qualified name, but process engines take it as it is; some have it in an extension. */
function calledElement(element: BpmnNode): string | null {
  if (!element.$instanceOf('bpmn:CallActivity')) return null;
  const own = textOf(element, 'calledElement')?.trim() || extendedCall(element);
  if (!own) return null;
  return shortened(/^[\p{L}_][\w.-]*:([\p{L}_][\w.-]*)$/u.exec(own)?.[1] ?? own, MAX_NAME);
}

/** `<zeebe:calledElement processId="…"/>` */
function extendedCall(element: BpmnNode): string | undefined {
  const extensions = node(element, 'extensionElements');
  const call = extensions && nodes(extensions, 'values').find(({ $type }) => $type.endsWith(':calledElement'));
  return call && textOf(call, 'processId')?.trim();
}
