/** Draws shapes: turned, mirrored, with shadow and images; what has no drawing is a box. */
import {
  ascent,
  clean,
  contrast,
  element,
  lineHeight,
  rounded,
  textBlock,
  textHeight,
  wrap,
} from '@lintel/sdk/drawing';
import { readStencil } from '../drawio/index.js';
import { centre, type Box } from './geometry.js';
import type { Ink } from './pen.js';
import { Pen } from './pen.js';
import type { Item } from './scene.js';
import { cornerRadius, glass } from './shapes/rectangle.js';
import type { Shape, ShapeContext } from './shapes/shape.js';
import { drawStencil } from './shapes/stencil.js';
import type { CellStyle } from './style.js';

/** What the drawing of shapes needs. */
export interface ShapeOptions {
  image(address: string | undefined): string | undefined;
  /** The address of a gradient that fills a shape. */
  gradient(from: string, to: string, direction: string): string;
  hasShadows: boolean;
}

const DASH = '3 3';

/** Dashes of a style in px; undefined for a solid line. */
function dashOf(style: CellStyle): string | undefined {
  if (!style.is('dashed')) return undefined;
  const lengths = (style.get('dashPattern') ?? DASH)
    .split(/[\s,]+/)
    .map(Number.parseFloat)
    .filter((one) => one >= 0 && one < 1_000);
  const factor = style.is('fixDash') ? 1 : Math.max(style.strokeWidth, 0.1);
  return lengths.some((one) => one > 0)
    ? lengths
        .slice(0, 8)
        .map((one) => rounded(one * factor))
        .join(' ')
    : undefined;
}

/** The ink of a cell. */
export function inkOf(style: CellStyle, options: Pick<ShapeOptions, 'gradient'>): Ink {
  const { fill, stroke, strokeWidth: width } = style;
  const to = fill === undefined ? undefined : style.colour('gradientColor');
  const share = (key: string): number => style.number(key, 100, 100) / 100;
  const opacity = share('opacity');
  return {
    fill:
      fill !== undefined && to !== undefined
        ? options.gradient(fill, to, style.get('gradientDirection') ?? 'south')
        : fill,
    stroke,
    width,
    dash: dashOf(style),
    fillOpacity: Math.max(0, opacity * share('fillOpacity')),
    strokeOpacity: Math.max(0, opacity * share('strokeOpacity')),
    cap: undefined,
    join: undefined,
    miterLimit: undefined,
  };
}

const DIRECTIONS: Record<string, number> = { south: 90, west: 180, north: 270 };

/** Moves, turns and mirrors what was drawn at 0, 0. @returns with the size in which it is drawn */
function placeOf(box: Box, style: CellStyle): { width: number; height: number; transform: string } {
  const direction = DIRECTIONS[style.get('direction') ?? ''] ?? 0;
  const isAcross = direction === 90 || direction === 270;
  const [width, height] = isAcross ? [box.height, box.width] : [box.width, box.height];
  const middle = centre(box);
  const turn = (style.rotation + direction) % 360;
  let [flipH, flipV] = [style.is('flipH'), style.is('flipV')];
  if (isAcross) [flipH, flipV] = [flipV, flipH];
  if (turn === 0 && !flipH && !flipV) return { width, height, transform: '' };
  const parts = [`translate(${rounded(middle.x)} ${rounded(middle.y)})`];
  if (turn !== 0) parts.push(`rotate(${rounded(turn)})`);
  if (flipH || flipV) parts.push(`scale(${flipH ? -1 : 1} ${flipV ? -1 : 1})`);
  parts.push(`translate(${rounded(-width / 2)} ${rounded(-height / 2)})`);
  return { width, height, transform: parts.join(' ') };
}

/** The image of `shape=image` and of labels with an image. */
function drawImage(pen: Pen, width: number, height: number, style: CellStyle, options: ShapeOptions): boolean {
  const address = style.get('image');
  const isWhole = style.shape === 'image';
  if (address === undefined && !isWhole) return true;
  const image = options.image(address);
  const box = isWhole ? { x: 0, y: 0, width, height } : imageBox(width, height, style);
  if (image !== undefined) {
    if (isWhole) {
      const [fill, stroke] = [style.colour('imageBackground'), style.colour('imageBorder')];
      pen.with({ fill, stroke }, () => void pen.begin().rect(0, 0, width, height).fillStroke());
    }
    pen.image(box, image, style.is('imageAspect', true));
    return true;
  }
  const ink = { fill: undefined, stroke: '#808080', width: 1, dash: '2 2' };
  pen.with(ink, () => void pen.begin().rect(box.x, box.y, box.width, box.height).stroke());
  return false;
}

function imageBox(width: number, height: number, style: CellStyle): Box {
  const [w, h] = [style.number('imageWidth', 24, 10_000), style.number('imageHeight', 24, 10_000)];
  const space = style.number('spacing', 2, 1_000) + 5;
  const along = { left: space, center: (width - w) / 2, right: width - w - space };
  const down = { top: space, middle: (height - h) / 2, bottom: height - h - space };
  return {
    x: along[style.word('imageAlign', ['left', 'center', 'right'])],
    y: down[style.word('imageVerticalAlign', ['middle', 'top', 'bottom'])],
    width: w,
    height: h,
  };
}

const contextOf = (item: Item): ShapeContext => ({
  rows: () =>
    item.children
      .filter(({ cell }) => cell.vertex)
      .map(({ geometry, children }) => ({
        box: geometry,
        cells: children.filter(({ cell }) => cell.vertex).map((child) => child.geometry),
      })),
});

/** Shapes whose rectangle is invisible without an own drawing, such as texts. */
const isBare = (style: CellStyle): boolean => style.fill === undefined && style.stroke === undefined;

/** Words that name a shape of a library, such as `lambda function` for `mxgraph.aws4.lambda_function`. */
function nameOf(style: CellStyle): string {
  const image = /^img\/.*\/([^/]+)\.\w+$/.exec(style.get('image') ?? '')?.[1];
  const named = image ?? style.get('resIcon') ?? style.get('grIcon') ?? style.get('prIcon') ?? style.shape;
  const last = named
    .split('.')
    .at(-1)!
    .replace(/[_-]+|(?<=[a-z])(?=[A-Z])/g, ' ');
  return clean(named.startsWith('stencil(') ? 'shape' : last, 60).toLowerCase();
}

/** The colour of the substitute of a shape: the one that the shape has most of. */
const substituteColour = (style: CellStyle): string => style.stroke ?? style.fill ?? '#808080';

/** The box in place of a shape that cannot be drawn: its colour, light, so that labels over it can be read. */
function substitute(pen: Pen, width: number, height: number, style: CellStyle): void {
  const stroke = substituteColour(style);
  const fillOpacity = pen.ink.fillOpacity * (isDark(style.fill) ? DARK_OPACITY : SUBSTITUTE_OPACITY);
  pen.with({ stroke, dash: pen.ink.dash ?? DASH, fillOpacity, width: Math.min(pen.ink.width, 2) || 1 }, () => {
    pen
      .begin()
      .roundRect(0, 0, width, height, cornerRadius(style, width, height))
      .fillStroke();
  });
}

const SUBSTITUTE_OPACITY = 0.25;
/** Boxes of dark colours above each other would be black. */
const DARK_OPACITY = 0.06;
const isDark = (color: string | undefined): boolean =>
  color !== undefined && /^#[0-9a-f]{6}$/.test(color) && contrast(color, '#ffffff') > 12;
const SUBSTITUTE_FONT = 8;

/** The name of a shape that cannot be drawn, in its box; nothing where the box is too small or has a label. */
function substituteName({ style, box, cell, children }: Item): string {
  const isFree =
    (cell.label ?? '') === '' ||
    /^(top|bottom)$/.test(style.get('verticalLabelPosition') ?? '') ||
    /^(left|right)$/.test(style.get('labelPosition') ?? '');
  const lines = Math.floor((box.height - 4) / lineHeight(SUBSTITUTE_FONT));
  if (!isFree || children.length > 0 || box.width < 24 || lines < 1) return '';
  const font = { size: SUBSTITUTE_FONT };
  const block = wrap(nameOf(style), box.width - 4, Math.min(lines, 4), font);
  if (block.isTorn || block.isCut) return '';
  const top = box.y + (box.height - textHeight(block.lines.length, font.size)) / 2;
  return textBlock(box.x + box.width / 2, top + ascent(font.size), block, {
    ...font,
    fill: '#52525b',
    anchor: 'middle',
  });
}

/** Draws one shape. @returns its elements, and whether it is drawn in the way of draw.io */
export function drawShape(
  item: Item,
  shape: Shape | undefined,
  options: ShapeOptions,
): { svg: string; isExact: boolean } {
  const { style, box } = item;
  const { width, height, transform } = placeOf(box, style);
  const pen = new Pen(inkOf(style, options));
  if (transform === '') pen.translate(box.x, box.y);
  let isExact = true;
  const stencil = style.shape.startsWith('stencil(') ? readStencil(style.shape) : undefined;
  if (stencil) drawStencil(stencil, pen, width, height, style);
  else if (style.shape === 'image') isExact = drawImage(pen, width, height, style, options);
  else if (shape) {
    shape.paint(pen, width, height, style, contextOf(item));
    if (style.get('image') !== undefined) isExact = drawImage(pen, width, height, style, options);
    if (style.is('glass') && !isBare(style)) glass(pen, width, height);
  } else {
    substitute(pen, width, height, style);
    isExact = false;
  }
  const drawn = pen.out.join('');
  if (drawn === '') return { svg: '', isExact };
  const isSubstitute = !isExact && !stencil && !shape;
  const name = isSubstitute ? substituteName(item) : '';
  const placed = `${transform === '' ? drawn : element('g', { transform }, drawn)}${name}`;
  return {
    svg: style.is('shadow') && options.hasShadows && !isBare(style) ? `${shadowOf(placed)}${placed}` : placed,
    isExact,
  };
}

/** A shadow: the same drawing in one colour, moved. */
export function shadowOf(drawn: string): string {
  const dark = drawn.replace(/ (fill|stroke)="(?!none)[^"]*"/g, ' $1="#000000"').replace(/<image[^>]*\/>/g, '');
  return element('g', { transform: 'translate(2 3)', opacity: 0.18 }, dark);
}
