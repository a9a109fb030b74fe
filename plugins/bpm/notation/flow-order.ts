/** The order in which a reader follows a process. */
import { isTrue, localName, node, nodes, textOf, type BpmnNode } from './model.js';
import type { Container } from './outline.js';

/**
 * The flow nodes of a container along its sequence flows, in linear time: from its start events, branch by branch, what
 * several branches lead to after all of them; then nodes without a way from a start. It is the reverse of the order in
 * which a depth-first search leaves the nodes, which is topological but for the flows that lead back. Boundary events
 * follow their hosts. Ties are decided by the order of the file.
 */
export function flowOrder(container: Container): BpmnNode[] {
  const graph = graphOf(container);
  const seen = new Set<BpmnNode>();
  const starts = startsOf(graph);
  // The last start is searched first, so that what several starts lead to comes after all of them.
  const ordered = starts
    .reverse()
    .flatMap((start) => leaving(start, graph, seen))
    .reverse();
  const others = graph.hosts.flatMap((host) => leaving(host, graph, seen).reverse());
  return [...ordered, ...others].flatMap((host) => [host, ...(graph.boundaries.get(host) ?? [])]);
}

interface Graph {
  /** Flow nodes but for the boundary events that have a host; in order of the file. */
  hosts: BpmnNode[];
  /** Events at the border of an activity. */
  boundaries: Map<BpmnNode, BpmnNode[]>;
  /** Where the flows of a node lead, those of its boundary events last; each in order of the file. */
  next: Map<BpmnNode, BpmnNode[]>;
  /** Nodes that a flow leads to. */
  reached: Set<BpmnNode>;
}

function graphOf({ flowNodes, sequenceFlows }: Container): Graph {
  const index = new Map(flowNodes.map((flowNode, i) => [flowNode, i]));
  const hostOf = (of: BpmnNode): BpmnNode => {
    const host = of.$type === 'bpmn:BoundaryEvent' ? node(of, 'attachedToRef') : undefined;
    return host && index.has(host) && host.$type !== 'bpmn:BoundaryEvent' ? host : of;
  };
  const graph: Graph = { hosts: [], boundaries: new Map(), next: new Map(), reached: new Set() };
  for (const flowNode of flowNodes) {
    const host = hostOf(flowNode);
    if (host === flowNode) graph.hosts.push(flowNode);
    else push(graph.boundaries, host, flowNode);
  }
  const edges = [...edgesOf(sequenceFlows), ...linksOf(flowNodes)].filter(([a, b]) => index.has(a) && index.has(b));
  const rank = ([from, to]: Edge): number => index.get(to)! + (hostOf(from) === from ? 0 : flowNodes.length);
  for (const [from, to] of edges.sort((a, b) => rank(a) - rank(b))) {
    push(graph.next, hostOf(from), hostOf(to));
    graph.reached.add(hostOf(to));
  }
  return graph;
}

type Edge = readonly [from: BpmnNode, to: BpmnNode];

function edgesOf(sequenceFlows: readonly BpmnNode[]): Edge[] {
  return sequenceFlows.flatMap((flow) => {
    const [from, to] = [node(flow, 'sourceRef'), node(flow, 'targetRef')];
    return from && to ? [[from, to] as const] : [];
  });
}

/** A link event that throws leads to the one that catches the link with its name. */
function linksOf(flowNodes: readonly BpmnNode[]): Edge[] {
  const catching = new Map<string, BpmnNode>();
  const throwing: [BpmnNode, string][] = [];
  for (const flowNode of flowNodes) {
    const link = nodes(flowNode, 'eventDefinitions').find(({ $type }) => $type === 'bpmn:LinkEventDefinition');
    const name = link && (textOf(link, 'name') ?? textOf(flowNode, 'name'));
    if (name === undefined) continue;
    if (localName(flowNode) === 'intermediateCatchEvent') catching.set(name, flowNode);
    else throwing.push([flowNode, name]);
  }
  return throwing.flatMap(([from, name]) => {
    const to = catching.get(name);
    return to ? [[from, to] as const] : [];
  });
}

/** Start events, then other nodes that no flow leads to, then those that something else than a flow starts. */
function startsOf({ hosts, reached }: Graph): BpmnNode[] {
  const rank = (of: BpmnNode): number => {
    if (of.$type === 'bpmn:StartEvent') return 0;
    return isTrue(of, 'triggeredByEvent') || isTrue(of, 'isForCompensation') ? 2 : 1;
  };
  return hosts.filter((host) => rank(host) === 0 || !reached.has(host)).sort((a, b) => rank(a) - rank(b));
}

/** The nodes that can be reached from `start` and have not been seen, in the order in which a search leaves them. */
function leaving(start: BpmnNode, { next }: Graph, seen: Set<BpmnNode>): BpmnNode[] {
  if (seen.has(start)) return [];
  seen.add(start);
  const left: BpmnNode[] = [];
  const path = [{ at: start, todo: [...(next.get(start) ?? [])] }];
  while (path.length > 0) {
    const { at, todo } = path.at(-1)!;
    // The last branch is searched first, since the order is reversed afterwards.
    const to = todo.pop();
    if (!to) {
      left.push(at);
      path.pop();
    } else if (!seen.has(to)) {
      seen.add(to);
      path.push({ at: to, todo: [...(next.get(to) ?? [])] });
    }
  }
  return left;
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
