/** Labels of shapes and lines: their text, their place and their drawing. */
import { element, rounded } from '@lintel/sdk/drawing';
import { isHtml } from '../drawio/index.js';
import { centre, turned, type Box, type Point } from './geometry.js';
import type { Align, Group } from './label/blocks.js';
import { drawLayout, type LabelTools } from './label/draw.js';
import type { TextStyle } from './label/font.js';
import { layOut, usedWidth, type Layout } from './label/layout.js';
import { readHtml, readPlain } from './label/parse.js';
import type { Item } from './scene.js';
import { titleSize } from './shapes/lanes.js';
import type { Shape } from './shapes/shape.js';
import type { CellStyle } from './style.js';

const SHARES = { left: 0, center: 0.5, right: 1, top: 0, middle: 0.5, bottom: 1 };
type Vertical = 'top' | 'middle' | 'bottom';

/** The space of a label, before it is turned. */
interface Space {
  box: Box;
  /** Degrees by which it is turned around `middle`. */
  turn: number;
  middle: Point;
}

/** A drawn label with the box that it takes. */
export interface DrawnLabel {
  svg: string;
  box: Box;
}

/** The text style of a cell. */
function textStyle(style: CellStyle): TextStyle {
  const flags = style.number('fontStyle', 0, 255);
  return {
    size: Math.max(0, style.number('fontSize', 12, 400)),
    bold: (flags & 1) > 0,
    italic: (flags & 2) > 0,
    underline: (flags & 4) > 0,
    strike: (flags & 8) > 0,
    colour: style.colour('fontColor') ?? '#000000',
    background: undefined,
    family: style.get('fontFamily') ?? 'Helvetica',
    raise: 0,
    link: undefined,
  };
}

const isTitled = (item: Item): boolean =>
  item.style.shape === 'swimlane' || (item.style.shape === 'table' && item.style.number('startSize', 40) > 0);

/** The space of a shape's label: beside the shape or in it, without what the shape itself takes. */
function spaceOf(item: Item, shape: Shape | undefined): Space {
  const { style, box: own } = item;
  const middle = centre(own);
  const [h, v] = [
    style.word('labelPosition', ['center', 'left', 'right']),
    style.word('verticalLabelPosition', ['middle', 'top', 'bottom']),
  ];
  const box = { ...own };
  const labelWidth = style.get('labelWidth') === undefined ? undefined : Math.max(0, style.number('labelWidth', 0));
  if (h === 'left') box.x -= labelWidth ?? own.width;
  if (h === 'right') box.x += own.width;
  if (h === 'center' && labelWidth !== undefined)
    box.x -= (labelWidth - own.width) * SHARES[style.word('align', ['center', 'left', 'right'])];
  if (v === 'top') box.y -= own.height;
  if (v === 'bottom') box.y += own.height;
  const isTurned = !style.is('horizontal', true);
  let space = isTurned ? across(box) : box;
  if (h === 'center' && v === 'middle') space = inner(item, space, shape, isTurned);
  if (labelWidth !== undefined) space.width = labelWidth;
  return { box: space, turn: style.rotation + (isTurned ? -90 : 0), middle };
}

/** A box turned by 90° around its middle. */
function across({ x, y, width, height }: Box): Box {
  const shift = (width - height) / 2;
  return { x: x + shift, y: y - shift, width: height, height: width };
}

function inner({ style, box: own, ...item }: Item, box: Box, shape: Shape | undefined, isTurned: boolean): Box {
  if (isTitled({ style, box: own, ...item }))
    return { ...box, height: Math.min(box.height, titleSize(style, own.width, own.height)) };
  const isPlain = style.get('direction') === undefined || style.get('direction') === 'east';
  const insets = isPlain && !isTurned ? shape?.insets?.(own.width, own.height, style) : undefined;
  if (!insets) return { ...box };
  const { top = 0, right = 0, bottom = 0, left = 0 } = insets;
  return {
    x: box.x + left,
    y: box.y + top,
    width: Math.max(0, box.width - left - right),
    height: Math.max(0, box.height - top - bottom),
  };
}

/** Space between a box and its text in px. */
function spacingOf(style: CellStyle): Record<'top' | 'right' | 'bottom' | 'left' | 'beyond', number> {
  const all = style.number('spacing', 2, 10_000);
  const side = (name: string): number => all + style.number(name, 0, 10_000);
  // Labels at the top or bottom have some more space (`baseSpacingTop`, `baseSpacingBottom` of draw.io).
  const valign = style.get('verticalAlign');
  return {
    beyond: valign === 'top' ? 5 : valign === 'bottom' ? 1 : 0,
    top: side('spacingTop'),
    right: side('spacingRight'),
    bottom: side('spacingBottom'),
    left: side('spacingLeft'),
  };
}

/** Line breaks of an HTML label as draw.io shows them: those at its end are empty lines. */
function withBreaks(html: string): string {
  if (!/[\r\n]/.test(html)) return html;
  const text = html.replace(/\r\n?/g, '\n');
  const kept = text.replace(/\n+$/, '');
  return `${kept.replaceAll('\n', '<br>')}${'<div><br></div>'.repeat(Math.min(text.length - kept.length, 100))}`;
}

function readLabel(item: Item, label: string): { group: Group; align: Align; wraps: boolean } {
  const { style, cell } = item;
  const align = style.word('align', ['center', 'left', 'right']);
  const wraps = style.get('whiteSpace') === 'wrap';
  const text = textStyle(style);
  const group = isHtml(cell) ? readHtml(withBreaks(label), text, align, wraps) : readPlain(label, text, align, wraps);
  return { group, align, wraps };
}

/** Turned, faded and cut as the style says. */
function wrapped(svg: string, { turn, middle }: Pick<Space, 'turn' | 'middle'>, style: CellStyle): string {
  // `opacity` is that of the shape.
  const opacity = style.number('textOpacity', 100, 100) / 100;
  const transform = turn % 360 === 0 ? undefined : `rotate(${rounded(turn)} ${rounded(middle.x)} ${rounded(middle.y)})`;
  if (transform === undefined && opacity >= 1) return svg;
  return element('g', { transform, opacity: opacity < 1 ? Math.max(0, opacity) : undefined }, svg);
}

function ground(style: CellStyle, box: Box): string {
  const [fill, stroke] = [style.colour('labelBackgroundColor'), style.colour('labelBorderColor')];
  if (fill === undefined && stroke === undefined) return '';
  return element('rect', { ...box, fill: fill ?? 'none', stroke });
}

/** Draws the label of a shape. @param label its HTML or text, with placeholders replaced */
export function shapeLabel(
  item: Item,
  label: string,
  shape: Shape | undefined,
  options: LabelTools,
): DrawnLabel | undefined {
  const { style } = item;
  if (label.trim() === '' || style.is('noLabel')) return undefined;
  const space = spaceOf(item, shape);
  const { group, align, wraps } = readLabel(item, label);
  const overflow = style.get('overflow') ?? 'visible';
  const valign = style.word<Vertical>('verticalAlign', ['middle', 'top', 'bottom']);
  const isFilling = overflow === 'fill' || overflow === 'width';
  const { box } = space;
  if (isFilling) {
    const layout = layOut(group, box.width);
    const y = overflow === 'fill' ? box.y : box.y + (box.height - layout.height) * SHARES[valign];
    return placed(layout, { x: box.x, y }, space, style, options);
  }
  const spacing = spacingOf(style);
  const [hCentre, vMiddle] = [
    style.word('labelPosition', ['center', 'left', 'right']) === 'center' && !style.get('labelWidth'),
    style.word('verticalLabelPosition', ['middle', 'top', 'bottom']) === 'middle',
  ];
  const width = Math.max(0, box.width - (hCentre ? spacing.left + spacing.right : 0));
  const anchorX =
    box.x +
    box.width * SHARES[align] +
    (align === 'center' ? (spacing.left - spacing.right) / 2 : align === 'left' ? spacing.left : -spacing.right);
  const anchorY =
    box.y +
    box.height * SHARES[valign] +
    (valign === 'middle'
      ? (spacing.top - spacing.bottom) / 2
      : valign === 'top'
        ? spacing.top + spacing.beyond
        : -spacing.bottom - spacing.beyond);
  const layout = layOut(group, wraps && width > 0 ? width : undefined);
  const isCut = overflow === 'hidden' || overflow === 'block';
  const tall =
    isCut && vMiddle ? Math.min(layout.height, Math.max(0, box.height - spacing.top - spacing.bottom)) : layout.height;
  const at = {
    x: anchorX - (wraps && width > 0 ? width : layout.width) * SHARES[align],
    y: anchorY - tall * SHARES[valign],
  };
  return placed(
    isCut ? cut(layout, tall) : layout,
    at,
    space,
    style,
    options,
    wraps && width > 0 ? usedWidth(group, width) : layout.width,
    align,
  );
}

/** A layout without the lines below a height. */
function cut(layout: Layout, height: number): Layout {
  const lowest = height + 1;
  return {
    ...layout,
    height,
    placed: layout.placed.filter((one) => (one.kind === 'text' ? one.y <= lowest : one.y + one.height <= lowest + 2)),
  };
}

function placed(
  layout: Layout,
  at: Point,
  space: Space,
  style: CellStyle,
  options: LabelTools,
  used = layout.width,
  align: Align = 'left',
): DrawnLabel {
  const box = {
    x: at.x + Math.max(0, layout.width - used) * SHARES[align],
    y: at.y,
    width: used,
    height: layout.height,
  };
  const svg = wrapped(`${ground(style, box)}${drawLayout(layout, at.x, at.y, options)}`, space, style);
  const middle = turned(centre(box), space.middle, space.turn);
  const radius = space.turn % 180 === 0 ? undefined : Math.hypot(box.width, box.height) / 2;
  return {
    svg,
    box:
      radius === undefined
        ? { x: middle.x - box.width / 2, y: middle.y - box.height / 2, width: box.width, height: box.height }
        : { x: middle.x - radius, y: middle.y - radius, width: 2 * radius, height: 2 * radius },
  };
}

/** Draws the label of a line at a point. */
export function lineLabel(item: Item, label: string, at: Point, options: LabelTools): DrawnLabel | undefined {
  const { style, geometry } = item;
  if (label.trim() === '' || style.is('noLabel')) return undefined;
  const { group, align, wraps } = readLabel(item, label);
  const valign = style.word<Vertical>('verticalAlign', ['middle', 'top', 'bottom']);
  const layout = layOut(group, wraps && geometry.width > 0 ? geometry.width : undefined);
  const spacing = spacingOf(style);
  const x =
    at.x -
    layout.width * SHARES[align] +
    (align === 'center' ? (spacing.left - spacing.right) / 2 : align === 'left' ? spacing.left : -spacing.right);
  const y =
    at.y -
    layout.height * SHARES[valign] +
    (valign === 'middle'
      ? (spacing.top - spacing.bottom) / 2
      : valign === 'top'
        ? spacing.top + spacing.beyond
        : -spacing.bottom - spacing.beyond);
  const turn = style.is('horizontal', true) ? 0 : -90;
  return placed(layout, { x, y }, { box: item.box, turn, middle: at }, style, options);
}
