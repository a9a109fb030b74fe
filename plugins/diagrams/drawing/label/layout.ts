/** Lays the blocks of a label out. */
import type { Align, Block, Group, Paragraph, Picture, Table, TableCell } from './blocks.js';
import { ASCENT, LINE, widthOf, type TextStyle } from './font.js';
import { linesOf, type Line } from './lines.js';

/** Something at its place; y of a text is its baseline. */
export type Placed =
  | { kind: 'text'; x: number; y: number; width: number; text: string; style: TextStyle }
  | {
      kind: 'area';
      x: number;
      y: number;
      width: number;
      height: number;
      fill?: string | undefined;
      stroke?: string | undefined;
      line?: number;
    }
  | { kind: 'image'; x: number; y: number; width: number; height: number; address: string };

export interface Layout {
  width: number;
  height: number;
  placed: Placed[];
}

const shareOf = (align: Align): number => (align === 'center' ? 0.5 : align === 'right' ? 1 : 0);

/** Whether the margin of the first or last block of a group meets that of the group: nothing is between them. */
const meets = ({ padding, border, background }: Group, side: 'top' | 'bottom'): boolean =>
  padding[side] === 0 && border === undefined && background === undefined;

/** A block without height, whose two margins meet each other. */
const isEmpty = (block: Block): boolean =>
  block.kind === 'group' && block.blocks.length === 0 && meets(block, 'top') && meets(block, 'bottom');

/** The margin of a block, with those within that meet it (CSS 2.1, 8.3.1). */
function marginOf(block: Block, side: 'top' | 'bottom'): number {
  if (block.kind !== 'group') return 0;
  let margin = block.margin[side];
  if (!meets(block, side)) return margin;
  for (const inner of side === 'top' ? block.blocks : block.blocks.toReversed()) {
    margin = Math.max(margin, marginOf(inner, side));
    if (!isEmpty(inner)) break;
    margin = Math.max(margin, marginOf(inner, side === 'top' ? 'bottom' : 'top'));
  }
  return margin;
}

/** Collects what is placed while blocks are laid out from top to bottom. */
class Flow {
  readonly placed: Placed[] = [];
  /** The widest line, from the left edge of the label. */
  right = 0;

  constructor(private readonly isFinal: boolean) {}

  private place(placed: Placed): void {
    if (this.isFinal) this.placed.push(placed);
  }

  private reach(x: number): void {
    this.right = Math.max(this.right, x);
  }

  /** @returns the y below the block */
  block(block: Block, x: number, y: number, width: number): number {
    switch (block.kind) {
      case 'paragraph':
        return this.paragraph(block, x, y, width);
      case 'rule':
        this.place({
          kind: 'area',
          x,
          y,
          width: Number.isFinite(width) ? width : 0,
          height: block.height,
          fill: block.colour,
        });
        return y + block.height;
      case 'picture':
        return this.picture(block, x, y, width);
      case 'table':
        return this.table(block, x, y, width);
      case 'group':
        return this.group(block, x, y, width, true).bottom;
    }
  }

  /**
   * Blocks below each other; of two margins that meet, the larger one counts.
   * @param isMeeting whether the margins of its first and last block were counted with its own
   */
  group(group: Group, x: number, y: number, width: number, isMeeting = false): { bottom: number } {
    const { margin, padding, blocks } = group;
    const left = x + margin.left + padding.left;
    const inner = width - margin.left - margin.right - padding.left - padding.right;
    const at = this.placed.length;
    let bottom = y + padding.top;
    let open = 0;
    // The margins of the first block were counted outside of the group.
    let isMet = isMeeting && meets(group, 'top');
    for (const block of blocks) {
      if (isEmpty(block)) {
        if (!isMet) open = Math.max(open, marginOf(block, 'top'), marginOf(block, 'bottom'));
        continue;
      }
      if (!isMet) bottom += Math.max(open, marginOf(block, 'top'));
      isMet = false;
      bottom = this.block(block, left, bottom, inner);
      open = marginOf(block, 'bottom');
    }
    bottom += (isMeeting && meets(group, 'bottom') ? 0 : open) + padding.bottom;
    this.reach(left + padding.right + margin.right);
    this.background(
      group,
      { x: x + margin.left, y, width: width - margin.left - margin.right, height: bottom - y },
      at,
    );
    return { bottom };
  }

  private background(
    { background, border }: Group,
    box: { x: number; y: number; width: number; height: number },
    at: number,
  ): void {
    if (!this.isFinal || (!background && !border)) return;
    this.placed.splice(at, 0, {
      kind: 'area',
      ...box,
      fill: background,
      stroke: border?.colour,
      line: border?.width ?? 1,
    });
  }

  private paragraph(paragraph: Paragraph, x: number, y: number, width: number): number {
    const { marker, align } = paragraph;
    let bottom = y;
    const lines = linesOf(paragraph, width);
    for (const [i, line] of lines.entries()) {
      const size = line.pieces.reduce((largest, { style }) => Math.max(largest, style.size), 0);
      const baseline = bottom + size * ASCENT;
      const start = x + (Number.isFinite(width) ? Math.max(0, (width - line.width) * shareOf(align)) : 0);
      if (i === 0 && marker) {
        const space = widthOf(marker.text, marker.style);
        const { text, style } = marker;
        this.place({ kind: 'text', x: start - space - 0.5 * style.size, y: baseline, width: space, text, style });
      }
      this.pieces(line, start, baseline);
      this.reach(x + line.width);
      bottom += size * LINE;
    }
    return bottom;
  }

  private pieces(line: Line, start: number, baseline: number): void {
    let at = start;
    for (const { text, style, width } of line.pieces) {
      const y = baseline - style.raise;
      if (style.background && width > 0)
        this.place({
          kind: 'area',
          x: at,
          y: y - style.size * 0.9,
          width,
          height: style.size * 1.15,
          fill: style.background,
        });
      if (text.trim() !== '') this.place({ kind: 'text', x: at, y, width, text, style });
      at += width;
    }
  }

  private picture({ width: wide, height, address, align }: Picture, x: number, y: number, width: number): number {
    const start = x + (Number.isFinite(width) ? Math.max(0, (width - wide) * shareOf(align)) : 0);
    this.place({ kind: 'image', x: start, y, width: wide, height, address });
    this.reach(x + wide);
    return y + height;
  }

  private table(table: Table, x: number, y: number, width: number): number {
    const columns = columnWidths(table, width);
    const whole = columns.reduce((sum, one) => sum + one + table.spacing, table.spacing);
    const start = x + (Number.isFinite(width) ? Math.max(0, (width - whole) * shareOf(table.align)) : 0);
    const at = this.placed.length;
    let bottom = y + table.spacing;
    for (const row of table.rows) {
      const cells = placesOf(row, columns, start + table.spacing, table.spacing);
      const heights = cells.map(({ cell, width: wide }) => heightOf(cell, wide));
      const height = heights.reduce((highest, one) => Math.max(highest, one), 0);
      for (const [i, { cell, x: left, width: wide }] of cells.entries()) {
        const { padding, content, background, border } = cell;
        if (background || border)
          this.place({ kind: 'area', x: left, y: bottom, width: wide, height, fill: background, stroke: border });
        const room = height - heights[i]!;
        const down = cell.valign === 'middle' ? room / 2 : cell.valign === 'bottom' ? room : 0;
        this.group(content, left + padding, bottom + padding + down, wide - 2 * padding);
      }
      bottom += height + table.spacing;
    }
    if (this.isFinal && (table.background || table.border))
      this.placed.splice(at, 0, {
        kind: 'area',
        x: start,
        y,
        width: whole,
        height: bottom - y,
        fill: table.background,
        stroke: table.border,
      });
    this.reach(x + whole);
    return bottom;
  }
}

function heightOf({ content, padding }: TableCell, width: number): number {
  return new Flow(false).group(content, 0, 0, width - 2 * padding).bottom + 2 * padding;
}

function naturalWidth(group: Group): number {
  const flow = new Flow(false);
  flow.group(group, 0, 0, Infinity);
  return flow.right;
}

const MAX_COLUMNS = 100;

/** Widths of columns: what their cells need, made smaller or larger in proportion to fit the table. */
function columnWidths({ rows, spacing, isFullWidth }: Table, width: number): number[] {
  const columns: number[] = [];
  for (const row of rows) {
    let at = 0;
    for (const cell of row) {
      const needed = (naturalWidth(cell.content) + 2 * cell.padding + 0.1) / cell.span;
      for (let n = 0; n < cell.span && at < MAX_COLUMNS; n++, at++) columns[at] = Math.max(columns[at] ?? 0, needed);
    }
  }
  const sum = columns.reduce((total, one) => total + one, 0);
  const room = width - (columns.length + 1) * spacing;
  if (!Number.isFinite(width) || sum === 0 || (sum <= room && !isFullWidth)) return columns;
  return columns.map((one) => (one / sum) * Math.max(room, columns.length));
}

function placesOf(row: TableCell[], columns: number[], from: number, spacing: number) {
  let [x, at] = [from, 0];
  return row.map((cell) => {
    const covered = columns.slice(at, at + cell.span);
    const width = covered.reduce((sum, one) => sum + one, 0) + Math.max(0, covered.length - 1) * spacing;
    const place = { cell, x, width };
    x += width + spacing;
    at += cell.span;
    return place;
  });
}

/**
 * Lays a label out.
 * @param width of its lines in px; undefined for as wide as its content
 */
export function layOut(group: Group, width: number | undefined): Layout {
  const wide = width ?? naturalWidth(group);
  const flow = new Flow(true);
  const { bottom } = flow.group(group, 0, 0, wide);
  return { width: Math.max(wide, flow.right), height: bottom, placed: flow.placed };
}

/** The width of the widest line of a label whose lines are broken at a width. */
export function usedWidth(group: Group, width: number): number {
  const flow = new Flow(false);
  flow.group(group, 0, 0, width);
  return flow.right;
}
