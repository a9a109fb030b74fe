/** draw.io files as lists of facts, read without the code under test. */
import { inflateRawSync } from 'node:zlib';
import { SaxesParser } from 'saxes';

export interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

/** Parses XML into a tree. */
export function elementsOf(xml: string): Element {
  const top: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes, children: [], text: '' };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  const addText = (text: string): void => {
    open.at(-1)!.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => void open.pop());
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
  return top.children[0]!;
}

/** A file with its pages decompressed. */
export function fileOf(bytes: Buffer): { root: Element; pages: Element[] } {
  const root = elementsOf(bytes.toString('utf8'));
  if (root.name === 'mxGraphModel') return { root, pages: [root] };
  const pages = root.children.map((diagram) => {
    if (diagram.children.length > 0) return diagram.children[0]!;
    return elementsOf(decodeURIComponent(inflateRawSync(Buffer.from(diagram.text, 'base64')).toString()));
  });
  return { root, pages };
}

/** A cell with its wrapper, in the order of the file. */
export interface CanonicalCell {
  id: string;
  /** All elements and attributes as text, the attributes sorted. */
  text: string;
  label: string;
  style: string;
}

const canonical = ({ name, attributes, children, text }: Element): string =>
  JSON.stringify([
    name,
    Object.entries(attributes).sort(),
    children.map(canonical),
    children.length > 0 ? '' : text.trim(),
  ]);

/** The cells of a page. */
export function cellsOf(model: Element): CanonicalCell[] {
  return model.children[0]!.children.map((element) => {
    const inner = element.name === 'mxCell' ? element : element.children.find(({ name }) => name === 'mxCell')!;
    return {
      id: element.attributes.id ?? '',
      text: canonical(element),
      label: element.attributes.label ?? element.attributes.value ?? '',
      style: inner.attributes.style ?? '',
    };
  });
}

/** The attributes of the file and of its pages as text. */
export function headOf({ root, pages }: ReturnType<typeof fileOf>): string {
  const diagrams = root.children.map(({ name, attributes }) => [name, Object.entries(attributes).sort()]);
  return JSON.stringify([
    Object.entries(root.attributes).sort(),
    root.name === 'mxfile' ? diagrams : [],
    pages.map(({ attributes }) => Object.entries(attributes).sort()),
  ]);
}
