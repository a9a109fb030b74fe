/** The model of a draw.io file: plain data, without loss. What it does not name is kept in `attributes` and `children`. */
import { formatStyle, setStyle, styleValue, type Style } from './style.js';
import { plainText, withText } from './label-text.js';
import type { XmlElement } from './xml.js';
import { xmlElement } from './xml.js';

export interface DrawioFile {
  /** Attributes of `mxfile`; none for a file that is a bare `mxGraphModel`. */
  attributes: Map<string, string>;
  pages: DrawioPage[];
  /** Whether a page was compressed. */
  compressed: boolean;
  /** The file is a `mxGraphModel` without `mxfile` and `diagram`. */
  bare: boolean;
}

export interface DrawioPage {
  id: string;
  name: string;
  /** Attributes of `diagram` other than `id` and `name`; an attribute that the file lacks is not added. */
  attributes: Map<string, string>;
  /** Attributes of `mxGraphModel`. */
  model: Map<string, string>;
  /** In the order of the file, which is the order of drawing within a parent. */
  cells: DrawioCell[];
}

export interface DrawioCell {
  /** Empty in the rare file whose cell has none. */
  id: string;
  /** HTML where `isHtml`, text otherwise; undefined if there is none. Parts such as `%name%` may be placeholders. */
  label: string | undefined;
  style: Style;
  vertex: boolean;
  edge: boolean;
  source: string | undefined;
  target: string | undefined;
  parent: string | undefined;
  /** The element `mxGeometry`; `geometryOf` reads it. */
  geometry: XmlElement | undefined;
  /** The element around the cell that has its label and attributes of the user, such as `cardId` and `link`. */
  wrapper: { name: string; attributes: Map<string, string>; children: XmlElement[] } | undefined;
  /** Other attributes of `mxCell`, such as `visible` and `connectable`. */
  attributes: Map<string, string>;
  /** Other children of `mxCell`. */
  children: XmlElement[];
}

export interface Point {
  x: number;
  y: number;
}

/** A geometry with numbers; what is absent or not a number is 0 or undefined. */
export interface Geometry {
  x: number;
  y: number;
  width: number;
  height: number;
  /** x and y are shares of the parent, or for labels of edges a position along the edge. */
  relative: boolean;
  points: Point[];
  sourcePoint: Point | undefined;
  targetPoint: Point | undefined;
  offset: Point | undefined;
}

/** Larger values are cut: the picture of a page is bounded, and sums of values stay exact. */
const MAX_COORDINATE = 1_000_000;

/** A number from text, within bounds; `otherwise` if it is none. */
export function boundedNumber(text: string | undefined, otherwise: number, limit = MAX_COORDINATE): number {
  const number = text === undefined || text.trim() === '' ? Number.NaN : Number.parseFloat(text);
  return Number.isFinite(number) ? Math.max(-limit, Math.min(limit, number)) : otherwise;
}

const pointOf = (element: XmlElement): Point => ({
  x: boundedNumber(element.attributes.get('x'), 0),
  y: boundedNumber(element.attributes.get('y'), 0),
});

/** Reads the geometry of a cell; all zero where it has none. */
export function geometryOf({ geometry }: DrawioCell): Geometry {
  const value = (name: string): number => boundedNumber(geometry?.attributes.get(name), 0);
  const named = (name: string): Point | undefined => {
    const found = geometry?.children.find((child) => child.name === 'mxPoint' && child.attributes.get('as') === name);
    return found && pointOf(found);
  };
  const points = geometry?.children.find((child) => child.attributes.get('as') === 'points')?.children ?? [];
  return {
    x: value('x'),
    y: value('y'),
    width: Math.max(value('width'), 0),
    height: Math.max(value('height'), 0),
    relative: geometry?.attributes.get('relative') === '1',
    points: points.filter((child) => child.name === 'mxPoint').map(pointOf),
    sourcePoint: named('sourcePoint'),
    targetPoint: named('targetPoint'),
    offset: named('offset'),
  };
}

const numeric = (value: number): string => String(Math.round(value * 100) / 100);
const pointElement = ({ x, y }: Point, as?: string): XmlElement =>
  xmlElement('mxPoint', [['x', numeric(x)], ['y', numeric(y)], ...(as ? [['as', as] as const] : [])]);

/** An element `mxGeometry` for a new cell. Zero and absent values are left out. */
export function newGeometry(geometry: Partial<Geometry>): XmlElement {
  const attributes: [string, string][] = [];
  for (const name of ['x', 'y', 'width', 'height'] as const)
    if (geometry[name]) attributes.push([name, numeric(geometry[name])]);
  if (geometry.relative) attributes.push(['relative', '1']);
  const children: XmlElement[] = [];
  for (const name of ['sourcePoint', 'targetPoint', 'offset'] as const)
    if (geometry[name]) children.push(pointElement(geometry[name], name));
  if (geometry.points?.length)
    children.push(
      xmlElement(
        'Array',
        [['as', 'points']],
        geometry.points.map((point) => pointElement(point)),
      ),
    );
  return xmlElement('mxGeometry', [...attributes, ['as', 'geometry']], children);
}

/** What a new cell has; everything else is empty. */
export type NewCell = Pick<DrawioCell, 'id'> &
  Partial<Omit<DrawioCell, 'wrapper' | 'style'>> & {
    style?: Style;
    /** Attributes of a wrapper `UserObject`; a cell without any has no wrapper. */
    user?: Iterable<readonly [string, string]>;
  };

/** A new cell. */
export function newCell({ user, ...cell }: NewCell): DrawioCell {
  return {
    label: undefined,
    style: [],
    vertex: false,
    edge: false,
    source: undefined,
    target: undefined,
    parent: undefined,
    geometry: undefined,
    attributes: new Map(),
    children: [],
    ...cell,
    wrapper: user && { name: 'UserObject', attributes: new Map(user), children: [] },
  };
}

/** A new page with the two cells that every page has: `0`, the root, and `1`, the layer that is the parent of shapes. */
export function newPage(id: string, name: string, cells: DrawioCell[]): DrawioPage {
  const first = [newCell({ id: '0' }), newCell({ id: '1', parent: '0' })];
  return { id, name, attributes: new Map(), model: new Map(), cells: [...first, ...cells] };
}

/** A new file. */
export function newFile(pages: DrawioPage[]): DrawioFile {
  return { attributes: new Map(), pages, compressed: false, bare: false };
}

/** Whether the label of a cell is HTML. */
export const isHtml = (cell: DrawioCell): boolean => styleValue(cell.style, 'html') === '1';

/** The label as HTML or text, with the placeholders that name an attribute of the cell itself replaced. */
export function labelOf(cell: DrawioCell): string {
  const { label = '', wrapper } = cell;
  if (wrapper?.attributes.get('placeholders') !== '1') return label;
  return label.replace(/%([^%\s]{1,100})%/g, (all, name: string) => wrapper.attributes.get(name) ?? all);
}

/** The label as text, in one line: without markup, with placeholders of the cell's own attributes replaced. */
export function textOf(cell: DrawioCell): string {
  const label = labelOf(cell);
  return (isHtml(cell) ? plainText(label) : label).replace(/\s+/gu, ' ').trim();
}

/** Replaces the text of a label. In HTML the formatting around the first text stays, and the other texts are removed. */
export function setText(cell: DrawioCell, text: string): void {
  cell.label = isHtml(cell) ? withText(cell.label ?? '', text) : text;
}

/** Sets or removes a value of the style, such as `fillColor`. */
export const setCellStyle = (cell: DrawioCell, key: string, value: string | undefined): void =>
  setStyle(cell.style, key, value);

/** An attribute of the user, such as `cardId`, by its name in any case. */
export function userAttribute({ wrapper }: DrawioCell, name: string): string | undefined {
  const wanted = name.toLowerCase();
  for (const [key, value] of wrapper?.attributes ?? []) if (key.toLowerCase() === wanted) return value;
  return undefined;
}

/** Sets or removes an attribute of the user; a cell without wrapper gets one. */
export function setUserAttribute(cell: DrawioCell, name: string, value: string | undefined): void {
  if (value === undefined) cell.wrapper?.attributes.delete(name);
  else {
    cell.wrapper ??= { name: 'UserObject', attributes: new Map(), children: [] };
    cell.wrapper.attributes.set(name, value);
  }
}

/** The style of a cell as text; undefined if it has none. */
export const styleText = (cell: DrawioCell): string | undefined => formatStyle(cell.style);
