/**
 * Boxes in boxes, such as a capability map: in lines from left to right, equally high within a line, or, where lines would
 * have much free space, in columns from top to bottom.
 */
import { at } from '@lintel/sdk/drawing';
import type { NestedPicture, PictureBox } from '@lintel/sdk';
import { more, type Canvas, type Drawn } from './canvas.js';
import { emptyDrawing, legend } from './legend.js';
import { containerPart, leafPart, type Part } from './nested-boxes.js';

const MAX_BOXES = 1_500;
const MAX_DEPTH = 6;
/** Spaces between boxes, and between those at the top; smaller ones in a dense map. */
const [GAP, DENSE_GAP] = [8, 5];
const [TOP_GAP, DENSE_TOP_GAP] = [14, 7];
/** Least widths: of a filled box, of a frame, and of a frame with frames inside. */
const [LEAF, FRAME, OUTER] = [98, 150, 230];
/** The least width of a frame at the top of a dense map. */
const DENSE_FRAME = 130;
/** The height of a map that is about as wide as a slide, in relation to its width. */
const SHAPE = 0.56;
/** Columns of boxes of different heights replace lines where they are so much lower. */
const LOWER = 0.85;
/** With more boxes at the top, they may be narrower. */
const MANY = 40;
/** A map that would be higher, in relation to its width, is drawn densely: with smaller headings, boxes and spaces. */
const HIGH = 2;
const MOST_COLUMNS = 8;

/** A box whose children are those that are drawn. */
export interface Tree {
  box: PictureBox;
  depth: number;
  children: Tree[];
  /** Boxes inside that are not drawn. */
  omitted: number;
  /** Whether headings, boxes and spaces are small. */
  isDense: boolean;
}

const isFrame = ({ box, children }: Tree): boolean => box.shape === 'container' || children.length > 0;

/** The boxes that are drawn, the upper levels first where there are too many; level by level, so that any depth is read. */
function treesOf(boxes: readonly PictureBox[], isDense: boolean): { trees: Tree[]; omitted: number } {
  const tree = (box: PictureBox, depth: number): Tree => ({ box, depth, children: [], omitted: 0, isDense });
  const trees = boxes.slice(0, MAX_BOXES).map((box) => tree(box, 0));
  const queue = [...trees];
  let omitted = boxes.length - trees.length;
  for (const one of queue) {
    const all = one.box.children ?? [];
    const room = one.depth + 1 < MAX_DEPTH ? Math.max(0, MAX_BOXES - queue.length) : 0;
    one.children = all.slice(0, room).map((box) => tree(box, one.depth + 1));
    one.omitted = all.length - one.children.length;
    omitted += one.omitted;
    queue.push(...one.children);
  }
  return { trees, omitted };
}

const leastWidth = (tree: Tree): number => (!isFrame(tree) ? LEAF : tree.children.some(isFrame) ? OUTER : FRAME);

/** How many columns of at most a height the parts need, in their order. */
function columnsWithin(parts: readonly Part[], height: number, gap: number): Part[][] {
  const columns: Part[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const part of parts) {
    if (used + gap + part.height > height) {
      columns.push([]);
      used = -gap;
    }
    columns.at(-1)!.push(part);
    used += gap + part.height;
  }
  return columns;
}

/** Parts in columns, from top to bottom in their order, so that the highest column is as low as possible. */
function inColumns(parts: readonly Part[], own: number, columns: number, gap: number): Part {
  let low = Math.max(...parts.map(({ height }) => height));
  let high = parts.reduce((sum, { height }) => sum + height + gap, 0);
  while (high - low > 0.5) {
    const middle = (low + high) / 2;
    if (columnsWithin(parts, middle, gap).length <= columns) high = middle;
    else low = middle;
  }
  const placed = columnsWithin(parts, high, gap);
  const heightOf = (column: readonly Part[]): number => column.reduce((sum, { height }) => sum + height + gap, -gap);
  return {
    height: Math.max(...placed.map(heightOf)),
    draw: () =>
      placed
        .map((column, i) => {
          let y = -gap;
          const drawn = column.map((part) => {
            const top = y + gap;
            y = top + part.height;
            return at(0, top, part.draw(part.height));
          });
          return at(i * (own + gap), 0, ...drawn);
        })
        .join(''),
  };
}

/** Parts in `columns`: in lines, or one column after another. */
function arrange(trees: readonly Tree[], width: number, columns: number, gap: number, canvas: Canvas): Part {
  const own = (width - gap * (columns - 1)) / columns;
  const parts = trees.map((tree) => partOf(tree, own, canvas));
  const lines = inLines(parts, own, columns, gap);
  // Filled boxes alone differ little in height.
  if (parts.length <= columns || !trees.some(isFrame)) return lines;
  const packed = inColumns(parts, own, columns, gap);
  return packed.height <= lines.height * LOWER ? packed : lines;
}

/** Parts in lines of `columns`, each as high as the highest of its line. */
function inLines(parts: readonly Part[], own: number, columns: number, gap: number): Part {
  const lines = Array.from({ length: Math.ceil(parts.length / columns) }, (_, i) =>
    parts.slice(i * columns, (i + 1) * columns),
  );
  const heights = lines.map((line) => Math.max(...line.map(({ height }) => height)));
  return {
    height: heights.reduce((sum, one) => sum + one + gap, -gap),
    draw: () => {
      let y = 0;
      return lines
        .map((line, row) => {
          const drawn = line.map((part, i) => at(i * (own + gap), y, part.draw(heights[row]!)));
          y += heights[row]! + gap;
          return drawn.join('');
        })
        .join('');
    },
  };
}

/** The number of columns that fit, at most the number of boxes. */
function columnsFor(trees: readonly Tree[], width: number, gap: number): number {
  const least = Math.max(...trees.map(leastWidth));
  const fits = Math.max(1, Math.floor((width + gap) / (least + gap)));
  // As many lines as needed anyway, filled evenly.
  return Math.ceil(trees.length / Math.ceil(trees.length / fits));
}

/** Frames and filled boxes side by side are arranged apart: they differ in height. */
function arrangeMixed(trees: readonly Tree[], width: number, canvas: Canvas): Part {
  const gap = trees[0]?.isDense ? DENSE_GAP : GAP;
  const groups = [trees.filter((tree) => !isFrame(tree)), trees.filter(isFrame)].filter((group) => group.length > 0);
  const parts = groups.map((group) => arrange(group, width, columnsFor(group, width, gap), gap, canvas));
  return {
    height: parts.reduce((sum, { height }) => sum + height + gap, -gap),
    draw: () => {
      let y = 0;
      return parts
        .map((part) => {
          y += part.height + gap;
          return at(0, y - part.height - gap, part.draw(part.height));
        })
        .join('');
    },
  };
}

function partOf(tree: Tree, width: number, canvas: Canvas): Part {
  if (!isFrame(tree)) return leafPart(tree, width, canvas);
  // Where frames have become too narrow for another one, its boxes are counted and not drawn.
  const isNarrow = width < 90;
  return containerPart(tree, width, canvas, (inner) =>
    tree.children.length === 0 || isNarrow ? undefined : arrangeMixed(tree.children, inner, canvas),
  );
}

/** The top boxes in as many columns as make the map about as high as a slide, with few gaps in the last line. */
function arrangeTop(trees: readonly Tree[], width: number, canvas: Canvas): Part {
  if (!trees.some(isFrame)) return arrange(trees, width, columnsFor(trees, width, GAP), GAP, canvas);
  const isDense = trees[0]!.isDense;
  const gap = isDense ? DENSE_TOP_GAP : TOP_GAP;
  const least = isDense ? DENSE_FRAME : trees.length > MANY ? FRAME : FRAME + 20;
  const fits = Math.max(1, Math.floor((width + gap) / (least + gap)));
  const options = Array.from({ length: Math.min(fits, trees.length, MOST_COLUMNS) }, (_, i) => {
    const part = arrange(trees, width, i + 1, gap, canvas);
    const gaps = (Math.ceil(trees.length / (i + 1)) * (i + 1) - trees.length) / trees.length;
    return { part, cost: Math.abs(Math.log(part.height / (width * SHAPE))) + gaps * 0.8 };
  });
  return options.reduce((best, one) => (one.cost < best.cost ? one : best)).part;
}

/** Draws nested boxes; at most 1,500 on six levels. */
export function drawNested(content: NestedPicture, width: number, canvas: Canvas): Drawn {
  if (content.boxes.length === 0) return emptyDrawing(width, canvas);
  const key = legend(content.legend ?? [], width, canvas);
  const arranged = (isDense: boolean): { part: Part; omitted: number } => {
    const { trees, omitted } = treesOf(content.boxes, isDense);
    return { part: arrangeTop(trees, width, canvas), omitted };
  };
  const usual = arranged(false);
  const { part, omitted } = usual.part.height > width * HIGH ? arranged(true) : usual;
  return {
    body: key.body + at(0, key.height, part.draw(part.height)),
    height: key.height + part.height,
    left: [...more(omitted, 'boxes', canvas), ...key.left],
  };
}
