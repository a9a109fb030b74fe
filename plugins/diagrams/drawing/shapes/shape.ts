/** What a shape is, and means to write simple ones down as text. */
import type { Box, Point } from '../geometry.js';
import type { Pen } from '../pen.js';
import type { CellStyle } from '../style.js';

/** What the drawing of a shape needs beside its box and style. */
export interface ShapeContext {
  /** Boxes of the children, relative to the shape; those of a row are given with it. */
  rows(): readonly { box: Box; cells: readonly Box[] }[];
}

/** Draws a shape into a box whose upper left corner is 0, 0. */
export type Paint = (pen: Pen, width: number, height: number, style: CellStyle, context: ShapeContext) => void;

export interface Shape {
  paint: Paint;
  /** Space of the label within the box. */
  insets?: (
    width: number,
    height: number,
    style: CellStyle,
  ) => { top?: number; right?: number; bottom?: number; left?: number };
}

const COMMANDS: Record<string, number> = { M: 2, L: 2, Q: 4, C: 6, A: 5, E: 4, R: 4, Z: 0 };
const parsed = new Map<string, { command: string; values: number[] }[][]>();

function parsePath(path: string): { command: string; values: number[] }[][] {
  let parts = parsed.get(path);
  if (!parts) {
    parts = path.split('|').map((part) =>
      Array.from(part.matchAll(/([A-Z])([^A-Z]*)/g), ([, command, values]) => ({
        command: command!,
        values: values!.trim() === '' ? [] : values!.trim().split(/[ ,]+/).map(Number),
      })),
    );
    parsed.set(path, parts);
  }
  return parts;
}

/**
 * Adds a path to the pen, scaled to a box of the unit 100 × 100.
 * Commands: `M x y`, `L x y …`, `Q x1 y1 x y`, `C x1 y1 x2 y2 x y`, `A rx ry flags x y` (flags: 0 or 1 clockwise, 2 or 3 with
 * the large arc), `E x y w h` (ellipse), `R x y w h` (rectangle), `Z`.
 */
function trace(pen: Pen, commands: { command: string; values: number[] }[], box: Box): void {
  const [sx, sy] = [box.width / 100, box.height / 100];
  const x = (value: number): number => box.x + value * sx;
  const y = (value: number): number => box.y + value * sy;
  for (const { command, values } of commands) {
    const count = COMMANDS[command]!;
    if (count === 0) pen.close();
    for (let at = 0; count > 0 && at + count <= values.length; at += count) {
      const [a, b, c, d, e, f] = values.slice(at, at + count) as [number, number, number, number, number, number];
      if (command === 'M') pen.move(x(a), y(b));
      else if (command === 'L') pen.line(x(a), y(b));
      else if (command === 'Q') pen.quad(x(a), y(b), x(c), y(d));
      else if (command === 'C') pen.curve(x(a), y(b), x(c), y(d), x(e), y(f));
      else if (command === 'A') pen.arc(a * sx, b * sy, 0, c >= 2, c % 2 === 1, x(d), y(e));
      else if (command === 'E') pen.ellipse(x(a), y(b), c * sx, d * sy);
      else pen.rect(x(a), y(b), c * sx, d * sy);
    }
  }
}

/** Draws a path of the unit 100 × 100: the part before `|` filled and stroked, those after it only stroked. */
export function drawPath(pen: Pen, path: string, box: Box): void {
  for (const [at, part] of parsePath(path).entries()) {
    pen.begin();
    trace(pen, part, box);
    if (at === 0) pen.fillStroke();
    else pen.stroke();
  }
}

/** A shape that is a path of the unit 100 × 100; see `drawPath`. */
export const pathShape = (path: string): Shape => ({
  paint: (pen, width, height) => drawPath(pen, path, { x: 0, y: 0, width, height }),
});

/** A shape that is a polygon. @param points for the size of the box */
export const polygon = (points: (width: number, height: number, style: CellStyle) => readonly Point[]): Shape => ({
  paint: (pen, width, height, style) => {
    const radius = style.is('rounded') ? arcSizeOf(style) : 0;
    pen
      .begin()
      .points(points(width, height, style), { radius, isClosed: true })
      .fillStroke();
  },
});

/** Half of the style's `arcSize`, by default 10 px: the radius of the corners of polygons and lines. */
export const arcSizeOf = (style: CellStyle): number => Math.max(0, style.number('arcSize', 20, 1_000)) / 2;

export const xy = (x: number, y: number): Point => ({ x, y });

/**
 * A size that is a share of the box, or with `fixedSize` px.
 * @param share default share @param fixed default px
 */
export function sizeOf(style: CellStyle, whole: number, share: number, fixed: number): number {
  const size = style.is('fixedSize') ? style.number('size', fixed) : whole * Math.min(1, style.number('size', share));
  return Math.max(0, Math.min(size, whole));
}

/** A size in px, at most those of the box. */
export const pixels = (style: CellStyle, key: string, otherwise: number, ...most: number[]): number =>
  Math.max(0, Math.min(style.number(key, otherwise), ...most));
