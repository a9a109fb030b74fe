/** Reads draw.io files: plain or compressed, of one page or several, from any source. */
import { inflateText } from './inflate.js';
import type { DrawioCell, DrawioFile, DrawioPage } from './model.js';
import { sanitise, type Removed } from './sanitise.js';
import { parseStyle } from './style.js';
import { parseXml, XmlFault, type XmlElement } from './xml.js';

/** What a file may have at most, and whether images of other servers stay in it. */
export interface ReadLimits {
  /** Size of the file. Default: 10 MB. */
  bytes: number;
  /** All pages together, after decompression. Default: 40 MB. */
  inflatedBytes: number;
  /** Cells of all pages together. Default: 20,000. */
  cells: number;
  /** Default: 500. */
  pages: number;
  /** Elements of XML inside each other, those around a compressed page included. Default: 32. */
  depth: number;
  /** Elements of XML of all pages together. Default: 400,000. */
  elements: number;
  /** Attributes of an element. Default: 1,000. */
  attributes: number;
  /** Default: false, because such an image tells its server who opens the drawing. */
  keepForeignImages: boolean;
}

export const DEFAULT_LIMITS: ReadLimits = {
  bytes: 10_000_000,
  inflatedBytes: 40_000_000,
  cells: 20_000,
  pages: 500,
  depth: 32,
  elements: 400_000,
  attributes: 1_000,
  keepForeignImages: false,
};

export type ReadFault = XmlFault['reason'] | 'encoding' | 'not_drawio' | 'too_many_cells' | 'not_compressed';

export type ReadResult =
  | { ok: true; file: DrawioFile; removed: Removed[] }
  | {
      ok: false;
      reason: ReadFault;
      message: string;
      /** Counted from 1, within the XML of the page if that is compressed. */
      line: number;
      /** Index of the page, counted from 0; undefined for the file itself. */
      page: number | undefined;
    };

/** Why a file is refused. */
class Refusal extends Error {
  constructor(
    readonly reason: ReadFault,
    message: string,
    readonly line = 1,
    readonly page?: number,
  ) {
    super(message);
  }
}

/** The text of a file in UTF-8 or, with a byte order mark, UTF-16. */
function decoded(bytes: Uint8Array): string {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const encoding = isWide ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal('encoding', `the file is not ${encoding.toUpperCase()}`);
  }
}

const GEOMETRY_PARTS = new Set(['mxPoint', 'Array', 'mxRectangle', 'mxGeometry']);
/** Elements around a page that is not compressed: mxfile and diagram. */
const AROUND = 2;
const CELL = new Set(['value', 'style', 'parent', 'source', 'target', 'id']);

/** Reads one file; its state is what counts against the limits. */
class Reader {
  readonly early: Removed[] = [];
  private cells = 0;
  private inflated = 0;
  private elements = 0;

  constructor(private readonly limits: ReadLimits) {}

  file(bytes: Uint8Array): DrawioFile {
    if (bytes.length > this.limits.bytes)
      throw new Refusal('too_large', `the file has more than ${this.limits.bytes} bytes`);
    const root = this.xml(decoded(bytes));
    if (root.name === 'mxGraphModel') {
      const page = this.page(root, { id: '', name: '', attributes: new Map() }, 0);
      return { attributes: new Map(), pages: [page], compressed: false, bare: true };
    }
    if (root.name !== 'mxfile')
      throw new Refusal(
        'not_drawio',
        `the root element is ${root.name.slice(0, 60)}, not mxfile or mxGraphModel`,
        root.line,
      );
    const diagrams = this.only(root, (name) => name === 'diagram', undefined);
    if (diagrams.length === 0) throw new Refusal('not_drawio', 'the file has no page', root.line);
    if (diagrams.length > this.limits.pages)
      throw new Refusal('too_large', `the file has more than ${this.limits.pages} pages`);
    let compressed = false;
    const pages = diagrams.map((diagram, at) => {
      compressed ||= diagram.children.length === 0 && diagram.text.trim() !== '';
      return this.diagram(diagram, at);
    });
    return { attributes: root.attributes, pages, compressed, bare: false };
  }

  private diagram(diagram: XmlElement, at: number): DrawioPage {
    const { id, name, attributes } = takeNames(diagram);
    const text = diagram.text.trim();
    if (diagram.children.length > 0 || text === '') {
      const [model] = this.only(diagram, (one) => one === 'mxGraphModel', at);
      return this.page(model, { id, name, attributes }, at);
    }
    return this.page(this.compressed(text, diagram.line, at), { id, name, attributes }, at);
  }

  private compressed(text: string, line: number, at: number): XmlElement {
    let xml: string;
    try {
      // XML within `diagram` that was escaped instead of compressed.
      xml = text.startsWith('<') ? text : inflateText(text, this.limits.inflatedBytes - this.inflated);
    } catch (error) {
      const reason = error instanceof RangeError ? 'too_large' : 'not_compressed';
      throw new Refusal(reason, (error as Error).message, line, at);
    }
    this.inflated += Buffer.byteLength(xml);
    const model = this.xml(xml, at, AROUND);
    if (model.name !== 'mxGraphModel')
      throw new Refusal('not_drawio', `the page is ${model.name.slice(0, 60)}, not mxGraphModel`, model.line, at);
    return model;
  }

  private xml(text: string, page?: number, around = 0): XmlElement {
    const { depth, elements, attributes } = this.limits;
    try {
      const root = parseXml(text, { depth: depth - around, elements: elements - this.elements, attributes });
      this.elements += countElements(root);
      return root;
    } catch (error) {
      if (error instanceof XmlFault) throw new Refusal(error.reason, error.message, error.line, page);
      throw error;
    }
  }

  /** The children with a name that is known; others are left out and listed. */
  private only(of: XmlElement, isKnown: (name: string) => boolean, page: number | undefined): XmlElement[] {
    return of.children.filter(({ name }) => {
      const known = isKnown(name);
      if (!known)
        this.early.push({ kind: 'element', what: name.slice(0, 100), page, at: undefined, cell_id: undefined });
      return known;
    });
  }

  private page(
    model: XmlElement | undefined,
    names: Pick<DrawioPage, 'id' | 'name' | 'attributes'>,
    at: number,
  ): DrawioPage {
    const [root] = model ? this.only(model, (name) => name === 'root', at) : [];
    const cells: DrawioCell[] = [];
    for (const element of root?.children ?? []) {
      const cell = this.cell(element, at, cells.length);
      if (cell) cells.push(cell);
    }
    this.cells += cells.length;
    if (this.cells > this.limits.cells)
      throw new Refusal('too_many_cells', `the file has more than ${this.limits.cells} cells`, 1, at);
    return { ...names, model: model?.attributes ?? new Map(), cells };
  }

  private cell(element: XmlElement, page: number, at: number): DrawioCell | undefined {
    const inner = element.name === 'mxCell' ? element : element.children.find(({ name }) => name === 'mxCell');
    if (!inner) {
      this.early.push({ kind: 'element', what: element.name.slice(0, 100), page, at: undefined, cell_id: undefined });
      return undefined;
    }
    const isWrapped = inner !== element;
    const { attributes } = inner;
    const kept = new Map([...attributes].filter(([name]) => !CELL.has(name)));
    // The identity and the label of a wrapped cell are those of its wrapper.
    if (isWrapped)
      for (const name of ['id', 'value'])
        if (attributes.has(name)) kept.set(name, attributes.get(name)!);
        else if (attributes.get('id') === '') kept.set('id', '');
    const [vertex, edge] = [attributes.get('vertex') === '1', attributes.get('edge') === '1'];
    if (vertex) kept.delete('vertex');
    if (edge) kept.delete('edge');
    const wrapper = isWrapped
      ? {
          name: element.name,
          attributes: new Map([...element.attributes].filter(([name]) => name !== 'id' && name !== 'label')),
          children: element.children.filter((child) => child !== inner),
        }
      : undefined;
    const geometry = inner.children.find(({ name }) => name === 'mxGeometry');
    const id = (isWrapped ? element.attributes.get('id') : attributes.get('id')) ?? '';
    if (geometry) this.cleanGeometry(geometry, { page, at, cell_id: id });
    return {
      id,
      label: isWrapped ? element.attributes.get('label') : attributes.get('value'),
      style: parseStyle(attributes.get('style')),
      vertex,
      edge,
      source: attributes.get('source'),
      target: attributes.get('target'),
      parent: attributes.get('parent'),
      geometry,
      wrapper,
      attributes: kept,
      children: inner.children.filter((child) => child !== geometry),
    };
  }

  private cleanGeometry(element: XmlElement, place: Pick<Removed, 'page' | 'at' | 'cell_id'>): void {
    element.children = element.children.filter((child) => {
      const isKnown = GEOMETRY_PARTS.has(child.name);
      if (isKnown) this.cleanGeometry(child, place);
      else this.early.push({ kind: 'element', what: child.name.slice(0, 100), ...place });
      return isKnown;
    });
  }
}

const countElements = ({ children }: XmlElement): number =>
  children.reduce((sum, child) => sum + countElements(child), 1);

function takeNames({ attributes }: XmlElement): Pick<DrawioPage, 'id' | 'name' | 'attributes'> {
  const others = new Map([...attributes].filter(([name, value]) => (name !== 'id' && name !== 'name') || value === ''));
  return { id: attributes.get('id') ?? '', name: attributes.get('name') ?? '', attributes: others };
}

/**
 * Reads and sanitises a file. It takes seconds for large ones: call it in a worker.
 * @param limits differences from `DEFAULT_LIMITS`
 * @returns the file and what was left out of it, or why it cannot be read; it never throws
 */
export function readDrawio(bytes: Uint8Array, limits: Partial<ReadLimits> = {}): ReadResult {
  const reader = new Reader({ ...DEFAULT_LIMITS, ...limits });
  try {
    const file = reader.file(bytes);
    const policy = { keepForeignImages: limits.keepForeignImages ?? DEFAULT_LIMITS.keepForeignImages };
    return { ok: true, file, removed: [...reader.early, ...sanitise(file, policy)].slice(0, 1_000) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { reason, message, line, page } = error;
    return { ok: false, reason, message, line, page };
  }
}
