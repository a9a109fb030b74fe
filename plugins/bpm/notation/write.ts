/** From elements to a file. */
import { moddle, type BpmnNode } from './model.js';
import type { ParsedFile } from './parse.js';

/**
 * Writes a file that was parsed, with all its elements, attributes, extensions and coordinates; comments, processing
 * instructions, and attributes that state a default value are left out. What is not in the file but referenced, such as a
 * type of another file, stays referenced.
 * @returns the file in UTF-8
 */
export async function writeBpmn({ definitions, tree }: ParsedFile): Promise<Uint8Array<ArrayBuffer>> {
  // The library writes a reference as the id of what it leads to.
  const lent: (() => void)[] = [];
  for (const [element, properties] of tree.unresolved)
    for (const [property, ids] of properties) lent.push(lend(element, property, ids));
  try {
    const { xml } = await moddle.toXML(definitions, { format: true });
    // The library writes these as they are, and a parser reads them as spaces. Its own line breaks are U+000A.
    return new TextEncoder().encode(xml.replaceAll('\r', '&#13;').replaceAll('\t', '&#9;'));
  } finally {
    for (const takeBack of lent) takeBack();
  }
}

/** Lets a property refer to what is not in the file, until the returned function is called. */
function lend(element: BpmnNode, property: string, ids: readonly string[]): () => void {
  const stubs = ids.map((id) => ({ id }));
  const value = element.get(property);
  element.set(property, Array.isArray(value) ? [...(value as unknown[]), ...stubs] : stubs[0]);
  return () => element.set(property, value);
}
