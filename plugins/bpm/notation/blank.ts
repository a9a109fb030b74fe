/** The file of a process that nothing is known about yet. */
import { randomUUID } from 'node:crypto';
import { moddle } from './model.js';

/**
 * A valid BPMN 2.0 file with one process, whose only element is a start event with a shape in a diagram, so that any
 * modeller opens it.
 * @param name of the process
 * @returns the file in UTF-8
 */
export async function blankBpmn(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const key = randomUUID().replaceAll('-', '').slice(0, 12);
  const start = moddle.create('bpmn:StartEvent', { id: `StartEvent_${key}` });
  const process = moddle.create('bpmn:Process', {
    id: `Process_${key}`,
    name: printable(name),
    isExecutable: false,
    flowElements: [start],
  });
  const bounds = moddle.create('dc:Bounds', { x: 180, y: 100, width: 36, height: 36 });
  const shape = moddle.create('bpmndi:BPMNShape', { id: `StartEvent_${key}_di`, bpmnElement: start, bounds });
  const plane = moddle.create('bpmndi:BPMNPlane', { id: `Plane_${key}`, bpmnElement: process, planeElement: [shape] });
  const definitions = moddle.create('bpmn:Definitions', {
    id: `Definitions_${key}`,
    targetNamespace: 'http://bpmn.io/schema/bpmn',
    rootElements: [process],
    diagrams: [moddle.create('bpmndi:BPMNDiagram', { id: `Diagram_${key}`, plane })],
  });
  const { xml } = await moddle.toXML(definitions, { format: true });
  return new TextEncoder().encode(xml);
}

/** Without characters that XML cannot have, such as U+0000. */
function printable(name: string): string {
  return name.toWellFormed().replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');
}
