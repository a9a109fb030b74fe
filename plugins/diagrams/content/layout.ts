/** The places of shapes, edges and their labels, by ELK. Runs in the worker. */
import { createRequire } from 'node:module';
import type { ELK as Elk, ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import type { Point } from '../drawio/model.js';
import type { Direction } from './generate.js';

/** The points of an edge from shape to shape, and the centre of its label. */
export interface PlacedEdge {
  points: readonly Point[];
  label: { text: string; x: number; y: number } | undefined;
}

interface EdgeToPlace {
  source: string;
  target: string;
  label: { text: string; width: number; height: number } | undefined;
}

// The bundle is CommonJS, without the names of an ES module; it runs in this process, which is a worker already.
const load = createRequire(import.meta.url);
let elk: Elk | undefined;

/** More shapes or edges than this get a faster placement, which is a little less compact. */
const LARGE = { nodes: 90, edges: 150 } as const;

const options = (direction: Direction, isLarge: boolean): Record<string, string> => ({
  'elk.algorithm': 'layered',
  'elk.direction': direction === 'right' ? 'RIGHT' : 'DOWN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.spacing.nodeNode': '24',
  'elk.spacing.edgeNode': '14',
  'elk.spacing.edgeEdge': '10',
  'elk.spacing.edgeLabel': '4',
  'elk.spacing.labelLabel': '4',
  'elk.spacing.labelNode': '6',
  'elk.spacing.componentComponent': '40',
  'elk.layered.spacing.nodeNodeBetweenLayers': '50',
  'elk.layered.spacing.edgeNodeBetweenLayers': '16',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '10',
  'elk.layered.nodePlacement.strategy': isLarge ? 'BRANDES_KOEPF' : 'NETWORK_SIMPLEX',
  ...(isLarge ? {} : { 'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES' }),
  'elk.edgeLabels.inline': 'false',
  'elk.padding': '[top=0,left=0,bottom=0,right=0]',
  'elk.layered.thoroughness': isLarge ? '1' : '3',
  'elk.randomSeed': '1',
});

/** @returns nodes and edges in the order given; sizes in px */
export async function layOut(
  nodes: readonly { id: string; width: number; height: number }[],
  edges: readonly EdgeToPlace[],
  direction: Direction,
): Promise<{ width: number; height: number; nodes: Point[]; edges: PlacedEdge[] }> {
  const { default: ELK } = load('elkjs/lib/elk.bundled.js') as { default: new () => Elk };
  elk ??= new ELK();
  const place = new Map(nodes.map(({ id }, i) => [id, `n${i}`]));
  const result: ElkNode = await elk.layout({
    id: 'root',
    layoutOptions: options(direction, nodes.length > LARGE.nodes || edges.length > LARGE.edges),
    children: nodes.map(({ id, width, height }) => ({ id: place.get(id)!, width, height })),
    edges: edges.map(
      ({ source, target, label }, i): ElkExtendedEdge => ({
        id: `e${i}`,
        sources: [place.get(source)!],
        targets: [place.get(target)!],
        labels: label ? [label] : [],
      }),
    ),
  });
  return {
    width: result.width!,
    height: result.height!,
    nodes: result.children!.map(({ x, y }) => ({ x: x!, y: y! })),
    edges: (result.edges ?? []).map(({ sections, labels }, i) => {
      const section = sections?.[0];
      const [asked, placed] = [edges[i]!.label, labels?.[0]];
      return {
        points: section ? [section.startPoint, ...(section.bendPoints ?? []), section.endPoint] : [],
        label:
          asked && placed
            ? { text: asked.text, x: placed.x! + asked.width / 2, y: placed.y! + asked.height / 2 }
            : undefined,
      };
    }),
  };
}
