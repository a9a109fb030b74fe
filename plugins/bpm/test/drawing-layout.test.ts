/** Processes without interchange: every element has a place, apart from the others, and lines run between them. */
import t from 'tap';
import { all, definitionsOf, diagram, isWithin, processFile, shape, treeOf } from './drawing-support.js';
import { drawBpmn, drawFile, layOut, type BpmnNode } from '../drawing/index.js';
import { elementsOf, isA } from '../drawing/moddle.js';
import { flowNodes, name, placesOf, problemsOf, type Laid } from './layout-checks.js';
import { file } from './samples.js';

async function laidOutFile(xml: string): Promise<{ laid: Laid; nodes: BpmnNode[]; definitions: BpmnNode }> {
  const definitions = definitionsOf(xml);
  const made = await layOut(definitions);
  if (!made) throw new Error('Nothing was laid out.');
  const nodes = elementsOf(definitions, 'rootElements').flatMap((root) =>
    isA(root, 'bpmn:Process') ? flowNodes(root) : [],
  );
  return { laid: placesOf(made), nodes, definitions };
}

/** Numbers that are the same for the same seed. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

/** A process with some of everything, its flows at random: cycles, loops to itself, and unconnected nodes are among them. */
function randomProcess(seed: number, count: number, lanes: number): string {
  const next = random(seed);
  const types = ['task', 'userTask', 'exclusiveGateway', 'intermediateThrowEvent', 'subProcess'];
  const nodes = Array.from({ length: count }, (_, i) => {
    const type = types[next(types.length)]!;
    const inner =
      type === 'subProcess' && next(2) === 0
        ? `<task id="n${i}x" name="Inner ${i}"/><endEvent id="n${i}y"/><sequenceFlow id="n${i}z" sourceRef="n${i}x" targetRef="n${i}y"/>`
        : '';
    const border =
      type.endsWith('ask') && next(3) === 0 ? `<boundaryEvent id="n${i}b" name="Late" attachedToRef="n${i}"/>` : '';
    return `<${type} id="n${i}" name="Element number ${i}">${inner}</${type}>${border}`;
  });
  const sources = nodes.flatMap((node, i) => [`n${i}`, ...(node.includes('boundaryEvent') ? [`n${i}b`] : [])]);
  const flows = Array.from({ length: Math.round(count * 1.4) }, (_, i) => {
    const [from, to] = [sources[next(sources.length)]!, `n${next(count)}`];
    return `<sequenceFlow id="f${i}" ${i % 3 === 0 ? `name="Name ${i}"` : ''} sourceRef="${from}" targetRef="${to}"/>`;
  });
  const data = `<dataStoreReference id="d" name="Store"/><textAnnotation id="t"><text>A note</text></textAnnotation><association id="as" sourceRef="t" targetRef="n0"/>`;
  const refs = (lane: number): string =>
    nodes.map((_, i) => (i % lanes === lane ? `<flowNodeRef>n${i}</flowNodeRef>` : '')).join('');
  const set = Array.from({ length: lanes }, (_, i) => `<lane id="l${i}" name="Lane ${i}">${refs(i)}</lane>`).join('');
  return `${lanes > 0 ? `<laneSet id="ls">${set}</laneSet>` : ''}${nodes.join('')}${flows.join('')}${data}`;
}

t.test('random processes, with and without lanes', async (t) => {
  for (let seed = 1; seed <= 5; seed++)
    for (const lanes of [0, 3]) {
      const { laid, nodes } = await laidOutFile(
        file(`<process id="p">${randomProcess(seed, 4 + seed * 3, lanes)}</process>`),
      );
      t.strictSame(problemsOf(laid, nodes), [], `${seed}, ${lanes} lanes`);
    }
});

t.test('a group is around the elements of its category', async (t) => {
  const of = (category: string) => `<categoryValueRef>${category}</categoryValueRef>`;
  const xml =
    file(`<category id="c"><categoryValue id="v" value="Payment"/><categoryValue id="w" value="All"/><categoryValue id="none" value="Nothing"/></category>
    <process id="p"><startEvent id="a" name="Start"/><task id="b" name="Pay">${of('v')}${of('w')}</task>
      <subProcess id="s">${of('v')}${of('w')}<task id="i" name="Inner"/><group id="gi" categoryValueRef="v"/></subProcess><endEvent id="e"/>
      <sequenceFlow id="f" sourceRef="a" targetRef="b"/><sequenceFlow id="g" sourceRef="b" targetRef="s"/><sequenceFlow id="h" sourceRef="s" targetRef="e"/>
      <group id="gv" categoryValueRef="v"/><group id="gw" categoryValueRef="w"/><group id="gn" categoryValueRef="none"/><group id="gx"/></process>`);
  const { laid } = await laidOutFile(xml);
  const box = (id: string) => [...laid.boxes].find(([element]) => element.id === id)?.[1];
  const [group, other, inner] = [box('gv')!, box('gw')!, box('gi')!];
  for (const id of ['b', 's', 'i']) t.ok(isWithin(box(id)!, group), id);
  for (const id of ['a', 'e']) t.notOk(isWithin(box(id)!, group), id);
  t.ok(isWithin(group, inner) || isWithin(inner, group), 'of the same category');
  t.ok(new Set([group, other, inner].map(({ width }) => width)).size === 3, 'groups of the same elements are apart');
  t.equal(box('gn') ?? box('gx'), undefined, 'the file does not say what it is around');
  const { svg } = (await drawFile(definitionsOf(xml)))!;
  t.match(svg, />Payment</);
  t.match(svg, /data-element="gw" data-type="group"/);
});

t.test('a chain is a straight line from left to right', async (t) => {
  const chain = (lanes: string) =>
    `${lanes}<startEvent id="a"/><task id="b"/><endEvent id="c"/><sequenceFlow id="f" sourceRef="a" targetRef="b"/><sequenceFlow id="g" sourceRef="b" targetRef="c"/>`;
  const lane =
    '<laneSet id="s"><lane id="l"><flowNodeRef>a</flowNodeRef><flowNodeRef>b</flowNodeRef><flowNodeRef>c</flowNodeRef></lane></laneSet>';
  for (const lanes of ['', lane]) {
    const { laid, nodes } = await laidOutFile(file(`<process id="p">${chain(lanes)}</process>`));
    const boxes = nodes.map((node) => laid.boxes.get(node)!);
    t.equal(new Set(boxes.map(({ y, height }) => Math.round(y + height / 2))).size, 1);
    t.ok(boxes[0]!.x < boxes[1]!.x && boxes[1]!.x < boxes[2]!.x);
    for (const points of laid.lines.values()) t.equal(points.length, 2);
  }
});

t.test('pools are below each other, with lanes inside of lanes, and message flows between them', async (t) => {
  const lanes = `<laneSet id="s"><lane id="l1" name="Outer"><childLaneSet id="cs"><lane id="l2"><flowNodeRef>a</flowNodeRef></lane><lane id="l3"><flowNodeRef>b</flowNodeRef></lane></childLaneSet></lane><lane id="l4"/></laneSet>`;
  const xml =
    file(`<collaboration id="c"><participant id="x" processRef="p"/><participant id="y" processRef="q"/><participant id="z"/>
    <messageFlow id="m" sourceRef="a" targetRef="k"/><messageFlow id="m2" sourceRef="k" targetRef="b"/><messageFlow id="m3" sourceRef="z" targetRef="k"/>
    <messageFlow id="m4" sourceRef="y" targetRef="z"/></collaboration>
    <process id="p">${lanes}<task id="a"/><task id="b"/><sequenceFlow id="f" sourceRef="a" targetRef="b"/></process><process id="q"><task id="k"/></process>
    <process id="r"><task id="alone"/></process>`);
  const { laid, nodes } = await laidOutFile(xml);
  t.strictSame(problemsOf(laid, nodes), []);
  const box = (id: string) => [...laid.boxes].find(([one]) => one.id === id)![1];
  for (const [upper, lower] of [
    ['x', 'y'],
    ['y', 'z'],
    ['z', 'alone'],
  ])
    t.ok(box(upper!).y + box(upper!).height < box(lower!).y);
  t.equal(new Set(['x', 'y', 'z'].map((id) => box(id).width)).size, 1);
  for (const [inner, outer] of [
    ['l1', 'x'],
    ['l2', 'l1'],
    ['l3', 'l1'],
    ['l4', 'x'],
    ['k', 'y'],
  ])
    t.ok(isWithin(box(inner!), box(outer!)), `${inner} in ${outer}`);
  t.strictSame([...laid.lines.keys()].map(name).sort(), ['f', 'm', 'm2', 'm3', 'm4']);
});

t.test('message flows pass the elements between their ends, and do not lie on each other', async (t) => {
  const flows = ['u1', 'u2', 'u3'].map((id, i) => `<messageFlow id="m${i}" sourceRef="${id}" targetRef="k"/>`).join('');
  const branches = ['u1', 'u2', 'u3']
    .map((id) => `<task id="${id}"/><sequenceFlow id="f${id}" sourceRef="g" targetRef="${id}"/>`)
    .join('');
  const { laid, nodes } = await laidOutFile(
    file(`<collaboration id="c"><participant id="x" processRef="p"/><participant id="y" processRef="q"/>${flows}</collaboration>
      <process id="p"><parallelGateway id="g"/>${branches}</process><process id="q"><task id="k"/></process>`),
  );
  t.strictSame(problemsOf(laid, nodes), []);
  const ways = [...laid.lines].filter(([flow]) => isA(flow, 'bpmn:MessageFlow')).map(([, points]) => points);
  t.equal(ways.length, 3);
  t.equal(new Set(ways.map((points) => points.at(-1)!.x)).size, 3, 'each meets its target at a place of its own');
});

t.test('pools without processes, and choreographies, are laid out', async (t) => {
  const pools =
    '<participant id="x" name="X"/><participant id="y" name="Y"/><messageFlow id="m" sourceRef="x" targetRef="y"/>';
  const ids = async (xml: string) => {
    const { svg } = (await drawFile(definitionsOf(xml)))!;
    return all(treeOf(svg)).flatMap(({ attributes }) => attributes['data-element'] ?? []);
  };
  t.strictSame(await ids(file(`<collaboration id="c">${pools}</collaboration>`)), ['x', 'y', 'm']);
  const tasks = `<choreographyTask id="a" initiatingParticipantRef="x"><participantRef>x</participantRef><participantRef>y</participantRef></choreographyTask><endEvent id="e"/><sequenceFlow id="f" sourceRef="a" targetRef="e"/>`;
  t.strictSame(
    await ids(file(`<choreography id="c"><participant id="x"/><participant id="y"/>${tasks}</choreography>`)),
    ['a', 'e', 'f'],
  );
});

t.test('only processes without interchange are laid out, and the file is not changed', async (t) => {
  const processes = '<process id="p"><task id="a"/></process><process id="q"><task id="b"/></process>';
  const half = definitionsOf(file(`${processes}${diagram(shape('a', [0, 0, 100, 80]))}`));
  const drawing = await drawFile(half, { diagram: 1 });
  t.strictSame(
    all(treeOf(drawing!.svg)).flatMap(({ attributes }) => attributes['data-element'] ?? []),
    ['b'],
  );
  t.equal(elementsOf(half, 'diagrams').length, 1);
  t.match((await drawFile(half))!.svg, /data-element="a"/);
  const whole = definitionsOf(processFile('<task id="a"/>', shape('a', [0, 0, 100, 80])));
  t.equal(await layOut(whole), undefined);
  t.equal(await layOut(definitionsOf(file('<process id="p"/>'))), undefined);
  const none = definitionsOf(file(processes));
  t.notMatch(drawBpmn(none)!.svg, /data-element/, 'an empty picture');
  t.equal(drawBpmn(none, { diagram: 0 }), undefined);
  const [first, second] = [await drawFile(none), await drawFile(none)];
  t.equal(first!.svg, second!.svg, 'the same picture each time');
  t.match(first!.svg, /data-element="a".*data-element="b"/s);
  t.equal(elementsOf(none, 'diagrams').length, 0);
});

t.test('hostile processes are laid out, too', async (t) => {
  const cases = {
    'an event on the border of itself, and of an event':
      '<boundaryEvent id="a" attachedToRef="a"/><boundaryEvent id="b" attachedToRef="a"/><boundaryEvent id="c"/>',
    'flows without ends, and to other processes':
      '<task id="a"/><sequenceFlow id="f" sourceRef="a"/><sequenceFlow id="g" targetRef="a"/><sequenceFlow id="h" sourceRef="a" targetRef="Definitions"/>',
    'lanes that share a node, and are empty':
      '<laneSet id="s"><lane id="l"><flowNodeRef>a</flowNodeRef><flowNodeRef>x</flowNodeRef></lane><lane id="m"><flowNodeRef>a</flowNodeRef></lane><lane id="n"/></laneSet><task id="a"/>',
    'a line to a line':
      '<task id="a"/><sequenceFlow id="f" sourceRef="a" targetRef="a"/><textAnnotation id="t"/><association id="g" sourceRef="t" targetRef="f"/>',
    'names of any length': `<startEvent id="a" name="${'x'.repeat(3_000)}"/><textAnnotation id="t"><text>${'word '.repeat(2_000)}</text></textAnnotation>`,
  };
  for (const [title, content] of Object.entries(cases)) {
    const { laid, nodes, definitions } = await laidOutFile(file(`<process id="p">${content}</process>`));
    t.strictSame(problemsOf(laid, nodes), [], title);
    const { svg, notDrawn } = (await drawFile(definitions))!;
    treeOf(svg);
    t.strictSame(notDrawn, []);
  }
});

t.test('sub-processes inside of each other are laid out without recursion', async (t) => {
  const depth = 60;
  const xml = file(
    `<process id="p">${Array.from({ length: depth }, (_, i) => `<subProcess id="s${i}">`).join('')}<task id="a"/>${'</subProcess>'.repeat(depth)}</process>`,
  );
  const { laid, nodes } = await laidOutFile(xml);
  t.strictSame(problemsOf(laid, nodes), []);
});
