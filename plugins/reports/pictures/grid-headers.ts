/** The headers of a grid: indented rows, and columns whose labels are turned where they do not fit otherwise. */
import { type Block, clean, lineHeight, measure, textBlock, textHeight, widthOf, wrap } from '@lintel/sdk/drawing';
import type { GridHeader } from '@lintel/sdk';
import type { Canvas } from './canvas.js';
import type { Layout } from './grid.js';

const SIZE = 12;
/** Of rows close together. */
const DENSE_SIZE = 11;
const INDENT = 14;
const MAX_LEVEL = 6;
const MAX_TURNED = 150;

export interface Headers {
  blocks: readonly Block[];
  /** The width that all rows need, or the height that all columns need. */
  size: number;
  /** The height that each row needs; empty for columns. */
  sizes: readonly number[];
  draw(headers: readonly GridHeader[], layout: Layout, canvas: Canvas): string;
}

const levelOf = ({ level }: GridHeader): number => Math.min(Math.max(Math.trunc(level ?? 0) || 0, 0), MAX_LEVEL);
/** The first level is bold where there are others. */
function fontsOf(headers: readonly GridHeader[], size = SIZE): { size: number; bold: boolean }[] {
  const hasLevels = headers.some((header) => levelOf(header) > 0);
  return headers.map((header) => ({ size, bold: hasLevels && levelOf(header) === 0 }));
}

/**
 * @param title of the rows, which stands above them
 * @param width of the picture
 * @param isDense whether the rows are close together, with labels of one line
 */
export function rowHeaders(headers: readonly GridHeader[], title: string, width: number, isDense: boolean): Headers {
  const size = isDense ? DENSE_SIZE : SIZE;
  const fonts = fontsOf(headers, size);
  const most = Math.min(Math.max(width * 0.28, 110), 320);
  const indents = headers.map((header) => Math.min(levelOf(header) * INDENT, most / 3));
  const blocks = headers.map(({ label }, i) => wrap(label, most - indents[i]!, isDense ? 1 : 2, fonts[i]!));
  const widths = blocks.map((block, i) => indents[i]! + widthOf(block, fonts[i]!));
  const heading = measure(clean(title), { size: 12, bold: true });
  return {
    blocks,
    size: widths.reduce((widest, one) => Math.max(widest, one), Math.min(most, heading + 4)),
    sizes: blocks.map(({ lines }) => (isDense ? 0 : Math.max(24, textHeight(lines.length, SIZE) + 8))),
    draw: (all, { tops, heights }, canvas) =>
      blocks
        .map((block, i) => {
          const y = tops[i]! + heights[i]! / 2 + size * 0.35 - ((block.lines.length - 1) * lineHeight(size)) / 2;
          return canvas.link(all[i]!.href, textBlock(indents[i]!, y, block, { ...fonts[i]!, fill: canvas.theme.ink }));
        })
        .join(''),
  };
}

function flatHeaders(headers: readonly GridHeader[], blocks: readonly Block[]): Headers {
  const fonts = fontsOf(headers);
  const lines = Math.max(...blocks.map((block) => block.lines.length));
  return {
    blocks,
    size: textHeight(lines, SIZE),
    sizes: [],
    draw: (all, { left, top, columnWidth }, canvas) =>
      blocks
        .map((block, i) => {
          const style = { ...fonts[i]!, fill: canvas.theme.ink, anchor: 'middle' as const };
          const y = top - 9 - (block.lines.length - 1) * lineHeight(SIZE);
          return canvas.link(all[i]!.href, textBlock(left + (i + 0.5) * columnWidth - 1.5, y, block, style));
        })
        .join(''),
  };
}

function turnedHeaders(headers: readonly GridHeader[], columnWidth: number): Headers {
  const fonts = fontsOf(headers);
  const lines = Math.max(1, Math.min(3, Math.floor((columnWidth - 4) / lineHeight(SIZE))));
  // Short lines, so that the headers do not become higher than needed.
  const blocks = headers.map(({ label }, i) => {
    const short = wrap(label, MAX_TURNED * 0.6, lines, fonts[i]!);
    return short.isBroken ? wrap(label, MAX_TURNED, lines, fonts[i]!) : short;
  });
  return {
    blocks,
    size: Math.max(...blocks.map((block, i) => widthOf(block, fonts[i]!))) + 4,
    sizes: [],
    draw: (all, { left, top, columnWidth: pitch }, canvas) =>
      blocks
        .map((block, i) => {
          const middle = left + (i + 0.5) * pitch - 1.5;
          const x = middle + 4.2 - ((block.lines.length - 1) * lineHeight(SIZE)) / 2;
          const style = { ...fonts[i]!, fill: canvas.theme.ink, isTurned: true };
          return canvas.link(all[i]!.href, textBlock(x, top - 8, block, style));
        })
        .join(''),
  };
}

/** @param columnWidth the distance of the columns */
export function columnHeaders(headers: readonly GridHeader[], columnWidth: number): Headers {
  const fonts = fontsOf(headers);
  const blocks = headers.map(({ label }, i) => wrap(label, columnWidth - 10, 3, fonts[i]!));
  const isFlat = columnWidth >= 110 || blocks.every(({ isBroken }) => !isBroken);
  return isFlat ? flatHeaders(headers, blocks) : turnedHeaders(headers, columnWidth);
}
