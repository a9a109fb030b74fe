/** Rectangles, which other shapes begin with. */
import type { Pen } from '../pen.js';
import type { CellStyle } from '../style.js';
import { arcSizeOf, type Paint } from './shape.js';

/** The radius of a rectangle's corners: a share of its shorter side, or with `absoluteArcSize` px. */
export function cornerRadius(style: CellStyle, width: number, height: number): number {
  if (!style.is('rounded')) return 0;
  if (style.is('absoluteArcSize')) return Math.min(width / 2, height / 2, arcSizeOf(style));
  return Math.min(width, height) * Math.min(0.5, Math.max(0, style.number('arcSize', 15, 100) / 100));
}

/** A rectangle, round where the style says so. */
export const rectangle: Paint = (pen, width, height, style) => {
  pen
    .begin()
    .roundRect(0, 0, width, height, cornerRadius(style, width, height))
    .fillStroke();
};

/** The light reflection of `glass=1`. */
export function glass(pen: Pen, width: number, height: number): void {
  pen.with({ fill: '#ffffff', fillOpacity: 0.45 * pen.ink.fillOpacity }, () => {
    pen
      .begin()
      .move(0, 0)
      .line(0, height * 0.4)
      .quad(width / 2, height * 0.7, width, height * 0.4)
      .line(width, 0)
      .close()
      .fill();
  });
}
