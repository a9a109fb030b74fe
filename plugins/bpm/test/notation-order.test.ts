/** Elements in order of the sequence flow, with their places, kinds and texts. */
import fc from 'fast-check';
import t from 'tap';
import { file, flowTag, inProcess, nodeTag, read } from './samples.js';

const order = (content: string): string =>
  read(inProcess(content))
    .elements.map(({ bpmn_id }) => bpmn_id)
    .join(' ');
const tags = (...ids: string[]): string => ids.map((id) => nodeTag(id)).join('');
const flows = (...pairs: string[]): string => pairs.map((pair) => flowTag(pair[0]!, pair[1]!)).join('');
const start = (id: string): string => nodeTag(id, 'startEvent');

t.test('order of the sequence flow', async (t) => {
  const cases: [name: string, content: string, expected: string][] = [
    ['a chain, whatever its order in the file', tags('c', 'b') + start('a') + flows('bc', 'ab'), 'a b c'],
    [
      'branches one after another, what they join after all',
      start('a') + tags('z', 'b', 'c', 'd', 'e') + flows('ab', 'bc', 'ad', 'de', 'cz', 'ez'),
      'a b c d e z',
    ],
    ['a flow that leads back', start('a') + tags('b', 'c', 'd') + flows('ab', 'bc', 'cb', 'cd'), 'a b c d'],
    ['several starts', tags('x') + start('b') + start('a') + flows('bx', 'ax'), 'b a x'],
    ['a node that no flow leads to comes after start events', tags('y', 'x') + start('a') + flows('ax', 'yx'), 'a y x'],
    [
      'a cycle that nothing leads to is last, also where it leads to others',
      tags('p', 'q', 'x') + start('a') + flows('pq', 'qp', 'px', 'ax'),
      'a x p q',
    ],
    ['no flows: order of the file', tags('b', 'a', 'c'), 'b a c'],
    ['a flow to itself', start('a') + tags('b') + flows('ab', 'bb'), 'a b'],
    [
      'a boundary event after its host, what it leads to after what the host leads to',
      `${tags('x', 'b', 'c')}${start('a')}<boundaryEvent id="e" attachedToRef="b"/>${flows('ab', 'bc', 'ex')}`,
      'a b e c x',
    ],
    [
      'the content of a sub-process after it, then its boundary events',
      `${start('a')}<subProcess id="s">${tags('n')}${start('m')}${flows('mn')}</subProcess><boundaryEvent id="e" attachedToRef="s"/>${tags('b')}${flows('as', 'sb')}`,
      'a s m n e b',
    ],
    [
      'event sub-processes and compensation last',
      `<subProcess id="s" triggeredByEvent="true"/><task id="k" isForCompensation="true"/>${tags('b')}${start('a')}${flows('ab')}`,
      'a b s k',
    ],
    [
      'links',
      `${start('a')}<intermediateCatchEvent id="c"><linkEventDefinition name="L"/></intermediateCatchEvent>${tags('b', 'd')}<intermediateThrowEvent id="t"><linkEventDefinition name="L"/></intermediateThrowEvent>${flows('ab', 'bt', 'cd')}`,
      'a b t c d',
    ],
    [
      'lanes, then data objects, then data stores after flow nodes',
      `<laneSet id="z">${'<lane id="l"/>'}</laneSet><dataStoreReference id="r"/><dataObject id="o"/>${start('a')}`,
      'a l o r',
    ],
    ['elements without an id are left out', `<task name="x"/>${start('a')}<task id=""/>`, 'a'],
    [
      'of two elements with the same id, the first',
      `${nodeTag('a', 'userTask')}${nodeTag('a', 'task')}${tags('b')}`,
      'a b',
    ],
  ];
  for (const [name, content, expected] of cases) t.equal(order(content), expected, name);
});

t.test('any graph without cycles: all nodes once, along all flows, the same each time', async () => {
  const graph = fc.record({
    size: fc.integer({ min: 1, max: 12 }),
    edges: fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 24 }),
    starts: fc.array(fc.nat(11), { maxLength: 2 }),
  });
  fc.assert(
    fc.property(graph, ({ size, edges, starts }) => {
      const id = (i: number): string => String.fromCharCode(97 + (i % size));
      const ids = Array.from({ length: size }, (_, i) => id(i));
      const starting = new Set(starts.map(id));
      // Forward in the alphabet: without cycles.
      const pairs = [...new Set(edges.map(([a, b]) => [id(a), id(b)].sort().join('')))].filter(([a, b]) => a !== b);
      const nodes = ids.map((one) => nodeTag(one, starting.has(one) ? 'startEvent' : 'task')).reverse();
      const content = nodes.join('') + flows(...pairs);
      const found = order(content).split(' ');
      if ([...found].sort().join(' ') !== ids.join(' ')) throw new Error(`not all once: ${found.join(' ')}`);
      for (const [a, b] of pairs)
        if (found.indexOf(a!) >= found.indexOf(b!)) throw new Error(`${a} after ${b}: ${found.join(' ')}`);
      return order(content) === found.join(' ');
    }),
    { numRuns: 100 },
  );
});

t.test('kinds, types, texts and places', async (t) => {
  const {
    elements,
    flows: found,
    processes,
    diagrams,
  } = read(
    file(`<dataStore id="store" name="Ledger"/>
<process id="Process" name="Pay">
<laneSet id="S"><lane id="outer"><childLaneSet id="T"><lane id="inner" name="Desk"><flowNodeRef>ask</flowNodeRef></lane></childLaneSet><flowNodeRef>ask</flowNodeRef></lane></laneSet>
<ioSpecification id="io"><dataInput id="in" name="Order"/></ioSpecification>
<startEvent id="s"><messageEventDefinition id="m1"/></startEvent>
<userTask id="ask" name=" Ask&#10;somebody "><documentation> One </documentation><documentation/><documentation>Two</documentation>
<dataInputAssociation id="da"><sourceRef>ref</sourceRef></dataInputAssociation><dataOutputAssociation id="db"><targetRef>obj</targetRef></dataOutputAssociation></userTask>
<boundaryEvent id="b" attachedToRef="ask" parallelMultiple="true"><timerEventDefinition/><signalEventDefinition/></boundaryEvent>
<intermediateCatchEvent id="c"><timerEventDefinition/><signalEventDefinition/></intermediateCatchEvent>
<adHocSubProcess id="sub"><endEvent id="e"><terminateEventDefinition/></endEvent></adHocSubProcess>
<callActivity id="call" calledElement="t:Other"/><callActivity id="engine"><extensionElements><v:calledElement processId="Deep"/></extensionElements></callActivity>
<dataObject id="obj" name="Invoice" isCollection="true"/><dataObjectReference id="ref" dataObjectRef="obj"/>
<dataStoreReference id="sref" name=" " dataStoreRef="store"/>
<association id="as" sourceRef="ask" targetRef="obj"/>
${flowTag('s', 'ask')}
</process>
<collaboration id="C"><participant id="p1" name="We" processRef="Process"/><participant id="p2" name="They"/>
<messageFlow id="mf" name="Question" sourceRef="ask" targetRef="p2"/></collaboration>
<bpmndi:BPMNDiagram id="D" name="Main"/><bpmndi:BPMNDiagram/>`),
  );
  const rows = elements.map((e) => [
    e.bpmn_id,
    e.kind,
    e.type,
    e.event_definition,
    e.name,
    e.process_bpmn_id,
    e.parent_bpmn_id,
    e.lane_bpmn_id,
  ]);
  t.strictSame(rows, [
    ['s', 'event', 'startEvent', 'message', null, 'Process', null, null],
    ['ask', 'task', 'userTask', null, 'Ask\nsomebody', 'Process', null, 'inner'],
    ['b', 'event', 'boundaryEvent', 'parallelMultiple', null, 'Process', null, 'inner'],
    ['c', 'event', 'intermediateCatchEvent', 'multiple', null, 'Process', null, null],
    ['sub', 'sub_process', 'adHocSubProcess', null, null, 'Process', null, null],
    ['e', 'event', 'endEvent', 'terminate', null, 'Process', 'sub', null],
    ['call', 'call_activity', 'callActivity', null, null, 'Process', null, null],
    ['engine', 'call_activity', 'callActivity', null, null, 'Process', null, null],
    ['p1', 'participant', 'participant', null, 'We', 'Process', null, null],
    ['p2', 'participant', 'participant', null, 'They', null, null, null],
    ['outer', 'lane', 'lane', null, null, 'Process', null, null],
    ['inner', 'lane', 'lane', null, 'Desk', 'Process', 'outer', null],
    ['in', 'data_object', 'dataInput', null, 'Order', 'Process', null, null],
    ['obj', 'data_object', 'dataObject', null, 'Invoice', 'Process', null, null],
    ['ref', 'data_object', 'dataObjectReference', null, 'Invoice', 'Process', null, null],
    ['sref', 'data_store', 'dataStoreReference', null, 'Ledger', 'Process', null, null],
    ['store', 'data_store', 'dataStore', null, 'Ledger', null, null, null],
  ]);
  t.strictSame(
    elements.flatMap(({ called_element }) => called_element ?? []),
    ['Other', 'Deep'],
  );
  t.equal(elements[1]!.documentation, 'One\n\nTwo');
  t.strictSame(found, [
    { bpmn_id: 's-ask', kind: 'sequence', source: 's', target: 'ask', name: null },
    { bpmn_id: 'mf', kind: 'message', source: 'ask', target: 'p2', name: 'Question' },
    { bpmn_id: 'as', kind: 'association', source: 'ask', target: 'obj', name: null },
    { bpmn_id: 'da', kind: 'data', source: 'ref', target: 'ask', name: null },
    { bpmn_id: 'db', kind: 'data', source: 'ask', target: 'obj', name: null },
  ]);
  t.strictSame(processes, [{ bpmn_id: 'Process', name: 'Pay' }]);
  t.strictSame(diagrams, [
    { id: 'D', name: 'Main', index: 0 },
    { id: null, name: null, index: 1 },
  ]);
});

t.test('choreographies and conversations are read', async (t) => {
  const { elements, flows: found } = read(
    file(`<choreography id="C"><participant id="p"/><participant id="q"/>
<startEvent id="s"/><choreographyTask id="t" initiatingParticipantRef="p"/><subChoreography id="u"><callChoreography id="v"/></subChoreography>
<association id="x" sourceRef="p" targetRef="t"/>${flowTag('s', 't')}</choreography>`),
  );
  t.strictSame(
    elements.map(({ bpmn_id, kind }) => `${bpmn_id} ${kind}`),
    ['s event', 't task', 'u sub_process', 'v call_activity', 'p participant', 'q participant'],
  );
  t.strictSame(
    found.map(({ bpmn_id }) => bpmn_id),
    ['s-t', 'x'],
  );
});
