/** The colours of the two themes, and what follows from a colour, such as that of text on it. */
import { contrast, mix } from '@lintel/sdk/drawing';

export interface Theme {
  background: string;
  /** Text. */
  ink: string;
  /** Text of less weight; at least 4.5:1 on the background and on `faint`. */
  soft: string;
  /** Lines and frames. */
  line: string;
  /** Lines of a scale behind the data. */
  faintLine: string;
  /** Areas without data, such as empty cells and frames. */
  faint: string;
  /** Data without a colour of its own. */
  accent: string;
  /** Colours of series, in this order; distinguishable with colour blindness (after Okabe and Ito, and Tol). */
  palette: readonly string[];
}

const LIGHT: Theme = {
  background: '#ffffff',
  ink: '#16202a',
  soft: '#4a5966',
  line: '#b9c4ce',
  faintLine: '#e1e7ec',
  faint: '#f2f5f8',
  accent: '#0072b2',
  palette: ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#332288', '#999933'],
};

const DARK: Theme = {
  background: '#12181f',
  ink: '#eef2f5',
  soft: '#aab8c4',
  line: '#4a5866',
  faintLine: '#2a343e',
  faint: '#1c252e',
  accent: '#4aa3df',
  palette: ['#4aa3df', '#f0ad2e', '#25b98c', '#dc8fba', '#8fd0f5', '#ee7733', '#9d8df1', '#b9b94f'],
};

/** @param name `dark`, or anything else for the light theme */
export const themeOf = (name: string): Theme => (name === 'dark' ? DARK : LIGHT);

/** The colour of a series or group that has none: the palette repeats after its last colour. */
export const seriesColor = ({ palette }: Theme, index: number): string => palette[index % palette.length]!;

/** The given colour in lower case if it is written as `#rrggbb`, otherwise the other one. */
export const colorOr = (color: string | undefined, otherwise: string): string =>
  color !== undefined && /^#[0-9a-f]{6}$/i.test(color) ? color.toLowerCase() : otherwise;

/** The contrast that WCAG 2 (AA) requires of text. */
export const READABLE = 4.5;

/** The colour of text on an area: near black or white, and pure black where neither of them is readable. */
export const inkOn = (fill: string): string =>
  ['#16202a', '#ffffff'].find((ink) => contrast(ink, fill) >= READABLE) ?? '#000000';

/** The contrast of white from which a colour is darkened a little instead of being written on in black. */
const NEARLY_READABLE = 3.6;

/**
 * The colours of an area with text. White on a colour of medium lightness looks better than black, but is slightly too
 * weak: such a colour is darkened until white is readable, by a difference that is hardly visible.
 */
export function filled(color: string): { fill: string; ink: string } {
  const weak = contrast('#ffffff', color);
  if (weak >= READABLE || weak < NEARLY_READABLE) return { fill: color, ink: inkOn(color) };
  for (let share = 0.02; share < 0.3; share += 0.02) {
    const fill = mix(color, '#000000', share);
    if (contrast('#ffffff', fill) >= READABLE) return { fill, ink: '#ffffff' };
  }
  return { fill: color, ink: inkOn(color) };
}

/** The contrast that WCAG 2 (AA) requires of graphics. */
const VISIBLE = 3;

/** The colour of a sign without an area of its own: the given one, closer to the ink as far as needed to be visible. */
export function signColor(color: string, { ink, background }: Theme): string {
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(color, ink, share);
    if (contrast(mixed, background) >= VISIBLE) return mixed;
  }
  return ink;
}
