/** Whatever a file contains, it is read or refused: the long test does the same with the real files. */
import fc from 'fast-check';
import t from 'tap';
import { checkReading, mutated } from './mutations.js';
import { file, flowTag, inProcess, nodeTag } from './samples.js';

const shape = (id: string): string =>
  `<bpmndi:BPMNShape id="${id}_di" bpmnElement="${id}"><dc:Bounds x="1" y="1" width="9" height="9"/></bpmndi:BPMNShape>`;
const TEXTS = [
  inProcess(
    `<laneSet id="L"><lane id="l"><flowNodeRef>a</flowNodeRef></lane></laneSet>${nodeTag('a', 'startEvent', '<timerEventDefinition id="t"/>')}
<userTask id="b" default="b-c"><documentation>x</documentation><incoming>a-b</incoming><extensionElements><v:x y="1">z</v:x></extensionElements></userTask>
<boundaryEvent id="e" attachedToRef="b"/><subProcess id="s"><task id="i"/><textAnnotation id="n"><text>hello</text></textAnnotation></subProcess>
<dataObject id="o"/><dataObjectReference id="r" dataObjectRef="o"/><endEvent id="c"/>${flowTag('a', 'b')}${flowTag('b', 'c')}
<association id="as" sourceRef="n" targetRef="i"/>`,
    `<collaboration id="C"><participant id="p" processRef="Process"/><participant id="q"/><messageFlow id="m" sourceRef="q" targetRef="a"/></collaboration>
<bpmndi:BPMNDiagram id="D"><bpmndi:BPMNPlane id="P" bpmnElement="C">${['a', 'b', 's', 'p'].map(shape).join('\n')}
<bpmndi:BPMNEdge id="f_di" bpmnElement="a-b"><di:waypoint x="1" y="1"/><di:waypoint xsi:type="dc:Point" x="2" y="2"/></bpmndi:BPMNEdge></bpmndi:BPMNPlane></bpmndi:BPMNDiagram>`,
  ),
  file(
    '<choreography id="C"><participant id="p"/><choreographyTask id="t" initiatingParticipantRef="p"/></choreography><dataStore id="d"/>',
  ),
];

t.test('files with random faults are read or refused', async (t) => {
  const { failed, errorInstance, counterexample } = fc.check(fc.property(mutated(TEXTS), checkReading), {
    numRuns: 400,
  });
  t.notOk(failed, `${String(errorInstance)}: ${JSON.stringify(counterexample)}`);
});
