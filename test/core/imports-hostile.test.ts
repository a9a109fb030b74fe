/** Runs in a process of its own: it measures processor time and memory. */
import t from 'tap';
import { registerAdmin, testApp } from '../support/app.js';
import { rowsOf, settled, staged, upload } from '../support/imports.js';

const { origin, close } = await testApp();
t.teardown(close);
const { api } = await registerAdmin(origin);

const model = (inner: string, head = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?>${head}<model xmlns="http://www.opengroup.org/xsd/archimate/3.0/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" identifier="id-m"><name>M</name>${inner}</model>`;
const element = (id: string, name: string, kind = 'ApplicationComponent', more = '') =>
  `<element identifier="${id}" xsi:type="${kind}"><name>${name}</name>${more}</element>`;
const elements = (inner: string) => `<elements>${inner}</elements>`;
const lol = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');

/** Files that must be refused, with the reason. */
const BOMBS: [name: string, content: string | Buffer, reason: RegExp][] = [
  [
    'entities that multiply',
    model(elements(element('a', '&l9;')), `<!DOCTYPE model [<!ENTITY l0 "lol">${lol}]>`),
    /DOCTYPE/,
  ],
  [
    'one large entity many times',
    model(elements(element('a', '&big;'.repeat(10_000))), `<!DOCTYPE model [<!ENTITY big "${'x'.repeat(50_000)}">]>`),
    /DOCTYPE/,
  ],
  [
    'a file of the server',
    model(elements(element('a', '&file;')), '<!DOCTYPE model [<!ENTITY file SYSTEM "file:///etc/passwd">]>'),
    /DOCTYPE/,
  ],
  [
    'a document type elsewhere',
    model(elements(element('a', 'x')), '<!DOCTYPE model SYSTEM "http://127.0.0.1:1/x.dtd">'),
    /DOCTYPE/,
  ],
  ['deep nesting', model('<a>'.repeat(200_000)), /nest deeper/],
  [
    'a tag of very many attributes',
    model(`<elements ${Array.from({ length: 200_000 }, (_, i) => `a${i}="1"`).join(' ')}></elements>`),
    /attributes|well-formed/,
  ],
  ['one endless attribute', model(`<elements a="${'x'.repeat(20_000_000)}"></elements>`), /longer than/],
  ['one endless name of a tag', model(`<${'e'.repeat(10_000_000)}/>`), /longer than/],
  [
    'an endless document type',
    `<?xml version="1.0"?><!DOCTYPE model [${'<!-- x -->'.repeat(1_000_000)}]>`,
    /longer than/,
  ],
  ['an undeclared entity', model(elements(element('a', '&unknown;'))), /well-formed/],
  [
    'tags that do not close',
    '<model xmlns="http://www.opengroup.org/xsd/archimate/3.0/" identifier="x"><elements></model>',
    /well-formed/,
  ],
  ['a character that is none', model(elements(element('a', 'x&#0;y'))), /character|well-formed/],
  ['half of a character', model(elements(element('a', 'x&#xD800;y'))), /character|well-formed/],
  ['another encoding', Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><model/>', 'latin1'), /ISO-8859-1/],
  [
    'bytes that are no text',
    Buffer.concat([Buffer.from(model('').slice(0, 100)), Buffer.from([0xff, 0xfe, 0xc0])]),
    /UTF-8/,
  ],
  ['UTF-16', Buffer.from(`\uFEFF${model('')}`, 'utf16le'), /UTF-16/],
  [
    'another kind of model',
    '<archimate:model xmlns:archimate="http://www.archimatetool.com/archimate" id="x"/>',
    /version 3/,
  ],
  ['the version before', '<model xmlns="http://www.opengroup.org/xsd/archimate" identifier="x"/>', /version 3/],
  ['a file that stops', model(elements(element('a', 'x'))).slice(0, -20), /middle|well-formed/],
];

t.test('hostile or invalid XML fails immediately', async (t) => {
  await staged(api, 'archimate', model(elements(element('warm', 'Warm'))));
  for (const [name, content, reason] of BOMBS) {
    const before = process.memoryUsage.rss();
    const cpu = process.cpuUsage();
    const { status, body } = await upload(api, 'archimate', content);
    t.equal(status, 202, name);
    const read = await settled(api, body.id);
    const { user, system } = process.cpuUsage(cpu);
    // The processor time includes that of the client.
    t.ok(user + system < 1_000_000, `${name}: ${Math.round((user + system) / 1e3)} ms`);
    t.equal(read.state, 'failed', name);
    t.match(read.errors[0]?.reason, reason, name);
    t.equal((await rowsOf(api, body.id)).length, 0, name);
    // Client and service share this process, so that the content is in memory several times.
    const grown = process.memoryUsage.rss() - before - 4 * Buffer.byteLength(content);
    t.ok(grown < 100_000_000, `${name}: ${Math.round(grown / 1e6)} MB`);
  }
});

t.test('hostile or invalid tables', async (t) => {
  for (const [content, reason] of [
    ['__proto__,name\n1,x\n', /"__proto__" is no field/],
    ['constructor,name\n1,x\n', /"constructor" is no field/],
    ['attributes.__proto__,name\n1,x\n', /is no field/],
    ['toString,name\n1,x\n', /is no field/],
    ['type,name\nApplication,"never ends\n', /cannot be read/],
    [`type,name\nApplication,"${'x'.repeat(5_000_000)}"\n`, /cannot be read/],
    ['', /is empty|required/],
    ['\n\n', /is empty/],
    ['name,name\nx,y\n', /occurs twice/],
    ['description\nx\n', /is required/],
    [Buffer.from([0x6e, 0x61, 0x6d, 0x65, 0x0a, 0xff, 0xff]), /UTF-8/],
    [`name,${Array.from({ length: 3_000 }, (_, i) => `c${i}`).join(',')}\n`, /more than 2000 columns/],
  ] as [string | Buffer, RegExp][]) {
    const { status, body } = await upload(api, 'csv', content);
    if (content.length === 0) {
      t.equal(status, 422);
      continue;
    }
    const read = await settled(api, body.id);
    t.equal(read.state, 'failed', String(content).slice(0, 40));
    t.match(read.errors.map((e) => e.reason).join(), reason);
  }
  t.equal(({} as Record<string, unknown>)['name'], undefined);
  const rows = await rowsOf(
    api,
    (
      await staged(
        api,
        'csv',
        Buffer.from(
          'type,name,alias\nApplication,a\u0000b,\nApplication,ok,\u202Egnp\nApplication,constructor,__proto__\n',
        ),
      )
    ).id,
  );
  t.strictSame(
    rows.map(({ verdict }) => verdict),
    ['invalid', 'create', 'create'],
  );
  const failed = await staged(api, 'ndjson', `${'x'.repeat(2_000_000)}\n`);
  t.match(failed, { state: 'failed', errors: [{ line: 1, reason: /longer than/ }] });
});

t.test('models: names, parents, duplicates and unsupported elements', async (t) => {
  const relationship = (id: string, kind: string, source: string, target: string) =>
    `<relationship identifier="${id}" xsi:type="${kind}" source="${source}" target="${target}"/>`;
  const chain = Array.from({ length: 8 }, (_, i) => element(`c${i}`, `Level ${i}`, 'Capability')).join('');
  const xml = model(
    elements(
      element('a1', 'Twin') +
        element('a2', 'TWIN', 'ApplicationFunction') +
        element('a3', 'Twin (2)') +
        element('a-nameless1', '') +
        element('s1', 'Service', 'ApplicationService') +
        element('s2', 'Service', 'ApplicationInterface') +
        element(
          'n1',
          'Node  with\n two lines',
          'archimate:TechnologyService',
          '<documentation>  Line 1\r\nLine 2 &lt;b&gt; &#x1F680;</documentation><properties><property propertyDefinitionRef="p1"><value>9.1</value></property><property propertyDefinitionRef="p2"><value>x</value></property></properties>',
        ) +
        element('j', '', 'AndJunction') +
        element('g', 'Group', 'Grouping') +
        chain,
    ) +
      `<relationships>${[
        relationship('r1', 'Composition', 'a1', 'a2'),
        relationship('r2', 'Aggregation', 'a3', 'a2'),
        relationship('r3', 'Composition', 'a2', 'a1'),
        relationship('r4', 'Serving', 's1', 'a1'),
        relationship('r5', 'Realization', 'a1', 's1'),
        relationship('r6', 'Composition', 's1', 's2'),
        relationship('r7', 'Flow', 'a1', 'a1'),
        relationship('r8', 'Association', 'r4', 'a1'),
        relationship('r9', 'Triggering', 'j', 'a1'),
        relationship('r10', 'Flow', 'a1', 'nowhere'),
        relationship('r11', 'Association', 'n1', 'c0'),
        ...Array.from({ length: 7 }, (_, i) => relationship(`d${i}`, 'Composition', `c${i}`, `c${i + 1}`)),
      ].join(
        '',
      )}</relationships><propertyDefinitions><propertyDefinition identifier="p1" type="string"><name>version</name></propertyDefinition><propertyDefinition identifier="p2" type="string"><name>nonsense</name></propertyDefinition></propertyDefinitions>`,
  );
  const read = await staged(api, 'archimate', xml);
  t.equal(read.state, 'ready', JSON.stringify(read.errors));
  const rows = new Map((await rowsOf(api, read.id)).map((row) => [row.reference!, row]));
  const name = (id: string) => rows.get(id)!.name;
  t.strictSame(['a1', 'a2', 'a3', 'a-nameless1', 's1', 's2', 'n1'].map(name), [
    'Twin',
    'TWIN',
    'Twin (2)',
    'ApplicationComponent eless1',
    'Service',
    'Service (2)',
    'Node with two lines',
  ]);
  const verdict = (id: string) => rows.get(id)!.verdict;
  t.strictSame(['j', 'g', 'r1', 'r2', 'r3', 'r4', 'r5', 'r6', 'r7', 'r8', 'r9', 'r10', 'r11'].map(verdict), [
    'unmapped',
    'unmapped',
    'parent',
    'create',
    'create',
    'create',
    'duplicate',
    'create',
    'unsupported',
    'unsupported',
    'dangling',
    'dangling',
    'create',
  ]);
  t.strictSame(
    ['r2', 'r3', 'r4', 'r6', 'r11'].map((id) => rows.get(id)!.type),
    ['related', 'related', 'applicationToInterface', 'related', 'related'],
  );
  t.strictSame(
    Array.from({ length: 7 }, (_, i) => verdict(`d${i}`)),
    ['parent', 'parent', 'parent', 'parent', 'parent', 'create', 'parent'],
    'six levels, and the next one begins a new tree',
  );
  const field = (id: string, key: string) => rows.get(id)!.diff.find((d) => d.field === key)?.new;
  t.equal(field('n1', 'description'), 'Line 1\nLine 2 <b> 🚀');
  t.equal(field('n1', 'attributes.version'), '9.1');
  t.equal(field('n1', 'attributes.archimateType'), 'TechnologyService');
  t.equal(field('n1', 'external_id'), 'id-m/n1');
  t.equal(field('r2', 'attributes.kind'), 'Aggregation');
  t.match(read.notes, [/^1 properties/]);
});
