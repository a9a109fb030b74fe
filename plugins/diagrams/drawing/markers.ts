/** Heads of lines. */
import type { Point } from './geometry.js';
import type { Pen } from './pen.js';

/** Where a head is drawn. */
export interface MarkerPlace {
  /** The end of the line. */
  tip: Point;
  /** The direction of the line at its end, of length 1. */
  ux: number;
  uy: number;
  /** Of the head and of the line in px. */
  size: number;
  width: number;
  isFilled: boolean;
}

/** Points relative to the end: `along` backwards on the line, `aside` to its left. */
type Local = (along: number, aside: number) => Point;

interface Marker {
  /** Px by which the line ends before its end. */
  shortens: (size: number, width: number) => number;
  draw: (pen: Pen, local: Local, size: number, width: number, isFilled: boolean) => void;
}

const paint = (pen: Pen, isFilled: boolean): void => void (isFilled ? pen.fillStroke() : pen.stroke());
const shape = (pen: Pen, points: readonly Point[], isFilled: boolean): void =>
  paint(pen.begin().points(points, { isClosed: true }), isFilled);
const lines = (pen: Pen, ...parts: (readonly Point[])[]): void => {
  pen.begin();
  for (const part of parts) pen.points(part);
  pen.stroke();
};
const circle = (pen: Pen, { x, y }: Point, radius: number): Pen =>
  pen.begin().ellipse(x - radius, y - radius, radius * 2, radius * 2);

/** A tip with a line of some width ends before the place it points at, so that it does not cross it. */
const TIP = 1.118;

const arrow = (slimness: number, notch: number): Marker => ({
  shortens: (size, width) => (size + width) * notch + width * TIP,
  draw(pen, at, size, width, isFilled) {
    const [back, length] = [width * TIP, size + width];
    const notched = notch < 1 ? [at(back + length * notch, 0)] : [];
    shape(
      pen,
      [at(back, 0), at(back + length, length / slimness), ...notched, at(back + length, -length / slimness)],
      isFilled,
    );
  },
});

const open = (slimness: number): Marker => ({
  shortens: (_size, width) => width * TIP * 2,
  draw(pen, at, size, width) {
    const [back, length] = [width * TIP, size + width];
    lines(pen, [at(back + length, length / slimness), at(back, 0), at(back + length, -length / slimness)]);
  },
});

const diamond = (slimness: number, back: number): Marker => ({
  shortens: (size, width) => size + width + width * back,
  draw(pen, at, size, width, isFilled) {
    const [from, length] = [width * back, size + width];
    const [middle, side] = [from + length / 2, length / slimness];
    shape(pen, [at(from, 0), at(middle, side), at(from + length, 0), at(middle, -side)], isFilled);
  },
});

/** Crow's foot, bars and circle of entity relationship models: what is drawn, from the end backwards. */
const entity = (parts: { foot?: boolean; bars: readonly number[]; circle?: boolean }): Marker => ({
  shortens: () => 0,
  draw(pen, at, size, width, isFilled) {
    const length = size + width + 1;
    const [side, radius] = [length / 2, size / 2];
    const strokes = parts.bars.map((share) => [at(length * share, side), at(length * share, -side)]);
    if (parts.foot) strokes.push([at(0, side), at(length, 0), at(0, -side)]);
    if (strokes.length > 0) lines(pen, ...strokes);
    // The circle covers the line; it is white, not of the colour of the line.
    if (parts.circle) pen.with({ fill: '#ffffff' }, () => paint(circle(pen, at(length * 1.5, 0), radius), isFilled));
  },
});

const half = (isOpen: boolean): Marker => ({
  shortens: (_size, width) => width * TIP,
  draw(pen, at, size, width, isFilled) {
    const [back, length] = [width * TIP, size + width];
    const points = [at(back + length, length / 2), at(back, 0)];
    if (isOpen) lines(pen, points);
    else shape(pen, [...points, at(back + length, 0)], isFilled);
  },
});

const MARKERS = new Map<string, Marker>([
  ['classic', arrow(2, 0.75)],
  ['classicThin', arrow(3, 0.75)],
  ['block', arrow(2, 1)],
  ['blockThin', arrow(3, 1)],
  ['open', open(2)],
  ['openThin', open(3)],
  ['diamond', diamond(2, 0.7071)],
  ['diamondThin', diamond(3.4, 0.9862)],
  [
    'oval',
    {
      shortens: (size) => size / 2,
      draw: (pen, at, size, _width, isFilled) => paint(circle(pen, at(0, 0), size / 2), isFilled),
    },
  ],
  [
    'circle',
    {
      shortens: (size, width) => size + 2 * width,
      draw: (pen, at, size, width, isFilled) =>
        paint(circle(pen, at((size + width) / 2, 0), (size + width) / 2), isFilled),
    },
  ],
  [
    'circlePlus',
    {
      shortens: (size, width) => size + 2 * width,
      draw(pen, at, size, width, isFilled) {
        const radius = (size + width) / 2;
        paint(circle(pen, at(radius, 0), radius), isFilled);
        lines(pen, [at(0, 0), at(2 * radius, 0)], [at(radius, radius), at(radius, -radius)]);
      },
    },
  ],
  [
    'halfCircle',
    {
      shortens: (size, width) => size + width,
      draw(pen, at, size, width) {
        const length = size + width;
        const [from, a, middle, b, to] = [
          at(0, length),
          at(length * 0.6, length),
          at(length, 0),
          at(length * 0.6, -length),
          at(0, -length),
        ];
        pen.begin().move(from.x, from.y).quad(a.x, a.y, middle.x, middle.y).quad(b.x, b.y, to.x, to.y).stroke();
      },
    },
  ],
  [
    'dash',
    {
      shortens: () => 0,
      draw: (pen, at, size, width) => lines(pen, [at(0, -size / 2 - width), at(size + width, size / 2 + width)]),
    },
  ],
  [
    'cross',
    {
      shortens: () => 0,
      draw(pen, at, size, width) {
        const [side, length] = [(size + width) / 2, size + width];
        lines(pen, [at(side, side), at(side + length, -side)], [at(side, -side), at(side + length, side)]);
      },
    },
  ],
  [
    'box',
    {
      shortens: (size, width) => size + width,
      draw(pen, at, size, width, isFilled) {
        const [length, side] = [size + width, (size + width) / 2];
        shape(pen, [at(0, side), at(length, side), at(length, -side), at(0, -side)], isFilled);
      },
    },
  ],
  [
    'doubleBlock',
    {
      shortens: (size, width) => 2 * size + width + width * TIP,
      draw(pen, at, size, width, isFilled) {
        const [back, length] = [width * TIP, size + width];
        for (const from of [back, back + length])
          shape(pen, [at(from, 0), at(from + length, length / 2), at(from + length, -length / 2)], isFilled);
      },
    },
  ],
  [
    'baseDash',
    {
      shortens: () => 0,
      draw: (pen, at, size, width) => lines(pen, [at(0, (size + width) / 2), at(0, -(size + width) / 2)]),
    },
  ],
  ['async', half(false)],
  ['openAsync', half(true)],
  ['ERone', entity({ bars: [0.5] })],
  ['ERmandOne', entity({ bars: [0.5, 1] })],
  ['ERmany', entity({ bars: [], foot: true })],
  ['ERoneToMany', entity({ bars: [1], foot: true })],
  ['ERzeroToOne', entity({ bars: [0.5], circle: true })],
  ['ERzeroToMany', entity({ bars: [], foot: true, circle: true })],
  ['manyOptional', entity({ bars: [], foot: true, circle: true })],
]);

/** Names of all heads. */
export const MARKER_NAMES: readonly string[] = [...MARKERS.keys()];

/**
 * Prepares a head.
 * @returns where the line ends so that it does not show through the head, and how the head is drawn; undefined for none
 */
export function markerOf(
  name: string | undefined,
  place: MarkerPlace,
): { end: Point; draw: (pen: Pen) => void } | undefined {
  const marker = name === undefined ? undefined : MARKERS.get(name);
  if (!marker) return undefined;
  const { tip, ux, uy, size, width, isFilled } = place;
  const local: Local = (along, aside) => ({ x: tip.x - ux * along - uy * aside, y: tip.y - uy * along + ux * aside });
  return {
    end: local(marker.shortens(size, width), 0),
    draw: (pen) => marker.draw(pen, local, size, width, isFilled),
  };
}
