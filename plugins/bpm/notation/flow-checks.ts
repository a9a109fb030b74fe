/** Rules on sequence flows, message flows and default flows. */
import { called } from './identity.js';
import { node, nodes, textOf, type BpmnNode } from './model.js';
import type { Outline } from './outline.js';
import type { BpmnProblem, ProblemCode } from './problems.js';
import type { Tree } from './tree.js';

/** Adds what is wrong with the flows of a file. */
export function checkFlows(tree: Tree, outline: Outline): void {
  const report = (severity: BpmnProblem['severity'], code: ProblemCode, message: string, of: BpmnNode): void =>
    tree.problems.add(severity, code, message, { line: tree.lineOf(of), id: textOf(of, 'id') });
  for (const { sequenceFlows, flowNodes } of outline.containers) {
    for (const flow of sequenceFlows) checkSequenceFlow(tree, flow, report);
    for (const flowNode of flowNodes) checkLists(flowNode, report);
    checkDeclared(sequenceFlows, report);
  }
  for (const flow of outline.messageFlows) checkMessageFlow(tree, flow, report);
  for (const association of outline.associations) checkEnds(tree, association, report);
}

type Report = (severity: BpmnProblem['severity'], code: ProblemCode, message: string, of: BpmnNode) => void;

const ENDS = [
  ['sourceRef', 'flow_without_source', 'source'],
  ['targetRef', 'flow_without_target', 'target'],
] as const;

/** @returns source and target, where both are there */
function checkEnds(tree: Tree, flow: BpmnNode, report: Report): [BpmnNode, BpmnNode] | undefined {
  const ends = ENDS.map(([property, code, word]) => {
    const end = node(flow, property);
    // A name that leads nowhere is a problem already.
    if (!end && !tree.isUnresolved(flow, property)) report('error', code, `The ${called(flow)} has no ${word}.`, flow);
    return end;
  });
  return ends[0] && ends[1] ? [ends[0], ends[1]] : undefined;
}

function checkSequenceFlow(tree: Tree, flow: BpmnNode, report: Report): void {
  const ends = checkEnds(tree, flow, report);
  if (!ends) return;
  const [source, target] = ends;
  const [from, to] = [source.$parent, target.$parent];
  if (from && to && from !== to)
    report(
      'error',
      'flow_crosses_border',
      `The ${called(flow)} leads from ${called(source)} in ${called(from)} to ${called(target)} in ${called(to)}.`,
      flow,
    );
  if (target.$type === 'bpmn:StartEvent')
    report('warning', 'flow_into_start', `The ${called(flow)} leads to ${called(target)}.`, flow);
  if (source.$type === 'bpmn:EndEvent')
    report('warning', 'flow_from_end', `The ${called(flow)} leads from ${called(source)}.`, flow);
}

/** What a node lists as its flows must lead to it or from it. */
function checkLists(flowNode: BpmnNode, report: Report): void {
  for (const [list, end] of [
    ['incoming', 'targetRef'],
    ['outgoing', 'sourceRef'],
  ] as const) {
    for (const flow of nodes(flowNode, list))
      if (flow.$type === 'bpmn:SequenceFlow' && node(flow, end) !== flowNode)
        report(
          'warning',
          `wrong_${list}`,
          `The ${called(flowNode)} lists ${called(flow)} as ${list}, which it is not.`,
          flowNode,
        );
  }
  const byDefault = node(flowNode, 'default');
  if (byDefault && node(byDefault, 'sourceRef') !== flowNode)
    report('error', 'default_of_other', `The default flow of ${called(flowNode)} does not lead from it.`, flowNode);
}

/** The lists may be left out altogether, but lists that are there must be complete. */
function checkDeclared(sequenceFlows: readonly BpmnNode[], report: Report): void {
  const listed = { incoming: new Map<BpmnNode, Set<BpmnNode>>(), outgoing: new Map<BpmnNode, Set<BpmnNode>>() };
  const isMissing = (flow: BpmnNode, end: BpmnNode, list: 'incoming' | 'outgoing'): boolean => {
    let flows = listed[list].get(end);
    if (!flows) listed[list].set(end, (flows = new Set(nodes(end, list))));
    return flows.size > 0 && !flows.has(flow);
  };
  for (const flow of sequenceFlows) {
    for (const [list, property] of [
      ['incoming', 'targetRef'],
      ['outgoing', 'sourceRef'],
    ] as const) {
      const end = node(flow, property);
      if (end && isMissing(flow, end, list))
        report('warning', `missing_${list}`, `The ${called(end)} does not list ${called(flow)} as ${list}.`, end);
    }
  }
}

/** Messages are sent between participants. */
function checkMessageFlow(tree: Tree, flow: BpmnNode, report: Report): void {
  const ends = checkEnds(tree, flow, report);
  const [from, to] = ends?.map((end) => poolOf(end)) ?? [];
  if (from && from === to)
    report('warning', 'message_in_pool', `The ${called(flow)} leads from and to elements of one participant.`, flow);
}

/** The process of an element, or of a participant; the participant itself where it has none. */
function poolOf(end: BpmnNode): BpmnNode | undefined {
  if (end.$type === 'bpmn:Participant') return node(end, 'processRef') ?? end;
  let at: BpmnNode | undefined = end;
  while (at && at.$type !== 'bpmn:Process') at = at.$parent;
  return at;
}
