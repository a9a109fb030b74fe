/** Cylinders, cubes, sheets of paper and other shapes with a drawn depth. */
import type { Pen } from '../pen.js';
import { drawPath, pathShape, pixels, xy, type Paint, type Shape } from './shape.js';

/** Darkens (or for negative shares lightens) the area that is drawn. */
function shade(pen: Pen, share: number, draw: () => void): void {
  const opacity = Math.min(1, Math.abs(share));
  if (opacity > 0) pen.with({ fill: share < 0 ? '#ffffff' : '#000000', fillOpacity: opacity }, draw);
}

const cylinderBody = (pen: Pen, width: number, height: number, s: number): void => {
  pen
    .begin()
    .move(0, s)
    .arc(width / 2, s, 0, false, true, width / 2, 0)
    .arc(width / 2, s, 0, false, true, width, s);
  pen.line(width, height - s).arc(width / 2, s, 0, false, true, width / 2, height);
  pen
    .arc(width / 2, s, 0, false, true, 0, height - s)
    .close()
    .fillStroke();
};

/** A cylinder. @param otherwise height of its lid in px */
const cylinder = (otherwise: (height: number) => number): Shape => ({
  paint: (pen, width, height, style) => {
    const s = pixels(style, 'size', otherwise(height), height / 2);
    cylinderBody(pen, width, height, s);
    if (!style.is('lid', true)) return;
    pen
      .begin()
      .move(width, s)
      .arc(width / 2, s, 0, false, true, width / 2, 2 * s);
    pen.arc(width / 2, s, 0, false, true, 0, s).stroke();
  },
  insets: (_width, height, style) => {
    const s = pixels(style, 'size', otherwise(height), height / 2);
    if (!style.is('boundedLbl')) return {};
    return { top: style.is('lid', true) ? 2 * s : s, bottom: style.is('lid', true) ? 0 : s };
  },
});

const dataStore: Shape = {
  paint: (pen, width, height, style) => {
    const s = Math.min(height / 2, Math.round(height / 8) + style.strokeWidth - 1);
    cylinderBody(pen, width, height, s * 0.75);
    for (const y of [0, s / 2, s])
      pen
        .begin()
        .move(0, s * 0.75 + y)
        .curve(0, 1.75 * s + y, width, 1.75 * s + y, width, s * 0.75 + y)
        .stroke();
  },
  insets: (_width, height) => ({ top: 2.5 * Math.min(height / 2, Math.round(height / 8)) }),
};

const cube: Shape = {
  paint: (pen, width, height, style) => {
    const s = pixels(style, 'size', 20, width, height);
    const outline = [xy(0, 0), xy(width - s, 0), xy(width, s), xy(width, height), xy(s, height), xy(0, height - s)];
    pen.begin().points(outline, { isClosed: true }).fillStroke();
    shade(pen, style.number('darkOpacity', 0), () => {
      pen
        .begin()
        .points([xy(0, 0), xy(width - s, 0), xy(width, s), xy(s, s)], { isClosed: true })
        .fill();
    });
    shade(pen, style.number('darkOpacity2', 0), () => {
      pen
        .begin()
        .points([xy(0, 0), xy(s, s), xy(s, height), xy(0, height - s)], { isClosed: true })
        .fill();
    });
    pen.begin().move(s, height).line(s, s).line(0, 0).move(s, s).line(width, s).stroke();
  },
  insets: (width, height, style) => {
    const s = pixels(style, 'size', 20, width, height);
    return style.is('boundedLbl') ? { left: s, top: s } : {};
  },
};

/** A sheet with a folded corner. @param otherwise size of the corner in px */
const note = (otherwise: number): Shape => ({
  paint: (pen, width, height, style) => {
    const s = pixels(style, 'size', otherwise, width, height);
    const outline = [xy(0, 0), xy(width - s, 0), xy(width, s), xy(width, height), xy(0, height)];
    pen.begin().points(outline, { isClosed: true }).fillStroke();
    shade(pen, style.number('darkOpacity', 0), () => {
      pen
        .begin()
        .points([xy(width - s, 0), xy(width - s, s), xy(width, s)], { isClosed: true })
        .fill();
    });
    pen
      .begin()
      .move(width - s, 0)
      .line(width - s, s)
      .line(width, s)
      .stroke();
  },
  insets: (_width, height, style) => (style.is('boundedLbl') ? { top: pixels(style, 'size', otherwise, height) } : {}),
});

const document: Shape = {
  paint: (pen, width, height, style) => {
    const wave = height * Math.max(0, Math.min(1, style.number('size', 0.3)));
    const y = height - wave / 2;
    pen.begin().move(0, 0).line(width, 0).line(width, y);
    pen
      .quad((width * 3) / 4, y - wave * 0.7, width / 2, y)
      .quad(width / 4, y + wave * 0.7, 0, y)
      .close()
      .fillStroke();
  },
  insets: (_width, height, style) =>
    style.is('boundedLbl') ? { bottom: height * Math.max(0, Math.min(1, style.number('size', 0.3))) } : {},
};

const tape: Shape = {
  paint: (pen, width, height, style) => {
    const wave = height * Math.max(0, Math.min(1, style.number('size', 0.4)));
    const bottom = height - wave / 2;
    pen
      .begin()
      .move(0, wave / 2)
      .quad(width / 4, wave * 1.2, width / 2, wave / 2)
      .quad((width * 3) / 4, -wave * 0.2, width, wave / 2);
    pen.line(width, bottom).quad((width * 3) / 4, bottom - wave * 0.7, width / 2, bottom);
    pen
      .quad(width / 4, bottom + wave * 0.7, 0, bottom)
      .close()
      .fillStroke();
  },
};

const cloud = pathShape(
  'M 25 25 C 5 25 0 50 16 55 C 0 66 18 90 31 80 C 40 100 70 100 80 80 C 100 80 100 60 87.5 50 C 100 30 80 10 62.5 20 C 50 5 30 5 25 25 Z',
);

const actor = pathShape('M 0 100 C 0 60 0 60 50 60 C 23 60 23 0 50 0 C 77 0 77 60 50 60 C 100 60 100 60 100 100 Z');

const isoCube: Paint = (pen, width, height) => {
  const m = Math.min(width, height / (0.5 + Math.tan(Math.PI / 6)));
  const k = (0.5 - Math.tan(Math.PI / 6)) / 2;
  const box = { x: (width - m) / 2, y: (height - m) / 2, width: m, height: m };
  const [top, low] = [k * 100, (0.5 - k) * 100];
  drawPath(
    pen,
    `M 0 25 L 50 ${top} L 100 25 L 100 75 L 50 ${(1 - k) * 100} L 0 75 Z|M 0 25 L 50 ${low} L 100 25 M 50 ${low} L 50 ${(1 - k) * 100}`,
    box,
  );
};

const isoRectangle: Paint = (pen, width, height) => {
  const m = Math.min(width, height / Math.tan(Math.PI / 6));
  const h = m * Math.tan(Math.PI / 6);
  drawPath(pen, 'M 0 50 L 50 0 L 100 50 L 50 100 Z', { x: (width - m) / 2, y: (height - h) / 2, width: m, height: h });
};

const isoCube2: Paint = (pen, width, height, style) => {
  const angle = (Math.max(0.01, Math.min(94, style.number('isoAngle', 15))) * Math.PI) / 200;
  const s = Math.min(width * Math.tan(angle), height / 2);
  const half = width / 2;
  const outline = [xy(half, 0), xy(width, s), xy(width, height - s), xy(half, height), xy(0, height - s), xy(0, s)];
  pen.begin().points(outline, { isClosed: true }).fillStroke();
  pen
    .begin()
    .move(0, s)
    .line(half, 2 * s)
    .line(width, s)
    .move(half, 2 * s)
    .line(half, height)
    .stroke();
};

/** Names of shapes with their drawings. */
export const SOLID: Record<string, Shape> = {
  cylinder: cylinder((height) => Math.min(40, Math.round(height / 5)) * 0.75),
  cylinder2: cylinder(() => 15),
  cylinder3: cylinder(() => 15),
  datastore: dataStore,
  cube,
  note: note(30),
  note2: note(15),
  document,
  tape,
  cloud,
  actor,
  isoCube: { paint: isoCube },
  isoCube2: { paint: isoCube2 },
  isoRectangle: { paint: isoRectangle },
};
