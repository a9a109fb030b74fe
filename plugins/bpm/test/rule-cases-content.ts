/** Cases for the rules on schema, ids and references. */
import type { RuleCase } from './rule-cases.js';
import { file, flowTag, inProcess, nodeTag } from './samples.js';

const start = nodeTag('a', 'startEvent');
const shape = (id: string, more = '<dc:Bounds x="0" y="0" width="10" height="10"/>', attributes = ''): string =>
  `<bpmndi:BPMNShape id="${id}_di" bpmnElement="${id}"${attributes}>${more}</bpmndi:BPMNShape>`;
const drawn = (...shapes: string[]): string =>
  `<bpmndi:BPMNDiagram id="D"><bpmndi:BPMNPlane id="P" bpmnElement="Process">\n${shapes.join('\n')}</bpmndi:BPMNPlane></bpmndi:BPMNDiagram>`;
const lane = (id: string, ...nodes: string[]): string =>
  `<lane id="${id}">${nodes.map((node) => `<flowNodeRef>${node}</flowNodeRef>`).join('')}</lane>`;
const LONG = 'x'.repeat(256);

export const CONTENT_CASES: RuleCase[] = [
  {
    name: 'an element that BPMN does not have',
    faulty: inProcess(`${start}\n<tsak id="b"/>`),
    problems: ['error unexpected_element 4 b'],
    sound: inProcess(`${start}\n<task id="b"/>`),
  },
  {
    name: 'an element at a place where BPMN does not have it',
    faulty: file('<task id="a"/>\n<process id="Process"/>'),
    problems: ['error unexpected_element 2 a'],
    sound: file('<process id="Process"><task id="a"/></process>'),
  },
  {
    name: 'an element inside of a text, or of a reference',
    faulty: inProcess(
      `<textAnnotation id="n"><text>a<text/>b</text></textAnnotation>\n<task id="a"><incoming>x-a<task/></incoming></task>${nodeTag('x', 'startEvent')}${flowTag('x', 'a')}`,
    ),
    problems: ['error unexpected_element 3 null', 'error unexpected_element 4 null'],
    sound: inProcess(
      `<textAnnotation id="n"><text id="1">a<v:b>x</v:b>b</text></textAnnotation>\n<task id="a"><incoming>x-a</incoming></task>${nodeTag('x', 'startEvent')}${flowTag('x', 'a')}`,
    ),
  },
  {
    name: 'an attribute that BPMN does not have',
    faulty: inProcess('<task id="a" colour="red"/>'),
    problems: ['error unknown_attribute 3 a'],
    sound: inProcess('<task id="a" v:colour="red"/>'),
  },
  {
    name: 'text where BPMN has none',
    faulty: inProcess('<task id="a">\n  Pay\n</task>'),
    problems: ['error unexpected_text 3 a'],
    sound: inProcess('<task id="a"><documentation>\n  Pay\n</documentation></task>'),
  },
  {
    name: 'a value that its type does not have',
    faulty: inProcess('<task id="a" isForCompensation="maybe"/>\n<task id="b" startQuantity="few"/>'),
    problems: ['error invalid_value 3 a', 'error invalid_value 4 b'],
    sound: inProcess('<task id="a" isForCompensation="1"/>\n<task id="b" startQuantity="-2"/>'),
  },
  {
    name: 'a value that its enumeration does not have',
    faulty: inProcess('<exclusiveGateway id="a" gatewayDirection="Left"/>'),
    problems: ['error invalid_value 3 a'],
    sound: inProcess('<exclusiveGateway id="a" gatewayDirection="Diverging"/>'),
  },
  {
    name: 'a coordinate that is no number',
    faulty: inProcess(start, drawn(shape('a', '<dc:Bounds x="left" y="0" width="1e2" height=".5"/>'))),
    problems: ['error invalid_value 5 null'],
    sound: inProcess(start, drawn(shape('a', '<dc:Bounds x="-7" y="0" width="1e2" height=".5"/>'))),
  },
  {
    name: 'an element without an id',
    faulty: inProcess('<task name="x"/>'),
    problems: ['error missing_id 3 null'],
    sound: inProcess('<task id="x"/>'),
  },
  {
    name: 'a participant, lane or process without an id',
    faulty: file(
      '<process>\n<laneSet><lane/></laneSet></process><collaboration id="C">\n<participant/></collaboration>',
    ),
    problems: ['error missing_id 2 null', 'error missing_id 3 null', 'error missing_id 4 null'],
    sound: file(
      '<process id="P"><laneSet><lane id="L"/></laneSet></process><collaboration id="C"><participant id="A"/></collaboration>',
    ),
  },
  {
    name: 'an id that two elements have',
    faulty: inProcess('<task id="a"/>\n<userTask id="a"/>'),
    problems: ['error duplicate_id 4 a'],
    sound: inProcess('<task id="a"/>\n<userTask id="b"/>'),
  },
  {
    name: 'an id that is no name in XML',
    faulty: inProcess('<task id="1 a"/>'),
    problems: ['error invalid_id 3 1 a'],
    sound: inProcess('<task id="Größe_1.a-b"/>'),
  },
  {
    name: 'an id that is too long',
    faulty: inProcess(`<task id="${LONG}"/>`),
    problems: [`error invalid_id 3 ${LONG.slice(0, 255)}`],
    sound: inProcess(`<task id="${LONG.slice(1)}"/>`),
  },
  {
    name: 'a code, or a name, where an event has the id of what it is about',
    faulty: inProcess(
      [
        '<task id="a"/>',
        '<boundaryEvent id="b" attachedToRef="a"><errorEventDefinition errorRef="PAYMENT_FAILED"/></boundaryEvent>',
        '<boundaryEvent id="c" attachedToRef="a"><escalationEventDefinition escalationRef="LATE"/></boundaryEvent>',
        '<boundaryEvent id="d" attachedToRef="a"><signalEventDefinition signalRef="stop all"/></boundaryEvent>',
        '<boundaryEvent id="e" attachedToRef="a"><messageEventDefinition messageRef="order"/></boundaryEvent>',
        '<boundaryEvent id="f" attachedToRef="x"><errorEventDefinition/></boundaryEvent>',
      ].join('\n'),
    ),
    problems: [
      'warning unresolved_reference 4 null',
      'warning unresolved_reference 5 null',
      'warning unresolved_reference 6 null',
      'warning unresolved_reference 7 null',
      'error unresolved_reference 8 f',
    ],
    sound: inProcess(
      '<task id="a"/><boundaryEvent id="b" attachedToRef="a"><errorEventDefinition errorRef="E"/></boundaryEvent>',
      '<error id="E" errorCode="PAYMENT_FAILED"/>',
    ),
  },
  {
    name: 'a reference to what is not in the file',
    faulty: inProcess('<task id="a">\n<incoming>f</incoming></task>'),
    problems: ['error unresolved_reference 4 a'],
    sound: inProcess(`${start}<task id="b">\n<incoming> a-b </incoming></task>${flowTag('a', 'b')}`),
  },
  {
    name: 'a reference by a qualified name in the namespace of the file',
    faulty: inProcess('<dataObjectReference id="r" dataObjectRef="t:o" xmlns:t="urn:test"/>'),
    problems: ['error unresolved_reference 3 r'],
    sound: inProcess(
      '<dataObject id="o"/><dataObjectReference id="r" dataObjectRef="t:o" xmlns:t="urn:test"/>' +
        '<dataObjectReference id="s" dataObjectRef="e:o" xmlns:e="urn:elsewhere"/>',
    ),
  },
  {
    name: 'a reference to an element of another type',
    faulty: inProcess('<task id="a"/><dataObjectReference id="r" dataObjectRef="a"/>'),
    problems: ['error wrong_reference 3 r'],
    sound: inProcess('<dataObject id="a"/><dataObjectReference id="r" dataObjectRef="a"/>'),
  },
  {
    name: 'a list with an element of another type',
    faulty: inProcess(`<laneSet id="L">\n${lane('x', 'd')}</laneSet><dataObject id="d"/>`),
    problems: ['warning wrong_reference 4 x'],
    sound: inProcess(`<laneSet id="L">\n${lane('x', 'd')}</laneSet><task id="d"/>`),
  },
];
