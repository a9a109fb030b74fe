/** Elements of SVG as strings: shapes, and texts with the width that the layout has measured for them. */
import { measure, type Font } from './font.js';
import { escapeXml, type Block } from './text.js';

/** Attributes of an element by name; undefined ones are left out. */
export type Attributes = Record<string, string | number | undefined>;

/** A number with at most two decimals; 0 where it is not finite. */
export const rounded = (value: number): string => {
  const number = Math.round(value * 100) / 100;
  return Number.isFinite(number) && number !== 0 ? String(number) : '0';
};

const attribute = ([name, value]: [string, string | number | undefined]): string =>
  value === undefined ? '' : ` ${name}="${typeof value === 'number' ? rounded(value) : escapeXml(value)}"`;

/** An element with its attributes escaped. @param children drawn elements or escaped text */
export function element(name: string, attributes: Attributes, ...children: string[]): string {
  const start = `<${name}${Object.entries(attributes).map(attribute).join('')}`;
  return children.length === 0 ? `${start}/>` : `${start}>${children.join('')}</${name}>`;
}

/** A rectangle; a negative width or height is 0. */
export const rect = (x: number, y: number, width: number, height: number, more: Attributes): string =>
  element('rect', { x, y, width: Math.max(width, 0), height: Math.max(height, 0), ...more });

/** A straight line. */
export const line = (x1: number, y1: number, x2: number, y2: number, more: Attributes): string =>
  element('line', { x1, y1, x2, y2, ...more });

/** Drawn elements moved to a place. */
export const at = (x: number, y: number, ...children: string[]): string =>
  element('g', { transform: `translate(${rounded(x)} ${rounded(y)})` }, ...children);

/** The length of a title: longer ones, many times, would make the picture too large. */
const MAX_TITLE = 400;

/** The element of a text that a browser shows while the pointer is on its parent. @param text cleaned, not escaped */
export const title = (text: string): string =>
  element('title', {}, escapeXml(text.length > MAX_TITLE ? `${text.slice(0, MAX_TITLE - 1).toWellFormed()}…` : text));

/** Drawn elements with a text that a browser shows while the pointer is on them. @param text cleaned, not escaped */
export const titled = (text: string, ...children: string[]): string =>
  text === '' ? children.join('') : element('g', {}, title(text), ...children);

/** Font, colour and alignment of a text. */
export interface TextStyle extends Font {
  fill: string;
  anchor?: 'start' | 'middle' | 'end' | undefined;
  /** Turned to read upwards, around the place of the text. */
  isTurned?: boolean | undefined;
}

/** The distance of two baselines. */
export const lineHeight = (size: number): number => size * 1.28;
/** From the upper edge of a line of text to its baseline. */
export const ascent = (size: number): number => size * 0.95;

/**
 * One line of text. Its width is stated, so that it occupies the same space with any font of the reader.
 * @param y the baseline @param content cleaned text
 */
export function text(x: number, y: number, content: string, style: TextStyle): string {
  if (content === '') return '';
  const { size, bold, fill, anchor = 'start', isTurned } = style;
  const width = measure(content, style);
  return element(
    'text',
    {
      x,
      y,
      'font-size': size,
      'font-weight': bold ? 700 : undefined,
      fill,
      'text-anchor': anchor === 'start' ? undefined : anchor,
      textLength: width > 0 ? width : undefined,
      lengthAdjust: width > 0 ? 'spacingAndGlyphs' : undefined,
      transform: isTurned ? `rotate(-90 ${rounded(x)} ${rounded(y)})` : undefined,
    },
    escapeXml(content),
  );
}

/** The lines of a block below each other, with the whole text as title where it is cut. @param y the first baseline */
export function textBlock(x: number, y: number, block: Block, style: TextStyle): string {
  const step = lineHeight(style.size);
  const drawn = block.lines.map((one, i) =>
    style.isTurned ? text(x + i * step, y, one, style) : text(x, y + i * step, one, style),
  );
  return block.isCut ? titled(block.full, ...drawn) : drawn.join('');
}

/** The height of so many lines of text. */
export const textHeight = (lines: number, size: number): number =>
  lines === 0 ? 0 : lineHeight(size) * (lines - 1) + size * 1.2;
