/** Which elements have an id by which they can be told from others. */
import { localName, textOf, type BpmnNode } from './model.js';
import type { Tree } from './tree.js';

/** Longer ids do not fit into an index of the database. */
export const MAX_ID = 255;

/** Whether an element can be named by its id: it has one, which is not too long, and no element before it has the same. */
export function isNamed(tree: Tree, element: BpmnNode): boolean {
  const id = textOf(element, 'id');
  return id !== undefined && id !== '' && id.length <= MAX_ID && tree.byId.get(id) === element;
}

/** The id of an element that can be named. */
export function idOf(tree: Tree, element: BpmnNode | undefined): string | null {
  return element && isNamed(tree, element) ? textOf(element, 'id')! : null;
}

/** Characters of a name in a message. */
const SHOWN = 60;

/** For messages: type, and name or id. */
export function called(element: BpmnNode): string {
  // A name can have millions of characters, and be needed in thousands of messages.
  const [name, id] = ['name', 'id'].map((property) => (textOf(element, property) ?? '').slice(0, 2 * SHOWN).trim());
  const shown = name || id;
  if (!shown) return localName(element);
  const short = shown.length > SHOWN ? `${shown.slice(0, SHOWN).toWellFormed()}…` : shown;
  return `${localName(element)} "${short.replaceAll(/\s+/g, ' ')}"`;
}
