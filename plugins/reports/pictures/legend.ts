/** Legends: the meaning of colours, in lines above a drawing; and the drawing of a content that is empty. */
import { mix, rect, shorten, text, textBlock, widthOf } from '@lintel/sdk/drawing';
import type { PictureLegend } from '@lintel/sdk';
import { more, type Canvas, type Drawn } from './canvas.js';
import { icon, isIcon } from './icons.js';
import { colorOr, filled } from './theme.js';

const FONT = { size: 12 };
const [SWATCH, GAP, SPACE, LINE] = [12, 6, 20, 20];
/** The box of a colour with an icon, the icon inside, and the distance of lines with such boxes. */
const [ICON_SWATCH, ICON, ICON_LINE] = [20, 16, 26];
const MAX_LINES = 4;
const SHADES = 5;

/** The colours and labels side by side, in as many lines as needed, at most 4. The height includes space below. */
export function legend(entries: readonly PictureLegend[], width: number, canvas: Canvas): Drawn {
  const parts: string[] = [];
  let [x, row] = [0, 0];
  // All boxes are equally large, so that they differ in colour only.
  const hasIcons = entries.some((entry) => isIcon(entry.icon));
  const [box, step] = hasIcons ? [ICON_SWATCH, ICON_LINE] : [SWATCH, LINE];
  const inset = (box - ICON) / 2;
  const finish = (rows: number, left: number): Drawn => ({
    body: parts.join(''),
    height: rows === 0 ? 0 : rows * step + 10,
    left: more(left, 'colours', canvas),
  });
  for (const [i, entry] of entries.entries()) {
    const block = shorten(entry.label, Math.min(width - box - GAP, 320), FONT);
    const used = box + GAP + widthOf(block, FONT);
    if (x > 0 && x + used > width) [x, row] = [0, row + 1];
    if (row >= MAX_LINES) return finish(row, entries.length - i);
    const { fill, ink } = filled(colorOr(entry.color, canvas.theme.accent));
    const y = row * step;
    parts.push(rect(x, y, box, box, { rx: hasIcons ? 4 : 2.5, fill, stroke: mix(fill, canvas.theme.ink, 0.25) }));
    parts.push(icon(entry.icon, x + inset, y + inset, ICON, ink));
    parts.push(textBlock(x + box + GAP, y + box / 2 + 4.5, block, { ...FONT, fill: canvas.theme.soft }));
    x += used + SPACE;
  }
  return finish(entries.length === 0 ? 0 : row + 1, 0);
}

/** The shade of a value between the least and the greatest one. @param share from 0 to 1 */
export const shade = ({ theme }: Canvas, share: number): string =>
  mix(mix(theme.accent, theme.background, 0.8), theme.accent, Math.min(Math.max(share, 0), 1));

/** The scale of shades with its least and greatest value and the unit. */
export function scaleLegend(from: number, to: number, unit: string, width: number, canvas: Canvas): Drawn {
  const style = { ...FONT, fill: canvas.theme.soft };
  const first = shorten(canvas.compact(from), 80, FONT);
  const last = shorten(`${canvas.compact(to)} ${unit}`, Math.max(width - 240, 60), FONT);
  const start = widthOf(first, FONT) + GAP;
  const shades = Array.from({ length: SHADES }, (_, i) =>
    rect(start + i * 24, 0, 24, SWATCH, { fill: filled(shade(canvas, i / (SHADES - 1))).fill }),
  );
  const body = [
    textBlock(0, 10.5, first, style),
    ...shades,
    textBlock(start + SHADES * 24 + GAP, 10.5, last, style),
  ].join('');
  return { body, height: LINE + 10, left: [] };
}

/** A frame that says that there is nothing to draw. */
export function emptyDrawing(width: number, { theme, words }: Canvas): Drawn {
  const frame = { fill: theme.faint, stroke: theme.faintLine, rx: 6 };
  const message = text(width / 2, 65, words.noData, { size: 15, fill: theme.soft, anchor: 'middle' });
  return { body: `${rect(0.5, 0.5, width - 1, 119, frame)}${message}`, height: 120, left: [] };
}
