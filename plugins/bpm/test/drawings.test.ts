/** The worker thread: reading, comparing and drawing, and files that need too much of it. */
import t from 'tap';
import { Drawings, WorkerQueueError } from '../drawings.js';
import { readBpmn } from '../notation/read.js';
import { bytesOf, file, flowTag, inProcess, nodeTag } from './samples.js';
import { largeBpmn } from './large-file.js';

const drawings = new Drawings();
t.teardown(() => drawings.close());

const shape = (id: string, x: number): string =>
  `<bpmndi:BPMNShape id="${id}_di" bpmnElement="${id}"><dc:Bounds x="${x}" y="10" width="100" height="80"/></bpmndi:BPMNShape>`;
const diagram = (id: string, ...shapes: string[]): string =>
  `<bpmndi:BPMNDiagram id="${id}" name="${id}"><bpmndi:BPMNPlane id="${id}_p" bpmnElement="Process">${shapes.join('')}</bpmndi:BPMNPlane></bpmndi:BPMNDiagram>`;
const before = bytesOf(
  inProcess(`${nodeTag('a')}${nodeTag('b')}${flowTag('a', 'b')}`, diagram('Main', shape('a', 0), shape('b', 200))),
);
const after = bytesOf(
  inProcess(
    `${nodeTag('a').replace('name="a"', 'name="Renamed"')}${nodeTag('c')}`,
    diagram('Main', shape('a', 0), shape('c', 200)),
  ),
);
const reasonOf = async (order: Promise<unknown>): Promise<string> => {
  const error: unknown = await order.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  return error instanceof WorkerQueueError ? error.reason : String(error);
};

t.test('a file is read as without the thread, also as a part of a larger buffer', async (t) => {
  const direct = readBpmn(before);
  t.strictSame(await drawings.read(before), direct);
  const larger = Buffer.concat([Buffer.alloc(7), before, Buffer.alloc(100_000)]);
  t.strictSame(await drawings.read(larger.subarray(7, 7 + before.length)), direct);
  t.ok(before.length > 0 && larger.length > 0, 'the bytes of the caller stay');
  t.match(await drawings.read(bytesOf('<!DOCTYPE x><x/>')), { ok: false, reason: 'doctype' });
});

t.test('the same file again, between others, has the same problems once', async (t) => {
  const faulty = bytesOf(inProcess('<task name="x"/>'));
  for (let i = 0; i < 2; i++) {
    for (const bytes of [faulty, faulty, before]) {
      const result = await drawings.read(bytes);
      const codes = result.ok && result.reading.problems.map(({ code }) => code);
      t.strictSame(codes, [bytes === faulty ? 'missing_id' : 'flow_not_drawn']);
    }
  }
});

t.test('two files are compared', async (t) => {
  const { totals, ...diff } = await drawings.diff(before, after);
  t.strictSame(
    Object.entries(diff).map(([kind, list]) => `${kind} ${list.map(({ bpmn_id }) => bpmn_id).join(' ')}`),
    ['added c', 'removed b a-b', 'renamed a', 'rewired a', 'moved ', 'changed '],
  );
  t.strictSame(totals, { added: 1, removed: 2, renamed: 1, rewired: 1, moved: 0, changed: 0 });
  const many = bytesOf(inProcess(Array.from({ length: 1_500 }, (_, i) => nodeTag(`n${i}`)).join('')));
  const long = await drawings.diff(bytesOf(inProcess('')), many);
  t.equal(long.added.length, 1_000);
  t.equal(long.totals.added, 1_500);
});

t.test('diagrams as SVG and PNG, by id or index', async (t) => {
  const two = bytesOf(
    inProcess(`${nodeTag('a')}${nodeTag('b')}`, diagram('First', shape('a', 0)) + diagram('Second', shape('b', 0))),
  );
  const drawn = async (which?: string | number): Promise<string> => {
    const answer = await drawings.draw(two, { format: 'svg', diagram: which });
    return [...(answer?.content.toString().matchAll(/data-element="(\w+)"/g) ?? [])].map(([, id]) => id).join();
  };
  t.equal(await drawn(), 'a');
  t.equal(await drawn('Second'), 'b');
  t.equal(await drawn(1), 'b');
  t.equal(await drawings.draw(two, { format: 'svg', diagram: 2 }), undefined);
  const svg = (await drawings.draw(two, { format: 'svg' }))!;
  const png = (await drawings.draw(two, { format: 'png', scale: 2 }))!;
  t.strictSame([...png.content.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  t.equal(png.content.readUInt32BE(16), 2 * Math.floor(svg.width));
  t.strictSame([png.width, png.height, png.notDrawn], [svg.width, svg.height, []]);
});

t.test('a drawing with what has become different', async (t) => {
  const { content } = (await drawings.draw(after, { format: 'svg', before }))!;
  const marks = [...content.toString().matchAll(/data-mark="(\w+)"/g)].map(([, mark]) => mark).sort();
  t.strictSame(marks, ['added', 'removed', 'renamed']);
  const plain = (await drawings.draw(after, { format: 'svg' }))!.content.toString();
  t.notMatch(plain, /data-mark/);
});

t.test('the file of a new process', async (t) => {
  const name = 'Pay <bills> & "more" \u0000\ud800 😀';
  const result = readBpmn(await drawings.blank(name));
  t.ok(result.ok);
  if (!result.ok) return;
  const { problems, processes, elements, has_interchange } = result.reading;
  t.strictSame(problems, []);
  t.equal(processes[0]!.name, 'Pay <bills> & "more" \ufffd 😀');
  t.strictSame(
    elements.map(({ type }) => type),
    ['startEvent'],
  );
  t.equal(has_interchange, true);
  t.not(Buffer.compare(await drawings.blank('x'), await drawings.blank('x')), 0, 'ids differ from file to file');
});

t.test('a file that needs too long is interrupted, and the next one is read', async (t) => {
  const impatient = new Drawings({ limitMs: 1 });
  t.teardown(() => impatient.close());
  t.equal(await reasonOf(impatient.read(largeBpmn({ nodes: 2_000 }))), 'timeout');
  t.equal(
    await reasonOf(drawings.diff(before, bytesOf('<a/>'))),
    'failed',
    'files that cannot be read are not compared',
  );
  t.equal((await drawings.read(before)).ok, true);
  const closed = new Drawings();
  await closed.close();
  t.equal(await reasonOf(closed.read(before)), 'closed');
});

t.test('a file without a process is read, and its drawing is empty', async (t) => {
  t.equal((await drawings.read(bytesOf(file('')))).ok, true);
  const empty = await drawings.draw(bytesOf(file('')), { format: 'svg' });
  t.notMatch(empty!.content.toString(), /data-element/);
  t.equal(await drawings.draw(bytesOf(file('')), { format: 'svg', diagram: 0 }), undefined);
});
