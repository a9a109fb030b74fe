/** Widths of texts in the fonts of draw.io, so that labels wrap where they wrap there. */
import { measure } from '@lintel/sdk/drawing';

/** Widths of the characters from space to `~` in thousandths of an em: Adobe's font metrics of Helvetica. */
const HELVETICA =
  '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 ' +
  '556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 ' +
  '469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584';
const HELVETICA_BOLD =
  '278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 584 584 584 ' +
  '611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 667 667 611 333 278 333 ' +
  '584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 389 280 389 584';
const widths = (text: string): readonly number[] => text.split(' ').map((one) => Number(one) / 1_000);
const REGULAR = widths(HELVETICA);
const BOLD = widths(HELVETICA_BOLD);

/** DejaVu Sans is wider than Helvetica. */
const OTHERS = 0.89;

/** What a text is drawn with. */
export interface TextStyle {
  /** In px. */
  size: number;
  bold: boolean;
  italic: boolean;
  underline: boolean;
  strike: boolean;
  colour: string;
  background: string | undefined;
  /** Name of the font family. */
  family: string;
  /** Moves the baseline, in px; positive values upwards. */
  raise: number;
  /** Address of a link around the text. */
  link: string | undefined;
}

/** Factors of the width of Helvetica. */
function factorOf(family: string): number | 'fixed' | 'wide' {
  const name = family.toLowerCase();
  if (/courier|mono|consolas|menlo|code/.test(name)) return 'fixed';
  if (/verdana|dejavu/.test(name)) return 'wide';
  if (/times|serif|garamond/.test(name) && !/sans/.test(name)) return 0.92;
  if (/georgia|lucida|tahoma/.test(name)) return 1.02;
  return 1;
}

/** The width of a text in px. */
export function widthOf(text: string, { size, bold, family }: Pick<TextStyle, 'size' | 'bold' | 'family'>): number {
  const factor = factorOf(family);
  if (factor === 'fixed') return [...text].length * 0.6 * size;
  if (factor === 'wide') return measure(text, { size, bold });
  const table = bold ? BOLD : REGULAR;
  let [width, rest] = [0, ''];
  for (const one of text) {
    const known = table[one.charCodeAt(0) - 32];
    if (known === undefined || one.length > 1) rest += one;
    else width += known;
  }
  return width * size * factor + (rest === '' ? 0 : measure(rest, { size, bold }) * OTHERS * factor);
}

/** Distance of baselines, and from the upper edge of a line to its baseline, in em. */
export const LINE = 1.2;
export const ASCENT = 0.95;

/** The families of an SVG text: the one of the file, and fonts of the same kind that readers have. */
export function familiesOf(family: string): string | undefined {
  const own = /^[\p{L}\p{N} _-]{1,40}$/u.test(family) ? `'${family}', ` : '';
  if (factorOf(family) === 'fixed') return `${own}'Courier New', monospace`;
  if (/^(helvetica|arial)$/i.test(family)) return undefined;
  return `${own}Helvetica, Arial, 'DejaVu Sans', sans-serif`;
}
