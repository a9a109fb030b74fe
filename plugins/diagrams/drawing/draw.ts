/** A page of a draw.io file as an SVG document. */
import { createHash } from 'node:crypto';
import { clean, element, escapeXml, rounded, title } from '@lintel/sdk/drawing';
import { textOf, userAttribute, type DrawioFile, type DrawioPage } from '../drawio/index.js';
import { DrawnParts } from './jumps.js';
import { darkened } from './dark.js';
import { drawLine } from './edges.js';
import { boxOf, turnedBox, union, type Box } from './geometry.js';
import { DrawnImages } from './images.js';
import type { LabelTools } from './label/draw.js';
import { lineLabel, shapeLabel, type DrawnLabel } from './labels.js';
import { labelsOf } from './placeholders.js';
import { Pen } from './pen.js';
import { pointOnLine, sceneOf, type Item } from './scene.js';
import { drawShape, inkOf, shadowOf, type ShapeOptions } from './shapes-drawn.js';
import { shapeOf } from './shapes/index.js';
import { colourOf, type Theme } from './style.js';
import { contentIn, textsIn, type Language } from '../words/index.js';

export interface DrawDrawioOptions {
  /** Index of the page, counted from 0, or its id. Default: the first. */
  page?: number | string | undefined;
  /** Width of the picture in px; its height follows. Default: that of the content. */
  width?: number | undefined;
  theme?: 'light' | 'dark' | undefined;
  /** Of the description; labels are those of the file. Default: `en`. */
  language?: Language | undefined;
  /** Text for readers that cannot see the picture. Default: the name of the page. */
  title?: string | undefined;
  /** Addresses of cells by their ids; they replace the links of the file. */
  cellLinks?: Readonly<Record<string, string>> | undefined;
  /** The address of the service, for links of the file that are paths. */
  publicUrl?: string | undefined;
  /** Whether links are drawn. An image has none. Default: true. */
  links?: boolean | undefined;
}

/** A cell that is drawn as a box, or without its image. */
export interface NotDrawable {
  cell_id: string;
  shape: string;
}

export interface DrawnDrawio {
  svg: string;
  width: number;
  height: number;
  /** At most 1,000. */
  notDrawable: NotDrawable[];
}

/** Colours of a page without own ones. */
const THEME: Theme = { background: '#ffffff', line: '#000000', text: '#000000' };
const MARGIN = 10;
const MAX_LISTED = 1_000;
/** Of a picture, in px. */
const MAX_SIDE = 10_000;

/** The page by index or id; undefined if there is none. */
export function pageOf(file: DrawioFile, page: number | string | undefined): DrawioPage | undefined {
  if (page === undefined) return file.pages[0];
  return typeof page === 'number' ? file.pages[page] : file.pages.find(({ id }) => id === page);
}

class PageDrawing {
  private readonly theme: Theme;
  private readonly gradients = new Map<string, { id: string; svg: string }>();
  private readonly images = new DrawnImages();
  private readonly prefix: string;
  private readonly shapeOptions: ShapeOptions;
  private readonly labelOptions: LabelTools;
  private readonly labels: (item: Item) => string;
  private readonly parts = new DrawnParts();
  readonly notDrawable: NotDrawable[] = [];
  bounds: Box | undefined;

  constructor(
    file: DrawioFile,
    private readonly page: DrawioPage,
    private readonly options: DrawDrawioOptions,
  ) {
    this.theme = { ...THEME, background: colourOf(page.model.get('background')) ?? THEME.background };
    // Several pictures in one document must not share names.
    this.prefix = createHash('sha256').update(`${page.id}${page.name}${options.theme}`).digest('hex').slice(0, 8);
    const image = (address: string | undefined): string | undefined => this.images.use(address);
    this.shapeOptions = { image, gradient: (...of) => this.gradient(...of), hasShadows: options.theme !== 'dark' };
    this.labelOptions = {
      image,
      link: (address) => this.link(address),
    };
    this.labels = labelsOf(file, page);
  }

  private gradient(from: string, to: string, direction: string): string {
    const key = `${from} ${to} ${direction}`;
    let known = this.gradients.get(key);
    if (!known) {
      const id = `${this.prefix}-${this.gradients.size}`;
      const stops = [
        element('stop', { offset: '0', 'stop-color': from }),
        element('stop', { offset: '1', 'stop-color': to }),
      ];
      const [x1, y1, x2, y2] = { north: [0, 1, 0, 0], east: [0, 0, 1, 0], west: [1, 0, 0, 0] }[direction] ?? [
        0, 0, 0, 1,
      ];
      const svg =
        direction === 'radial'
          ? element('radialGradient', { id }, ...stops)
          : element('linearGradient', { id, x1, y1, x2, y2 }, ...stops);
      known = { id, svg };
      this.gradients.set(key, known);
    }
    return `url(#${known.id})`;
  }

  /** The address of a link that a reader may follow. */
  private link(address: string): string | undefined {
    if (this.options.links === false) return undefined;
    const text = address.trim();
    if (/^(https?:\/\/|mailto:)/i.test(text)) return text;
    if (/^\/(?![/\\])/.test(text) && this.options.publicUrl !== undefined)
      return `${this.options.publicUrl.replace(/\/$/, '')}${text}`;
    return undefined;
  }

  private grow(box: Box): void {
    this.bounds = union(this.bounds, box);
  }

  private list(item: Item): void {
    if (this.notDrawable.length >= MAX_LISTED) return;
    const { style, cell } = item;
    const name = style.shape === 'label' && style.get('image') !== undefined ? 'image' : style.shape;
    this.notDrawable.push({ cell_id: cell.id, shape: name.slice(0, 100) });
  }

  private shape(item: Item): string {
    const { style, box } = item;
    const isCustom = style.shape.startsWith('stencil(') || style.shape === 'image';
    const shape = isCustom ? undefined : shapeOf(style);
    const { svg, isExact } = drawShape(item, shape, this.shapeOptions);
    if (!isExact) this.list(item);
    if (svg !== '' || (box.width > 0 && box.height > 0)) this.grow(turnedBox(box, style.rotation));
    const label =
      item.parent?.points && item.geometry.relative && box.width === 0
        ? lineLabel(item, this.labels(item), box, this.labelOptions)
        : shapeLabel(item, this.labels(item), shape, this.labelOptions);
    return `${svg}${this.drawn(label)}`;
  }

  private drawn(label: DrawnLabel | undefined): string {
    if (!label) return '';
    this.grow(label.box);
    return label.svg;
  }

  private line(item: Item): string {
    const { style, points } = item;
    if (!points) return '';
    const pen = new Pen(inkOf(style, this.shapeOptions));
    if (!drawLine(pen, points, style, this.parts)) this.list(item);
    const space =
      style.strokeWidth / 2 + Math.max(style.number('startSize', 0, 100), style.number('endSize', 0, 100)) / 2;
    const box = boxOf(points)!;
    this.grow({ x: box.x - space, y: box.y - space, width: box.width + 2 * space, height: box.height + 2 * space });
    const label = lineLabel(item, this.labels(item), pointOnLine(points, item.geometry), this.labelOptions);
    const drawn = pen.out.join('');
    return `${style.is('shadow') && this.shapeOptions.hasShadows ? shadowOf(drawn) : ''}${drawn}${this.drawn(label)}`;
  }

  private cell(item: Item): string {
    const { cell } = item;
    if (item.isHidden || !item.isPlaced || (!cell.vertex && !cell.edge)) return '';
    const drawn = cell.edge ? this.line(item) : this.shape(item);
    if (drawn === '') return '';
    const tooltip = clean(userAttribute(cell, 'tooltip') ?? '');
    const address = this.options.cellLinks?.[cell.id] ?? userAttribute(cell, 'link');
    const href = address === undefined ? undefined : this.link(address);
    const content = tooltip === '' ? drawn : `${title(tooltip)}${drawn}`;
    const group = element('g', { 'data-cell-id': cleanId(cell.id) }, content);
    return href === undefined ? group : element('a', { href }, group);
  }

  /** The whole document. */
  document(): DrawnDrawio {
    const items = sceneOf(this.page, this.theme);
    const content = items.map((item) => this.cell(item)).join('');
    const box = this.bounds ?? { x: 0, y: 0, width: 100, height: 60 };
    const view = {
      x: Math.floor(box.x) - MARGIN,
      y: Math.floor(box.y) - MARGIN,
      width: Math.ceil(box.width) + 2 * MARGIN + 1,
      height: Math.ceil(box.height) + 2 * MARGIN + 1,
    };
    const wanted = Math.max(this.options.width ?? view.width, 1);
    const scale = Math.min(wanted / view.width, MAX_SIDE / view.width, MAX_SIDE / view.height);
    const [width, height] = [view.width, view.height].map((side) => Math.max(1, Math.round(side * scale))) as [
      number,
      number,
    ];
    const shapes = items.filter(({ cell, isHidden }) => cell.vertex && !isHidden).length;
    const lines = items.filter(({ points, isHidden }) => points && !isHidden).length;
    const { language = 'en' } = this.options;
    const name = clean(this.options.title ?? this.page.name) || textsIn(language).diagram;
    const defs = [...this.gradients.values()].map(({ svg }) => svg).join('');
    const svg = element(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        width,
        height,
        viewBox: [view.x, view.y, view.width, view.height].map(rounded).join(' '),
        role: 'img',
        'font-family': "Helvetica, Arial, 'DejaVu Sans', sans-serif",
        'stroke-miterlimit': 10,
      },
      element('title', {}, escapeXml(name)),
      element('desc', {}, escapeXml(contentIn(language, shapes, lines))),
      defs === '' ? '' : element('defs', {}, defs),
      element('rect', { x: view.x, y: view.y, width: view.width, height: view.height, fill: this.theme.background }),
      content,
    );
    return { svg: this.options.theme === 'dark' ? darkened(svg) : svg, width, height, notDrawable: this.notDrawable };
  }
}

const cleanId = (id: string): string | undefined => clean(id, 200) || undefined;

/**
 * Draws a page. It takes seconds for large ones: call it in a worker.
 * @param file sanitised, as `readDrawio` gives it
 * @returns undefined where the file does not have the page
 */
export function drawDrawio(file: DrawioFile, options: DrawDrawioOptions = {}): DrawnDrawio | undefined {
  const page = pageOf(file, options.page);
  return page && new PageDrawing(file, page, options).document();
}

/** The text of a cell for lists. */
export { textOf };
