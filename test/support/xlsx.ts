import { strFromU8, unzipSync } from 'fflate';
import { SaxesParser } from 'saxes';

/** A cell as stored: its type, the number of its style, and its text or number. */
export interface ReadCell {
  type: string | undefined;
  style: string | undefined;
  value: string;
}

export interface ReadSheet {
  name: string;
  /** By reference, such as `B2`. */
  cells: Map<string, ReadCell>;
  /** Values of the rows by column, with empty text for empty cells. */
  rows: string[][];
  /** Addresses by reference. */
  links: Map<string, string>;
  xml: string;
}

interface Element {
  name: string;
  attributes: Record<string, string>;
  text: string;
  /** Names of the elements around it. */
  above: string[];
}

/** All elements of a document, in the order of their ends. @throws where it is not well-formed */
export function elementsOf(xml: string): Element[] {
  const found: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser({ xmlns: false });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) =>
    open.push({ name, attributes: attributes as Record<string, string>, text: '', above: open.map((one) => one.name) }),
  );
  parser.on('text', (text) => {
    if (open.length > 0) open.at(-1)!.text += text;
  });
  parser.on('closetag', () => found.push(open.pop()!));
  parser.write(xml).close();
  return found;
}

/** The number of a column, from 0. */
const columnOf = (ref: string): number =>
  [...ref.replace(/\d+$/, '')].reduce((n, letter) => n * 26 + letter.charCodeAt(0) - 64, 0) - 1;
/** Spreadsheets decode `_x005F_` as an underscore. */
const decoded = (text: string): string =>
  text.replace(/_x([\dA-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

function sheetOf(name: string, xml: string, relationships: string | undefined): ReadSheet {
  const cells = new Map<string, ReadCell>();
  const targets = new Map(
    relationships === undefined
      ? []
      : elementsOf(relationships)
          .filter((one) => one.name === 'Relationship')
          .map(({ attributes }) => [attributes['Id']!, attributes['Target']!] as const),
  );
  const links = new Map<string, string>();
  const rows: string[][] = [];
  let value = '';
  for (const { name: element, attributes, text } of elementsOf(xml)) {
    if (element === 't') value = decoded(text);
    if (element === 'v') value = text;
    if (element === 'c') {
      const ref = attributes['r']!;
      cells.set(ref, { type: attributes['t'], style: attributes['s'], value });
      const row = (rows[Number(/\d+$/.exec(ref)![0]) - 1] ??= []);
      row[columnOf(ref)] = value;
    }
    if (element === 'row') rows[Number(attributes['r']) - 1] ??= [];
    if (element === 'hyperlink') links.set(attributes['ref']!, targets.get(attributes['r:id']!)!);
  }
  const width = Math.max(0, ...rows.map((row) => row.length));
  return {
    name,
    cells,
    rows: rows.map((row) => Array.from({ length: width }, (_, i) => row[i] ?? '')),
    links,
    xml,
  };
}

/** Reads a workbook without the code that writes it. @throws where a part is missing or not well-formed */
export function readXlsx(file: Uint8Array): { sheets: ReadSheet[]; parts: Record<string, string> } {
  const parts = Object.fromEntries(Object.entries(unzipSync(file)).map(([path, bytes]) => [path, strFromU8(bytes)]));
  for (const xml of Object.values(parts)) elementsOf(xml);
  const targets = new Map(
    elementsOf(parts['xl/_rels/workbook.xml.rels']!)
      .filter(({ name }) => name === 'Relationship')
      .map(({ attributes }) => [attributes['Id']!, `xl/${attributes['Target']!}`]),
  );
  const sheets = elementsOf(parts['xl/workbook.xml']!)
    .filter(({ name }) => name === 'sheet')
    .map(({ attributes }) => {
      const path = targets.get(attributes['r:id']!)!;
      return sheetOf(
        attributes['name']!,
        parts[path]!,
        parts[path.replace('worksheets/', 'worksheets/_rels/').concat('.rels')],
      );
    });
  return { sheets, parts };
}
