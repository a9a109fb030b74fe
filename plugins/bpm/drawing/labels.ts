/** Texts fitted into boxes: a smaller font before a text is cut. */
import { ascent, clean, lineHeight, textBlock, textHeight, widthOf, wrap, type Block } from '@lintel/sdk/drawing';
import type { Bounds } from './geometry.js';

/** A text laid out in lines. */
export interface Fitted {
  block: Block;
  /** Of the font, in px. */
  size: number;
  width: number;
  height: number;
}

/** The usual size of texts in px, and those for texts that do not fit. */
export const SIZE = 11;
export const SIZES: readonly number[] = [SIZE, 10, 9, 8];

/** Parts of the width that are tried for lines of about the same length. */
const NARROWER = [0.55, 0.65, 0.75, 0.85];

/** A text in lines of about the same length, without more lines than it needs in the whole width. */
function balanced(content: string, width: number, most: number, size: number): Block {
  const whole = wrap(content, width, most, { size });
  if (whole.isCut || whole.isTorn || whole.lines.length < 2) return whole;
  for (const share of NARROWER) {
    const narrow = wrap(content, width * share, whole.lines.length, { size });
    if (!narrow.isCut && !narrow.isTorn && narrow.isBroken === whole.isBroken) return narrow;
  }
  return whole;
}

/** A text in lines, with the line breaks that it has as far as there is space for them. */
function wrapLines(content: string, width: number, most: number, size: number): Block {
  const paragraphs = content.split(/\r\n|[\r\n\u2028]/).filter((one) => clean(one) !== '');
  if (paragraphs.length < 2 || paragraphs.length > most) return balanced(content, width, most, size);
  const blocks = paragraphs.map((one) => wrap(one, width, most, { size }));
  const lines = blocks.flatMap((block) => block.lines);
  if (lines.length > most) return balanced(content, width, most, size);
  return {
    lines,
    full: clean(content),
    isCut: blocks.some(({ isCut }) => isCut),
    isBroken: blocks.some(({ isBroken }) => isBroken),
    isTorn: blocks.some(({ isTorn }) => isTorn),
  };
}

const fitted = (block: Block, size: number): Fitted => ({
  block,
  size,
  width: widthOf(block, { size }),
  height: textHeight(block.lines.length, size),
});

/** So many lines of a size have space in a height; at least one. */
const linesIn = (height: number, size: number): number =>
  Math.max(1, Math.floor((height - size * 1.2) / lineHeight(size)) + 1);

/**
 * Lays a text out in the largest size in which it fits whole; in the smallest one cut at its end if it fits in none.
 * @param width of the lines, and `height` of the block, in px
 */
export function fit(content: string, width: number, height: number, sizes = SIZES): Fitted {
  let torn: Fitted | undefined;
  let last: Fitted | undefined;
  for (const size of sizes) {
    const block = wrapLines(content, Math.max(width, 1), linesIn(height, size), size);
    last = fitted(block, size);
    if (!block.isCut && !block.isTorn) return last;
    if (!block.isCut) torn ??= last;
  }
  return torn ?? last!;
}

/** A text laid out in one size, with as many lines as it needs up to a limit. */
export const laidOut = (content: string, width: number, most: number, size: number): Fitted =>
  fitted(wrapLines(content, width, most, size), size);

/** Draws a laid out text. @param x its middle, or its left edge if `anchor` is `start` @param top of its first line */
export const drawn = (
  { block, size }: Fitted,
  x: number,
  top: number,
  fill: string,
  anchor: 'start' | 'middle' = 'middle',
): string => textBlock(x, top + ascent(size), block, { size, fill, anchor });

/** A text in the middle of a box, shrunk or cut to fit into it. */
export function inBox(content: string, box: Bounds, fill: string): string {
  const label = fit(content, box.width, box.height);
  return drawn(label, box.x + box.width / 2, box.y + (box.height - label.height) / 2, fill);
}

/** A text that reads upwards, in the middle of a box. */
export function upwards(content: string, box: Bounds, fill: string): string {
  const { block, size, height } = fit(content, box.height, box.width);
  const x = box.x + (box.width - height) / 2 + ascent(size);
  return textBlock(x, box.y + box.height / 2, block, { size, fill, anchor: 'middle', isTurned: true });
}
