/** CSS of labels as numbers and styles. */
import { cssDeclarations } from '../../drawio/index.js';
import { clamp } from '../geometry.js';
import { colourOf } from '../style.js';
import type { Align, Edges } from './blocks.js';
import type { TextStyle } from './font.js';

const MAX_SIZE = 400;
const KEYWORD_SIZES: Record<string, number> = {
  'xx-small': 9,
  'x-small': 10,
  small: 13,
  medium: 16,
  large: 18,
  'x-large': 24,
  'xx-large': 32,
};
/** `<font size="1">` to `7` in px. */
export const FONT_SIZES = [10, 13, 16, 18, 24, 32, 48];

/** A length in px; undefined if it is none. @param em the size of the text @param whole what 100 % is */
export function lengthOf(value: string | undefined, em: number, whole = em): number | undefined {
  const [, number, unit] = /^(-?[\d.]+)\s*(px|pt|em|rem|%|)$/.exec(value?.trim() ?? '') ?? [];
  const amount = Number.parseFloat(number ?? '');
  if (!Number.isFinite(amount)) return undefined;
  const factor = unit === 'pt' ? 4 / 3 : unit === 'em' ? em : unit === 'rem' ? 16 : unit === '%' ? whole / 100 : 1;
  return clamp(amount * factor, -2_000, 10_000);
}

/** The size of a text in px. */
export function sizeOf(value: string, parent: number): number | undefined {
  const word = value.trim().toLowerCase();
  const size =
    KEYWORD_SIZES[word] ??
    (word === 'smaller' ? parent / 1.2 : word === 'larger' ? parent * 1.2 : lengthOf(word, parent));
  return size === undefined || size < 0 ? undefined : Math.min(size, MAX_SIZE);
}

const isBold = (value: string): boolean => /^(bold|bolder)$/.test(value) || Number(value) >= 600;

/** Text styles of a declaration, if it changes any. */
function textChange(property: string, value: string, style: TextStyle): Partial<TextStyle> | undefined {
  switch (property) {
    case 'color':
      return { colour: colourOf(value) ?? style.colour };
    case 'background':
    case 'background-color':
      return { background: colourOf(value) };
    case 'font-size':
      return { size: sizeOf(value, style.size) ?? style.size };
    case 'font-weight':
      return { bold: isBold(value) };
    case 'font-style':
      return { italic: /italic|oblique/.test(value) };
    case 'font-family':
      return { family: value.split(',')[0]!.replace(/["']/g, '').trim() };
    case 'text-decoration':
    case 'text-decoration-line':
      return { underline: /underline/.test(value), strike: /line-through/.test(value) };
    default:
      return undefined;
  }
}

/** A text style changed by CSS. */
export function styled(style: TextStyle, css: string | undefined): TextStyle {
  if (css === undefined) return style;
  let result = style;
  for (const [property, value] of cssDeclarations(css)) {
    const change = textChange(property, value.replace(/\s*!important$/, ''), result);
    if (change) result = { ...result, ...change };
  }
  return result;
}

/** Space of `margin` or `padding`; undefined members are not stated. */
export function edgesOf(name: 'margin' | 'padding', css: string | undefined, em: number): Partial<Edges> {
  const edges: Partial<Edges> = {};
  for (const [property, value] of cssDeclarations(css ?? '')) {
    if (property === name) {
      const parts = value.split(/\s+/).map((one) => lengthOf(one, em) ?? 0);
      const [top = 0, right = top, bottom = top, left = right] = parts;
      Object.assign(edges, { top, right, bottom, left });
    }
    const side = property.startsWith(`${name}-`) ? property.slice(name.length + 1) : '';
    if (/^(top|right|bottom|left)$/.test(side)) edges[side as keyof Edges] = lengthOf(value, em) ?? 0;
  }
  return edges;
}

/** The value of a property. */
export const cssValue = (css: string | undefined, property: string): string | undefined =>
  css === undefined ? undefined : cssDeclarations(css).findLast(([name]) => name === property)?.[1];

/** An alignment by CSS or by the attribute `align`. */
export function alignOf(css: string | undefined, attribute: string | undefined, otherwise: Align): Align {
  const value = (cssValue(css, 'text-align') ?? attribute ?? '').trim().toLowerCase();
  if (value === 'center' || value === 'middle') return 'center';
  if (value === 'right' || value === 'end') return 'right';
  return value === 'left' || value === 'start' || value === 'justify' ? 'left' : otherwise;
}

/** A border such as `1px solid black`; undefined for none. */
export function borderOf(css: string | undefined): { colour: string; width: number } | undefined {
  const value = cssValue(css, 'border');
  if (value === undefined || /none|hidden/.test(value) || value.trim() === '0') return undefined;
  const width = lengthOf(/-?[\d.]+(px|pt|em)?/.exec(value)?.[0], 16) ?? 1;
  const colour = value
    .split(/\s+(?![^(]*\))/)
    .filter((word) => !/^(solid|dashed|dotted|double|groove|ridge|inset|outset|thin|medium|thick)$/.test(word))
    .map(colourOf)
    .find((one) => one !== undefined);
  return { colour: colour ?? '#000000', width: clamp(width, 0, 20) };
}
