/** The nodes and edges of a graph. */
import {
  ascent,
  type Block,
  clean,
  element,
  mix,
  rect,
  rounded,
  shorten,
  textBlock,
  textHeight,
  titled,
  widthOf,
  wrap,
} from '@lintel/sdk/drawing';
import type { GraphPicture } from '@lintel/sdk';
import type { Canvas } from './canvas.js';
import type { PlacedEdge } from './graph-layout.js';
import { icon, isIcon } from './icons.js';
import { colorOr, filled, seriesColor, type Theme } from './theme.js';

const LABEL = { size: 13 };
const NOTE = { size: 12.5 };
export const EDGE_LABEL = { size: 12.5 };
const [MIN_WIDTH, MAX_TEXT] = [84, 122];
const RADIUS = 6;
const [ICON, ICON_GAP] = [20, 6];

export interface SizedNode {
  id: string;
  source: GraphPicture['nodes'][number];
  width: number;
  height: number;
  /** Of the icon and the space beside it; 0 without one. */
  iconWidth: number;
  /** Of the widest text. */
  textWidth: number;
  label: Block;
  note: Block;
}

/** A node with the size that its texts need. */
export function nodeSize(source: GraphPicture['nodes'][number]): SizedNode {
  const font = { ...LABEL, bold: source.isCentre === true };
  const label = wrap(source.label, MAX_TEXT, 3, font);
  const note = shorten(source.note ?? '', MAX_TEXT, NOTE);
  const textWidth = Math.max(widthOf(label, font), widthOf(note, NOTE));
  const iconWidth = isIcon(source.icon) ? ICON + (textWidth > 0 ? ICON_GAP : 0) : 0;
  const width = Math.max(MIN_WIDTH, iconWidth + textWidth + 20);
  const texts = textHeight(label.lines.length, LABEL.size) + (note.lines.length > 0 ? NOTE.size * 1.3 : 0);
  return { id: source.id, source, width, height: Math.max(texts + 14, 32), iconWidth, textWidth, label, note };
}

export function drawNode(node: SizedNode, canvas: Canvas): string {
  const { source, width, height, iconWidth, textWidth, label, note } = node;
  const { theme } = canvas;
  const { fill, ink } = filled(colorOr(source.color, theme.accent));
  const isCentre = source.isCentre === true;
  const first = textHeight(label.lines.length, LABEL.size);
  const used = first + (note.lines.length > 0 ? NOTE.size * 1.3 : 0);
  const top = (height - used) / 2;
  const style = { fill: ink, anchor: 'middle' as const };
  // The icon and the texts beside it are in the middle of the node.
  const left = (width - iconWidth - textWidth) / 2;
  const middle = left + iconWidth + textWidth / 2;
  const ring = { rx: 9, fill: 'none', stroke: theme.ink, 'stroke-width': 2.5 };
  return canvas.link(
    source.href,
    isCentre ? rect(-5, -5, width + 10, height + 10, ring) : '',
    rect(0, 0, width, height, { rx: 5, fill, stroke: mix(fill, theme.ink, 0.25) }),
    icon(source.icon, left, (height - ICON) / 2, ICON, ink),
    textBlock(middle, top + ascent(LABEL.size), label, { ...LABEL, bold: isCentre, ...style }),
    textBlock(middle, top + first + ascent(NOTE.size), note, { ...NOTE, ...style }),
  );
}

/** A line through points, with rounded corners. */
function pathOf(points: PlacedEdge['points']): string {
  const place = (x: number, y: number): string => `${rounded(x)} ${rounded(y)}`;
  return points
    .map(({ x, y }, i) => {
      const [before, after] = [points[i - 1], points[i + 1]];
      if (!before) return `M${place(x, y)}`;
      if (!after) return `L${place(x, y)}`;
      const [first, second] = [Math.hypot(before.x - x, before.y - y), Math.hypot(after.x - x, after.y - y)];
      const radius = Math.min(RADIUS, first / 2, second / 2);
      if (radius < 0.5) return `L${place(x, y)}`;
      const from = place(x + ((before.x - x) * radius) / first, y + ((before.y - y) * radius) / first);
      const to = place(x + ((after.x - x) * radius) / second, y + ((after.y - y) * radius) / second);
      return `L${from}Q${place(x, y)} ${to}`;
    })
    .join('');
}

/** The colour of the line of an edge. @param net edges of a net share lines, and nets differ in colour */
export const edgeColor = (net: number | undefined, theme: Theme): string =>
  net === undefined
    ? mix(theme.soft, theme.background, 0.25)
    : mix(mix(seriesColor(theme, net), theme.soft, 0.35), theme.background, 0.15);

/** @param arrow identifier of the marker at its end */
export function drawEdge({ points, label }: PlacedEdge, color: string, arrow: string, canvas: Canvas): string {
  if (points.length < 2) return '';
  const line = element('path', {
    d: pathOf(points),
    fill: 'none',
    stroke: color,
    'stroke-width': 1.4,
    'marker-end': `url(#${arrow})`,
  });
  if (!label) return line;
  return titled(
    label.block.isCut ? clean(label.block.full) : '',
    line,
    textBlock(label.x, label.y, { ...label.block, isCut: false }, { ...EDGE_LABEL, fill: canvas.theme.soft }),
  );
}
