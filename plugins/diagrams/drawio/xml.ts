/** XML as a tree of plain data, read with limits and written back. */
import { SaxesParser } from 'saxes';

/** An element. Its attributes keep their order; text is kept only where an element has nothing else. */
export interface XmlElement {
  name: string;
  attributes: Map<string, string>;
  children: XmlElement[];
  text: string;
  /** Line of its start tag, counted from 1. */
  line: number;
}

/** What an XML document may contain at most. */
export interface XmlLimits {
  /** Elements inside each other. */
  depth: number;
  /** Elements in total. */
  elements: number;
  /** Attributes of one element. */
  attributes: number;
}

/** Why an XML document cannot be read. */
export class XmlFault extends Error {
  constructor(
    readonly reason: 'not_well_formed' | 'doctype' | 'too_large' | 'too_deep',
    message: string,
    /** Counted from 1. */
    readonly line: number,
  ) {
    super(message);
  }
}

/** A new element. */
export function xmlElement(
  name: string,
  attributes: Iterable<readonly [string, string]> = [],
  children: XmlElement[] = [],
): XmlElement {
  return { name, attributes: new Map(attributes), children, text: '', line: 0 };
}

/**
 * Parses XML 1.0 without namespaces: names are kept with their prefixes. Comments and processing instructions are dropped.
 * @throws XmlFault
 */
export function parseXml(text: string, limits: XmlLimits): XmlElement {
  const parser = new SaxesParser({ xmlns: false });
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  let count = 0;
  const fault = (reason: XmlFault['reason'], message: string): XmlFault => new XmlFault(reason, message, parser.line);
  parser.on('error', ({ message }) => {
    throw fault('not_well_formed', message.replace(/^\d+:\d+: /, ''));
  });
  parser.on('doctype', () => {
    throw fault('doctype', 'a document type (DOCTYPE) is not allowed');
  });
  parser.on('opentag', ({ name, attributes }) => {
    const entries = Object.entries(attributes as Record<string, string>);
    if (++count > limits.elements) throw fault('too_large', `more than ${limits.elements} elements`);
    if (open.length >= limits.depth) throw fault('too_deep', `elements nested deeper than ${limits.depth}`);
    if (entries.length > limits.attributes) throw fault('too_large', `more than ${limits.attributes} attributes`);
    const element = { ...xmlElement(name, entries), line: parser.line };
    if (open.length === 0) root = element;
    else open.at(-1)!.children.push(element);
    open.push(element);
  });
  const addText = (part: string): void => {
    const at = open.at(-1);
    if (at) at.text += part;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const closed = open.pop()!;
    if (closed.children.length > 0 && closed.text.trim() === '') closed.text = '';
  });
  parser.write(text).close();
  if (!root) throw fault('not_well_formed', 'the document has no element');
  return root;
}

/** Characters that no XML document can contain. */
const IMPOSSIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const SPECIAL: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Line breaks and tabs are references, because a parser would make spaces of them in an attribute. */
const escaped = (text: string): string =>
  text.replace(IMPOSSIBLE, '').replace(/[&<>"\n\r\t]/g, (one) => SPECIAL[one] ?? `&#${one.charCodeAt(0)};`);
const escapedText = (text: string): string =>
  text.replace(IMPOSSIBLE, '').replace(/[&<>\r]/g, (one) => SPECIAL[one] ?? '&#13;');

/** An element as XML text, each child on a line of its own. */
export function writeXml(element: XmlElement, indent = ''): string {
  let start = `${indent}<${element.name}`;
  for (const [name, value] of element.attributes) start += ` ${name}="${escaped(value)}"`;
  if (element.children.length === 0)
    return element.text === '' ? `${start}/>` : `${start}>${escapedText(element.text)}</${element.name}>`;
  const inner = element.children.map((child) => writeXml(child, `${indent}  `)).join('\n');
  return `${start}>${escapedText(element.text)}\n${inner}\n${indent}</${element.name}>`;
}
