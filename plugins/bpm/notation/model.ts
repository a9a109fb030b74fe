/** The types of BPMN 2.0, its diagrams and colours, from the descriptors of bpmn-moddle. */
import { BpmnModdle } from 'bpmn-moddle';

/** An element of a file as bpmn-moddle presents it: properties by their names in the descriptors. */
export interface BpmnNode {
  /** Such as `bpmn:UserTask`. */
  readonly $type: string;
  readonly $parent?: BpmnNode;
  /** Attributes that are not in the descriptors, such as those of foreign namespaces. */
  readonly $attrs: Record<string, unknown>;
  readonly $descriptor: NodeDescriptor;
  /** Whether the element has the type, such as `bpmn:FlowNode`, or a type derived from it. */
  $instanceOf(type: string): boolean;
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  readonly id?: string;
  readonly name?: string;
}

export interface NodeDescriptor {
  readonly isGeneric?: boolean;
  readonly properties?: readonly PropertyDescriptor[];
  /** The property that is the text of the element. */
  readonly bodyProperty?: PropertyDescriptor;
  readonly propertiesByName: Record<string, PropertyDescriptor | undefined>;
  readonly allTypes?: readonly { name: string; isAbstract?: boolean }[];
}

export interface PropertyDescriptor {
  readonly name: string;
  readonly type: string;
  readonly isMany?: boolean;
  readonly isReference?: boolean;
  readonly isAttr?: boolean;
  readonly default?: unknown;
}

/** The namespaces of the BPMN 2.0 standard; all others belong to vendors and are never a problem. */
export const STANDARD_URIS: ReadonlySet<string> = new Set([
  'http://www.omg.org/spec/BPMN/20100524/MODEL',
  'http://www.omg.org/spec/BPMN/20100524/DI',
  'http://www.omg.org/spec/DD/20100524/DC',
  'http://www.omg.org/spec/DD/20100524/DI',
]);

/** One for all files: it keeps types, no content. */
export const moddle = new BpmnModdle();

/** Elements of a property with several values, `[]` where there are none. */
export function nodes(of: BpmnNode, property: string): readonly BpmnNode[] {
  // `get` would define a missing property as an empty list.
  const value = (of as unknown as Record<string, unknown>)[property];
  return Array.isArray(value) ? (value as BpmnNode[]) : [];
}

/** The element of a property with one value. */
export function node(of: BpmnNode, property: string): BpmnNode | undefined {
  const value = (of as unknown as Record<string, unknown>)[property];
  return typeof value === 'object' && value !== null ? (value as BpmnNode) : undefined;
}

/** The text of an attribute. */
export function textOf(of: BpmnNode, property: string): string | undefined {
  const value = (of as unknown as Record<string, unknown>)[property];
  return typeof value === 'string' ? value : undefined;
}

/** Whether an attribute is true, by itself or by default. */
export function isTrue(of: BpmnNode, property: string): boolean {
  return (of as unknown as Record<string, unknown>)[property] === true;
}

/** The name in the file, such as `userTask` for `bpmn:UserTask`. */
export function localName(of: BpmnNode): string {
  const name = of.$type.slice(of.$type.indexOf(':') + 1);
  return name.charAt(0).toLowerCase() + name.slice(1);
}
