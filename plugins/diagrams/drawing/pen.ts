/** Draws paths into SVG with the colours and line of a cell. */
import { element, rounded, type Attributes } from '@lintel/sdk/drawing';
import type { Box, Point } from './geometry.js';
import { distance } from './geometry.js';

/** How lines and areas are drawn. Undefined colours are none. */
export interface Ink {
  fill: string | undefined;
  stroke: string | undefined;
  width: number;
  /** Lengths of dashes and gaps; undefined for a solid line. */
  dash: string | undefined;
  fillOpacity: number;
  strokeOpacity: number;
  cap: string | undefined;
  join: string | undefined;
  miterLimit: number | undefined;
}

const shown = (share: number): number | undefined => (share < 1 ? Math.max(0, share) : undefined);

/** Collects the drawn elements of one cell; coordinates are those of the page. */
export class Pen {
  readonly out: string[] = [];
  private path = '';
  private shift: Point = { x: 0, y: 0 };
  private readonly kept: { ink: Ink; shift: Point }[] = [];

  constructor(public ink: Ink) {}

  /** Keeps the ink and the origin until `restore`. */
  save(): void {
    this.kept.push({ ink: { ...this.ink }, shift: this.shift });
  }

  restore(): void {
    const kept = this.kept.pop();
    if (kept) [this.ink, this.shift] = [kept.ink, kept.shift];
  }

  /** Runs with changed ink, and changes it back. */
  with(change: Partial<Ink>, draw: () => void): this {
    const before = this.ink;
    this.ink = { ...before, ...change };
    draw();
    this.ink = before;
    return this;
  }

  /** Moves the origin of what follows. */
  translate(x: number, y: number): this {
    this.shift = { x: this.shift.x + x, y: this.shift.y + y };
    return this;
  }

  private xy(x: number, y: number): string {
    return `${rounded(x + this.shift.x)} ${rounded(y + this.shift.y)}`;
  }

  begin(): this {
    this.path = '';
    return this;
  }

  move(x: number, y: number): this {
    this.path += `M${this.xy(x, y)}`;
    return this;
  }

  line(x: number, y: number): this {
    this.path += `L${this.xy(x, y)}`;
    return this;
  }

  quad(x1: number, y1: number, x: number, y: number): this {
    this.path += `Q${this.xy(x1, y1)} ${this.xy(x, y)}`;
    return this;
  }

  curve(x1: number, y1: number, x2: number, y2: number, x: number, y: number): this {
    this.path += `C${this.xy(x1, y1)} ${this.xy(x2, y2)} ${this.xy(x, y)}`;
    return this;
  }

  arc(rx: number, ry: number, turn: number, isLarge: boolean, isClockwise: boolean, x: number, y: number): this {
    const flags = `${isLarge ? 1 : 0} ${isClockwise ? 1 : 0}`;
    this.path += `A${rounded(Math.abs(rx))} ${rounded(Math.abs(ry))} ${rounded(turn)} ${flags} ${this.xy(x, y)}`;
    return this;
  }

  close(): this {
    this.path += 'Z';
    return this;
  }

  rect(x: number, y: number, width: number, height: number): this {
    return this.move(x, y)
      .line(x + width, y)
      .line(x + width, y + height)
      .line(x, y + height)
      .close();
  }

  roundRect(x: number, y: number, width: number, height: number, radius: number): this {
    const r = Math.max(0, Math.min(radius, width / 2, height / 2));
    if (r === 0) return this.rect(x, y, width, height);
    const [right, bottom] = [x + width, y + height];
    return this.move(x + r, y)
      .line(right - r, y)
      .quad(right, y, right, y + r)
      .line(right, bottom - r)
      .quad(right, bottom, right - r, bottom)
      .line(x + r, bottom)
      .quad(x, bottom, x, bottom - r)
      .line(x, y + r)
      .quad(x, y, x + r, y)
      .close();
  }

  ellipse(x: number, y: number, width: number, height: number): this {
    const [rx, ry] = [width / 2, height / 2];
    return this.move(x, y + ry)
      .arc(rx, ry, 0, false, true, x + width, y + ry)
      .arc(rx, ry, 0, false, true, x, y + ry)
      .close();
  }

  /** A line through points, with round corners where `radius` is not 0. */
  points(points: readonly Point[], { radius = 0, isClosed = false } = {}): this {
    const [first] = points;
    if (!first) return this;
    if (radius <= 0) {
      points.forEach(({ x, y }, i) => (i === 0 ? this.move(x, y) : this.line(x, y)));
      return isClosed ? this.close() : this;
    }
    return this.roundPoints(points, radius, isClosed);
  }

  private roundPoints(points: readonly Point[], radius: number, isClosed: boolean): this {
    const count = points.length;
    const towards = (from: Point, to: Point): Point => {
      const length = distance(from, to);
      const share = length === 0 ? 0 : Math.min(radius, length / 2) / length;
      return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
    };
    for (let i = 0; i < count; i++) {
      const point = points[i]!;
      const [before, after] = [points[(i + count - 1) % count]!, points[(i + 1) % count]!];
      const isEnd = !isClosed && (i === 0 || i === count - 1);
      if (isEnd) {
        if (i === 0) this.move(point.x, point.y);
        else this.line(point.x, point.y);
        continue;
      }
      const [enter, leave] = [towards(point, before), towards(point, after)];
      if (i === 0) this.move(enter.x, enter.y);
      else this.line(enter.x, enter.y);
      this.quad(point.x, point.y, leave.x, leave.y);
    }
    return isClosed ? this.close() : this;
  }

  fillStroke(): this {
    return this.paint(true, true);
  }

  fill(): this {
    return this.paint(true, false);
  }

  stroke(): this {
    return this.paint(false, true);
  }

  private paint(isFilled: boolean, isStroked: boolean): this {
    const { ink, path } = this;
    const fill = isFilled ? ink.fill : undefined;
    const stroke = isStroked && ink.width > 0 ? ink.stroke : undefined;
    if (path === '' || (fill === undefined && stroke === undefined)) return this;
    this.out.push(
      element('path', {
        d: path,
        fill: fill ?? 'none',
        'fill-opacity': fill && shown(ink.fillOpacity),
        ...(stroke === undefined ? {} : this.lineAttributes(stroke)),
      }),
    );
    return this;
  }

  private lineAttributes(stroke: string): Attributes {
    const { ink } = this;
    return {
      stroke,
      'stroke-width': ink.width === 1 ? undefined : ink.width,
      'stroke-dasharray': ink.dash,
      'stroke-opacity': shown(ink.strokeOpacity),
      'stroke-linecap': ink.cap,
      'stroke-linejoin': ink.join,
      'stroke-miterlimit': ink.miterLimit,
    };
  }

  /** An embedded image. @param address `data:image/png;base64,…`, checked */
  image(box: Box, address: string, keepsAspect: boolean): this {
    const { x, y, width, height } = box;
    this.out.push(
      element('image', {
        x: x + this.shift.x,
        y: y + this.shift.y,
        width,
        height,
        preserveAspectRatio: keepsAspect ? undefined : 'none',
        opacity: shown(this.ink.fillOpacity),
        href: address,
      }),
    );
    return this;
  }
}
