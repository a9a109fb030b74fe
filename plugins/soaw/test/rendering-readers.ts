/** What other libraries read in rendered files. */
import { strFromU8, unzipSync } from 'fflate';
import mammoth from 'mammoth';
import MarkdownIt from 'markdown-it';
import { SaxesParser } from 'saxes';

/** An element of a part of a Word file. */
export interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

/** The parts of a Word file; those in XML as text. */
export function partsOf(file: Uint8Array): Map<string, string> {
  return new Map(
    Object.entries(unzipSync(file)).map(([name, bytes]) => [name, strFromU8(bytes, name.includes('media/'))]),
  );
}

/** The root of a part. @throws Error where the part is not well-formed */
export function parseXml(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, children: [], text: '' };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    open.at(-1)!.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return root.children[0]!;
}

/** All elements of a name, in their order. */
export const all = (element: Element, name: string): Element[] =>
  element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)]);

/** The text that an element shows. */
export function shown(element: Element): string {
  if (element.name === 'w:t') return element.text;
  if (element.name === 'w:br') return '\n';
  if (element.name === 'w:tab') return '\t';
  // A tab stop has the name of a tab.
  if (element.name === 'w:pPr') return '';
  return element.children.map(shown).join('');
}

/** The widths of the columns of the first table of a Word file whose text begins with the words. */
export const widthsOf = (body: Element, words: string): number[] =>
  all(all(body, 'w:tbl').find((table) => shown(table).startsWith(words))!, 'w:gridCol').map(({ attributes }) =>
    Number(attributes['w:w']),
  );

/** What mammoth makes of a Word file, with its messages about what it does not know. */
export async function readWord(file: Uint8Array): Promise<{ html: string; text: string }> {
  const buffer = Buffer.from(file);
  const { value: html } = await mammoth.convertToHtml({ buffer });
  const { value: text } = await mammoth.extractRawText({ buffer });
  return { html, text };
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** The characters that HTML without scripts and styles shows. */
export const textOfHtml = (html: string): string =>
  html
    .replace(/<style>[^]*?<\/style>/g, '')
    .replace(/<br *\/?>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#(\d+)|(\w+));/g, (_, code: string | undefined, name: string) =>
      code === undefined ? (NAMED[name] ?? '?') : String.fromCodePoint(Number(code)),
    );

/** The times of the files in an archive, as the two numbers of its directory (APPNOTE of PKWARE, 4.3.12). */
export function timesOf(archive: Buffer): Set<string> {
  const times = new Set<string>();
  const signature = Buffer.from('504b0102', 'hex');
  for (let at = archive.indexOf(signature); at >= 0; at = archive.indexOf(signature, at + 4))
    times.add(`${archive.readUInt16LE(at + 12)} ${archive.readUInt16LE(at + 14)}`);
  return times;
}

/** Names of tags and attributes in HTML, each once. */
export function markupOf(html: string): { tags: string[]; attributes: string[]; addresses: string[] } {
  const tags = html.match(/<\/?[a-zA-Z!?][^>]*>/g) ?? [];
  const attributes = tags.flatMap((tag) => Array.from(tag.matchAll(/\s([\w:-]+)(?==|\s|>)(?:="([^"]*)")?/g)));
  const sorted = (names: (string | undefined)[]): string[] => [...new Set(names.map((name) => name ?? ''))].sort();
  return {
    tags: sorted(tags.map((tag) => /^<\/?([^\s>]+)/.exec(tag)![1]!.toLowerCase())),
    attributes: sorted(attributes.map(([, name]) => name)),
    addresses: sorted(attributes.filter(([, name]) => name === 'href' || name === 'src').map(([, , value]) => value)),
  };
}

/** What a reader makes of Markdown who runs the HTML in it and links all that looks like an address of the web. */
export const htmlOfMarkdown = (markdown: string): string =>
  new MarkdownIt({ html: true, linkify: false }).render(markdown);
