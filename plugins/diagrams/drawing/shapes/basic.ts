/** Rectangles, ellipses and other basic shapes. Sizes are those of draw.io's styles: `size`, `arcSize`, `fixedSize`. */
import type { CellStyle } from '../style.js';
import { cornerRadius, rectangle } from './rectangle.js';
import { arcSizeOf, drawPath, pathShape, pixels, polygon, sizeOf, xy, type Paint, type Shape } from './shape.js';

const ellipse: Shape = { paint: (pen, width, height) => void pen.begin().ellipse(0, 0, width, height).fillStroke() };

const doubleEllipse: Shape = {
  paint: (pen, width, height, style) => {
    pen.begin().ellipse(0, 0, width, height).fillStroke();
    const inset = style.number('margin', Math.min(3 + style.strokeWidth, width / 5, height / 5));
    if (width > 2 * inset && height > 2 * inset)
      pen
        .begin()
        .ellipse(inset, inset, width - 2 * inset, height - 2 * inset)
        .stroke();
  },
};

const inner = (style: CellStyle): number => 4 + style.strokeWidth;

const doubleRectangle: Shape = {
  paint: (pen, width, height, style, context) => {
    rectangle(pen, width, height, style, context);
    if (!style.is('double')) return;
    const [inset, radius] = [
      Math.max(2, style.strokeWidth + 1) + style.number('margin', 0),
      cornerRadius(style, width, height),
    ];
    pen
      .begin()
      .roundRect(inset, inset, Math.max(0, width - 2 * inset), Math.max(0, height - 2 * inset), radius - inset)
      .stroke();
  },
};

const rhombusPoints = (width: number, height: number, inset = 0) => [
  xy(width / 2, inset),
  xy(width - inset, height / 2),
  xy(width / 2, height - inset),
  xy(inset, height / 2),
];

const rhombus: Shape = {
  paint: (pen, width, height, style) => {
    const radius = style.is('rounded') ? arcSizeOf(style) : 0;
    pen.begin().points(rhombusPoints(width, height), { radius, isClosed: true }).fillStroke();
    if (style.is('double'))
      pen
        .begin()
        .points(rhombusPoints(width, height, inner(style) * 1.5), { isClosed: true })
        .stroke();
  },
};

const triangle = polygon((width, height) => [xy(0, 0), xy(width, height / 2), xy(0, height)]);

const hexagon = polygon((width, height, style) => {
  const s = Math.min(sizeOf(style, width, 0.25, 20), width / 2);
  return [xy(s, 0), xy(width - s, 0), xy(width, height / 2), xy(width - s, height), xy(s, height), xy(0, height / 2)];
});

const parallelogram = polygon((width, height, style) => {
  const s = sizeOf(style, width, 0.2, 20);
  return [xy(0, height), xy(s, 0), xy(width, 0), xy(width - s, height)];
});

const trapezoid = polygon((width, height, style) => {
  const s = Math.min(sizeOf(style, width, 0.2, 20), width / 2);
  return [xy(0, height), xy(s, 0), xy(width - s, 0), xy(width, height)];
});

const step = polygon((width, height, style) => {
  const s = sizeOf(style, width, 0.2, 20);
  return [xy(0, 0), xy(width - s, 0), xy(width, height / 2), xy(width - s, height), xy(0, height), xy(s, height / 2)];
});

/** A rectangle with a plus sign in it. */
const plusSign: Paint = (pen, width, height, style, context) => {
  rectangle(pen, width, height, style, context);
  const border = Math.min(width / 5, height / 5) + 1;
  pen
    .begin()
    .move(width / 2, border)
    .line(width / 2, height - border)
    .move(border, height / 2)
    .line(width - border, height / 2)
    .stroke();
};

const plus = polygon((width, height, style) => {
  // `cross` of draw.io has arms of a share of its box.
  const share = Math.max(0, Math.min(1, style.number('size', 0.2)));
  const arm = Math.min(width, height) * (1 - share) * 0.5;
  const [left, right, top, bottom] = [
    width / 2 - arm / 2,
    width / 2 + arm / 2,
    height / 2 - arm / 2,
    height / 2 + arm / 2,
  ];
  return [
    xy(left, 0),
    xy(right, 0),
    xy(right, top),
    xy(width, top),
    xy(width, bottom),
    xy(right, bottom),
    xy(right, height),
    xy(left, height),
    xy(left, bottom),
    xy(0, bottom),
    xy(0, top),
    xy(left, top),
  ];
});

const card = polygon((width, height, style) => {
  const s = pixels(style, 'size', 30, width, height);
  return [xy(s, 0), xy(width, 0), xy(width, height), xy(0, height), xy(0, s)];
});

const manualInput = polygon((width, height, style) => [
  xy(0, height),
  xy(0, pixels(style, 'size', 30, height)),
  xy(width, 0),
  xy(width, height),
]);

const loopLimit = polygon((width, height, style) => {
  const s = pixels(style, 'size', 20, width / 2, height);
  return [xy(s, 0), xy(width - s, 0), xy(width, s * 0.8), xy(width, height), xy(0, height), xy(0, s * 0.8)];
});

const offPage = polygon((width, height, style) => {
  const s = height * Math.max(0, Math.min(1, style.number('size', 0.375)));
  return [xy(0, 0), xy(width, 0), xy(width, height - s), xy(width / 2, height), xy(0, height - s)];
});

/** An envelope. */
const message: Shape = pathShape('R 0 0 100 100|M 0 0 L 50 50 L 100 0');

/** A line across the middle of the box. */
const line: Shape = {
  paint: (pen, width, height) =>
    void pen
      .begin()
      .move(0, height / 2)
      .line(width, height / 2)
      .stroke(),
};

const callout: Shape = {
  paint: (pen, width, height, style) => {
    const tail = pixels(style, 'size', 30, height);
    const [from, to] = [width * style.number('position', 0.5), width * style.number('position2', 0.5)];
    const base = pixels(style, 'base', 20, width);
    const bottom = height - tail;
    const points = [
      xy(0, 0),
      xy(width, 0),
      xy(width, bottom),
      xy(Math.min(width, from + base), bottom),
      xy(to, height),
      xy(Math.max(0, from), bottom),
      xy(0, bottom),
    ];
    pen
      .begin()
      .points(points, { radius: style.is('rounded') ? arcSizeOf(style) : 0, isClosed: true })
      .fillStroke();
  },
  insets: (_width, height, style) => ({ bottom: pixels(style, 'size', 30, height) }),
};

/** A bent arrow: of draw.io's `singleArrow` and `doubleArrow`. */
const arrow = (isDouble: boolean): Shape =>
  polygon((width, height, style) => {
    const half = (height * Math.max(0, Math.min(1, style.number('arrowWidth', 0.3)))) / 2;
    const head = width * Math.max(0, Math.min(isDouble ? 0.5 : 1, style.number('arrowSize', 0.2)));
    const [top, bottom, middle] = [height / 2 - half, height / 2 + half, height / 2];
    const right = [
      xy(width - head, top),
      xy(width - head, 0),
      xy(width, middle),
      xy(width - head, height),
      xy(width - head, bottom),
    ];
    if (!isDouble) return [xy(0, top), ...right, xy(0, bottom)];
    return [xy(0, middle), xy(head, 0), xy(head, top), ...right, xy(head, bottom), xy(head, height)];
  });

const corner = polygon((width, height, style) => {
  const [dx, dy] = [pixels(style, 'dx', 20, width), pixels(style, 'dy', 20, height)];
  return [xy(0, 0), xy(width, 0), xy(width, dy), xy(dx, dy), xy(dx, height), xy(0, height)];
});

const tee = polygon((width, height, style) => {
  const [dx, dy] = [pixels(style, 'dx', 20, width), pixels(style, 'dy', 20, height)];
  const [left, right] = [(width - dx) / 2, (width + dx) / 2];
  return [
    xy(0, 0),
    xy(width, 0),
    xy(width, dy),
    xy(right, dy),
    xy(right, height),
    xy(left, height),
    xy(left, dy),
    xy(0, dy),
  ];
});

const curlyBracket: Shape = {
  paint: (pen, width, height, style) => {
    const x = width * Math.max(0, Math.min(1, style.number('size', 0.5)));
    const points = [
      xy(width, 0),
      xy(x, 0),
      xy(x, height / 2),
      xy(0, height / 2),
      xy(x, height / 2),
      xy(x, height),
      xy(width, height),
    ];
    const radius = style.is('rounded') ? arcSizeOf(style) : 0;
    pen.begin().points(points.slice(0, 4), { radius }).stroke();
    pen.begin().points(points.slice(3), { radius }).stroke();
  },
};

const crossbar: Shape = pathShape('|M 0 0 L 0 100 M 100 0 L 100 100 M 0 50 L 100 50');

/** An ellipse with lines across. */
const crossed = (path: string): Shape => ({
  paint: (pen, width, height) => {
    pen.begin().ellipse(0, 0, width, height).fillStroke();
    drawPath(pen, `|${path}`, { x: 0, y: 0, width, height });
  },
});

const waypoint: Shape = {
  paint: (pen, width, height, style) => {
    const size = Math.max(0, style.number('size', 6) - 2) + 2 * style.strokeWidth;
    pen.with({ fill: pen.ink.stroke }, () => {
      pen
        .begin()
        .ellipse((width - size) / 2, (height - size) / 2, size, size)
        .fill();
    });
  },
};

/** Names of shapes with their drawings. */
export const BASIC: Record<string, Shape> = {
  rectangle: { paint: rectangle },
  rect: { paint: rectangle },
  ext: doubleRectangle,
  ellipse,
  doubleEllipse,
  rhombus,
  triangle,
  hexagon,
  parallelogram,
  trapezoid,
  step,
  cross: plus,
  card,
  manualInput,
  loopLimit,
  offPageConnector: offPage,
  message,
  line,
  callout,
  singleArrow: arrow(false),
  doubleArrow: arrow(true),
  corner,
  tee,
  curlyBracket,
  crossbar,
  sumEllipse: crossed('M 14.6 14.6 L 85.4 85.4 M 85.4 14.6 L 14.6 85.4'),
  orEllipse: crossed('M 0 50 L 100 50 M 50 0 L 50 100'),
  lineEllipse: crossed('M 0 50 L 100 50'),
  tapeData: crossed('M 50 100 L 100 100'),
  collate: pathShape('M 0 0 L 100 0 L 0 100 L 100 100 Z'),
  sortShape: pathShape('M 50 0 L 100 50 L 50 100 L 0 50 Z|M 0 50 L 100 50'),
  switch: pathShape('M 0 0 Q 50 50 0 100 Q 50 50 100 100 Q 50 50 100 0 Q 50 50 0 0 Z'),
  xor: pathShape('M 0 0 Q 100 0 100 50 Q 100 100 0 100 Q 50 50 0 0 Z'),
  or: pathShape('M 0 0 Q 100 0 100 50 Q 100 100 0 100 Z'),
  waypoint,
  plus: { paint: plusSign },
};
