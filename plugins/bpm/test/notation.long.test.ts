/** Hostile and very large files, and real files with random faults. */
import fc from 'fast-check';
import t from 'tap';
import { dataAbsent } from '../../../test/support/app.js';
import { Drawings, WorkerQueueError } from '../drawings.js';
import { decodeXml } from '../notation/decode.js';
import { largeBpmn } from './large-file.js';
import { checkReading, mutated } from './mutations.js';
import { bytesOf, file, inProcess, realFile, realFiles } from './samples.js';

const repeated = (count: number, part: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => part(i)).join('');

t.test('real files with random faults are read or refused', { skip: dataAbsent }, async (t) => {
  const texts = realFiles().flatMap((name) => {
    const decoded = decodeXml(realFile(name));
    return decoded.ok && decoded.text.length < 60_000 ? [decoded.text] : [];
  });
  const { failed, errorInstance, counterexample } = fc.check(fc.property(mutated(texts), checkReading), {
    numRuns: 3_000,
  });
  t.notOk(failed, `${String(errorInstance)}: ${JSON.stringify(counterexample)}`);
});

t.test('files of 20 MB that are made to be slow are read or refused, and the next file is read', async (t) => {
  // Several times the limit of the service: the test is about time that grows with the square of the size, not about this machine.
  const drawings = new Drawings({ limitMs: 120_000 });
  t.teardown(() => drawings.close());
  const task = (inside: string): string => inProcess(`<task id="a">${inside}</task>`);
  const files: Record<string, [content: string | Uint8Array, expected: string]> = {
    'a name of 19 million characters': [inProcess(`<task id="a" name="${'x'.repeat(19e6)}"/>`), 'too_long'],
    'a text of 19 million characters': [task(`<documentation>${'x'.repeat(19e6)}</documentation>`), 'read'],
    'a long name in many messages': [
      inProcess(
        `<task id="b"/><task id="a" name="${'x'.repeat(1e6)}"><incoming>f0</incoming></task>${repeated(40_000, (i) => `<sequenceFlow id="f${i}" sourceRef="b" targetRef="a"/>`)}`,
      ),
      'read',
    ],
    'a million attributes': [inProcess(`<task id="a" ${repeated(1e6, (i) => `v:a${i}="" `)}/>`), 'too_many_elements'],
    'many namespaces, each in many elements': [
      inProcess(
        repeated(40_000, (i) => `<task id="t${i}" ${repeated(9, (j) => `xmlns:n${j}="urn:${i % 99}-${j}" `)}/>`),
      ),
      'read',
    ],
    'names of namespaces that are looked up far outside': [
      file(
        `<extensionElements>${'<v:d>'.repeat(90)}${'<v:x v:y="1"/>'.repeat(390_000)}${'</v:d>'.repeat(90)}</extensionElements>`,
      ),
      'read',
    ],
    'references that lead nowhere': [task('<incoming>x</incoming>'.repeat(390_000)), 'read'],
    'one reference many times': [
      `${task('<incoming>f</incoming>'.repeat(390_000)).replace('</process>', '<sequenceFlow id="f" sourceRef="a" targetRef="a"/></process>')}`,
      'read',
    ],
    'ids in an attribute': [file(`<relationship id="r" type="x" source="${'a '.repeat(5e5)}"/>`), 'read'],
    'more ids in attributes': [
      file(repeated(3, (i) => `<relationship id="r${i}" type="x" source="${'a '.repeat(5e5)}"/>`)),
      'too_many_elements',
    ],
    'one id for all elements': [inProcess('<task id="a"/>'.repeat(49_900)), 'read'],
    'texts where BPMN has none': [task('<![CDATA[x]]>'.repeat(1.4e6)), 'read'],
    'elements that BPMN does not have': [inProcess('<tsak/>'.repeat(390_000)), 'read'],
    entities: [task(`<documentation>${'&amp;'.repeat(3.9e6)}</documentation>`), 'read'],
    'elements of vendors': [
      file(`<extensionElements>${'<v:x a="1" b="2">text</v:x>'.repeat(399_000)}</extensionElements>`),
      'read',
    ],
    'attributes of vendors': [
      file(`<extensionElements>${'<v:x a="1" b="2" c="3" d="4" e="5"/>'.repeat(399_000)}</extensionElements>`),
      'too_many_elements',
    ],
    'characters of windows-1252': [
      Buffer.concat([
        Buffer.from(`<?xml version="1.0" encoding="windows-1252"?>${file('<!--').replace('</definitions>', '')}`),
        Buffer.alloc(19e6, 0x80),
        Buffer.from('--></definitions>'),
      ]),
      'read',
    ],
    comments: [inProcess('<!---->'.repeat(2.8e6)), 'read'],
    'line breaks': [inProcess('\r'.repeat(20e6)), 'read'],
    'one line': [inProcess('<task/>'.repeat(49_900)), 'read'],
    'a node with all others around': [
      inProcess(
        `<task id="h"/>${repeated(24_900, (i) => `<task id="t${i}"/><sequenceFlow id="f${i}" sourceRef="h" targetRef="t${i}"/>`)}`,
      ),
      'read',
    ],
    'lanes that all name the same elements': [
      inProcess(
        `<laneSet id="L">${repeated(800, (i) => `<lane id="l${i}">${repeated(480, (j) => `<flowNodeRef>t${j}</flowNodeRef>`)}</lane>`)}</laneSet>${repeated(480, (i) => `<task id="t${i}"/>`)}`,
      ),
      'read',
    ],
    nesting: [inProcess(`${'<subProcess>'.repeat(100_000)}${'</subProcess>'.repeat(100_000)}`), 'too_deep'],
  };
  for (const [name, [content, expected]] of Object.entries(files)) {
    const before = process.cpuUsage();
    const result = await drawings
      .read(typeof content === 'string' ? bytesOf(content) : content)
      .catch((error: unknown) => (error instanceof WorkerQueueError ? error.reason : String(error)));
    const { user, system } = process.cpuUsage(before);
    const found = typeof result === 'string' ? result : result.ok ? 'read' : result.reason;
    t.equal(found, expected, `${name}: ${Math.round((user + system) / 1_000)} ms of processor time`);
  }
});

t.test('files at the limits are read, compared and drawn', async (t) => {
  const drawings = new Drawings({ limitMs: 120_000 });
  t.teardown(() => drawings.close());
  const drawn = largeBpmn({ nodes: 2_380 });
  const first = await drawings.read(drawn);
  t.ok(first.ok && Math.abs(first.reading.element_count - 5_000) < 20, 'about 5,000 elements');
  const { notDrawn } = (await drawings.draw(drawn, { format: 'svg' }))!;
  t.strictSame(notDrawn, []);
  const largest = largeBpmn({ nodes: 23_700 });
  const second = await drawings.read(largest);
  t.ok(second.ok && second.reading.element_count > 49_000 && second.reading.problems.length === 0);
  const { totals } = await drawings.diff(largest, drawn);
  t.ok(totals.removed > 40_000 && totals.added === 0, JSON.stringify(totals));
  const beyond = await drawings.read(largeBpmn({ nodes: 24_500 }));
  t.match(beyond, { ok: false, reason: 'too_many_elements' });
});
