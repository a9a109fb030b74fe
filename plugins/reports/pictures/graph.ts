/** Nodes and edges in layers, from left to right or from top to bottom, whichever suits the width. */
import type { GraphPicture } from '@lintel/sdk';
import { more, type Canvas, type Drawn } from './canvas.js';
import { layOut, type GraphLayout } from './graph-layout.js';
import { drawEdge, drawNode, nodeSize, type SizedNode } from './graph-marks.js';
import { emptyDrawing, legend } from './legend.js';
import { at, element, rounded } from './svg.js';
import { heightOf, layersOf } from './graph-layers.js';

/** A readable picture has no room for more; a layout of twice as many takes two seconds, and several are tried. */
const MAX_NODES = 60;
const MAX_EDGES = 100;
/** Up to so many edges, their labels are drawn. */
const MAX_LABELS = 60;
/** A picture of a graph is at most so much smaller than planned: below that its texts are not readable. */
const LEAST_SCALE = 0.8;
/** In narrow pictures, which are previews, the shape of the graph counts more than its texts. */
const [NARROW, LEAST_NARROW] = [700, 0.6];
/** The least part of the nodes that remains where a graph has no room. */
const FEWER = 0.5;
const TRIES = 6;
const LEAST_NODES = 8;

/** The greatest height of the layers beside each other, in relation to the width. */
const MAX_SHAPE = 1.8;

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

/** So many of the nodes that all edges between them can be drawn, and that the picture is not several pages high. */
function countFor(nodes: readonly SizedNode[], edges: readonly Edge[], width: number): number {
  const most = Math.max(width, NARROW) * MAX_SHAPE;
  const isTooLarge = (count: number): boolean => {
    const kept = nodes.slice(0, count);
    const between = edgesOf(kept, edges);
    if (between.length > MAX_EDGES) return true;
    return heightOf(kept, between) > most && layersOf(kept, between, width)[0] === 'RIGHT';
  };
  let count = nodes.length;
  while (count > LEAST_NODES && isTooLarge(count)) count = Math.max(LEAST_NODES, Math.floor(count * 0.9));
  return count;
}

/** A layout that is readable at the width, with fewer nodes where the graph has no room. */
async function fit(
  nodes: readonly SizedNode[],
  edges: readonly Edge[],
  width: number,
): Promise<{ layout: GraphLayout; scale: number; count: number }> {
  const least = width < NARROW ? LEAST_NARROW : LEAST_SCALE;
  let count = countFor(nodes, edges, width);
  for (let attempt = 1; ; attempt++) {
    const kept = nodes.slice(0, count);
    const between = edgesOf(kept, edges).slice(0, MAX_EDGES);
    const hasLabels = between.length <= MAX_LABELS;
    let best: { layout: GraphLayout; scale: number } | undefined;
    // The direction that is likely to fit is laid out first: a layout of a large graph takes a second.
    for (const direction of layersOf(kept, between, width)) {
      const layout = await layOut(kept, between, direction, hasLabels, width);
      const scale = Math.min(1, width / layout.width);
      if (!best || scale > best.scale) best = { layout, scale };
      if (best.scale >= least) break;
    }
    if (best!.scale >= least || count <= LEAST_NODES || attempt === TRIES) return { ...best!, count };
    count = Math.max(LEAST_NODES, Math.floor(count * Math.max(FEWER, Math.min(0.8, best!.scale / least))));
  }
}

/** Draws a graph; at most 60 nodes and 100 edges. */
export async function drawGraph(content: GraphPicture, width: number, canvas: Canvas): Promise<Drawn> {
  if (content.nodes.length === 0) return emptyDrawing(width, canvas);
  const unique = Array.from(new Map(content.nodes.map((node) => [node.id, node])).values());
  const all = { ...content, nodes: unique };
  const valid = edgesOf(unique, content.edges);
  const sized = byDistance(all).slice(0, MAX_NODES).map(nodeSize);
  const { layout, scale, count } = await fit(sized, valid, width);
  const key = legend(content.legend, width, canvas);
  const arrow = canvas.id(`arrow-${canvas.next()}`);
  const marker = element(
    'marker',
    { id: arrow, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' },
    element('path', { d: 'M0 0.5L7.5 4L0 7.5z', fill: canvas.theme.soft }),
  );
  const drawn = [
    element('defs', {}, marker),
    ...layout.edges.map((edge) => drawEdge(edge, arrow, canvas)),
    ...layout.nodes.map(({ node, x, y }) => at(x, y, drawNode(node, canvas))),
  ];
  const left = Math.max(0, (width - layout.width * scale) / 2);
  const transform = `translate(${rounded(left)} ${rounded(key.height)}) scale(${scale.toFixed(4)})`;
  return {
    body: key.body + element('g', { transform }, ...drawn),
    height: key.height + layout.height * scale,
    left: [
      ...more(unique.length - count, 'nodes', canvas),
      ...(count === unique.length ? more(valid.length - MAX_EDGES, 'edges', canvas) : []),
      ...key.left,
    ],
  };
}
