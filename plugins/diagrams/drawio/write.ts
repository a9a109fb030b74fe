/** Writes draw.io files. */
import { deflateText } from './inflate.js';
import type { DrawioCell, DrawioFile, DrawioPage } from './model.js';
import { formatStyle } from './style.js';
import { writeXml, xmlElement, type XmlElement } from './xml.js';

type Entry = [string, string];
const present = (name: string, value: string | undefined): Entry[] => (value === undefined ? [] : [[name, value]]);
/** An identity or a name that is empty was absent. */
const named = (name: string, value: string): Entry[] => (value === '' ? [] : [[name, value]]);

function cellElement(cell: DrawioCell): XmlElement {
  const own = cell.wrapper === undefined ? [...named('id', cell.id), ...present('value', cell.label)] : [];
  const inner = xmlElement(
    'mxCell',
    [
      ...own,
      ...present('style', formatStyle(cell.style)),
      ...(cell.vertex ? ([['vertex', '1']] as const) : []),
      ...(cell.edge ? ([['edge', '1']] as const) : []),
      ...present('parent', cell.parent),
      ...present('source', cell.source),
      ...present('target', cell.target),
      ...cell.attributes,
    ],
    [...(cell.geometry ? [cell.geometry] : []), ...cell.children],
  );
  if (!cell.wrapper) return inner;
  const { name, attributes, children } = cell.wrapper;
  const outer: Entry[] = [...present('label', cell.label), ...attributes, ...named('id', cell.id)];
  return xmlElement(name, outer, [inner, ...children]);
}

const modelElement = (page: DrawioPage): XmlElement =>
  xmlElement('mxGraphModel', page.model, [xmlElement('root', [], page.cells.map(cellElement))]);

function diagramElement(page: DrawioPage, compressed: boolean): XmlElement {
  const attributes: Entry[] = [...page.attributes, ...named('id', page.id), ...named('name', page.name)];
  if (!compressed) return xmlElement('diagram', attributes, [modelElement(page)]);
  return { ...xmlElement('diagram', attributes), text: deflateText(writeXml(modelElement(page))) };
}

/**
 * Writes a file. Reading it again gives an equal one.
 * @param options.compressed whether pages are compressed, as draw.io does; as they were, if absent
 */
export function writeDrawio(file: DrawioFile, { compressed = file.compressed }: { compressed?: boolean } = {}): Buffer {
  const root =
    file.bare && !compressed
      ? modelElement(file.pages[0]!)
      : xmlElement(
          'mxfile',
          file.attributes,
          file.pages.map((page) => diagramElement(page, compressed)),
        );
  return Buffer.from(`${writeXml(root)}\n`.toWellFormed());
}
