/** BPMN files of any size, for measurements. */

/** What a generated file has. */
export interface LargeFile {
  /** Tasks, gateways, sub-processes and events. */
  nodes: number;
  /** Whether it has a diagram. Default: true. */
  diagram?: boolean;
  /** Whether nodes list their flows. Default: true. */
  lists?: boolean;
}

const ROW = 50;
const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI"
  xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" id="Definitions_1" targetNamespace="urn:test">`;

/** One process: a start event, tasks in a chain with a gateway at each tenth place that leads back or ahead, an end event. */
export function largeBpmn({ nodes, diagram = true, lists = true }: LargeFile): Uint8Array<ArrayBuffer> {
  const flows: [number, number][] = [];
  for (let i = 0; i + 1 < nodes; i++) {
    flows.push([i, i + 1]);
    if (i % 20 === 10) flows.push([i, Math.min(i + 7, nodes - 1)]);
    if (i % 20 === 0 && i > 10) flows.push([i, i - 9]);
  }
  const into = new Map<number, number[]>();
  const from = new Map<number, number[]>();
  for (const [f, [a, b]] of flows.entries()) {
    into.set(b, [...(into.get(b) ?? []), f]);
    from.set(a, [...(from.get(a) ?? []), f]);
  }
  const typeOf = (i: number): string => {
    if (i === 0) return 'startEvent';
    if (i === nodes - 1) return 'endEvent';
    return i % 10 === 0 ? 'exclusiveGateway' : (['userTask', 'serviceTask', 'task'][i % 3] ?? 'task');
  };
  const listed = (i: number): string =>
    lists
      ? [
          ...(into.get(i) ?? []).map((f) => `<bpmn:incoming>Flow_${f}</bpmn:incoming>`),
          ...(from.get(i) ?? []).map((f) => `<bpmn:outgoing>Flow_${f}</bpmn:outgoing>`),
        ].join('')
      : '';
  const parts = [HEAD, '\n<bpmn:process id="Process_1" name="Generated">'];
  for (let i = 0; i < nodes; i++)
    parts.push(`\n<bpmn:${typeOf(i)} id="Node_${i}" name="Step ${i} of the process">${listed(i)}</bpmn:${typeOf(i)}>`);
  for (const [f, [a, b]] of flows.entries())
    parts.push(`\n<bpmn:sequenceFlow id="Flow_${f}" sourceRef="Node_${a}" targetRef="Node_${b}"/>`);
  parts.push('\n</bpmn:process>');
  if (diagram) parts.push(diagramOf(nodes, flows, typeOf));
  parts.push('\n</bpmn:definitions>');
  return new TextEncoder().encode(parts.join(''));
}

function diagramOf(nodes: number, flows: readonly [number, number][], typeOf: (i: number) => string): string {
  const at = (i: number): [number, number] => [100 + (i % ROW) * 160, 100 + Math.floor(i / ROW) * 140];
  const parts = ['\n<bpmndi:BPMNDiagram id="Diagram_1"><bpmndi:BPMNPlane id="Plane_1" bpmnElement="Process_1">'];
  for (let i = 0; i < nodes; i++) {
    const [width, height] = typeOf(i).endsWith('ask') ? [100, 80] : [40, 40];
    const [x, y] = at(i);
    parts.push(
      `\n<bpmndi:BPMNShape id="Shape_${i}" bpmnElement="Node_${i}"><dc:Bounds x="${x}" y="${y}" width="${width}" height="${height}"/></bpmndi:BPMNShape>`,
    );
  }
  for (const [f, [a, b]] of flows.entries()) {
    const points = [at(a), at(b)].map(([x, y]) => `<di:waypoint x="${x + 20}" y="${y + 20}"/>`).join('');
    parts.push(`\n<bpmndi:BPMNEdge id="Edge_${f}" bpmnElement="Flow_${f}">${points}</bpmndi:BPMNEdge>`);
  }
  parts.push('\n</bpmndi:BPMNPlane></bpmndi:BPMNDiagram>');
  return parts.join('');
}
