/** The places of nodes, edges and their labels, by ELK. */
import { type Block, measure, shorten } from '@lintel/sdk/drawing';
import { createRequire } from 'node:module';
import type { ElkExtendedEdge, ElkNode, ELK as Elk } from 'elkjs/lib/elk-api.js';
import type { Direction } from './graph-layers.js';
import { EDGE_LABEL, type SizedNode } from './graph-marks.js';

interface Point {
  x: number;
  y: number;
}
export interface PlacedEdge {
  points: readonly Point[];
  /** The net whose lines it shares; undefined where each edge has its own line. */
  net: number | undefined;
  label: { block: Block; x: number; y: number } | undefined;
}
export interface GraphLayout {
  width: number;
  height: number;
  nodes: readonly { node: SizedNode; x: number; y: number }[];
  edges: readonly PlacedEdge[];
}

// The bundle is CommonJS, without the names of an ES module; it runs in this process, which is a worker already.
const { default: ELK } = createRequire(import.meta.url)('elkjs/lib/elk.bundled.js') as { default: new () => Elk };
const elk = new ELK();
/** Between components without edges between them. */
const SPACE = 28;

const options = (direction: Direction, ratio: number): Record<string, string> => ({
  'elk.algorithm': 'layered',
  'elk.direction': direction,
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.spacing.nodeNode': '14',
  'elk.spacing.edgeNode': '10',
  'elk.spacing.edgeEdge': '7',
  'elk.spacing.edgeLabel': '4',
  'elk.spacing.componentComponent': String(SPACE),
  'elk.layered.spacing.nodeNodeBetweenLayers': '38',
  'elk.layered.spacing.edgeNodeBetweenLayers': '12',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '6',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.edgeLabels.inline': 'false',
  'elk.padding': '[top=2,left=2,bottom=2,right=2]',
  // Components without edges between them fill the width.
  'elk.aspectRatio': ratio.toFixed(2),
  // The default, 7, takes twice the time for graphs of this size, and looks the same.
  'elk.layered.thoroughness': '3',
  'elk.randomSeed': '1',
});

type Edge = { from: string; to: string; label?: string | undefined };

/** @param hasLabels whether the labels of edges are placed @param width of the picture */
export async function layOut(
  nodes: readonly SizedNode[],
  edges: readonly Edge[],
  direction: Direction,
  hasLabels: boolean,
  width: number,
): Promise<GraphLayout> {
  const place = new Map(nodes.map(({ id }, i) => [id, `n${i}`]));
  const labels = edges.map(({ label }) => (hasLabels && label ? shorten(label, 130, EDGE_LABEL) : undefined));
  const area = nodes.reduce((sum, node) => sum + (node.width + SPACE) * (node.height + SPACE), 0);
  const ratio = Math.min(Math.max((width * width) / (area * 0.7), 1.2), 30);
  const result: ElkNode = await elk.layout({
    id: 'root',
    layoutOptions: options(direction, ratio),
    children: nodes.map((node) => ({ id: place.get(node.id)!, width: node.width, height: node.height })),
    edges: edges.map(({ from, to }, i): ElkExtendedEdge => {
      const line = labels[i]?.lines[0];
      return {
        id: `e${i}`,
        sources: [place.get(from)!],
        targets: [place.get(to)!],
        labels: line === undefined ? [] : [{ text: line, width: measure(line, EDGE_LABEL) + 4, height: 15 }],
      };
    }),
  });
  return {
    width: result.width!,
    height: result.height!,
    nodes: result.children!.map(({ x, y }, i) => ({ node: nodes[i]!, x: x!, y: y! })),
    edges: (result.edges ?? []).map(({ sections, labels: placed }, i) => {
      const [section, label] = [sections?.[0], placed?.[0]];
      return {
        points: section ? [section.startPoint, ...(section.bendPoints ?? []), section.endPoint] : [],
        net: undefined,
        label: label && labels[i] ? { block: labels[i], x: label.x! + 2, y: label.y! + 11 } : undefined,
      };
    }),
  };
}
