/** Swimlanes, tables and their rows. */
import type { Pen } from '../pen.js';
import type { CellStyle } from '../style.js';
import { rectangle } from './rectangle.js';
import { arcSizeOf, xy, type Paint, type Shape } from './shape.js';

/** The height of the title of a swimlane, or its width where that stands at the left side. */
export function titleSize(style: CellStyle, width: number, height: number): number {
  const size = Math.max(0, style.number('startSize', 40));
  return Math.min(size, isHorizontal(style) ? height : width);
}

/** Whether the title is above the content. */
export const isHorizontal = (style: CellStyle): boolean => style.is('horizontal', true);

function laneRadius(style: CellStyle, width: number, height: number, start: number): number {
  if (!style.is('rounded')) return 0;
  const radius = style.is('absoluteArcSize')
    ? Math.min(width / 2, height / 2, arcSizeOf(style))
    : start * Math.max(0, style.number('arcSize', 15, 100) / 100) * 3;
  return Math.max(0, Math.min((isHorizontal(style) ? height : width) - start, start, radius));
}

/** The body below or beside the title: filled only where the style says so. */
function paintBody(pen: Pen, width: number, height: number, start: number, radius: number, style: CellStyle): void {
  const ground = style.colour('swimlaneFillColor');
  const r = radius;
  pen.with({ fill: ground }, () => {
    pen.begin();
    if (isHorizontal(style)) {
      pen
        .move(0, start)
        .line(0, height - r)
        .quad(0, height, r, height)
        .line(width - r, height);
      pen.quad(width, height, width, height - r).line(width, start);
    } else {
      pen
        .move(start, 0)
        .line(width - r, 0)
        .quad(width, 0, width, r)
        .line(width, height - r);
      pen.quad(width, height, width - r, height).line(start, height);
    }
    pen.fillStroke();
  });
}

function paintTitle(pen: Pen, width: number, height: number, start: number, radius: number, style: CellStyle): void {
  const r = radius;
  pen.begin();
  if (isHorizontal(style)) {
    pen
      .move(0, start)
      .line(0, r)
      .quad(0, 0, Math.min(width / 2, r), 0)
      .line(width - Math.min(width / 2, r), 0);
    pen.quad(width, 0, width, r).line(width, start);
  } else {
    pen
      .move(start, 0)
      .line(r, 0)
      .quad(0, 0, 0, Math.min(height / 2, r))
      .line(0, height - Math.min(height / 2, r));
    pen.quad(0, height, r, height).line(start, height);
  }
  pen.fillStroke();
}

const swimlane: Paint = (pen, width, height, style) => {
  const start = titleSize(style, width, height);
  const radius = laneRadius(style, width, height, start);
  paintTitle(pen, width, height, start, radius, style);
  if (start < (isHorizontal(style) ? height : width)) paintBody(pen, width, height, start, radius, style);
  if (start > 0 && style.is('swimlaneLine', true)) {
    const points = isHorizontal(style) ? [xy(0, start), xy(width, start)] : [xy(start, 0), xy(start, height)];
    pen.begin().points(points).stroke();
  }
  const separator = style.colour('separatorColor');
  if (separator === undefined) return;
  pen.with({ stroke: separator, dash: '3 3' }, () => {
    pen
      .begin()
      .points(isHorizontal(style) ? [xy(width, start), xy(width, height)] : [xy(start, 0), xy(width, 0)])
      .stroke();
  });
};

/** A table: a title, and lines between rows and columns. */
const table: Paint = (pen, width, height, style, context) => {
  const start = titleSize(style, width, height);
  if (start > 0) swimlane(pen, width, height, style, context);
  else rectangle(pen, width, height, style, context);
  const rows = context.rows();
  if (style.is('rowLines', true))
    for (const { box } of rows.slice(0, -1)) {
      const y = box.y + box.height;
      pen
        .begin()
        .move(isHorizontal(style) ? 0 : start, y)
        .line(width, y)
        .stroke();
    }
  if (!style.is('columnLines', true)) return;
  for (const { box, cells } of rows)
    for (const cell of cells.slice(0, -1)) {
      const x = box.x + cell.x + cell.width;
      pen
        .begin()
        .move(x, box.y)
        .line(x, box.y + box.height)
        .stroke();
    }
};

/** A row has only the sides that its style names: the lines are those of the table. */
const tableRow: Paint = (pen, width, height, style) => {
  pen.begin().rect(0, 0, width, height).fill();
  const sides = ['top', 'right', 'bottom', 'left'].filter((side) => style.is(side));
  const corners = [xy(0, 0), xy(width, 0), xy(width, height), xy(0, height), xy(0, 0)];
  const names = ['top', 'right', 'bottom', 'left'];
  for (const side of sides) {
    const at = names.indexOf(side);
    pen
      .begin()
      .points(corners.slice(at, at + 2))
      .stroke();
  }
};

/** Names of shapes with their drawings. */
export const LANES: Record<string, Shape> = {
  swimlane: { paint: swimlane },
  table: { paint: table },
  tableRow: { paint: tableRow },
};
