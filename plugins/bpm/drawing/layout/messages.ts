/** Ways of message flows between pools, past the elements in between. */
import type { Bounds, Point } from '../geometry.js';

/** Checks of lines against boxes for one diagram; after so many, flows are drawn straight. */
const MAX_CHECKS = 4_000_000;
/** Distances in px from the middle of an element at which its flows may pass the others. */
const SHIFTS = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 1 : -1) * 8 * Math.ceil((i + 1) / 2));
/** Between the places at which the flows of one element meet it. */
const STEP = 16;
const SPACE = 5;
const JOG = 12;

/** An end of a flow: an element, or a pool as a whole, which is met anywhere. */
export interface MessageEnd {
  box: Bounds;
  isPool: boolean;
}

/** Finds ways for the message flows of a diagram, one after another. */
export class MessageWays {
  #checks = 0;
  readonly #met = new Map<Bounds, number>();
  readonly #columns = new Set<number>();

  /** @param boxes of all elements that lines should pass */
  constructor(private readonly boxes: readonly Bounds[]) {}

  /** Whether a line straight down, or across, meets no element but the one at its end. */
  #isFree(from: Point, to: Point, own: Bounds): boolean {
    this.#checks += this.boxes.length;
    if (this.#checks > MAX_CHECKS) return true;
    const [left, right] = [Math.min(from.x, to.x) - SPACE, Math.max(from.x, to.x) + SPACE];
    const [top, bottom] = [Math.min(from.y, to.y) - 2, Math.max(from.y, to.y) + 2];
    return this.boxes.every(
      (box) => box === own || box.x > right || box.x + box.width < left || box.y > bottom || box.y + box.height < top,
    );
  }

  /** The places at which one element meets its flows, from its middle outwards. */
  #meeting(box: Bounds): number {
    const count = this.#met.get(box) ?? 0;
    this.#met.set(box, count + 1);
    const offset = (count % 2 === 0 ? -1 : 1) * STEP * Math.ceil(count / 2);
    const most = Math.max(box.width / 2 - 8, 0);
    return box.x + box.width / 2 + Math.max(-most, Math.min(most, offset));
  }

  /** The way from an element to a height above or below it. */
  #outOf(box: Bounds, y: number): Point[] {
    const isDown = y > box.y;
    const edge = isDown ? box.y + box.height : box.y;
    const x = this.#meeting(box);
    if (this.#isFree({ x, y: edge }, { x, y }, box) && !this.#columns.has(x)) {
      this.#columns.add(x);
      return [
        { x, y: edge },
        { x, y },
      ];
    }
    const jog = edge + (isDown ? JOG : -JOG);
    for (const shift of SHIFTS) {
      const beside = x + shift;
      const isFree =
        !this.#columns.has(beside) &&
        this.#isFree({ x, y: jog }, { x: beside, y: jog }, box) &&
        this.#isFree({ x: beside, y: jog }, { x: beside, y }, box);
      if (!isFree) continue;
      this.#columns.add(beside);
      return [
        { x, y: edge },
        { x, y: jog },
        { x: beside, y: jog },
        { x: beside, y },
      ];
    }
    return [
      { x, y: edge },
      { x, y },
    ];
  }

  /** The way of a flow. @param between the height in the space between two pools at which it runs across */
  way(source: MessageEnd, target: MessageEnd, between: number): Point[] {
    if (source.isPool && target.isPool) {
      const x = this.#meeting(source.box);
      const isDown = source.box.y < target.box.y;
      const [from, to] = isDown ? [source.box, target.box] : [target.box, source.box];
      const points = [
        { x, y: from.y + from.height },
        { x, y: to.y },
      ];
      return isDown ? points : points.reverse();
    }
    if (source.isPool) return this.#fromPool(source.box, target.box).reverse();
    if (target.isPool) return this.#fromPool(target.box, source.box);
    const points = [...this.#outOf(source.box, between), ...this.#outOf(target.box, between).reverse()];
    return points.filter(({ x, y }, i) => x !== points[i - 1]?.x || y !== points[i - 1]?.y);
  }

  /** From an element to the nearest side of a pool. */
  #fromPool(pool: Bounds, element: Bounds): Point[] {
    return this.#outOf(element, element.y < pool.y ? pool.y : pool.y + pool.height);
  }
}
