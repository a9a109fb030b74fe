/** What two files are compared by, beyond their elements and flows. */
import { createHash } from 'node:crypto';
import { idOf } from './identity.js';
import { node, nodes, type BpmnNode } from './model.js';
import type { Outline } from './outline.js';
import type { BpmnBounds, BpmnDetail } from './reading.js';
import type { Tree } from './tree.js';

/** Properties that are compared by themselves, or belong to other elements of the list. */
const APART: ReadonlySet<string> = new Set([
  'id',
  'name',
  'documentation',
  'incoming',
  'outgoing',
  'sourceRef',
  'targetRef',
  'flowElements',
  'artifacts',
  'laneSets',
  'lanes',
  'childLaneSet',
  'flowNodeRef',
  'dataInputAssociations',
  'dataOutputAssociations',
  'participants',
  'messageFlows',
  'calledElement',
]);

/** Places and content of the elements and flows of a file, by id. */
export function detailsOf(tree: Tree, outline: Outline): Map<string, BpmnDetail> {
  const bounds = boundsOf(outline);
  const details = new Map<string, BpmnDetail>();
  for (const element of compared(outline)) {
    const id = idOf(tree, element);
    if (id !== null) details.set(id, { bounds: bounds.get(element) ?? [], content: contentOf(element) });
  }
  return details;
}

function compared(outline: Outline): BpmnNode[] {
  const { containers, participants, lanes, messageFlows, associations, dataStores } = outline;
  return [
    ...containers.flatMap(({ flowNodes, sequenceFlows, data }) => [
      ...flowNodes,
      ...sequenceFlows,
      ...data,
      ...flowNodes.flatMap((of) => [...nodes(of, 'dataInputAssociations'), ...nodes(of, 'dataOutputAssociations')]),
    ]),
    ...participants,
    ...lanes.map((lane) => lane.node),
    ...messageFlows,
    ...associations,
    ...dataStores,
  ];
}

function boundsOf({ diagrams }: Outline): Map<BpmnNode, BpmnBounds[]> {
  const found = new Map<BpmnNode, BpmnBounds[]>();
  for (const diagram of diagrams) {
    const plane = node(diagram, 'plane');
    for (const shape of plane ? nodes(plane, 'planeElement') : []) {
      const [element, bounds] = [node(shape, 'bpmnElement'), node(shape, 'bounds')];
      if (!element || !bounds) continue;
      const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((property) => numberOf(bounds, property));
      const list = found.get(element);
      const place = { x: x!, y: y!, width: width!, height: height! };
      if (list) list.push(place);
      else found.set(element, [place]);
    }
  }
  return found;
}

function numberOf(bounds: BpmnNode, property: string): number {
  const value = (bounds as unknown as Record<string, unknown>)[property];
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

/** A hash of the content in one order, whatever the order of attributes in the file. */
function contentOf(element: BpmnNode): string {
  const hash = createHash('sha1');
  addContent(element, (part) => hash.update(part).update('\0'), APART);
  return hash.digest('base64');
}

type Add = (part: string) => void;

/** Nesting is limited by the reader. */
function addContent(of: BpmnNode, add: Add, apart: ReadonlySet<string>): void {
  // The ids of inner elements are made anew by many tools at each export.
  add(of.$type);
  if (of.$descriptor.isGeneric) addGeneric(of as unknown as Record<string, unknown>, add);
  else {
    for (const property of of.$descriptor.properties ?? []) {
      const value = Object.hasOwn(of, property.name)
        ? (of as unknown as Record<string, unknown>)[property.name]
        : undefined;
      if (value === undefined || value === property.default || apart.has(property.name)) continue;
      add(property.name);
      for (const item of Array.isArray(value) ? (value as unknown[]) : [value])
        addValue(item, property.isReference, add);
    }
    // The type is added by its name in the model.
    const { 'xsi:type': _, ...attributes } = of.$attrs;
    addAttributes(attributes, add);
  }
  add('/');
}

const INNER: ReadonlySet<string> = new Set(['id']);

function addValue(value: unknown, isReference: boolean | undefined, add: Add): void {
  if (typeof value !== 'object' || value === null) add(String(value));
  else if (isReference) add((value as BpmnNode).id ?? '');
  else addContent(value as BpmnNode, add, INNER);
}

function addGeneric(of: Record<string, unknown>, add: Add): void {
  const { $type: _, $children, $body, ...attributes } = of;
  addAttributes(attributes, add);
  if (typeof $body === 'string') add($body.trim());
  for (const child of Array.isArray($children) ? ($children as BpmnNode[]) : []) addContent(child, add, INNER);
}

/** Declarations of namespaces are no content. */
function addAttributes(attributes: Record<string, unknown>, add: Add): void {
  for (const name of Object.keys(attributes).sort())
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) add(`${name}=${String(attributes[name])}`);
}
