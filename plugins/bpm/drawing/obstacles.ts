/** Boxes that a label avoids, found by their place. */
import { overlap, type Bounds, type Point } from './geometry.js';

const CELL = 100;
/** A box over more cells is kept in a list of its own, of which each label looks at so many at most. */
const MAX_CELLS = 256;
const MAX_LARGE = 100;
/** Boxes in one cell that are considered: files with thousands of shapes at one place must not take minutes. */
const MAX_IN_CELL = 60;

export interface Obstacle<T> {
  box: Bounds;
  value: T;
}

/** Boxes in a grid. */
export class Obstacles<T> {
  readonly #cells = new Map<number, Obstacle<T>[]>();
  readonly #large: Obstacle<T>[] = [];

  *#keysOf({ x, y, width, height }: Bounds): Generator<number> {
    const [right, bottom] = [Math.floor((x + width) / CELL), Math.floor((y + height) / CELL)];
    for (let column = Math.floor(x / CELL); column <= right; column++)
      for (let row = Math.floor(y / CELL); row <= bottom; row++) yield column * 1_000_003 + row;
  }

  add(box: Bounds, value: T): void {
    const obstacle = { box, value };
    if ((box.width / CELL + 1) * (box.height / CELL + 1) > MAX_CELLS) {
      if (this.#large.length < MAX_LARGE) this.#large.push(obstacle);
      return;
    }
    for (const key of this.#keysOf(box)) {
      const cell = this.#cells.get(key);
      if (!cell) this.#cells.set(key, [obstacle]);
      else if (cell.length < MAX_IN_CELL) cell.push(obstacle);
    }
  }

  /** Adds a line as thin boxes. @param points of its bends */
  addLine(points: readonly Point[], value: T): void {
    for (const [i, to] of points.slice(1).entries()) {
      const from = points[i]!;
      const [x, y] = [Math.min(from.x, to.x), Math.min(from.y, to.y)];
      const [width, height] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)];
      // A slanted line is not its box, but pieces of it nearly are.
      const pieces = Math.min(width, height) < 4 ? 1 : Math.min(Math.ceil(Math.max(width, height) / 20), 40);
      for (let piece = 0; piece < pieces; piece++) {
        const [a, b] = [piece / pieces, (piece + 1) / pieces];
        const [x1, y1] = [from.x + (to.x - from.x) * a, from.y + (to.y - from.y) * a];
        const [x2, y2] = [from.x + (to.x - from.x) * b, from.y + (to.y - from.y) * b];
        if (pieces === 1) this.add({ x: x - 1, y: y - 1, width: width + 2, height: height + 2 }, value);
        else
          this.add(
            {
              x: Math.min(x1, x2) - 1,
              y: Math.min(y1, y2) - 1,
              width: Math.abs(x2 - x1) + 2,
              height: Math.abs(y2 - y1) + 2,
            },
            value,
          );
      }
    }
  }

  /** The obstacles that have an area in common with a box, each once. */
  in(box: Bounds): Set<Obstacle<T>> {
    const found = new Set<Obstacle<T>>();
    for (const key of this.#keysOf(box))
      for (const one of this.#cells.get(key) ?? []) if (overlap(one.box, box)) found.add(one);
    for (const one of this.#large) if (overlap(one.box, box)) found.add(one);
    return found;
  }
}

/** The area that two boxes have in common. */
export const common = (a: Bounds, b: Bounds): number =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));
