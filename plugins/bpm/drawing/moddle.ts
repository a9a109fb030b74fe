/** The tree that bpmn-moddle reads from a file, and how its properties are read: an uploaded file may lack any of them. */
import type { BpmnNode } from '../notation/model.js';

export type { BpmnNode };

const isElement = (value: unknown): value is BpmnNode =>
  typeof value === 'object' && value !== null && typeof (value as { $type?: unknown }).$type === 'string';

/** The value that the file states, or the default of the standard; `get` would define missing lists. */
const valueOf = (element: BpmnNode | undefined, property: string): unknown =>
  (element as unknown as Record<string, unknown> | undefined)?.[property];

/** Whether an element has one of the types, such as `bpmn:Activity`, or a type derived from it. */
export const isA = (element: BpmnNode | undefined, ...types: string[]): boolean =>
  element !== undefined && types.some((type) => element.$instanceOf(type));

/** A property that is text; empty where it is absent. */
export function textOf(element: BpmnNode | undefined, property: string): string {
  const value = valueOf(element, property);
  return typeof value === 'string' ? value : '';
}

/** A property that is one element, contained or referred to. */
export function elementOf(element: BpmnNode | undefined, property: string): BpmnNode | undefined {
  const value = valueOf(element, property);
  return isElement(value) ? value : undefined;
}

/** A property that is a list of elements. */
export function elementsOf(element: BpmnNode | undefined, property: string): BpmnNode[] {
  const value = valueOf(element, property);
  return Array.isArray(value) ? value.filter(isElement) : [];
}

/** A property that is true or false, or undefined where the file does not state it and the standard has no default. */
export function flagOf(element: BpmnNode | undefined, property: string): boolean | undefined {
  const value = valueOf(element, property);
  return typeof value === 'boolean' ? value : undefined;
}

/** A property that is a number; NaN where it is absent. */
export function numberOf(element: BpmnNode | undefined, property: string): number {
  const value = valueOf(element, property);
  return typeof value === 'number' ? value : Number.NaN;
}

/** The name of the type as an element of XML, such as `userTask`. */
export function localName(element: BpmnNode | undefined): string {
  const name = element?.$type.replace(/^.*:/, '') ?? '';
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The containing elements, the nearest first. */
export function* ancestorsOf(element: BpmnNode | undefined): Generator<BpmnNode> {
  for (let one = element?.$parent; isElement(one); one = one.$parent) yield one;
}
