/** The elements of an XML file with their lines, within limits. Attributes, comments and instructions are dropped. */
import { SaxesParser } from 'saxes';
import { FileRefusal } from './file-plan.js';

/** An element; text only where it has no elements inside. */
export interface Node {
  name: string;
  text: string;
  children: Node[];
  /** Of its start tag, from 1. */
  line: number;
}

const MAX_LEVELS = 40;
const MAX_ELEMENTS = 1_500_000;
/** Characters of one text. */
const MAX_TEXT = 200_000;

/**
 * Parses XML 1.0.
 * @param isSkipped whether an element is dropped with all it contains, by its local name and that of the one around it
 * @throws FileRefusal for what is not well-formed, has a DOCTYPE or is too large
 */
export function parseXml(text: string, isSkipped: (name: string, parent: string | undefined) => boolean): Node {
  const parser = new SaxesParser({ xmlns: false });
  const open: Node[] = [];
  let root: Node | undefined;
  let [count, depth, skippedFrom] = [0, 0, 0];
  const refuse = (reason: string): never => {
    throw new FileRefusal(parser.line, reason);
  };
  parser.on('error', ({ message }) =>
    refuse(`The file is not well-formed XML: ${message.replace(/^\d+:\d+: /, '').slice(0, 200)}`),
  );
  parser.on('doctype', () => refuse('A document type (DOCTYPE) is not allowed.'));
  parser.on('opentag', ({ name }) => {
    if (++count > MAX_ELEMENTS) refuse(`The file has more than ${MAX_ELEMENTS} elements.`);
    if (++depth > MAX_LEVELS) refuse(`Elements are nested deeper than ${MAX_LEVELS} levels.`);
    if (skippedFrom > 0) return;
    const local = name.slice(name.indexOf(':') + 1);
    if (isSkipped(local, open.at(-1)?.name)) {
      skippedFrom = depth;
      return;
    }
    const node: Node = { name: local, text: '', children: [], line: parser.line };
    open.at(-1)?.children.push(node);
    root ??= node;
    open.push(node);
  });
  const addText = (part: string): void => {
    const node = open.at(-1);
    if (skippedFrom > 0 || !node || node.children.length > 0) return;
    if (node.text.length + part.length > MAX_TEXT) refuse(`A text has more than ${MAX_TEXT} characters.`);
    node.text += part;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    if (skippedFrom === 0) open.pop();
    else if (skippedFrom === depth) skippedFrom = 0;
    depth--;
  });
  parser.write(text).close();
  return root ?? refuse('The file has no element.');
}

/** The text of the first child with a name; undefined without one. */
export const textOf = (node: Node | undefined, name: string): string | undefined => childOf(node, name)?.text.trim();
export const childOf = (node: Node | undefined, name: string): Node | undefined =>
  node?.children.find((child) => child.name === name);
export const childrenOf = (node: Node | undefined, name: string): Node[] =>
  node?.children.filter((child) => child.name === name) ?? [];

/** Characters that XML cannot contain. */
const IMPOSSIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

/** Text without the characters that XML cannot contain. */
export const storable = (text: string): string => text.toWellFormed().replace(IMPOSSIBLE, '');
/** Text as the content of an element. */
export const escaped = (text: string): string => storable(text).replace(/[&<>\r]/g, (one) => ENTITIES[one]!);
