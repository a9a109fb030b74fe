/** Nodes and edges in layers, from left to right or from top to bottom, whichever suits the width; large graphs in rows. */
import { at, element, rounded } from '@lintel/sdk/drawing';
import type { GraphPicture } from '@lintel/sdk';
import { more, type Canvas, type Drawn } from './canvas.js';
import { layOut, type GraphLayout } from './graph-layout.js';
import { drawEdge, drawNode, edgeColor, nodeSize, type SizedNode } from './graph-marks.js';
import { layOutTracks } from './graph-tracks.js';
import { emptyDrawing, legend } from './legend.js';
import { heightOf, layersOf } from './graph-layers.js';

const [MOST_NODES, MOST_EDGES] = [500, 2_000];
/** Larger graphs have no room for layers as ELK places them, which takes 7 s for 2,000 edges. */
const [ELK_NODES, ELK_EDGES] = [60, 100];
/** Up to so many edges, their labels are drawn. */
const MAX_LABELS = 60;
/** Texts are at least 10 px high where the graph is not smaller than this. */
const LEAST_SCALE = 0.8;
/** In narrow pictures, which are previews, the shape of the graph counts more than its texts. */
const [NARROW, LEAST_NARROW] = [700, 0.6];
/** The greatest height, in relation to the width: of layers beside each other, and of large graphs. */
const [MAX_SHAPE, LARGE_SHAPE] = [1.8, 2.4];

type Edge = GraphPicture['edges'][number];

/** The nodes next to the centre, by the number of edges between, and those with many edges first. */
function byDistance({ nodes, edges }: GraphPicture): GraphPicture['nodes'] {
  const near = new Map<string, string[]>();
  const add = (a: string, b: string) => void (near.get(a)?.push(b) ?? near.set(a, [b]));
  for (const { from, to } of edges) {
    add(from, to);
    add(to, from);
  }
  const degree = (id: string): number => near.get(id)?.length ?? 0;
  const busiest = nodes.toSorted((a, b) => degree(b.id) - degree(a.id));
  const starts = nodes.filter(({ isCentre }) => isCentre).map(({ id }) => id);
  const order = new Set<string>();
  for (const start of [...starts, ...busiest.map(({ id }) => id)]) {
    if (order.has(start)) continue;
    // Each round reaches one component of the graph; the queue grows while it is read.
    const queue = [start];
    order.add(start);
    for (const one of queue)
      for (const next of near.get(one) ?? [])
        if (!order.has(next)) {
          order.add(next);
          queue.push(next);
        }
  }
  const place = new Map(Array.from(order, (id, i) => [id, i]));
  return nodes.toSorted((a, b) => place.get(a.id)! - place.get(b.id)!);
}

/** The edges between some nodes. */
function edgesOf(nodes: readonly { id: string }[], edges: readonly Edge[]): Edge[] {
  const ids = new Set(nodes.map(({ id }) => id));
  return edges.filter(({ from, to }) => ids.has(from) && ids.has(to));
}

interface Fitted {
  layout: GraphLayout;
  scale: number;
}

/** A layout by ELK; undefined where its texts would not be readable, or it would be several pages high. */
async function fit(nodes: readonly SizedNode[], edges: readonly Edge[], width: number): Promise<Fitted | undefined> {
  if (nodes.length > ELK_NODES || edges.length > ELK_EDGES) return undefined;
  const least = width < NARROW ? LEAST_NARROW : LEAST_SCALE;
  const highest = Math.max(width, NARROW) * MAX_SHAPE;
  const isHigh = heightOf(nodes, edges) > highest;
  for (const direction of layersOf(nodes, edges, width)) {
    if (direction === 'RIGHT' && isHigh) continue;
    const layout = await layOut(nodes, edges, direction, edges.length <= MAX_LABELS, width);
    const scale = Math.min(1, width / layout.width);
    if (scale >= least && layout.height * scale <= Math.max(highest, 1.2 * width)) return { layout, scale };
  }
  return undefined;
}

/** A layout of a graph of any size: its texts are as large as the width permits. */
function fitLarge(nodes: readonly SizedNode[], edges: readonly Edge[], width: number): Fitted {
  const layout = layOutTracks(nodes, edges, [width, Math.max(width, NARROW) * LARGE_SHAPE]);
  return { layout, scale: Math.min(1, width / layout.width) };
}

/** The heads of arrows in some colours, and the identifier of the one of a colour. */
function arrowsOf(colors: readonly string[], canvas: Canvas): { markers: string; id: (color: string) => string } {
  const name = canvas.id(`arrow-${canvas.next()}`);
  const all = [...new Set(colors)];
  const id = (color: string): string => `${name}-${all.indexOf(color)}`;
  const size = { viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' };
  const markers = all.map((color) =>
    element('marker', { id: id(color), ...size }, element('path', { d: 'M0 0.5L7.5 4L0 7.5z', fill: color })),
  );
  return { markers: markers.join(''), id };
}

/** Draws a graph; at most 500 nodes and 2,000 edges. */
export async function drawGraph(content: GraphPicture, width: number, canvas: Canvas): Promise<Drawn> {
  if (content.nodes.length === 0) return emptyDrawing(width, canvas);
  const { theme } = canvas;
  const unique = Array.from(new Map(content.nodes.map((node) => [node.id, node])).values());
  const valid = edgesOf(unique, content.edges);
  const shown = unique.length > MOST_NODES ? byDistance({ ...content, nodes: unique }).slice(0, MOST_NODES) : unique;
  const sized = shown.map(nodeSize);
  const between = edgesOf(shown, valid).slice(0, MOST_EDGES);
  const { layout, scale } = (await fit(sized, between, width)) ?? fitLarge(sized, between, width);
  const key = legend(content.legend, width, canvas);
  const colors = layout.edges.map(({ net }) => edgeColor(net, theme));
  const arrows = arrowsOf(colors, canvas);
  const drawn = [
    element('defs', {}, arrows.markers),
    ...layout.edges.map((edge, i) => drawEdge(edge, colors[i]!, arrows.id(colors[i]!), canvas)),
    ...layout.nodes.map(({ node, x, y }) => at(x, y, drawNode(node, canvas))),
  ];
  const left = Math.max(0, (width - layout.width * scale) / 2);
  const transform = `translate(${rounded(left)} ${rounded(key.height)}) scale(${scale.toFixed(4)})`;
  return {
    body: key.body + element('g', { transform }, ...drawn),
    height: key.height + layout.height * scale,
    left: [
      ...(scale * canvas.unit < (width < NARROW ? LEAST_NARROW : LEAST_SCALE) ? [canvas.words.small] : []),
      ...more(unique.length - shown.length, 'nodes', canvas),
      ...(shown.length === unique.length ? more(valid.length - between.length, 'edges', canvas) : []),
      ...key.left,
    ],
  };
}
