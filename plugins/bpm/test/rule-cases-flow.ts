/** Cases for the rules on flows, events, lanes and diagrams. */
import type { RuleCase } from './rule-cases.js';
import { file, flowTag, inProcess, nodeTag } from './samples.js';

const start = nodeTag('a', 'startEvent');
const shape = (id: string, more = '<dc:Bounds x="0" y="0" width="10" height="10"/>', attributes = ''): string =>
  `<bpmndi:BPMNShape id="${id}_di" bpmnElement="${id}"${attributes}>${more}</bpmndi:BPMNShape>`;
const edge = (id: string, points = 2): string =>
  `<bpmndi:BPMNEdge id="${id}_di" bpmnElement="${id}">${'<di:waypoint x="1" y="1"/>'.repeat(points)}</bpmndi:BPMNEdge>`;
const drawn = (...shapes: string[]): string =>
  `<bpmndi:BPMNDiagram id="D"><bpmndi:BPMNPlane id="P" bpmnElement="Process">\n${shapes.join('\n')}</bpmndi:BPMNPlane></bpmndi:BPMNDiagram>`;
const pools = (flow: string): string => `<collaboration id="C"><participant id="P1" processRef="Process"/>
<participant id="P2"/>
${flow}</collaboration>`;
const boundary = (attributes: string): string => `<boundaryEvent id="b"${attributes}/>`;
const lane = (id: string, ...nodes: string[]): string =>
  `<lane id="${id}">${nodes.map((node) => `<flowNodeRef>${node}</flowNodeRef>`).join('')}</lane>`;

export const FLOW_CASES: RuleCase[] = [
  {
    name: 'a flow without source or target',
    faulty: inProcess(
      `${start}\n<sequenceFlow id="f" sourceRef="a"/>\n<sequenceFlow id="g" targetRef="b"/>\n<task id="b"/>`,
    ),
    problems: ['error flow_without_target 4 f', 'error flow_without_source 5 g'],
    sound: inProcess(`${start}\n${flowTag('a', 'b')}\n<task id="b"/>`),
  },
  {
    name: 'a flow into a sub-process',
    faulty: inProcess(`${start}\n<subProcess id="s"><task id="b"/></subProcess>\n${flowTag('a', 'b')}`),
    problems: ['error flow_crosses_border 5 a-b'],
    sound: inProcess(`${start}\n<subProcess id="s"><task id="b"/></subProcess>\n${flowTag('a', 's')}`),
  },
  {
    name: 'a flow into another process',
    faulty: `${inProcess(`${start}\n${flowTag('a', 'b')}`, '<process id="Other"><task id="b"/></process>')}`,
    problems: ['error flow_crosses_border 4 a-b'],
    sound: `${inProcess(`${start}\n${flowTag('a', 'b')}<task id="b"/>`, '<process id="Other"/>')}`,
  },
  {
    name: 'a flow from or to what is no node',
    faulty: inProcess(`${start}<dataObject id="d"/>\n${flowTag('a', 'd')}`),
    problems: ['error wrong_reference 4 a-d'],
    sound: inProcess(`${start}<task id="d"/>\n${flowTag('a', 'd')}`),
  },
  {
    name: 'a flow into a start event or out of an end event',
    faulty: inProcess(`${start}\n<endEvent id="b"/>\n${flowTag('b', 'a')}`),
    problems: ['warning flow_into_start 5 b-a', 'warning flow_from_end 5 b-a'],
    sound: inProcess(`${start}\n<endEvent id="b"/>\n${flowTag('a', 'b')}`),
  },
  {
    name: 'lists of flows with others than those of the node',
    faulty: inProcess(
      `${nodeTag('a', 'task', '<outgoing>b-c</outgoing>')}\n${nodeTag('b')}\n${nodeTag('c', 'task', '<incoming>a-b</incoming>')}\n${flowTag('b', 'c')}${flowTag('a', 'b')}`,
    ),
    problems: [
      'warning wrong_outgoing 3 a',
      'warning missing_outgoing 3 a',
      'warning wrong_incoming 5 c',
      'warning missing_incoming 5 c',
    ],
    sound: inProcess(
      `${nodeTag('a', 'task', '<outgoing>a-b</outgoing>')}\n${nodeTag('b')}\n${nodeTag('c', 'task', '<incoming>b-c</incoming>')}\n${flowTag('b', 'c')}${flowTag('a', 'b')}`,
    ),
  },
  {
    name: 'a default flow of another node',
    faulty: inProcess(`${start}<exclusiveGateway id="b"\n default="a-b"/>${flowTag('a', 'b')}`),
    problems: ['error default_of_other 3 b'],
    sound: inProcess(`${start}<exclusiveGateway id="b" default="b-c"/>${flowTag('b', 'c')}${nodeTag('c')}`),
  },
  {
    name: 'a message between elements of one participant',
    faulty: inProcess(`${nodeTag('a')}${nodeTag('b')}`, pools('<messageFlow id="m" sourceRef="a" targetRef="b"/>')),
    problems: ['warning message_in_pool 6 m'],
    sound: inProcess(`${nodeTag('a')}${nodeTag('b')}`, pools('<messageFlow id="m" sourceRef="a" targetRef="P2"/>')),
  },
  {
    name: 'a message or association without an end',
    faulty: inProcess(
      `${nodeTag('a')}<textAnnotation id="n"/>\n<association id="x" sourceRef="a"/>`,
      pools('<messageFlow id="m" targetRef="a"/>'),
    ),
    problems: ['error flow_without_target 4 x', 'error flow_without_source 7 m'],
    sound: inProcess(
      `${nodeTag('a')}<textAnnotation id="n"/>\n<association id="x" sourceRef="a" targetRef="n"/>`,
      pools('<messageFlow id="m" targetRef="a" sourceRef="P2"/>'),
    ),
  },
  {
    name: 'a boundary event without a host',
    faulty: inProcess(`${nodeTag('a')}\n${boundary('')}`),
    problems: ['error boundary_without_host 4 b'],
    sound: inProcess(`${nodeTag('a')}\n${boundary(' attachedToRef="a"')}`),
  },
  {
    name: 'a boundary event at an element that is no activity',
    faulty: inProcess(`${start}\n${boundary(' attachedToRef="a"')}`),
    problems: ['error wrong_reference 4 b'],
    sound: inProcess(`${nodeTag('a', 'callActivity')}\n${boundary(' attachedToRef="a"')}`),
  },
  {
    name: 'a boundary event at an activity of another sub-process',
    faulty: inProcess(`<subProcess id="s">${nodeTag('a')}</subProcess>\n${boundary(' attachedToRef="a"')}`),
    problems: ['error boundary_crosses_border 4 b'],
    sound: inProcess(`<subProcess id="s">${nodeTag('a')}</subProcess>\n${boundary(' attachedToRef="s"')}`),
  },
  {
    name: 'a lane with an element of another process',
    faulty: inProcess(`<laneSet id="L">\n${lane('x', 'b')}</laneSet>`, `<process id="Other">${nodeTag('b')}</process>`),
    problems: ['warning lane_of_other_process 4 x'],
    sound: inProcess(`<laneSet id="L">\n${lane('x', 'b')}</laneSet>${nodeTag('b')}`, '<process id="Other"/>'),
  },
  {
    name: 'an element in two lanes beside each other',
    faulty: inProcess(`<laneSet id="L">${lane('x', 'b')}\n${lane('y', 'b')}</laneSet>${nodeTag('b')}`),
    problems: ['warning in_two_lanes 4 y'],
    sound: inProcess(
      `<laneSet id="L"><lane id="x"><flowNodeRef>b</flowNodeRef><childLaneSet id="M">${lane('y', 'b')}</childLaneSet></lane></laneSet>${nodeTag('b')}`,
    ),
  },
  {
    name: 'a file without a process',
    faulty: file('<message id="m"/>'),
    problems: ['warning no_process 1 Definitions'],
    sound: file('<process id="p"/>'),
  },
  {
    name: 'a shape of an element that is not in the file',
    faulty: inProcess(start, drawn(shape('a'), shape('b'))),
    problems: ['error shape_without_element 6 b_di'],
    sound: inProcess(`${start}${nodeTag('b')}`, drawn(shape('a'), shape('b'))),
  },
  {
    name: 'a shape of no element',
    faulty: inProcess(
      start,
      drawn(shape('a'), '<bpmndi:BPMNShape id="s"><dc:Bounds x="0" y="0" width="1" height="1"/></bpmndi:BPMNShape>'),
    ),
    problems: ['warning shape_without_element 6 s'],
    sound: inProcess(start, drawn(shape('a'))),
  },
  {
    name: 'an element that is drawn twice in one diagram',
    faulty: inProcess(start, drawn(shape('a'), shape('a').replace('a_di', 's'))),
    problems: ['warning drawn_twice 6 s'],
    sound: inProcess(start, drawn(shape('a')) + drawn(shape('a')).replaceAll(/id="(\w+)"/g, 'id="$1_2"')),
  },
  {
    name: 'a shape without bounds, or with a negative size',
    faulty: inProcess(
      `${start}${nodeTag('b')}`,
      drawn(shape('a', ''), shape('b', '<dc:Bounds x="0" y="0" width="-1" height="1"/>')),
    ),
    problems: ['error shape_without_bounds 5 a_di', 'error negative_size 6 b_di'],
    sound: inProcess(`${start}${nodeTag('b')}`, drawn(shape('a'), shape('b'))),
  },
  {
    name: 'a line with one point',
    faulty: inProcess(`${start}${nodeTag('b')}${flowTag('a', 'b')}`, drawn(shape('a'), shape('b'), edge('a-b', 1))),
    problems: ['warning edge_without_points 7 a-b_di'],
    sound: inProcess(`${start}${nodeTag('b')}${flowTag('a', 'b')}`, drawn(shape('a'), shape('b'), edge('a-b'))),
  },
  {
    name: 'elements and flows without a shape in a process that is drawn',
    faulty: inProcess(`${start}\n${nodeTag('b')}\n${flowTag('a', 'b')}`, drawn(shape('a'))),
    problems: ['warning element_not_drawn 4 b', 'warning flow_not_drawn 5 a-b'],
    sound: inProcess(`${start}\n${nodeTag('b')}\n${flowTag('a', 'b')}`),
  },
  {
    name: 'a process that is in no diagram, beside one that is',
    faulty: inProcess(start, `\n<process id="Other">${nodeTag('b')}</process>${drawn(shape('a'))}`),
    problems: ['warning process_not_drawn 5 Other'],
    sound: inProcess(start, `\n<process id="Other"/>${drawn(shape('a'))}`),
  },
  {
    name: 'the content of a sub-process that is drawn open, but not of one that is drawn closed',
    faulty: inProcess(
      `<subProcess id="a">${nodeTag('b')}</subProcess>`,
      drawn(shape('a', undefined, ' isExpanded="true"')),
    ),
    problems: ['warning process_not_drawn 3 a'],
    sound: inProcess(
      `<subProcess id="a">${nodeTag('b')}</subProcess>`,
      drawn(shape('a', undefined, ' isExpanded="false"')),
    ),
  },
  {
    name: 'nothing of vendors',
    faulty: inProcess('<tsak/>'),
    problems: ['error unexpected_element 3 null'],
    sound: inProcess(
      `<task id="a" v:x="1"><extensionElements>text<v:tsak id="a"><v:y/></v:tsak><task id="a"/></extensionElements>
<v:outside id="a">text</v:outside><documentation><v:b>x</v:b></documentation></task>`,
    ),
  },
];
