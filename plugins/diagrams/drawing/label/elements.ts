/** How elements of HTML look by default. */
import { colourOf } from '../style.js';
import { NO_EDGES, type Edges } from './blocks.js';
import { FONT_SIZES } from './css.js';
import type { TextStyle } from './font.js';

const HEADINGS: Record<string, [size: number, margin: number]> = {
  h1: [2, 0.67],
  h2: [1.5, 0.83],
  h3: [1.17, 1],
  h4: [1, 1.33],
  h5: [0.83, 1.67],
  h6: [0.67, 2.33],
};
/** Elements that begin a line. */
export const BLOCKS = /^(p|div|h[1-6]|ul|ol|li|blockquote|pre|center|dl|dd|dt)$/;
/** Elements without content. */
export const VOID = /^(br|hr|img|wbr|col)$/;

const INLINE: Record<string, (style: TextStyle) => Partial<TextStyle>> = {
  b: () => ({ bold: true }),
  strong: () => ({ bold: true }),
  th: () => ({ bold: true }),
  i: () => ({ italic: true }),
  em: () => ({ italic: true }),
  cite: () => ({ italic: true }),
  dfn: () => ({ italic: true }),
  var: () => ({ italic: true }),
  u: () => ({ underline: true }),
  ins: () => ({ underline: true }),
  s: () => ({ strike: true }),
  strike: () => ({ strike: true }),
  del: () => ({ strike: true }),
  small: ({ size }) => ({ size: size / 1.2 }),
  big: ({ size }) => ({ size: size * 1.2 }),
  sub: ({ size, raise }) => ({ size: size / 1.2, raise: raise - size * 0.2 }),
  sup: ({ size, raise }) => ({ size: size / 1.2, raise: raise + size * 0.35 }),
  code: () => ({ family: 'Courier New' }),
  kbd: () => ({ family: 'Courier New' }),
  samp: () => ({ family: 'Courier New' }),
  tt: () => ({ family: 'Courier New' }),
  pre: () => ({ family: 'Courier New' }),
  mark: () => ({ background: '#ffff00' }),
};

/** Edges with defaults for those that are not stated. */
export const withDefaults = (edges: Partial<Edges>, otherwise: Edges): Edges => ({ ...otherwise, ...edges });
/** The same space above and below. */
export const aboveAndBelow = (space: number, left = 0): Edges => ({ top: space, right: 0, bottom: space, left });

/** Default space around a block. */
export function defaultMargin(name: string, size: number): Edges {
  const heading = HEADINGS[name];
  if (heading) return aboveAndBelow(heading[1] * size);
  if (/^(p|ul|ol|dl|pre)$/.test(name)) return aboveAndBelow(size);
  if (name === 'blockquote') return { top: size, right: 40, bottom: size, left: 40 };
  return name === 'dd' ? { ...NO_EDGES, left: 40 } : NO_EDGES;
}

/** The text style inside of an element, without its CSS. @param of gives an attribute of its tag */
export function elementStyle(name: string, of: (key: string) => string | undefined, style: TextStyle): TextStyle {
  if (name === 'font') {
    const size = Number(of('size'));
    return {
      ...style,
      colour: colourOf(of('color')) ?? style.colour,
      family: of('face')?.split(',')[0]!.trim() || style.family,
      size: size >= 1 && size <= 7 ? FONT_SIZES[Math.floor(size) - 1]! : style.size,
    };
  }
  if (name === 'a') {
    const link = of('href');
    return link === undefined ? style : { ...style, link, underline: true, colour: '#0000ee' };
  }
  const heading = HEADINGS[name];
  if (heading) return { ...style, size: style.size * heading[0], bold: true };
  return { ...style, ...INLINE[name]?.(style) };
}
