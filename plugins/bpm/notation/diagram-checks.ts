/** Rules on the diagrams of a file. */
import { called } from './identity.js';
import { isTrue, node, nodes, textOf, type BpmnNode } from './model.js';
import type { Container, Outline } from './outline.js';
import type { BpmnProblem, ProblemCode } from './problems.js';
import type { Tree } from './tree.js';

type Report = (severity: BpmnProblem['severity'], code: ProblemCode, message: string, of: BpmnNode) => void;

/** Adds what is wrong with the diagrams of a file; a file without any has no such problems, since it is laid out. */
export function checkDiagrams(tree: Tree, outline: Outline): void {
  const report: Report = (severity, code, message, of) =>
    tree.problems.add(severity, code, message, { line: tree.lineOf(of), id: textOf(of, 'id') });
  const drawn = new Map<BpmnNode, BpmnNode>();
  for (const diagram of outline.diagrams) {
    const plane = node(diagram, 'plane');
    const inDiagram = new Set<BpmnNode>();
    for (const shape of plane ? nodes(plane, 'planeElement') : []) checkShape(tree, shape, inDiagram, report);
    for (const shape of plane ? nodes(plane, 'planeElement') : []) {
      const element = node(shape, 'bpmnElement');
      if (element && !drawn.has(element)) drawn.set(element, shape);
    }
  }
  if (drawn.size === 0) return;
  for (const container of outline.containers) checkDrawn(container, drawn, report);
}

function checkShape(tree: Tree, shape: BpmnNode, inDiagram: Set<BpmnNode>, report: Report): void {
  const element = node(shape, 'bpmnElement');
  if (!element && !tree.isUnresolved(shape, 'bpmnElement') && shape.$instanceOf('bpmndi:BPMNShape'))
    report('warning', 'shape_without_element', `A shape of the diagram stands for no element.`, shape);
  if (element && inDiagram.has(element))
    report('warning', 'drawn_twice', `The ${called(element)} is drawn twice in one diagram.`, shape);
  if (element) inDiagram.add(element);
  if (shape.$type === 'bpmndi:BPMNShape') checkBounds(shape, element, report);
  else if (shape.$type === 'bpmndi:BPMNEdge' && nodes(shape, 'waypoint').length < 2)
    report('warning', 'edge_without_points', `The line of ${name(element)} has fewer than two points.`, shape);
}

function checkBounds(shape: BpmnNode, element: BpmnNode | undefined, report: Report): void {
  const bounds = node(shape, 'bounds') as (BpmnNode & { width?: number; height?: number }) | undefined;
  if (!bounds) report('error', 'shape_without_bounds', `The shape of ${name(element)} has no bounds.`, shape);
  else if ((bounds.width ?? 0) < 0 || (bounds.height ?? 0) < 0)
    report('error', 'negative_size', `The shape of ${name(element)} has a negative width or height.`, shape);
}

/** Elements without a shape, in a process or sub-process whose content is drawn. */
function checkDrawn(
  { node: of, flowNodes, sequenceFlows }: Container,
  drawn: Map<BpmnNode, BpmnNode>,
  report: Report,
): void {
  const missing = flowNodes.filter((flowNode) => !drawn.has(flowNode));
  const shape = drawn.get(of);
  const isCollapsed = of.$instanceOf('bpmn:Activity') && (!shape || !isTrue(shape, 'isExpanded'));
  if (isCollapsed && missing.length === flowNodes.length) return;
  if (missing.length > 0 && missing.length === flowNodes.length) {
    report('warning', 'process_not_drawn', `The ${called(of)} is in no diagram.`, of);
    return;
  }
  for (const flowNode of missing)
    report('warning', 'element_not_drawn', `The ${called(flowNode)} has no shape in a diagram.`, flowNode);
  for (const flow of sequenceFlows)
    if (!drawn.has(flow)) report('warning', 'flow_not_drawn', `The ${called(flow)} has no line in a diagram.`, flow);
}

const name = (element: BpmnNode | undefined): string => (element ? called(element) : 'an unknown element');
