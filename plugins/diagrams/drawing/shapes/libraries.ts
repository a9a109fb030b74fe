/** Shapes of the libraries `mxgraph.basic`, `mxgraph.arrows` and a few others that are simple. */
import { drawPath, pathShape, pixels, polygon, sizeOf, xy, type Paint, type Shape } from './shape.js';
import { BASIC } from './basic.js';

/** Points of a regular polygon or a star in a box. @param inner share of the radius for every second point */
const regular = (corners: number, turn: number, inner?: number): Shape =>
  polygon((width, height) => {
    const count = inner === undefined ? corners : corners * 2;
    return Array.from({ length: count }, (_, i) => {
      const radius = inner !== undefined && i % 2 === 1 ? inner : 1;
      const angle = ((i / count) * 360 + turn) * (Math.PI / 180);
      return xy((width / 2) * (1 + radius * Math.cos(angle)), (height / 2) * (1 + radius * Math.sin(angle)));
    });
  });

/** A rectangle whose sides can be turned off. */
const sides: Paint = (pen, width, height, style) => {
  const radius = style.get('rectStyle') === 'rounded' ? pixels(style, 'size', 20, width / 2, height / 2) : 0;
  pen.begin().roundRect(0, 0, width, height, radius).fillStroke();
};

/** An arrow to the right: `dy` is the share of the height above the shaft, `dx` the length of the head. */
const arrow: Shape = polygon((width, height, style) => {
  const dy = (height * Math.max(0, Math.min(1, style.number('dy', 0.6)))) / 2;
  const dx = pixels(style, 'dx', 40, width);
  const notch = pixels(style, 'notch', 0, width);
  return [
    xy(0, dy),
    xy(width - dx, dy),
    xy(width - dx, 0),
    xy(width, height / 2),
    xy(width - dx, height),
    xy(width - dx, height - dy),
    xy(0, height - dy),
    xy(notch, height / 2),
  ];
});

const chamfered: Shape = polygon((width, height, style) => {
  const s = pixels(style, 'size', 20, width / 2, height / 2);
  return [
    xy(s, 0),
    xy(width - s, 0),
    xy(width, s),
    xy(width, height - s),
    xy(width - s, height),
    xy(s, height),
    xy(0, height - s),
    xy(0, s),
  ];
});

const donut: Paint = (pen, width, height, style) => {
  const d = Math.max(0, Math.min(style.number('dx', 25), width / 2, height / 2));
  pen.begin().ellipse(0, 0, width, height).fillStroke();
  pen
    .begin()
    .ellipse(d, d, width - 2 * d, height - 2 * d)
    .stroke();
};

/** `mxgraph.basic`, by the last part of the name. */
export const BASIC_LIBRARY: Record<string, Shape> = {
  rect: { paint: sides },
  acute_triangle: polygon((width, height, style) => [
    xy(0, height),
    xy(sizeOf(style, width, 0.5, 20), 0),
    xy(width, height),
  ]),
  orthogonal_triangle: polygon((width, height) => [xy(0, 0), xy(width, height), xy(0, height)]),
  obtuse_triangle: polygon((width, height) => [xy(width * 0.25, height), xy(0, 0), xy(width, height)]),
  pentagon: regular(5, -90),
  hexagon: regular(6, 0),
  heptagon: regular(7, -90),
  octagon: regular(8, 22.5),
  octagon2: chamfered,
  decagon: regular(10, 0),
  '4_point_star': regular(4, -90, 0.35),
  '4_point_star_2': regular(4, -90, 0.35),
  '5_point_star': regular(5, -90, 0.4),
  star: regular(5, -90, 0.4),
  '6_point_star': regular(6, -90, 0.57),
  '8_point_star': regular(8, -90, 0.7),
  diamond: BASIC.rhombus!,
  half_circle: pathShape('M 0 0 A 50 100 0 100 0 Z'),
  heart: pathShape('M 50 25 C 45 0 0 0 0 32 C 0 60 35 75 50 100 C 65 75 100 60 100 32 C 100 0 55 0 50 25 Z'),
  moon: pathShape('M 100 0 A 75 50 2 100 100 A 60 60 1 100 0 Z'),
  drop: pathShape('M 50 0 C 60 25 100 40 100 68 A 50 32 1 0 68 C 0 40 40 25 50 0 Z'),
  no_symbol: pathShape('E 0 0 100 100|E 12 12 76 76 M 23 23 L 77 77'),
  smiley: pathShape('E 0 0 100 100|M 22 60 C 30 90 70 90 78 60 M 35 32 L 35 42 M 65 32 L 65 42'),
  sun: pathShape(
    'E 20 20 60 60|M 50 0 L 50 15 M 50 85 L 50 100 M 0 50 L 15 50 M 85 50 L 100 50 M 15 15 L 26 26 M 74 74 L 85 85 M 85 15 L 74 26 M 26 74 L 15 85',
  ),
  tick: pathShape('|M 0 60 L 35 100 L 100 0'),
  x: pathShape('|M 0 0 L 100 100 M 100 0 L 0 100'),
  cross: pathShape('M 25 0 L 75 0 L 75 25 L 100 25 L 100 75 L 75 75 L 75 100 L 25 100 L 25 75 L 0 75 L 0 25 L 25 25 Z'),
  cone: pathShape('M 50 0 L 100 85 A 50 15 1 0 85 Z'),
  pyramid: pathShape('M 50 0 L 100 70 L 55 100 L 0 70 Z|M 50 0 L 55 100'),
  donut: { paint: donut },
  frame: pathShape('R 0 0 100 100|R 10 10 80 80'),
  plaque: pathShape(
    'M 15 0 L 85 0 A 15 15 0 100 15 L 100 85 A 15 15 0 85 100 L 15 100 A 15 15 0 0 85 L 0 15 A 15 15 0 15 0 Z',
  ),
  cloud_callout: pathShape(
    'M 25 22 C 5 22 0 45 16 49 C 0 60 18 80 31 70 L 20 100 L 45 78 C 60 85 75 82 80 70 C 100 70 100 53 87 45 C 100 27 80 10 62 18 C 50 5 30 5 25 22 Z',
  ),
  rectangular_callout: BASIC.callout!,
  rounded_rectangular_callout: BASIC.callout!,
  oval_callout: pathShape('M 25 72 C -25 50 10 0 50 0 C 110 0 120 80 45 79 L 20 100 Z'),
  flash: pathShape('M 30 0 L 70 0 L 55 35 L 100 35 L 20 100 L 40 50 L 0 50 Z'),
};

/** `mxgraph.arrows` and `mxgraph.arrows2`, by the last part of the name. */
export const ARROWS: Record<string, Shape> = {
  arrow,
  arrow_right: arrow,
  notched_arrow: arrow,
  twoWayArrow: BASIC.doubleArrow!,
  two_way_arrow_horizontal: BASIC.doubleArrow!,
  stylisedArrow: arrow,
  sharpArrow: arrow,
};

const push: Paint = (pen, width, height) => {
  drawPath(pen, 'M 0 30 L 75 30 L 75 0 L 100 50 L 75 100 L 75 70 L 0 70 Z', { x: 0, y: 0, width, height });
  pen.with({ fill: pen.ink.stroke }, () =>
    drawPath(pen, 'R 8 30 12 40 R 32 30 12 40 R 56 30 12 40', { x: 0, y: 0, width, height }),
  );
};

/** `mxgraph.lean_mapping`, by the last part of the name. */
export const LEAN: Record<string, Shape> = {
  manufacturing_process: pathShape('R 0 0 100 100|M 0 20 L 100 20'),
  data_box: pathShape('R 0 0 100 100|M 0 20 L 100 20 M 0 40 L 100 40 M 0 60 L 100 60 M 0 80 L 100 80'),
  inventory_box: pathShape('M 50 0 L 100 100 L 0 100 Z|M 50 40 L 50 75 M 44 40 L 56 40 M 44 75 L 56 75'),
  outside_sources: pathShape('M 0 30 L 33 0 L 33 30 L 66 0 L 66 30 L 100 0 L 100 100 L 0 100 Z'),
  schedule: pathShape('R 0 0 100 100|M 0 30 L 100 30'),
  push_arrow: { paint: push },
  operator: pathShape('E 20 0 60 70|M 0 40 C 0 115 100 115 100 40'),
  physical_pull: pathShape('|M 100 50 A 50 50 2 50 0 M 50 0 L 70 0 M 50 0 L 60 15'),
  supermarket: pathShape('|M 0 0 L 100 0 L 100 100 L 0 100 M 0 33 L 100 33 M 0 66 L 100 66'),
};
