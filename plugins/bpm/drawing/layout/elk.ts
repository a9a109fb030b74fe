/** The layout of a container without lanes, by ELK (https://eclipse.dev/elk), algorithm "layered". */
import { createRequire } from 'node:module';
import type { ElkExtendedEdge, ElkNode, ElkPort, ELK as Elk } from 'elkjs/lib/elk-api.js';
import type { Bounds, Point } from '../geometry.js';
import { EVENT, eventOffset, isLoose, isSatellite, type Content, type Graph, type GraphNode } from './graph.js';

// The bundle is CommonJS, without the names of an ES module; it runs in this process, which is a worker already.
const { default: ELK } = createRequire(import.meta.url)('elkjs/lib/elk.bundled.js') as { default: new () => Elk };
const elk = new ELK();

const options = (isLarge: boolean): Record<string, string> => ({
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.spacing.nodeNode': '36',
  'elk.spacing.edgeNode': '16',
  'elk.spacing.edgeEdge': '12',
  'elk.spacing.labelNode': '3',
  'elk.spacing.edgeLabel': '3',
  'elk.spacing.componentComponent': '40',
  'elk.layered.spacing.nodeNodeBetweenLayers': '44',
  'elk.layered.spacing.edgeNodeBetweenLayers': '16',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '10',
  'elk.layered.nodePlacement.strategy': isLarge ? 'BRANDES_KOEPF' : 'NETWORK_SIMPLEX',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.cycleBreaking.strategy': 'DEPTH_FIRST',
  'elk.layered.thoroughness': isLarge ? '2' : '6',
  'elk.edgeLabels.inline': 'false',
  'elk.padding': '[top=0,left=0,bottom=0,right=0]',
  'elk.randomSeed': '1',
});

/** From this number of nodes, faster phases of the algorithm are chosen. */
const LARGE = 90;

/** Where edges may meet a node: flows at the middle of its sides, data and annotations above it. */
type Port = 'in' | 'out' | 'above';

const port = (id: string, side: string, x: number, y: number): ElkPort => ({
  id,
  x,
  y,
  width: 0,
  height: 0,
  layoutOptions: { 'elk.port.side': side },
});

/** A node with its ports, one of them for each event on its lower border. */
function elkNode(node: GraphNode, id: string, used: ReadonlySet<string>): ElkNode {
  const { width, height, attached, label } = node;
  const sides: [Port, string, number, number][] = [
    ['in', 'WEST', 0, height / 2],
    ['out', 'EAST', width, height / 2],
    ['above', 'NORTH', width / 2, 0],
  ];
  const ports = sides
    .filter(([name]) => used.has(`${id}${name}`))
    .map(([name, side, x, y]) => port(`${id}${name}`, side, x, y));
  // Edges of events on the border begin below their lower half.
  const whole = height + (attached.length > 0 ? EVENT / 2 : 0);
  for (const [i] of attached.entries()) ports.push(port(`${id}p${i}`, 'SOUTH', eventOffset(node, i), whole));
  return {
    id,
    width,
    height: whole,
    ports,
    labels: label ? [{ text: 'name', ...label }] : [],
    layoutOptions: {
      'elk.nodeLabels.placement': 'OUTSIDE V_BOTTOM H_CENTER',
      'elk.portConstraints': 'FIXED_POS',
    },
  };
}

const pointsOf = ({ sections }: ElkExtendedEdge): Point[] =>
  (sections ?? []).flatMap(({ startPoint, bendPoints = [], endPoint }) => [startPoint, ...bendPoints, endPoint]);

/** @returns places of all nodes, edges and labels, and of the events on borders */
export async function layOutByElk({ nodes, edges }: Graph): Promise<Content> {
  const ids = new Map(nodes.map((node, i) => [node, `n${i}`]));
  const ends = edges.map((edge) => {
    const [source, target] = [ids.get(edge.source)!, ids.get(edge.target)!];
    // Data and annotations have their lines at their sides, and above the activity to which they belong.
    const [out, into] = isLoose(edge)
      ? [isSatellite(edge.source) ? 'out' : 'above', isSatellite(edge.target) ? 'in' : 'above']
      : ['out', 'in'];
    return { source: edge.from === -1 ? `${source}${out}` : `${source}p${edge.from}`, target: `${target}${into}` };
  });
  const used = new Set(ends.flatMap(({ source, target }) => [source, target]));
  const result: ElkNode = await elk.layout({
    id: 'root',
    layoutOptions: options(nodes.length > LARGE || edges.length > LARGE * 2),
    children: nodes.map((node) => elkNode(node, ids.get(node)!, used)),
    edges: edges.map(({ label }, i) => ({
      id: `e${i}`,
      sources: [ends[i]!.source],
      targets: [ends[i]!.target],
      labels: label ? [{ text: 'name', ...label }] : [],
    })),
  });
  const content: Content = { boxes: new Map(), lines: new Map(), labels: new Map(), width: 0, height: 0 };
  for (const [i, { x = 0, y = 0, labels = [] }] of (result.children ?? []).entries()) {
    const node = nodes[i]!;
    content.boxes.set(node.element, { x, y, width: node.width, height: node.height });
    for (const [index, event] of node.attached.entries())
      content.boxes.set(event, {
        x: x + eventOffset(node, index) - EVENT / 2,
        y: y + node.height - EVENT / 2,
        width: EVENT,
        height: EVENT,
      });
    const [label] = labels;
    if (label) content.labels.set(node.element, at(label, x, y));
  }
  for (const [i, edge] of ((result.edges ?? []) as ElkExtendedEdge[]).entries()) {
    const { element } = edges[i]!;
    content.lines.set(element, pointsOf(edge));
    const label = edge.labels?.[0];
    if (label) content.labels.set(element, at(label, 0, 0));
  }
  return content;
}

const at = ({ x = 0, y = 0, width = 0, height = 0 }: Partial<Bounds>, left: number, top: number): Bounds => ({
  x: left + x,
  y: top + y,
  width,
  height,
});
