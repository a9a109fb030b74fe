/** The colours in which one element is drawn, and symbols in them. */
import { element, rounded } from '@lintel/sdk/drawing';
import { inkOn, READABLE, VISIBLE, visible, type OwnColors, type Theme } from './colors.js';

export interface Pen {
  /** The outline of a shape; visible on the area behind it. */
  frame: string;
  /** Lines inside of a shape; visible on its fill. */
  stroke: string;
  fill: string;
  /** Text on the fill. */
  ink: string;
  theme: Theme;
}

/**
 * The colours of an element. Those of the file are kept, save where a line or a text would not be visible.
 * @param ground the colour behind the element @param isHollow whether the element has no fill
 */
export function penOf(own: OwnColors, theme: Theme, ground: string, isHollow: boolean): Pen {
  const fill = isHollow ? ground : (own.fill ?? theme.fill);
  const ink = inkOn(theme, fill);
  return {
    frame: visible(own.stroke ?? theme.ink, ground, VISIBLE),
    stroke: visible(own.stroke ?? ink, fill, VISIBLE),
    fill,
    ink: visible(own.label ?? ink, fill, READABLE),
    theme,
  };
}

/** How the part of a symbol is drawn: lines, an area in the colour of lines, or lines in the colour of the fill on such an area. */
export type Style = 'line' | 'area' | 'paper' | 'cut';

/** A part of a symbol: a path in a square of 24. */
export type Part = readonly [path: string, style: Style, width?: number];

const paint = (style: Style, { stroke, fill }: Pen, width: number): Record<string, string | number> => {
  if (style === 'area') return { fill: stroke, stroke, 'stroke-width': width / 2 };
  if (style === 'cut') return { fill: 'none', stroke: fill, 'stroke-width': width };
  return { fill: style === 'paper' ? fill : 'none', stroke, 'stroke-width': width };
};

/**
 * A symbol at a place.
 * @param name stated in the drawing, for scripts and tests @param size of its square in px @param width of its lines in px
 */
export function symbol(
  name: string,
  parts: readonly Part[],
  x: number,
  y: number,
  size: number,
  pen: Pen,
  width = 1.2,
): string {
  const scale = size / 24;
  if (!(scale > 0)) return '';
  return element(
    'g',
    {
      'data-symbol': name,
      transform: `translate(${rounded(x)} ${rounded(y)}) scale(${String(Math.round(scale * 10_000) / 10_000)})`,
      'stroke-linejoin': 'round',
      'stroke-linecap': 'round',
    },
    ...parts.map(([d, style, times = 1]) => element('path', { d, ...paint(style, pen, (width * times) / scale) })),
  );
}
