/** Areas by value: echarts divides the area, the parts are drawn here, so that their texts fit. */
import { at, clean, contrast, mix, rect, shorten, textBlock, textHeight, titled, wrap } from '@lintel/sdk/drawing';
import type { TreeMapNode, TreeMapPicture } from '@lintel/sdk';
import { more, type Canvas, type Drawn } from './canvas.js';
import { render } from './charts.js';
import { icon, isIcon } from './icons.js';
import { emptyDrawing, legend } from './legend.js';
import { drawable } from './scale.js';
import { colorOr, filled, inkOn, seriesColor } from './theme.js';

const MAX_NODES = 1_500;
const MAX_DEPTH = 4;
const HEADING = 24;
const GAP = 2;
/** An icon is larger than the letters beside it, and has a space after it. */
const [ICON, ICON_GAP] = [1.3, 5];

/** A node with what is inherited from the nodes around it. */
interface Part {
  node: TreeMapNode;
  color: string;
  depth: number;
  children: Part[];
}
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The nodes that are drawn, the upper levels first where there are too many. */
function read({ nodes }: TreeMapPicture, canvas: Canvas): { roots: Part[]; count: number; all: number } {
  const area = ({ value }: TreeMapNode): boolean => (drawable(value) ?? 0) > 0;
  const usable = nodes.filter(area);
  const part = (node: TreeMapNode, color: string, depth: number): Part => ({
    node,
    color: colorOr(node.color, color),
    depth,
    children: [],
  });
  const roots = usable.slice(0, MAX_NODES).map((node, i) => part(node, seriesColor(canvas.theme, i), 0));
  const queue = [...roots];
  let all = nodes.length;
  for (const one of queue) {
    const children = one.depth + 1 < MAX_DEPTH ? (one.node.children ?? []) : [];
    all += children.length;
    for (const [i, child] of children.filter(area).entries()) {
      if (queue.length >= MAX_NODES) break;
      const color = mix(one.color, canvas.theme.background, 0.1 + 0.14 * (i % 3));
      queue.push(part(child, color, one.depth + 1));
      one.children.push(queue.at(-1)!);
    }
  }
  return { roots, count: queue.length, all };
}

/** The boxes of parts side by side, by the division of echarts. @param gap between them */
function layOut(parts: readonly Part[], width: number, height: number, gap: number): Map<Part, Box> {
  const boxes = new Map<Part, Box>();
  const series = {
    type: 'treemap',
    data: parts.map(({ node }, i) => ({ name: String(i), value: node.value })),
    ...{ left: 0, top: 0, right: 0, bottom: 0, roam: false, nodeClick: false, breadcrumb: { show: false } },
    ...{ animation: false, visibleMin: 0 },
    // The labels are those of echarts only to learn to which part a box belongs.
    label: { show: true, formatter: '{b}', fontSize: 1 },
    levels: [{ itemStyle: { gapWidth: gap, borderWidth: 0 } }],
    labelLayout: ({ rect, text }: { rect: Box; text: string }) => {
      const part = parts[Number(text)];
      if (part) boxes.set(part, { x: rect.x, y: rect.y, width: rect.width, height: rect.height });
      return {};
    },
  };
  render({ series: [series] }, width, height);
  return boxes;
}

/** Names for the tooltip: of the part and its value. */
const titleOf = ({ label, text }: TreeMapNode): string => {
  const [name, value] = [clean(label), clean(text)];
  return value === '' ? name : `${name}: ${value}`;
};

function drawLeaf({ node, color }: Part, { x, y, width, height }: Box, canvas: Canvas): string {
  const { fill, ink } = filled(color);
  const area = rect(x, y, width, height, { rx: 2, fill });
  const [inner, room] = [width - 12, height - 10];
  const size = width > 180 && height > 90 ? 15 : 12;
  const texts: string[] = [];
  if (inner >= 28 && room >= size * 1.2) {
    const lines = Math.max(1, Math.min(4, Math.floor((room - 16) / (size * 1.28))));
    const font = { size, bold: true };
    const [sign, own] = [size * ICON, wrap(node.label, inner, lines, font)];
    const beside = wrap(node.label, inner - sign - ICON_GAP, lines, font);
    // A name matters more than an icon: where both have no room, the name is alone.
    const fits = beside.lines.length > 0 && !beside.isTorn && (!beside.isCut || own.isCut);
    const hasIcon = isIcon(node.icon) && inner > 3 * sign && fits;
    const wrapped = hasIcon ? beside : own;
    const name = wrapped.isTorn ? shorten(node.label, inner, font) : wrapped;
    const indent = hasIcon ? sign + ICON_GAP : 0;
    if (hasIcon) texts.push(icon(node.icon, x + 6, y + 5 + size * 0.59 - sign / 2, sign, ink));
    const used = textHeight(name.lines.length, size);
    texts.push(
      textBlock(x + 6 + indent, y + 5 + size * 0.95, { ...name, isCut: false }, { size, bold: true, fill: ink }),
    );
    const value = shorten(node.text, inner, { size: size - 1 });
    if (used + size * 1.2 <= room && !value.isCut)
      texts.push(
        textBlock(
          x + 6,
          y + 5 + used + 3 + (size - 1) * 0.95,
          { ...value, isCut: false },
          { size: size - 1, fill: ink },
        ),
      );
  }
  return canvas.link(node.href, titled(titleOf(node), area, ...texts));
}

function drawPart(part: Part, box: Box, canvas: Canvas): string {
  if (part.children.length === 0 || box.width < 60 || box.height < HEADING + 24) return drawLeaf(part, box, canvas);
  const { theme } = canvas;
  const fill = mix(part.color, theme.background, 0.78);
  const ink = contrast(theme.ink, fill) >= 4.5 ? theme.ink : inkOn(fill);
  const font = { size: 13, bold: true };
  const value = shorten(part.node.text, box.width * 0.4, { size: 12 });
  const sign = font.size * ICON;
  const indent = isIcon(part.node.icon) && box.width > 120 ? sign + ICON_GAP : 0;
  const name = shorten(part.node.label, box.width - 12 - indent, font);
  const both = shorten(part.node.label, box.width * 0.55 - indent, font);
  const heading = value.isCut || both.isCut ? [name] : [both];
  const inner = { x: 0, y: 0, width: box.width - 6, height: box.height - HEADING - 3 };
  const boxes = layOut(part.children, inner.width, inner.height, GAP);
  const children = part.children.map((child) => {
    const own = boxes.get(child);
    return own ? drawPart(child, own, canvas) : '';
  });
  const frame = titled(
    titleOf(part.node),
    rect(box.x, box.y, box.width, box.height, { rx: 3, fill, stroke: mix(part.color, theme.background, 0.3) }),
    indent === 0 ? '' : icon(part.node.icon, box.x + 6, box.y + 17 - font.size * 0.36 - sign / 2, sign, ink),
    textBlock(box.x + 6 + indent, box.y + 17, { ...heading[0]!, isCut: false }, { ...font, fill: ink }),
    heading[0] === both
      ? textBlock(box.x + box.width - 6, box.y + 17, { ...value, isCut: false }, { size: 12, fill: ink, anchor: 'end' })
      : '',
  );
  return canvas.link(part.node.href, frame) + at(box.x + 3, box.y + HEADING, ...children);
}

/** Draws a tree map; at most 1,500 nodes on four levels. */
export function drawTreeMap(content: TreeMapPicture, width: number, canvas: Canvas): Drawn {
  const { roots, count, all } = read(content, canvas);
  if (roots.length === 0) return emptyDrawing(width, canvas);
  const height = Math.round(Math.min(Math.max(width * 0.52, 300), 800));
  const entries = content.legend ?? [];
  const key = legend(entries, width, canvas);
  const unit = shorten(canvas.words.area(content.unit), width, { size: 12 });
  const boxes = layOut(roots, width, height, GAP * 2);
  const parts = roots.map((part) => (boxes.has(part) ? drawPart(part, boxes.get(part)!, canvas) : ''));
  const caption = textBlock(0, key.height + 11, unit, { size: 12, fill: canvas.theme.soft });
  return {
    body: `${key.body}${caption}${at(0, key.height + 22, ...parts)}`,
    height: key.height + 22 + height,
    left: [...more(all - count, 'areas', canvas), ...key.left],
  };
}
