/** An ArchiMate file is read if it is well-formed XML, and otherwise fails with the position of the fault. */
import t from 'tap';
import { registerAdmin, testApp } from '../support/app.js';
import { rowsOf, staged } from '../support/imports.js';
import { readArchimate } from '../../core/inventory/imports/parse/archimate/parser.js';
import { UnreadableFile } from '../../core/inventory/imports/types.js';

const { origin, close } = await testApp();
t.teardown(close);
const { api } = await registerAdmin(origin);

const NAMESPACES =
  'xmlns="http://www.opengroup.org/xsd/archimate/3.0/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const model = (inner: string, before = ''): string =>
  `${before}<model ${NAMESPACES} identifier="id-m">\n<name>M</name>\n${inner}\n</model>`;
const element = (attributes = '', inner = '<name>A</name>'): string =>
  `<elements>\n<element identifier="a" xsi:type="ApplicationComponent"${attributes}>${inner}</element>\n</elements>`;

/** The first error of a file, or its number of elements. */
async function read(...pieces: (string | Buffer)[]): Promise<{ line?: number; reason: string } | number> {
  async function* bytes(): AsyncGenerator<Buffer> {
    yield* pieces.map((piece) => Buffer.from(piece));
  }
  try {
    return (await readArchimate(bytes())).elements.length;
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return error.errors[0]!;
  }
}

await t.test('files that are not well-formed fail, with line and column', async (t) => {
  const faults: Record<string, [xml: string, line: number, reason: RegExp]> = {
    'an attribute twice': [model(element(' identifier="b"')), 4, /at column \d+: duplicate attribute: identifier/],
    'an attribute twice by two prefixes': [
      model(element(` xmlns:x="${'http://www.w3.org/2001/XMLSchema-instance'}" x:type="Node"`)),
      4,
      /duplicate attribute/,
    ],
    'a tag that is not closed': [
      model('<elements><element identifier="a" xsi:type="Node">\n</elements>'),
      4,
      /at column 11: unexpected close tag/,
    ],
    'an undeclared prefix of an element': [model('<elements/>\n<x:views/>'), 4, /unbound namespace prefix: "x"/],
    'an undeclared prefix of an attribute': [model(element(' x:y="1"')), 4, /unbound namespace prefix: "x"/],
    'two roots': [`${model('')}\n<model/>`, 5, /only one root/],
    'text behind the root': [`${model('')}\nmore`, 5, /text data outside of root/],
    'an attribute without quotes': [model('<views a=1/>'), 3, /unquoted/],
    'a sign that must be written as an entity': [
      model(element('', '<name>R & D; x</name>')),
      4,
      /disallowed character in entity name/,
    ],
    'such a sign, many lines before it is detected': [
      model(element('', `<name>R & D</name>${'\n'.repeat(50)}<documentation>x;</documentation>`)),
      54,
      /, in what begins on line 4$/,
    ],
    'a less-than sign in an attribute': [model('<views a="<"/>'), 3, /disallowed character/],
    'an entity of HTML': [model(element('', '<name>caf&eacute;</name>')), 4, /undefined entity/],
    'a character that is none': [model(element('', '<name>&#1;</name>')), 4, /malformed character/],
    'the end of CDATA outside of one': [model(element('', '<name>]]></name>')), 4, /disallowed in char data/],
    'two hyphens in a comment': [model('<!-- a -- b -->'), 3, /malformed comment/],
    'a declaration that is not the first': [
      model('', '\n<?xml version="1.0"?>'),
      2,
      /XML declaration must be at the start/,
    ],
    'a document type': [model('', '<!DOCTYPE model>'), 1, /^a document type \(DOCTYPE\) is not allowed$/],
    'another encoding': [model('', '<?xml version="1.0" encoding="ISO-8859-1"?>'), 1, /^is encoded in ISO-8859-1/],
    nesting: [model('<views>'.repeat(64)), 3, /^elements nest deeper than 64 levels$/],
    attributes: [
      model(`<views ${Array.from({ length: 65 }, (_, n) => `a${n}="1"`).join(' ')}/>`),
      3,
      /^a tag has more than 64 attributes$/,
    ],
    'a file that stops': [
      model(element()).slice(0, -8),
      6,
      /well-formed XML: it ends in the middle, in what begins on line 5$/,
    ],
  };
  for (const [what, [xml, line, reason]] of Object.entries(faults)) t.match(await read(xml), { line, reason }, what);
  t.match(await read(), { reason: /well-formed/ }, 'nothing');
});

await t.test('with any chunk boundaries', async (t) => {
  const xml = model(element('', '<name>É &amp; 🚀</name><documentation><![CDATA[a]]]]><![CDATA[>b]]></documentation>'));
  for (const size of [1, 7, 1_000]) {
    const bytes = Buffer.from(xml);
    t.equal(
      await read(
        ...Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size)),
      ),
      1,
      `${size} bytes`,
    );
  }
});

await t.test('memory is bounded: no part is longer than 1 MiB', async (t) => {
  const endless = (begin: string) => Array.from({ length: 20 }, (_, n) => (n === 0 ? begin : '') + 'x'.repeat(65_536));
  for (const begin of [
    model('<views a="').slice(0, -9),
    model('<!-- ').slice(0, -9),
    model('&').slice(0, -9),
    model('<').slice(0, -9),
    '<!DOCTYPE model [',
    model('<![CDATA[').slice(0, -9),
    model(element('', '<name>')).split('</element>')[0]!,
  ]) {
    t.match(
      await read(...endless(begin)),
      { reason: 'a text, comment or tag is longer than 1048576 characters' },
      begin.slice(-12),
    );
  }
});

await t.test('an import of it fails as a whole', async (t) => {
  const failed = await staged(api, 'archimate', model(element(' identifier="b"')));
  t.match(failed, {
    state: 'failed',
    errors: [{ line: 4, reason: /^is not well-formed XML at column \d+: duplicate attribute: identifier$/ }],
  });
  t.strictSame(await rowsOf(api, failed.id), []);
  const sound = await staged(
    api,
    'archimate',
    model(element('', '<name>A</name><documentation>one&#xD;\r\ntwo\r\nthree&#xD;four</documentation>')),
  );
  t.equal(sound.state, 'ready');
  t.equal(
    (await rowsOf(api, sound.id))[0]!.diff.find(({ field }) => field === 'description')?.new,
    'one\ntwo\nthree\nfour',
  );
});
