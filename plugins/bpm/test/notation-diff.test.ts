/** What has become different from one file to another. */
import t from 'tap';
import { dataAbsent } from '../../../test/support/app.js';
import { detailsOf } from '../notation/details.js';
import { CHANGES, diffReadings, type BpmnChange, type BpmnDiff, type ComparedReading } from '../notation/diff.js';
import { outlineOf } from '../notation/outline.js';
import { parseBpmn } from '../notation/parse.js';
import { readingOf } from '../notation/read.js';
import { writeBpmn } from '../notation/write.js';
import { bytesOf, flowTag, inProcess, nodeTag, realFile, realFiles } from './samples.js';

function compared(bytes: Uint8Array | string): ComparedReading {
  const parsed = parseBpmn(typeof bytes === 'string' ? bytesOf(bytes) : bytes);
  if (!parsed.ok) throw new Error(parsed.message);
  const outline = outlineOf(parsed.definitions);
  return { ...readingOf(parsed, outline), details: detailsOf(parsed.tree, outline) };
}

/** The ids of each list that is not empty. */
function diffOf(before: string, after: string): Partial<Record<keyof BpmnDiff, string>> {
  const diff = diffReadings(compared(inProcess(before)), compared(inProcess(after)));
  return Object.fromEntries(
    CHANGES.filter((kind) => diff[kind].length > 0).map((kind) => [
      kind,
      diff[kind].map(({ bpmn_id }) => bpmn_id).join(' '),
    ]),
  );
}

const start = nodeTag('a', 'startEvent');
const chain = `${start}${nodeTag('b')}${nodeTag('c')}${flowTag('a', 'b')}${flowTag('b', 'c')}`;
const at = (id: string, x: number): string =>
  `<bpmndi:BPMNShape id="${id}_di" bpmnElement="${id}"><dc:Bounds x="${x}" y="0" width="100" height="80"/></bpmndi:BPMNShape>`;
const drawn = (...shapes: string[]): string =>
  `</process><bpmndi:BPMNDiagram id="D"><bpmndi:BPMNPlane id="P">${shapes.join('')}</bpmndi:BPMNPlane></bpmndi:BPMNDiagram><process id="Z">`;
const lanes = (first: string, second: string): string =>
  `<laneSet id="L"><lane id="x"><flowNodeRef>${first}</flowNodeRef></lane><lane id="y"><flowNodeRef>${second}</flowNodeRef></lane></laneSet>`;

t.test('each kind of change', async (t) => {
  const cases: [name: string, before: string, after: string, expected: ReturnType<typeof diffOf>][] = [
    ['none', chain, chain, {}],
    [
      'another order in the file',
      chain,
      `${flowTag('b', 'c')}${nodeTag('c')}${nodeTag('b')}${start}${flowTag('a', 'b')}`,
      {},
    ],
    ['an element added', chain, `${chain}${nodeTag('d')}`, { added: 'd' }],
    ['an element removed', `${chain}${nodeTag('d')}`, chain, { removed: 'd' }],
    ['an element renamed', chain, chain.replace('name="b"', 'name="B"'), { renamed: 'b' }],
    [
      'a name with other line breaks',
      chain.replace('name="b"', 'name="Pay now"'),
      chain.replace('name="b"', 'name="Pay&#10; now"'),
      {},
    ],
    ['a name added', chain.replace('name="b"', ''), chain, { renamed: 'b' }],
    ['a flow renamed', chain, chain.replace('id="a-b"', 'id="a-b" name="yes"'), { renamed: 'a-b' }],
    ['a flow to another target', chain, chain.replace('targetRef="c"', 'targetRef="a"'), { rewired: 'a b c b-c' }],
    [
      'an element inserted',
      `${chain}${nodeTag('d')}`,
      `${chain.replace('targetRef="c"', 'targetRef="d"')}${nodeTag('d')}${flowTag('d', 'c')}`,
      { added: 'd-c', rewired: 'b d c b-c' },
    ],
    ['another lane', `${chain}${lanes('b', 'c')}`, `${chain}${lanes('c', 'b')}`, { moved: 'b c' }],
    [
      'into a sub-process',
      `${nodeTag('b')}<subProcess id="s"/>`,
      `<subProcess id="s">${nodeTag('b')}</subProcess>`,
      { moved: 'b' },
    ],
    [
      'another place',
      `${chain}${drawn(at('b', 10), at('c', 300))}`,
      `${chain}${drawn(at('b', 20), at('c', 300.2))}`,
      { moved: 'b' },
    ],
    ['no diagram any more', `${chain}${drawn(at('b', 10))}`, `${chain}${drawn()}`, {}],
    ['another type', chain, chain.replace(nodeTag('b'), nodeTag('b', 'userTask')), { changed: 'b' }],
    [
      'documentation',
      chain,
      chain.replace(nodeTag('b'), nodeTag('b', 'task', '<documentation>New</documentation>')),
      { changed: 'b' },
    ],
    [
      'an event definition',
      chain,
      chain.replace(start, nodeTag('a', 'startEvent', '<timerEventDefinition id="t"/>')),
      { changed: 'a' },
    ],
    [
      'a loop',
      chain,
      chain.replace(nodeTag('b'), nodeTag('b', 'task', '<standardLoopCharacteristics/>')),
      { changed: 'b' },
    ],
    ['an attribute', chain, chain.replace('id="b"', 'id="b" isForCompensation="true"'), { changed: 'b' }],
    ['an attribute that states the default', chain, chain.replace('id="b"', 'id="b" isForCompensation="false"'), {}],
    [
      'a condition',
      chain,
      chain.replace('targetRef="c"/>', 'targetRef="c"><conditionExpression>x</conditionExpression></sequenceFlow>'),
      { changed: 'b-c' },
    ],
    [
      'an extension',
      chain.replace(
        nodeTag('b'),
        nodeTag('b', 'task', '<extensionElements><v:x a="1" b="2"><v:y>text</v:y></v:x></extensionElements>'),
      ),
      chain.replace(
        nodeTag('b'),
        nodeTag('b', 'task', '<extensionElements><v:x b="2" a="1"><v:y>other</v:y></v:x></extensionElements>'),
      ),
      { changed: 'b' },
    ],
    [
      'an extension written in another way',
      chain.replace(
        nodeTag('b'),
        nodeTag('b', 'task', '<extensionElements><v:x a="1" b="2"><v:y>text</v:y></v:x></extensionElements>'),
      ),
      chain.replace(
        nodeTag('b'),
        nodeTag('b', 'task', '<extensionElements>\n<v:x b="2" a="1">\n<v:y> text </v:y></v:x></extensionElements>'),
      ),
      {},
    ],
    ['an attribute of a vendor', chain, chain.replace('id="b"', 'id="b" v:x="1"'), { changed: 'b' }],
    [
      'a called process',
      '<callActivity id="k" calledElement="A"/>',
      '<callActivity id="k" calledElement="B"/>',
      { changed: 'k' },
    ],
    [
      'several changes of one element',
      `${chain}${drawn(at('b', 10))}`,
      `${chain.replace('<task id="b" name="b">', '<task id="b" name="B" startQuantity="2">')}${drawn(at('b', 99))}`,
      { renamed: 'b', moved: 'b', changed: 'b' },
    ],
    [
      'ids that are names of JavaScript',
      nodeTag('constructor'),
      `${nodeTag('constructor')}${nodeTag('__proto__')}`,
      { added: '__proto__' },
    ],
  ];
  for (const [name, before, after, expected] of cases) t.strictSame(diffOf(before, after), expected, name);
});

t.test('an entry states what was and what is', async (t) => {
  const before = compared(inProcess(`${chain}${lanes('b', 'c')}${drawn(at('b', 10))}`));
  const after = compared(
    inProcess(
      `${chain.replace(nodeTag('b'), '<userTask id="b" name="B"/>').replace('targetRef="c"', 'targetRef="a"')}${lanes('c', 'b')}${drawn(at('b', 40))}`,
    ),
  );
  const diff = diffReadings(before, after);
  const of = (kind: keyof BpmnDiff): BpmnChange | undefined => diff[kind].find(({ bpmn_id }) => bpmn_id === 'b');
  const common = { bpmn_id: 'b', kind: 'task', type: 'userTask', name: 'B' };
  t.strictSame(of('renamed'), { ...common, before: { name: 'b' }, after: { name: 'B' } });
  t.strictSame(of('rewired'), { ...common, before: { outgoing: ['c'] }, after: { outgoing: ['a'] } });
  t.strictSame(of('moved'), {
    ...common,
    before: { bounds: [{ x: 10, y: 0, width: 100, height: 80 }], lane_bpmn_id: 'x' },
    after: { bounds: [{ x: 40, y: 0, width: 100, height: 80 }], lane_bpmn_id: 'y' },
  });
  t.strictSame(of('changed'), { ...common, before: { type: 'task' }, after: { type: 'userTask' } });
  t.strictSame(
    diff.rewired.find(({ bpmn_id }) => bpmn_id === 'b-c'),
    {
      bpmn_id: 'b-c',
      kind: 'sequence',
      type: 'sequenceFlow',
      name: null,
      before: { target: 'c' },
      after: { target: 'a' },
    },
  );
  const removed = diffReadings(before, compared(inProcess(start))).removed;
  t.strictSame(removed[0], { bpmn_id: 'b', kind: 'task', type: 'task', name: 'b' });
});

t.test('a file is equal to itself, and to what is written of it', { skip: dataAbsent }, async (t) => {
  const none = { added: [], removed: [], renamed: [], rewired: [], moved: [], changed: [] };
  for (const name of realFiles()) {
    const parsed = parseBpmn(realFile(name));
    if (!parsed.ok) throw new Error(parsed.message);
    const written = await writeBpmn(parsed);
    t.strictSame(diffReadings(compared(realFile(name)), compared(written)), none, name);
  }
});

t.test('of two tools, the same process differs in its own content alone', { skip: dataAbsent }, async (t) => {
  const diff = diffReadings(
    compared(realFile('reference/A.2.0.bpmn')),
    compared(realFile('vendor-exports/Camunda_Eclipse_Plugin_3.0.0__A.2.0-roundtrip.bpmn')),
  );
  t.strictSame([diff.added, diff.removed, diff.renamed, diff.rewired], [[], [], [], []]);
});
