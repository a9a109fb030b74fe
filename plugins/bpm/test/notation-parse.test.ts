/** Bytes, encodings, limits and hostile files. */
import t from 'tap';
import { decodeXml } from '../notation/decode.js';
import { BPMN_LIMITS, parseBpmn, type BpmnLimits } from '../notation/parse.js';
import { readBpmn } from '../notation/read.js';
import { bytesOf, file, flowTag, inProcess, NAMESPACES, nodeTag, read } from './samples.js';

const GREETING = 'Grüße €';
const utf16 = (text: string, isBig: boolean): Uint8Array => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};
const declared = (encoding: string, content = GREETING): string =>
  `<?xml version="1.0" encoding="${encoding}"?>${file(`<process id="P" name="${content}"/>`)}`;
const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const refusal = (
  bytes: Uint8Array | string,
  limits: Partial<BpmnLimits> = {},
): [string, number | null, number | null] | string => {
  const result = readBpmn(typeof bytes === 'string' ? bytesOf(bytes) : bytes, { ...BPMN_LIMITS, ...limits });
  return result.ok ? 'read' : [result.reason, result.line, result.column];
};

t.test('encodings', async (t) => {
  const readable: [name: string, bytes: Uint8Array, expected?: string][] = [
    ['UTF-8', bytesOf(declared('UTF-8'))],
    ['UTF-8 without declaration', bytesOf(file(`<process id="P" name="${GREETING}"/>`))],
    ['UTF-8 with byte order mark', bytesOf(`\ufeff${declared('utf-8')}`)],
    ['UTF-8 in single quotation marks', bytesOf(declared('x').replace('"x"', "'utf8'"))],
    ['UTF-16 little endian', utf16(`\ufeff${declared('UTF-16')}`, false)],
    ['UTF-16 big endian', utf16(`\ufeff${declared('UTF-16')}`, true)],
    ['UTF-16 by its name alone', utf16(declared('UTF-16LE'), false)],
    ['UTF-16 big endian by its name alone', utf16(declared('utf-16be'), true)],
    ['ISO-8859-1', latin1(declared('ISO-8859-1', 'Grüße')), 'Grüße'],
    ['windows-1252', Buffer.concat([latin1(declared('windows-1252', 'Gr\xfc\xdfe \x80'))])],
    // Files that declare ISO-8859-1 have the characters of windows-1252 more often than control characters.
    ['ISO-8859-1 with characters of windows-1252', latin1(declared('iso-8859-1', 'Gr\xfc\xdfe \x80'))],
    ['ISO-8859-15', latin1(declared('iso-8859-15', 'Gr\xfc\xdfe \xa4'))],
    ['US-ASCII', bytesOf(declared('US-ASCII', 'Gr&#252;&#xDF;e &#8364;'))],
    ['Shift_JIS', Buffer.concat([latin1(declared('Shift_JIS', '\x83\x65'))]), 'テ'],
  ];
  for (const [name, bytes, expected = GREETING] of readable) t.equal(read(bytes).processes[0]!.name, expected, name);
});

t.test('encodings that are refused', async (t) => {
  const refused: [name: string, bytes: Uint8Array, message: RegExp][] = [
    ['UTF-7', bytesOf(declared('UTF-7')), /"utf-7" is not supported/],
    ['UTF-7 with its mark', bytesOf(`+/v8-${declared('UTF-8')}`), /UTF-7/],
    ['unknown', bytesOf(declared('klingon')), /"klingon" is not supported/],
    ['empty', bytesOf(declared('')), /"" is not supported/],
    ['UTF-32', Buffer.from([0, 0, 0xfe, 0xff, 0, 0, 0, 0x3c]), /UTF-32/],
    ['UTF-32 little endian', Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0]), /UTF-32/],
    ['UTF-32 without mark', Buffer.from([0, 0, 0, 0x3c, 0, 0, 0, 0x3f]), /UTF-32/],
    ['EBCDIC', Buffer.from([0x4c, 0x6f, 0xa7, 0x94, 0x93]), /EBCDIC/],
    ['bytes that UTF-8 does not have', latin1(declared('UTF-8', '\xfc')), /not valid in its encoding, utf-8/],
    ['an overlong slash', latin1(declared('UTF-8', '\xc0\xaf')), /not valid/],
    ['bytes that US-ASCII does not have', latin1(declared('us-ascii', '\xfc')), /not valid in its encoding, us-ascii/],
    ['half a character of UTF-16', utf16(`\ufeff${declared('UTF-16')}`, false).subarray(0, -1), /not valid/],
    ['half a surrogate pair', utf16(`\ufeff${declared('UTF-16', '\ud800')}`, false), /not valid/],
    ['UTF-16 that is none', bytesOf(declared('UTF-16')), /declares the encoding utf-16, but/],
    ['ISO-8859-1 with the mark of UTF-8', bytesOf(`\ufeff${declared('ISO-8859-1')}`), /begins as UTF-8/],
    ['UTF-8 with the mark of UTF-16', utf16(`\ufeff${declared('UTF-8')}`, true), /begins as UTF-16/],
    ['UTF-16BE with the mark of UTF-16LE', utf16(`\ufeff${declared('UTF-16BE')}`, false), /begins as UTF-16/],
  ];
  for (const [name, bytes, message] of refused) {
    const decoded = decodeXml(bytes);
    t.match(decoded.ok ? decoded : decoded.message, message, name);
    t.strictSame(refusal(bytes), ['encoding', 1, 1], name);
  }
});

t.test('what is refused as a whole, and where', async (t) => {
  const cases: [name: string, content: string, expected: unknown][] = [
    ['nothing', '', ['not_well_formed', 1, 1]],
    ['text', 'hello', ['not_well_formed', 1, 7]],
    ['an end tag that is missing', file('').replace('</definitions>', ''), ['not_well_formed', 3, 1]],
    ['another end tag', `${file('').replace('</definitions>', '</definition>')}`, ['not_well_formed', 3, 14]],
    ['the end of file in a tag', '<definitions\n a="', ['not_well_formed', 2, 5]],
    ['two roots', `${file('')}<a/>`, ['not_well_formed', 3, 18]],
    ['an attribute twice', '<a b="" b=""/>', ['not_well_formed', 1, 15]],
    [
      'an attribute twice by two prefixes',
      '<a xmlns:b="urn:x" xmlns:c="urn:x" b:d="" c:d=""/>',
      ['not_well_formed', 1, 51],
    ],
    ['a prefix that is not declared', '<x:definitions/>', ['not_well_formed', 1, 17]],
    ['an attribute prefix that is not declared', inProcess('<task x:y="1"/>'), ['not_well_formed', 3, 16]],
    ['an entity that is not declared', inProcess('<task name="&nbsp;"/>'), ['not_well_formed', 3, 19]],
    ['U+0000', inProcess('<task name="\u0000"/>'), ['not_well_formed', 3, 14]],
    ['U+0000 as a reference', inProcess('<task name="&#0;"/>'), ['not_well_formed', 3, 17]],
    ['a surrogate as a reference', inProcess('<task name="&#xD800;"/>'), ['not_well_formed', 3, 21]],
    [
      'a control character that only XML 1.1 has',
      `<?xml version="1.1"?>${inProcess('<task name="&#1;"/>')}`,
      ['not_well_formed', 3, 17],
    ],
    ['DOCTYPE', `<?xml version="1.0"?>\n<!DOCTYPE x>\n${file('')}`, ['doctype', 2, 13]],
    [
      'entities of entities',
      `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>${file('<process id="&b;"/>')}`,
      ['doctype', 1, 52],
    ],
    ['an external entity', `<!DOCTYPE x SYSTEM "file:///etc/passwd">${file('')}`, ['doctype', 1, 41]],
    ['another root', '<html xmlns="http://www.w3.org/1999/xhtml"/>', ['not_bpmn', 1, 1]],
    ['definitions of no namespace', '<definitions/>', ['not_bpmn', 1, 1]],
    [
      'definitions of DMN',
      '\n <definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/"/>',
      ['not_bpmn', 2, 2],
    ],
    ['BPMN 1.0', '<definitions xmlns="http://schema.omg.org/spec/BPMN/1.0"/>', ['not_bpmn', 1, 1]],
    ['another element of BPMN', `<process ${NAMESPACES}/>`, ['not_bpmn', 1, 1]],
    [
      'a prefix that is a name of JavaScript',
      `<constructor:definitions xmlns:constructor="urn:x"/>`,
      ['not_bpmn', 1, 1],
    ],
  ];
  for (const [name, content, expected] of cases) t.strictSame(refusal(content), expected, name);
});

t.test('limits: the last that is accepted and the first that is refused', async (t) => {
  const tasks = (count: number): string =>
    inProcess(Array.from({ length: count }, (_, i) => `<task id="t${i}"/>`).join('\n'));
  const size = bytesOf(tasks(1)).length;
  t.equal(refusal(tasks(1), { bytes: size }), 'read');
  t.strictSame(refusal(tasks(1), { bytes: size - 1 }), ['too_large', null, null]);
  // The root, the process and eight tasks.
  t.equal(refusal(tasks(8), { elements: 10 }), 'read');
  t.strictSame(refusal(tasks(9), { elements: 10 }), ['too_many_elements', 11, 1]);
  t.equal(refusal(tasks(8), { tags: 10 }), 'read');
  t.strictSame(refusal(tasks(9), { tags: 10 }), ['too_many_elements', 11, 1]);
  const named = inProcess(
    `${nodeTag('a')}${nodeTag('b', 'task', '<incoming>a-b</incoming>'.repeat(9))}${flowTag('a', 'b')}`,
  );
  t.equal(refusal(named, { elements: 5 }), 'read', 'references are not counted as elements');
  const nested = (depth: number): string =>
    inProcess(`${'<subProcess>'.repeat(depth)}${'</subProcess>'.repeat(depth)}`);
  t.equal(refusal(nested(8), { depth: 10 }), 'read');
  t.strictSame(refusal(nested(9), { depth: 10 }), ['too_deep', 3, 97]);
  t.strictSame(refusal(nested(100_000)), ['too_deep', 3, 12 * 98 + 1]);
  const attributes = (count: number): string =>
    inProcess(`<task id="a" ${Array.from({ length: count - 1 }, (_, i) => `v:a${i}=""`).join(' ')}/>`);
  t.equal(refusal(attributes(9), { attributes: 9 }), 'read');
  t.strictSame(refusal(attributes(10), { attributes: 9 }), ['too_many_elements', 3, 1]);
  t.equal(refusal(tasks(3), { allAttributes: 12 }), 'read');
  t.strictSame(refusal(tasks(4), { allAttributes: 12 }), ['too_many_elements', 6, 1]);
  const long = (count: number): string => inProcess(`<task id="${'a'.repeat(count)}"/>`);
  t.equal(refusal(long(99), { characters: 99 }), 'read');
  t.strictSame(refusal(long(100), { characters: 99 }), ['too_long', 3, 1]);
  const foreign = file(`<extensionElements>${'<v:x>'.repeat(100_000)}${'</v:x>'.repeat(100_000)}</extensionElements>`);
  t.strictSame(refusal(foreign), ['too_deep', 2, '<extensionElements>'.length + 5 * 98 + 1]);
});

t.test('lines and columns, whatever ends a line and follows a name', async (t) => {
  for (const end of ['\n', '\r\n', '\r'])
    t.strictSame(
      read(
        inProcess(`<task id="ok"/>\n\n<task\n  x="1"\n/>\n  <task\tid="b" y="2"/>`).replaceAll('\n', end),
      ).problems.map(({ line, code }) => `${line} ${code}`),
      ['5 unknown_attribute', '5 missing_id', '8 unknown_attribute'],
      JSON.stringify(end),
    );
});

t.test('line breaks at the end of the pieces in which they are replaced', async (t) => {
  for (const before of [65_533, 65_534, 65_535, 65_536, 65_537]) {
    const head = file('').length - '\n</definitions>'.length;
    const text = `${file(' '.repeat(before - head)).replace('\n</definitions>', '')}\r\n<task/>\r</definitions>`;
    t.equal(read(text).problems.find(({ code }) => code === 'unexpected_element')?.line, 3, String(before));
  }
});

t.test('prefixes are free, also those that are names of JavaScript', async (t) => {
  const prefixed = (prefix: string): string =>
    `<${prefix}:definitions xmlns:${prefix}="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmn="urn:vendor" xmlns:constructor2="urn:b" xmlns:toString="urn:c" ${prefix}:id="D">
<${prefix}:process id="P"><${prefix}:task id="a" bpmn:id="b" toString:id="c"><${prefix}:extensionElements><bpmn:task id="a"/><toString:x/></${prefix}:extensionElements></${prefix}:task>
<${prefix}:subProcess id="s" xmlns:${prefix}2="http://www.omg.org/spec/BPMN/20100524/MODEL"><${prefix}2:task id="i"/></${prefix}:subProcess></${prefix}:process></${prefix}:definitions>`;
  for (const prefix of ['bpmn2', 'semantic', 'constructor', 'hasOwnProperty', '__proto__', 'di', 'größe', 'xsi']) {
    const { elements, problems } = read(prefixed(prefix));
    t.strictSame(
      elements.map(({ bpmn_id }) => bpmn_id),
      ['a', 's', 'i'],
      prefix,
    );
    t.strictSame(problems, [], prefix);
  }
});

t.test('ids and attributes that are names of JavaScript', async (t) => {
  const ids = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
  const content = ids.map(
    (id, i) => `${nodeTag(id, i === 0 ? 'startEvent' : 'task')}${i > 0 ? flowTag(ids[i - 1]!, id) : ''}`,
  );
  const { elements, flows, problems } = read(inProcess(content.reverse().join('\n')));
  t.strictSame(
    elements.map(({ bpmn_id }) => bpmn_id),
    ids,
  );
  t.equal(flows.length, 4);
  t.strictSame(problems, []);
  const attributes = ids.map((id) => `v:${id}="1"`).join(' ');
  const extended = `<extensionElements><v:x __proto__="1" get="1" set="1" constructor="1" ${attributes}><v:__proto__>x</v:__proto__></v:x></extensionElements>`;
  t.strictSame(read(inProcess(`<task id="a" ${attributes}>${extended}</task>`)).problems, []);
  t.strictSame(
    read(inProcess('<task id="a" __proto__="1" constructor="2"/>')).problems.map(({ code }) => code),
    ['unknown_attribute', 'unknown_attribute'],
  );
  t.equal(({} as Record<string, unknown>)['1'], undefined);
  t.equal(Object.keys(Object.prototype).length, 0);
});

t.test('processing instructions, comments and CDATA', async (t) => {
  const { elements, problems } = read(
    inProcess(
      '<?php echo 1 ?><!-- <task id="no"/> --><task id="a"><documentation><![CDATA[<b>]]> &amp; <!-- x -->more</documentation></task>',
    ),
  );
  t.strictSame(problems, []);
  t.strictSame(
    elements.map(({ bpmn_id, documentation }) => [bpmn_id, documentation]),
    [['a', '<b> & more']],
  );
});

t.test('long names, texts and ids are cut where they are listed', async (t) => {
  const [element] = read(
    inProcess(
      `<task id="a" name="${'😀'.repeat(500_000)}"><documentation>${'y'.repeat(1_000_000)}</documentation></task>`,
    ),
  ).elements;
  t.equal(element!.name!.length, 2_000);
  t.ok(element!.name!.isWellFormed());
  t.equal(element!.documentation!.length, 20_000);
  const odd = read(inProcess(`<task id="a" name="x${'😀'.repeat(5_000)}"/>`)).elements[0]!.name!;
  t.ok(odd.isWellFormed() && odd.length === 2_000, 'half a character is not left over');
});

t.test('an element of which two exist stays the one that references lead to', async (t) => {
  const parsed = parseBpmn(
    bytesOf(inProcess(`${nodeTag('a', 'startEvent')}${nodeTag('b')}${nodeTag('b', 'userTask')}${flowTag('a', 'b')}`)),
  );
  t.ok(parsed.ok && parsed.tree.byId.get('b')!.$type === 'bpmn:Task');
  const shapeFirst = parseBpmn(
    bytesOf(
      file(
        '<bpmndi:BPMNDiagram id="D"><bpmndi:BPMNPlane id="P"><bpmndi:BPMNShape id="b"/></bpmndi:BPMNPlane></bpmndi:BPMNDiagram><process id="Q"><task id="b"/></process>',
      ),
    ),
  );
  t.ok(shapeFirst.ok && shapeFirst.tree.byId.get('b')!.$type === 'bpmn:Task', 'elements are preferred to shapes');
});
