/** Every kind of shape, marker and line of BPMN 2.0 is drawn with its own form. */
import t from 'tap';
import {
  all,
  definitionsOf,
  diagram,
  drawn,
  edge,
  groupOf,
  processFile,
  shape,
  symbolsIn,
  textsIn,
} from './drawing-support.js';
import { drawBpmn } from '../drawing/index.js';
import { file } from './samples.js';

const group = (content: string, more = '', size: [number, number, number, number] = [0, 0, 100, 80], roots = '') =>
  groupOf(drawn(processFile(content, shape('e', size, more), roots)).tree, 'e')!;

const numbersOf = (one: ReturnType<typeof group>, name: string): Record<string, string>[] =>
  all(one)
    .filter((child) => child.name === name)
    .map(({ attributes }) => attributes);

const DEFINITIONS = [
  'message',
  'timer',
  'error',
  'escalation',
  'cancel',
  'compensate',
  'conditional',
  'link',
  'signal',
  'terminate',
];

t.test('events have the symbol of their definition, filled if it is raised', async (t) => {
  const outlines = new Map<string, string>();
  for (const kind of DEFINITIONS)
    for (const type of ['startEvent', 'intermediateCatchEvent', 'intermediateThrowEvent', 'endEvent']) {
      const one = group(`<${type} id="e"><${kind}EventDefinition/></${type}>`, '', [0, 0, 36, 36]);
      t.strictSame(symbolsIn(one), [kind], `${type} ${kind}`);
      const [first] = numbersOf(one, 'path');
      outlines.set(`${first!['d']!} ${first!['fill']!}`, kind);
      const isFilled = first!['fill'] !== '#ffffff';
      const isRaised = type === 'endEvent' || type === 'intermediateThrowEvent' || kind === 'terminate';
      // A clock and a list of conditions are only waited for.
      if (kind !== 'timer' && kind !== 'conditional') t.equal(isFilled, isRaised, `${type} ${kind} is filled`);
    }
  // Seven with two forms, and timer, conditional and terminate with one.
  t.equal(outlines.size, 17, 'all outlines differ');
  const several = '<messageEventDefinition/><signalEventDefinition/>';
  t.strictSame(symbolsIn(group(`<startEvent id="e">${several}</startEvent>`)), ['multiple']);
  t.strictSame(symbolsIn(group(`<startEvent id="e" parallelMultiple="true">${several}</startEvent>`)), [
    'parallelMultiple',
  ]);
  const shared = '<startEvent id="e"><eventDefinitionRef>S</eventDefinitionRef></startEvent>';
  t.strictSame(symbolsIn(group(shared, '', [0, 0, 36, 36], '<signalEventDefinition id="S"/>')), ['signal']);
  t.strictSame(symbolsIn(group('<startEvent id="e"/>')), []);
});

t.test('events have one circle, two, or a thick one; dashed if they interrupt nothing', async (t) => {
  const circles = (xml: string) =>
    numbersOf(group(xml, '', [0, 0, 36, 36]), 'circle').map((one) => ({
      width: Number(one['stroke-width']),
      isDashed: one['stroke-dasharray'] !== undefined,
    }));
  const [start, end] = [circles('<startEvent id="e"/>'), circles('<endEvent id="e"/>')];
  t.strictSame([start.length, end.length], [1, 1]);
  t.ok(end[0]!.width > start[0]!.width * 2);
  t.equal(circles('<intermediateCatchEvent id="e"/>').length, 2);
  const onBorder = (more: string) => circles(`<task id="a"/><boundaryEvent id="e" attachedToRef="a" ${more}/>`);
  t.strictSame(
    onBorder('').map(({ isDashed }) => isDashed),
    [false, false],
  );
  t.strictSame(
    onBorder('cancelActivity="false"').map(({ isDashed }) => isDashed),
    [true, true],
  );
  t.strictSame(
    circles('<startEvent id="e" isInterrupting="false"/>').map(({ isDashed }) => isDashed),
    [true],
  );
});

t.test('tasks have the symbol of their kind', async (t) => {
  for (const kind of [
    'userTask',
    'serviceTask',
    'sendTask',
    'receiveTask',
    'manualTask',
    'scriptTask',
    'businessRuleTask',
  ])
    t.strictSame(symbolsIn(group(`<${kind} id="e"/>`)), [kind]);
  t.strictSame(symbolsIn(group('<task id="e"/>')), []);
  t.strictSame(symbolsIn(group('<receiveTask id="e" instantiate="true"/>')), ['receiveTask-instantiating']);
});

t.test('activities have markers of repetition, compensation and content', async (t) => {
  const loops: [string, string][] = [
    ['<standardLoopCharacteristics/>', 'marker-loop'],
    ['<multiInstanceLoopCharacteristics/>', 'marker-parallel'],
    ['<multiInstanceLoopCharacteristics isSequential="true"/>', 'marker-sequential'],
  ];
  for (const [loop, marker] of loops) t.strictSame(symbolsIn(group(`<task id="e">${loop}</task>`)), [marker]);
  t.strictSame(symbolsIn(group('<task id="e" isForCompensation="true"/>')), ['marker-compensation']);
  t.strictSame(symbolsIn(group('<subProcess id="e"/>', 'isExpanded="false"')), ['marker-collapsed']);
  t.strictSame(symbolsIn(group('<subProcess id="e"/>', 'isExpanded="true"')), []);
  t.strictSame(symbolsIn(group('<adHocSubProcess id="e"/>', 'isExpanded="true"')), ['marker-adHoc']);
  t.strictSame(
    symbolsIn(
      group(`<adHocSubProcess id="e" isForCompensation="true">${loops[1]![0]}</adHocSubProcess>`, 'isExpanded="false"'),
    ),
    ['marker-compensation', 'marker-parallel', 'marker-collapsed', 'marker-adHoc'],
  );
});

t.test('sub-processes, transactions and calls have frames of their own', async (t) => {
  const frame = (xml: string, more = '') => numbersOf(group(xml, more), 'rect')[0]!;
  const plain = frame('<subProcess id="e"/>');
  t.equal(plain['stroke-dasharray'], undefined);
  t.ok(frame('<subProcess id="e" triggeredByEvent="true"/>')['stroke-dasharray'], 'an event sub-process is dotted');
  t.ok(Number(frame('<callActivity id="e"/>')['stroke-width']) > Number(plain['stroke-width']) * 2, 'a call is thick');
  t.strictSame(symbolsIn(group('<transaction id="e"/>', 'isExpanded="true"')), ['transaction'], 'a second frame');
  const started =
    '<subProcess id="e" triggeredByEvent="true"><startEvent id="s"><timerEventDefinition/></startEvent></subProcess>';
  t.strictSame(symbolsIn(group(started, 'isExpanded="false"')), ['timer', 'marker-collapsed'], 'the start is shown');
  const call = '<callActivity id="e" calledElement="g"/>';
  const calling = (root: string) => symbolsIn(group(call, '', [0, 0, 100, 80], root));
  t.strictSame(calling('<globalUserTask id="g"/>'), ['userTask'], 'a called task is shown by its symbol');
  t.strictSame(calling('<process id="g"/>'), ['marker-collapsed']);
});

t.test('gateways have the symbol of their kind', async (t) => {
  const gateway = (xml: string, more = '') => symbolsIn(group(xml, more, [0, 0, 50, 50]));
  t.strictSame(gateway('<exclusiveGateway id="e"/>'), []);
  t.strictSame(gateway('<exclusiveGateway id="e"/>', 'isMarkerVisible="false"'), []);
  t.strictSame(gateway('<exclusiveGateway id="e"/>', 'isMarkerVisible="true"'), ['gateway-exclusive']);
  for (const kind of ['inclusive', 'parallel', 'complex'])
    t.strictSame(gateway(`<${kind}Gateway id="e"/>`), [`gateway-${kind}`]);
  t.strictSame(gateway('<eventBasedGateway id="e"/>'), ['gateway-event']);
  t.strictSame(gateway('<eventBasedGateway id="e" instantiate="true"/>'), ['gateway-instantiating']);
  t.strictSame(gateway('<eventBasedGateway id="e" instantiate="true" eventGatewayType="Parallel"/>'), [
    'gateway-parallelInstantiating',
  ]);
});

t.test('data, stores, annotations, groups and what is unknown', async (t) => {
  const data = (xml: string) => symbolsIn(group(xml, '', [0, 0, 36, 50]));
  t.strictSame(data('<dataObject id="o"/><dataObjectReference id="e" dataObjectRef="o"/>'), []);
  t.strictSame(data('<dataObject id="o" isCollection="true"/><dataObjectReference id="e" dataObjectRef="o"/>'), [
    'collection',
  ]);
  t.strictSame(data('<ioSpecification><dataInput id="e"/><inputSet/><outputSet/></ioSpecification>'), ['dataInput']);
  t.strictSame(
    data('<ioSpecification><dataOutput id="e" isCollection="true"/><inputSet/><outputSet/></ioSpecification>'),
    ['dataOutput', 'collection'],
  );
  t.strictSame(data('<dataStoreReference id="e"/>'), ['store']);
  t.strictSame(symbolsIn(group('<textAnnotation id="e"><text>one\ntwo</text></textAnnotation>')), ['annotation']);
  t.strictSame(textsIn(group('<textAnnotation id="e"><text>one\ntwo</text></textAnnotation>')), ['one', 'two']);
  t.strictSame(symbolsIn(group('<group id="e"/>')), ['group']);
  const unknown = drawn(processFile('', shape('nothing', [0, 0, 100, 80])));
  t.strictSame(symbolsIn(groupOf(unknown.tree, 'nothing_di')), ['unknown']);
  const state = '<dataObjectReference id="e" name="Order"><dataState name="paid"/></dataObjectReference>';
  t.strictSame(textsIn(drawn(processFile(state, shape('e', [0, 0, 36, 50]))).tree), ['Order', '[paid]']);
});

const POOLS = `<collaboration id="c"><participant id="open" name="Open" processRef="p"/><participant id="closed" name="Closed"/>
  <participant id="many" name="Many"><participantMultiplicity minimum="2" maximum="3"/></participant>
  <messageFlow id="m" name="Message" sourceRef="open" targetRef="closed" messageRef="M"/></collaboration><message id="M" name="Order"/>`;

t.test('pools have a band for their name, lanes do not, and both are turned if they are horizontal', async (t) => {
  const lanes = '<laneSet id="s"><lane id="l" name="Lane"/></laneSet>';
  const draw = (more: string) =>
    drawn(
      file(
        `${POOLS}<process id="p">${lanes}</process>${diagram(
          shape('open', [0, 0, 300, 200], more) +
            shape('l', [30, 0, 270, 200], more) +
            shape('closed', [0, 300, 300, 60], more) +
            shape('many', [0, 400, 300, 60], more) +
            edge('m', [
              [100, 200],
              [100, 300],
            ]),
          'c',
        )}`,
      ),
    ).tree;
  const tree = draw('isHorizontal="true"');
  t.strictSame(symbolsIn(groupOf(tree, 'open')), ['pool-band']);
  t.strictSame(symbolsIn(groupOf(tree, 'closed')), []);
  t.strictSame(symbolsIn(groupOf(tree, 'many')), ['marker-parallel']);
  const isTurned = (of: typeof tree, id: string) =>
    all(groupOf(of, id)!).some(({ attributes }) => attributes['transform']?.startsWith('rotate'));
  t.strictSame(
    ['open', 'l', 'closed'].map((id) => isTurned(tree, id)),
    [true, true, false],
  );
  const upright = draw('isHorizontal="false"');
  t.strictSame(
    ['open', 'l', 'closed'].map((id) => isTurned(upright, id)),
    [false, false, false],
  );
  t.strictSame(symbolsIn(groupOf(tree, 'm')), ['message-start', 'message-end']);
  t.ok(
    all(groupOf(tree, 'm')!).some(({ attributes }) => attributes['stroke-dasharray']),
    'a message flow is dashed',
  );
});

t.test('lines have the signs of their kind at their ends', async (t) => {
  const flow = (xml: string, more = '', id = 'f') =>
    symbolsIn(
      groupOf(
        drawn(
          processFile(
            xml,
            shape('a', [0, 0, 100, 80]) +
              shape('b', [200, 0, 100, 80]) +
              edge(
                id,
                [
                  [100, 40],
                  [200, 40],
                ],
                more,
              ),
          ),
        ).tree,
        id,
      ),
    );
  const sequence = (source: string, inside = '', more = '') =>
    flow(
      `<${source} id="a" ${more}/><task id="b"/><sequenceFlow id="f" sourceRef="a" targetRef="b">${inside}</sequenceFlow>`,
    );
  const condition = '<conditionExpression xsi:type="tFormalExpression">x</conditionExpression>';
  t.strictSame(sequence('task'), ['arrow']);
  t.strictSame(sequence('task', condition), ['arrow', 'conditional']);
  t.strictSame(sequence('exclusiveGateway', condition), ['arrow'], 'a gateway has conditions anyway');
  t.strictSame(sequence('exclusiveGateway', '', 'default="f"'), ['arrow', 'default']);
  const association = (direction: string) =>
    flow(
      `<task id="a"/><task id="b"/><association id="f" sourceRef="a" targetRef="b" associationDirection="${direction}"/>`,
    );
  t.strictSame(association('None'), []);
  t.strictSame(association('One'), ['open-arrow']);
  t.strictSame(association('Both'), ['open-arrow', 'open-arrow']);
  const data = `<dataStoreReference id="a"/><task id="b"><dataInputAssociation id="f"><sourceRef>a</sourceRef></dataInputAssociation></task>`;
  t.strictSame(flow(data), ['open-arrow']);
});

t.test('message flows show their message if the interchange says so', async (t) => {
  const message = (more: string) =>
    symbolsIn(
      groupOf(
        drawn(
          file(
            `${POOLS}<process id="p"/>${diagram(
              edge(
                'm',
                [
                  [0, 0],
                  [0, 200],
                ],
                more,
              ),
              'c',
            )}`,
          ),
        ).tree,
        'm',
      ),
    ).slice(2);
  t.strictSame(message(''), []);
  t.strictSame(message('messageVisibleKind="initiating"'), ['envelope']);
  t.strictSame(message('messageVisibleKind="non_initiating"'), ['envelope-answer']);
});

t.test('conversations, and choreographies with their participants and messages', async (t) => {
  const collaboration = `<collaboration id="c"><participant id="x"/><participant id="y"/><conversation id="k"/><subConversation id="s"/>
    <callConversation id="l"/><conversationLink id="n" sourceRef="x" targetRef="k"/></collaboration>`;
  const shapes = ['k', 's', 'l'].map((id, i) => shape(id, [i * 100, 0, 40, 36])).join('');
  const talk = drawn(
    file(
      `${collaboration}${diagram(
        shapes +
          edge('n', [
            [0, 50],
            [0, 90],
          ]),
        'c',
      )}`,
    ),
  ).tree;
  t.strictSame(symbolsIn(groupOf(talk, 'k')), ['conversation']);
  t.strictSame(symbolsIn(groupOf(talk, 's')), ['conversation', 'marker-collapsed']);
  t.equal(all(groupOf(talk, 'l')!).find(({ name }) => name === 'path')!.attributes['stroke-width'], '4');
  t.strictSame(symbolsIn(groupOf(talk, 'n')), ['double-line']);

  const choreography = `<choreography id="c"><participant id="x" name="Buyer"/><participant id="y" name="Seller"/>
    <choreographyTask id="k" name="Order" initiatingParticipantRef="x" loopType="Standard"><participantRef>x</participantRef><participantRef>y</participantRef></choreographyTask></choreography>`;
  const band = (id: string, y: number, kind: string) =>
    `<bpmndi:BPMNShape id="${id}_di" bpmnElement="${id}" choreographyActivityShape="k_di" participantBandKind="${kind}" isMessageVisible="true"><dc:Bounds x="0" y="${y}" width="100" height="20"/></bpmndi:BPMNShape>`;
  const task = shape('k', [0, 0, 100, 90]);
  const bands = band('x', 0, 'top_initiating') + band('y', 70, 'bottom_non_initiating');
  const tree = drawn(file(`${choreography}${diagram(task + bands, 'c')}`)).tree;
  t.strictSame(symbolsIn(groupOf(tree, 'k')), ['choreography', 'marker-loop']);
  t.strictSame(symbolsIn(groupOf(tree, 'x')), ['band-initiating', 'envelope']);
  t.strictSame(symbolsIn(groupOf(tree, 'y')), ['band', 'envelope-answer']);
  t.strictSame(textsIn(tree).sort(), ['Buyer', 'Order', 'Seller']);
  const alone = drawn(file(`${choreography}${diagram(task, 'c')}`)).tree;
  t.strictSame(
    symbolsIn(groupOf(alone, 'k')),
    ['choreography', 'band-initiating', 'band', 'marker-loop'],
    'bands without shapes',
  );
});

t.test('what is inside of a collapsed sub-process is left out, and drawn on its own', async (t) => {
  const content = `<subProcess id="s"><task id="a" name="Inner"/><task id="b"/><sequenceFlow id="f" sourceRef="a" targetRef="b"/></subProcess><task id="o"/>`;
  const inside =
    shape('a', [10, 10, 100, 80]) +
    shape('b', [200, 10, 100, 80]) +
    edge('f', [
      [110, 50],
      [200, 50],
    ]);
  const xml = (more: string) =>
    processFile(content, shape('s', [0, 0, 400, 200], more) + inside + shape('o', [500, 0, 100, 80]));
  const ids = (drawing: ReturnType<typeof drawn>) =>
    all(drawing.tree)
      .flatMap(({ attributes }) => attributes['data-element'] ?? [])
      .sort();
  const closed = drawn(xml('isExpanded="false"'));
  t.strictSame(ids(closed), ['o', 's']);
  t.strictSame(closed.notDrawn.map(({ id, reason }) => `${id} ${reason}`).sort(), ['a hidden', 'b hidden', 'f hidden']);
  t.strictSame(ids(drawn(xml('isExpanded="true"'))), ['a', 'b', 'f', 'o', 's']);
  t.strictSame(ids(drawn(xml(''))), ['a', 'b', 'f', 'o', 's'], 'not stated: its content lies inside of it');
  t.strictSame(ids(drawn(xml('isExpanded="false"'), { diagram: 's' })), ['a', 'b', 'f']);
});

t.test('one of several diagrams is drawn by id or index', async (t) => {
  const xml = file(
    `<process id="p"><task id="a"/><task id="b"/></process>${diagram('', 'p', 'Empty')}${diagram(shape('a', [0, 0, 100, 80]), 'p', 'One')}${diagram(
      shape('b', [0, 0, 100, 80]),
      'p',
      'Two',
    )}`,
  );
  const first = (options: { diagram?: string | number }) =>
    all(drawn(xml, options).tree).find(({ attributes }) => attributes['data-element'])?.attributes['data-element'];
  t.equal(first({}), 'a', 'the first that is not empty');
  t.equal(first({ diagram: 0 }), undefined);
  t.equal(first({ diagram: 2 }), 'b');
  t.equal(first({ diagram: '1' }), 'a');
  t.equal(first({ diagram: 'Two' }), 'b');
  for (const absent of [3, -1, 'Three', '', '__proto__', 1e21])
    t.equal(drawBpmn(definitionsOf(xml), { diagram: absent }), undefined, String(absent));
});

t.test('colours of the file are used if they are colours, and remain visible', async (t) => {
  const ns =
    'xmlns:bioc="http://bpmn.io/schema/bpmn/biocolor/1.0" xmlns:c="http://www.omg.org/spec/BPMN/non-normative/color/1.0"';
  const frame = (more: string, theme: 'light' | 'dark' = 'light') => {
    const { tree } = drawn(processFile('<task id="e" name="E"/>', shape('e', [0, 0, 100, 80], `${ns} ${more}`)), {
      theme,
    });
    const { fill, stroke } = all(groupOf(tree, 'e')!).find(({ name }) => name === 'rect')!.attributes;
    return [fill, stroke];
  };
  t.strictSame(frame('bioc:fill="#FFEECC" bioc:stroke="#B00020"'), ['#ffeecc', '#b00020']);
  t.strictSame(frame('c:background-color="#ffeecc" c:border-color="#b00020" bioc:fill="#000000"'), [
    '#ffeecc',
    '#b00020',
  ]);
  const plain = frame('');
  for (const bad of ['red', '#ggg', 'url(#x)', '#fff&quot; onload=&quot;x', 'rgb(0,0,0)', '#aabbccdd', 'x#aabbcc', ''])
    t.strictSame(frame(`bioc:fill="${bad}" bioc:stroke="${bad}"`), plain, bad);
  t.not(frame('bioc:stroke="#000000"', 'dark')[1], '#000000', 'a black line on black would not be seen');
});
