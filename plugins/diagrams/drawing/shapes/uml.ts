/** Shapes of UML and of entity relationship models. */
import { rectangle } from './rectangle.js';
import { drawPath, pathShape, pixels, sizeOf, xy, type Paint, type Shape } from './shape.js';

const umlActor = pathShape('E 25 0 50 25|M 50 25 L 50 66.7 M 0 33.3 L 100 33.3 M 50 66.7 L 0 100 M 50 66.7 L 100 100');

const folder: Shape = {
  paint: (pen, width, height, style) => {
    const dx = pixels(style, 'tabWidth', 60, width);
    const dy = pixels(style, 'tabHeight', 20, height);
    const isRight = style.get('tabPosition') !== 'left';
    const outline = isRight
      ? [xy(width - dx, dy), xy(width - dx, 0), xy(width, 0), xy(width, height), xy(0, height), xy(0, dy)]
      : [xy(0, 0), xy(dx, 0), xy(dx, dy), xy(width, dy), xy(width, height), xy(0, height)];
    pen.begin().points(outline, { isClosed: true }).fillStroke();
    const [from, to] = isRight ? [width - dx, width] : [0, dx];
    pen.begin().move(from, dy).line(to, dy).stroke();
  },
  insets: (width, height, style) => {
    const tab = pixels(style, 'tabHeight', 20, height);
    if (!style.is('boundedLbl')) return {};
    if (!style.is('labelInHeader')) return { top: tab };
    const rest = width - pixels(style, 'tabWidth', 60, width);
    return { bottom: height - tab, ...(style.get('tabPosition') === 'left' ? { right: rest } : { left: rest }) };
  },
};

/** The two small rectangles on the left side of a component. */
const component: Paint = (pen, width, height, style) => {
  const [w, h] = [pixels(style, 'jettyWidth', 32, width), pixels(style, 'jettyHeight', 12, height)];
  const x0 = w / 2;
  const y0 = Math.min(h, height - h);
  const y1 = Math.min(y0 + 2 * h, height - h);
  pen
    .begin()
    .rect(x0, 0, width - x0, height)
    .fillStroke();
  for (const y of [y0, y1]) pen.begin().rect(0, y, w, h).fillStroke();
};

const module: Paint = (pen, width, height, style) => {
  const [w, h] = [pixels(style, 'jettyWidth', 20, width), pixels(style, 'jettyHeight', 10, height)];
  const [y0, y1] = [Math.min(h, height - h), Math.min(3 * h, height - h)];
  pen
    .begin()
    .rect(w / 2, 0, width - w / 2, height)
    .fillStroke();
  for (const y of [y0, y1]) pen.begin().rect(0, y, w, h).fillStroke();
};

const lollipop: Paint = (pen, width, height, style) => {
  const s = pixels(style, 'size', 10, width, height);
  pen
    .begin()
    .move(width / 2, s)
    .line(width / 2, height)
    .stroke();
  pen
    .begin()
    .ellipse((width - s) / 2, 0, s, s)
    .fillStroke();
};

const requires: Paint = (pen, width, height, style) => {
  const inset = style.number('inset', 2) + style.strokeWidth;
  const s = pixels(style, 'size', 10, width);
  pen
    .begin()
    .move(width / 2, s + inset)
    .line(width / 2, height)
    .stroke();
  pen
    .begin()
    .move((width - s) / 2 - inset, s / 2)
    .quad((width - s) / 2 - inset, s + inset, width / 2, s + inset);
  pen.quad((width + s) / 2 + inset, s + inset, (width + s) / 2 + inset, s / 2).stroke();
};

const requiredInterface: Paint = (pen, width, height) => {
  pen
    .begin()
    .move(0, 0)
    .quad(width, 0, width, height / 2)
    .quad(width, height, 0, height)
    .stroke();
};

const providedRequiredInterface: Paint = (pen, width, height, style) => {
  const inset = style.number('inset', 2) + style.strokeWidth;
  pen
    .begin()
    .ellipse(0, inset, Math.max(0, width - 2 * inset), Math.max(0, height - 2 * inset))
    .fillStroke();
  pen
    .begin()
    .move(width / 2, 0)
    .quad(width, 0, width, height / 2)
    .quad(width, height, width / 2, height)
    .stroke();
};

const umlBoundary: Paint = (pen, width, height) => {
  pen
    .begin()
    .move(0, height / 4)
    .line(0, (height * 3) / 4)
    .move(0, height / 2)
    .line(width / 6, height / 2)
    .stroke();
  pen
    .begin()
    .ellipse(width / 6, 0, (width * 5) / 6, height)
    .fillStroke();
};

const umlEntity = pathShape('E 0 0 100 100|M 12.5 100 L 87.5 100');
const umlControl: Paint = (pen, width, height) => {
  const box = { x: 0, y: 0, width, height };
  drawPath(pen, 'E 0 12.5 100 87.5|M 37.5 12.5 L 62.5 0 M 37.5 12.5 L 62.5 25', box);
};

/** A life line: a head, and a dashed line below it. */
const umlLifeline: Shape = {
  paint: (pen, width, height, style, context) => {
    const s = pixels(style, 'size', 40, height);
    const participant = style.get('participant');
    if (s > 0) {
      if (participant === 'umlActor') umlActor.paint(pen, width, s, style, context);
      else if (participant === 'umlBoundary') umlBoundary(pen, width, s, style, context);
      else if (participant === 'umlEntity') umlEntity.paint(pen, width, s, style, context);
      else if (participant === 'umlControl') umlControl(pen, width, s, style, context);
      else rectangle(pen, width, s, style, context);
    }
    const dash = pen.ink.dash ?? '3 3';
    pen.with({ dash: style.is('lifelineDashed', true) ? dash : undefined }, () => {
      pen
        .begin()
        .move(width / 2, s)
        .line(width / 2, height)
        .stroke();
    });
  },
  insets: (_width, height, style) => ({ bottom: Math.max(0, height - pixels(style, 'size', 40, height)) }),
};

const umlFrame: Shape = {
  paint: (pen, width, height, style) => {
    const [w, h] = [pixels(style, 'width', 60, width), pixels(style, 'height', 30, height)];
    const fold = Math.min(w, h * 0.35);
    const ground = style.colour('swimlaneFillColor');
    if (ground !== undefined) pen.with({ fill: ground }, () => void pen.begin().rect(0, 0, width, height).fill());
    const tab = [xy(0, 0), xy(w, 0), xy(w, Math.max(0, h - fold)), xy(Math.max(0, w - fold), h), xy(0, h)];
    pen.begin().points(tab, { isClosed: true }).fillStroke();
    pen.begin().move(w, 0).line(width, 0).line(width, height).line(0, height).line(0, h).stroke();
  },
  insets: (width, height, style) => ({
    right: width - pixels(style, 'width', 60, width),
    bottom: height - pixels(style, 'height', 30, height),
  }),
};

const umlDestroy = pathShape('|M 100 0 L 0 100 M 0 0 L 100 100');

const endState: Paint = (pen, width, height, style) => {
  const inset = Math.min(4, width / 5, height / 5) + style.strokeWidth;
  pen
    .begin()
    .ellipse(0, 0, width, height)
    .with({ fill: undefined }, () => void pen.stroke());
  pen
    .begin()
    .ellipse(inset, inset, Math.max(0, width - 2 * inset), Math.max(0, height - 2 * inset))
    .fillStroke();
};

/** A state: a round rectangle, with a symbol of a composite state or with connection points. */
const umlState: Paint = (pen, width, height, style) => {
  const radius = style.is('rounded') ? Math.min(pixels(style, 'arcSize', 15), width / 2, height / 2) : 10;
  const symbol = style.get('umlStateSymbol');
  pen
    .begin()
    .roundRect(0, 0, width, height, Math.min(radius, width / 4, height / 2))
    .fillStroke();
  if (symbol === 'collapseState') {
    pen
      .begin()
      .roundRect(width - 40, height - 20, 10, 10, 3)
      .stroke();
    pen
      .begin()
      .roundRect(width - 20, height - 20, 10, 10, 3)
      .stroke();
    pen
      .begin()
      .move(width - 30, height - 15)
      .line(width - 20, height - 15)
      .stroke();
  }
};

/** A rectangle whose sides are drawn as the style says. */
const partialRectangle: Paint = (pen, width, height, style) => {
  pen.begin().rect(0, 0, width, height).fill();
  pen.begin();
  if (style.is('top', true)) pen.move(0, 0).line(width, 0);
  if (style.is('right', true)) pen.move(width, 0).line(width, height);
  if (style.is('bottom', true)) pen.move(width, height).line(0, height);
  if (style.is('left', true)) pen.move(0, height).line(0, 0);
  pen.stroke();
};

const weakEntity: Paint = (pen, width, height, style, context) => {
  rectangle(pen, width, height, style, context);
  const inset = Math.min(3 + style.strokeWidth, width / 4, height / 4);
  pen
    .begin()
    .rect(inset, inset, width - 2 * inset, height - 2 * inset)
    .stroke();
};

const branch: Paint = (pen, width, height, style) => {
  const s = sizeOf(style, width, 0.5, 20);
  pen
    .begin()
    .move(0, height / 2)
    .line(s, height / 2)
    .move(s, 0)
    .line(width, 0)
    .move(s, 0)
    .line(s, height)
    .line(width, height)
    .stroke();
};

/** Names of shapes with their drawings. */
export const UML: Record<string, Shape> = {
  umlActor,
  folder,
  component: { paint: component },
  module: { paint: module },
  lollipop: { paint: lollipop },
  requires: { paint: requires },
  requiredInterface: { paint: requiredInterface },
  providedRequiredInterface: { paint: providedRequiredInterface },
  umlBoundary: { paint: umlBoundary, insets: (width) => ({ left: width / 6 }) },
  umlEntity,
  umlControl: { paint: umlControl, insets: (_width, height) => ({ top: height / 8 }) },
  umlLifeline,
  umlFrame,
  umlDestroy,
  startState: pathShape('E 0 0 100 100'),
  endState: { paint: endState },
  umlState: { paint: umlState },
  partialRectangle: { paint: partialRectangle },
  associativeEntity: {
    paint: (pen, width, height, style, context) => {
      rectangle(pen, width, height, style, context);
      drawPath(pen, '|M 50 0 L 100 50 L 50 100 L 0 50 Z', { x: 0, y: 0, width, height });
    },
  },
  branch: { paint: branch },
  'mxgraph.er.entity': { paint: rectangle },
  'mxgraph.er.weakEntity': { paint: weakEntity },
};
