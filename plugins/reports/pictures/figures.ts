/** Figures in large type, side by side. */
import { clean, measure, rect, shorten, textBlock, textHeight, wrap } from '@lintel/sdk/drawing';
import type { FiguresPicture } from '@lintel/sdk';
import { more, type Canvas, type Drawn } from './canvas.js';
import { emptyDrawing } from './legend.js';

const MAX_FIGURES = 60;
const GAP = 14;
const SIZES = [40, 34, 28, 24, 20, 17, 14];

/** Draws figures; at most 60. */
export function drawFigures({ figures }: FiguresPicture, width: number, canvas: Canvas): Drawn {
  const shown = figures.slice(0, MAX_FIGURES);
  if (shown.length === 0) return emptyDrawing(width, canvas);
  const fits = Math.max(1, Math.floor((width + GAP) / (190 + GAP)));
  // The lines are filled evenly: 5 figures in lines of 4 are 3 and 2.
  const rows = Math.ceil(shown.length / Math.min(fits, 5));
  const columns = Math.ceil(shown.length / rows);
  const box = Math.min((width - GAP * (columns - 1)) / columns, 360);
  const inner = box - 32;
  const { theme } = canvas;
  const size = SIZES.find((one) =>
    shown.every(({ value }) => measure(clean(value), { size: one, bold: true }) <= inner),
  );
  const font = { size: size ?? 14, bold: true };
  const blocks = shown.map(({ label, value, note }) => ({
    value: shorten(value, inner, font),
    label: wrap(label, inner, 2, { size: 14 }),
    note: wrap(note ?? '', inner, 2, { size: 12 }),
  }));
  const height = Math.max(
    ...blocks.map(({ label, note }) => textHeight(label.lines.length, 14) + textHeight(note.lines.length, 12)),
  );
  const total = 22 + font.size + 12 + height + 20;
  const drawn = blocks.map(({ value, label, note }, i) => {
    const [x, y] = [(i % columns) * (box + GAP), Math.floor(i / columns) * (total + GAP)];
    const first = y + 22 + font.size;
    const second = first + 26;
    const third = second + textHeight(label.lines.length, 14) + 4;
    return canvas.link(
      shown[i]!.href,
      rect(x + 0.5, y + 0.5, box - 1, total - 1, { rx: 8, fill: theme.faint, stroke: theme.faintLine }),
      rect(x + 0.5, y + 14, 4, total - 28, { fill: theme.accent }),
      textBlock(x + 18, first, value, { ...font, fill: theme.ink }),
      textBlock(x + 18, second, label, { size: 14, fill: theme.ink }),
      textBlock(x + 18, third, note, { size: 12, fill: theme.soft }),
    );
  });
  const left = more(figures.length - shown.length, 'figures', canvas);
  return { body: drawn.join(''), height: rows * (total + GAP) - GAP, left };
}
