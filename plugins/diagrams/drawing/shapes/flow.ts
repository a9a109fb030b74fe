/** Shapes of flow charts: those of draw.io itself and of its library `mxgraph.flowchart`. */
import { BASIC } from './basic.js';
import { cornerRadius, rectangle } from './rectangle.js';
import { SOLID } from './solid.js';
import { drawPath, pathShape, pixels, polygon, sizeOf, xy, type Shape } from './shape.js';

const process: Shape = {
  paint: (pen, width, height, style, context) => {
    rectangle(pen, width, height, style, context);
    const fixed = style.is('fixedSize');
    const s = Math.max(
      fixed ? 0 : cornerRadius(style, width, height),
      Math.min(sizeOf(style, width, 0.1, 10), width / 2),
    );
    pen
      .begin()
      .move(s, 0)
      .line(s, height)
      .move(width - s, 0)
      .line(width - s, height)
      .stroke();
  },
  insets: (width, _height, style) => {
    const s = Math.min(sizeOf(style, width, 0.1, 10), width / 2);
    return style.is('boundedLbl') ? { left: s, right: s } : {};
  },
};

const internalStorage: Shape = {
  paint: (pen, width, height, style, context) => {
    rectangle(pen, width, height, style, context);
    const [dx, dy] = [pixels(style, 'dx', 20, width), pixels(style, 'dy', 20, height)];
    pen.begin().move(0, dy).line(width, dy).move(dx, 0).line(dx, height).stroke();
  },
};

const dataStorage: Shape = {
  paint: (pen, width, height, style) => {
    const s = sizeOf(style, width, 0.1, 20);
    pen
      .begin()
      .move(s, 0)
      .line(width, 0)
      .quad(width - s * 2, height / 2, width, height);
    pen
      .line(s, height)
      .quad(s - s * 2, height / 2, s, 0)
      .close()
      .fillStroke();
  },
};

const delay: Shape = {
  paint: (pen, width, height) => {
    const s = Math.min(width, height / 2);
    pen
      .begin()
      .move(0, 0)
      .line(width - s, 0)
      .arc(s, height / 2, 0, false, true, width - s, height)
      .line(0, height)
      .close()
      .fillStroke();
  },
};

const display: Shape = {
  paint: (pen, width, height, style) => {
    const d = Math.min(width, height / 2);
    const s = Math.min(width - d, Math.max(0, style.number('size', 0.25)) * width);
    pen
      .begin()
      .move(0, height / 2)
      .line(s, 0)
      .line(width - d, 0)
      .quad(width, 0, width, height / 2);
    pen
      .quad(width, height, width - d, height)
      .line(s, height)
      .close()
      .fillStroke();
  },
};

const terminator: Shape = {
  paint: (pen, width, height) =>
    void pen
      .begin()
      .roundRect(0, 0, width, height, Math.min(width, height) / 2)
      .fillStroke(),
};

const storedData: Shape = {
  paint: (pen, width, height) => {
    const s = Math.min(width / 5, height / 3);
    pen
      .begin()
      .move(s, 0)
      .line(width, 0)
      .quad(width - 2 * s, height / 2, width, height)
      .line(s, height);
    pen
      .quad(-s, height / 2, s, 0)
      .close()
      .fillStroke();
  },
};

/** Three documents behind each other. */
const multiDocument: Shape = {
  paint: (pen, width, height) => {
    const box = { x: 0, y: 0, width, height };
    for (const at of [10, 5, 0]) {
      const [right, top, low] = [at + 90, 20 - at, 88 - at / 2];
      drawPath(
        pen,
        `M ${at} ${top} L ${right} ${top} L ${right} ${low} Q ${at + 67} ${low - 12} ${at + 45} ${low} Q ${at + 22} ${low + 12} ${at} ${low} Z`,
        box,
      );
    }
  },
};

const manualOperation = polygon((width, height) => [
  xy(0, 0),
  xy(width, 0),
  xy(width * 0.8, height),
  xy(width * 0.2, height),
]);

/** Names of shapes with their drawings. */
export const FLOW: Record<string, Shape> = {
  process,
  process2: process,
  internalStorage,
  dataStorage,
  delay,
  display,
};

const { ellipse, triangle, hexagon, parallelogram, card, manualInput, loopLimit, offPageConnector } = BASIC as Record<
  string,
  Shape
>;

/** The library `mxgraph.flowchart`, by the last part of the name. */
export const FLOWCHART: Record<string, Shape> = {
  annotation_1: pathShape('|M 100 0 L 0 0 L 0 100 L 100 100'),
  annotation_2: pathShape('|M 100 0 L 50 0 L 50 100 L 100 100 M 0 50 L 50 50'),
  card: pathShape('M 20 0 L 100 0 L 100 100 L 0 100 L 0 20 Z'),
  collate: BASIC.collate!,
  data: parallelogram!,
  database: SOLID.cylinder!,
  decision: pathShape('M 50 0 L 100 50 L 50 100 L 0 50 Z'),
  delay,
  direct_data: pathShape('M 10 0 L 90 0 A 10 50 1 90 100 L 10 100 A 10 50 1 10 0 Z|M 90 0 A 10 50 0 90 100'),
  display,
  document: SOLID.document!,
  document2: SOLID.document!,
  extract_or_measurement: pathShape('M 50 0 L 100 100 L 0 100 Z'),
  internal_storage: pathShape('R 0 0 100 100|M 0 15 L 100 15 M 15 0 L 15 100'),
  loop_limit: loopLimit!,
  manual_input: manualInput!,
  manual_operation: manualOperation,
  merge_or_storage: pathShape('M 0 0 L 100 0 L 50 100 Z'),
  'multi-document': multiDocument,
  'off-page_reference': offPageConnector!,
  on_page_reference: ellipse!,
  'on-page_reference': ellipse!,
  or: BASIC.orEllipse!,
  paper_tape: SOLID.tape!,
  parallel_mode: pathShape('|M 0 0 L 100 0 M 0 100 L 100 100'),
  predefined_process: process,
  preparation: hexagon!,
  process: { paint: rectangle },
  punched_card: card!,
  punched_tape: SOLID.tape!,
  sequential_data: pathShape('E 0 0 100 100|M 50 100 L 100 100'),
  sort: BASIC.sortShape!,
  start_1: ellipse!,
  start_2: ellipse!,
  stored_data: storedData,
  summing_function: BASIC.sumEllipse!,
  terminator,
  transfer: pathShape('|M 0 50 L 100 50 M 80 30 L 100 50 L 80 70'),
  triangle: triangle!,
};
