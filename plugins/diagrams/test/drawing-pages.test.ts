/** Pages of draw.io: groups, links and themes; absurd and generated values. */
import fc from 'fast-check';
import t from 'tap';
import { languageOf } from '../words/index.js';
import { drawDrawio } from '../drawing/draw.js';
import { MARKER_NAMES } from '../drawing/markers.js';
import { readDrawio } from '../drawio/index.js';
import { cell, draw, edge } from './drawn.js';
import { fileWith } from './hostile-drawings.js';
import { unsafeParts } from './safe-svg.js';
import { NAMES } from './shape-names.js';
import { textsOf } from './svg-texts.js';

t.test('groups, layers, collapsed groups, and turned, mirrored and faded shapes', (t) => {
  const group = `<mxCell id="g" style="group" vertex="1" parent="1"><mxGeometry x="100" y="50" width="200" height="100" as="geometry"/></mxCell>`;
  const inner = cell('in', 'html=1', 10, 20).replace('parent="1"', 'parent="g"');
  const texts = (cells: string) => textsOf(draw(cells).svg).map(({ text }) => text);
  t.ok(draw(`${group}${inner}`).svg.includes('M110 70L190 70'), 'the place of a child is relative');
  t.same(texts(`${group.replace('id="g"', 'id="g" collapsed="1"')}${inner}`), []);
  t.same(
    texts(`<mxCell id="2" parent="0" visible="0"/>${cell('in', '', 0, 0).replace('parent="1"', 'parent="2"')}`),
    [],
  );
  const { svg } = draw(
    cell('a', 'rotation=30;flipH=1;opacity=50;dashed=1;shadow=1;gradientColor=#00ff00;shape=card;', 0, 0),
  );
  t.same(unsafeParts(svg), []);
  t.match(svg, /rotate\(30\) scale\(-1 1\)/);
  t.match(svg, /stroke-dasharray="3 3"/);
  t.match(svg, /fill="url\(#[\da-f]{8}-0\)" fill-opacity="0.5"/);
  t.match(svg, /<linearGradient id="[\da-f]{8}-0"/);
  t.end();
});

t.test('descriptions in the languages of the platform', (t) => {
  const [none, one] = ['', cell('a', '', 0, 0)];
  const many = Array.from({ length: 1_200 }, (_, i) => cell(`c${i}`, '', i, 0)).join('');
  for (const [language, cells, words] of [
    ['en', none, '0 shapes and 0 connections'],
    ['en', one, '1 shape and 0 connections'],
    ['en', many, '1,200 shapes and 0 connections'],
    ['de', one, '1 Form und 0 Verbindungen'],
    ['de', many, '1.200 Formen und 0 Verbindungen'],
    ['fr', none, '0 forme et 0 connexion'],
    ['es', one, '1 forma y 0 conexiones'],
    ['it', many, '1200 forme e 0 connessioni'],
  ] as const)
    t.match(draw(cells, { language, title: 'T' }).svg, `<desc>${words}</desc>`);
  t.strictSame(['de-CH', 'FR', 'pt', 'constructor'].map(languageOf), ['de', 'fr', 'en', 'en']);
  t.end();
});

t.test('links, titles, themes and width', (t) => {
  const cells = `${cell('a', '', 0, 0)}<UserObject label="x" link="/cards/1" tooltip="T &lt;b&gt;" id="u"><mxCell vertex="1" parent="1"><mxGeometry x="100" width="80" height="40" as="geometry"/></mxCell></UserObject>`;
  const { svg, width, height } = draw(cells, {
    publicUrl: 'https://ea.test/',
    cellLinks: { a: 'https://ea.test/cards/9' },
    width: 402,
    title: 'My <page>',
  });
  t.same([width, height], [402, 122]);
  t.match(svg, '<a href="https://ea.test/cards/9">');
  t.match(svg, '<a href="https://ea.test/cards/1">');
  t.match(svg, '<title>My &#60;page&#62;</title><desc>2 shapes and 0 connections</desc>');
  t.match(svg, '<title>T &#60;b&#62;</title>');
  t.notMatch(draw(cells, { links: false, cellLinks: { a: 'https://ea.test' } }).svg, /<a /);
  const dark = draw(cells, { theme: 'dark' }).svg;
  t.match(dark, '<rect x="-10" y="-10" width="201" height="61" fill="#1a1a1a"/>');
  t.notMatch(dark, /="#(ffffff|000000)"/);
  const { svg: blue } = draw(cell('a', 'fillColor=#dae8fc;', 0, 0), { theme: 'dark' });
  const hex = /<path [^>]*fill="#(\w{6})"/.exec(blue)![1]!;
  const [r, g, b] = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number, number];
  t.ok(r < g && g < b && b < 128, 'light blue becomes dark blue');
  t.equal(draw(cells, { page: 'p' }).svg, draw(cells, { page: 0 }).svg);
  const file = readDrawio(Buffer.from(fileWith(cells)));
  t.equal(file.ok && drawDrawio(file.file, { page: 7 }), undefined);
  t.end();
});

t.test('absurd values are bounded', (t) => {
  const values = ['1e300', '-1e300', 'NaN', 'Infinity', '', 'x', '-5', '1e-300'];
  const keys =
    'rotation strokeWidth fontSize arcSize size spacing opacity startSize endSize width height dx dy jettySize exitX labelWidth segment';
  for (const value of values) {
    const style = `${keys
      .split(' ')
      .map((key) => `${key}=${value}`)
      .join(';')};rounded=1;shadow=1;html=1;whiteSpace=wrap;edgeStyle=orthogonalEdgeStyle;`;
    for (const name of ['cube', 'swimlane', 'callout', 'mxgraph.bpmn.task', 'umlLifeline', 'parallelogram'])
      t.same(
        unsafeParts(draw(`${cell('a', `shape=${name};${style}`, 0, 0)}${cell('b', style, 300, 0)}${edge(style)}`).svg),
        [],
        `${name} ${value}`,
      );
    const place = cell('a', '', 0, 0).replace(/(x|y|width|height)="\d+"/g, `$1="${value}"`);
    const { svg, width, height } = draw(`${place}${cell('b', '', 300, 0)}${edge('')}`);
    t.same(unsafeParts(svg), []);
    t.ok(width <= 10_000 && height <= 10_000 && width > 0 && height > 0);
  }
  t.end();
});

t.test('parents and lines in circles, and very deep groups', (t) => {
  const circle = `${cell('a', '', 0, 0).replace('parent="1"', 'parent="b"')}${cell('b', '', 0, 0).replace('parent="1"', 'parent="a"')}`;
  const lines = `<mxCell id="x" edge="1" parent="1" source="y" target="z"/><mxCell id="y" edge="1" parent="z" source="x" target="x"/><mxCell id="z" edge="1" parent="y"/>`;
  t.same(unsafeParts(draw(`${circle}${lines}`).svg), []);
  const deep = Array.from(
    { length: 15_000 },
    (_, i) => `<mxCell id="d${i}" vertex="1" parent="${i === 0 ? 1 : `d${i - 1}`}"/>`,
  ).join('');
  t.same(unsafeParts(draw(deep).svg), []);
  t.end();
});

t.test('no readable file makes the drawing fail', (t) => {
  const words = fc.constantFrom(
    ...NAMES.map((name) => `shape=${name}`),
    ...MARKER_NAMES.map((name) => `endArrow=${name}`),
    'rounded=1',
    'curved=1',
    'html=1',
    'whiteSpace=wrap',
    'dashed=1',
    'dashPattern=1 0 -2 x',
    'edgeStyle=orthogonalEdgeStyle',
    'edgeStyle=elbowEdgeStyle',
    'edgeStyle=entityRelationEdgeStyle',
    'edgeStyle=isometricEdgeStyle',
    'edgeStyle=loopEdgeStyle',
    'shape=flexArrow',
    'shape=link',
    'perimeter=rhombusPerimeter',
    'perimeter=lifelinePerimeter',
    'rotation=45',
    'direction=north',
    'horizontal=0',
    'overflow=fill',
    'overflow=hidden',
    'labelPosition=left',
    'portConstraint=eastwest',
    'exitX=0.3',
    'exitY=1.2',
    'entryX=-1',
    'entryY=0',
    'glass=1',
    'image=data:image/png,AAAA',
    'snapToPoint=1',
  );
  const label = fc.oneof(
    fc.string(),
    fc
      .array(
        fc.constantFrom(
          '<b>',
          '</b>',
          '<table>',
          '<tr>',
          '<td colspan="9">',
          '</td>',
          '</table>',
          '<ul>',
          '<li>',
          '</ul>',
          'x y',
          '<br>',
          '<hr>',
          '<h1>',
          '<font size="9">',
          '<img src="">',
          '&nbsp;',
          '漢字',
        ),
        { maxLength: 20 },
      )
      .map((parts) => parts.join('')),
  );
  const number = fc.oneof(fc.integer({ min: -500, max: 500 }).map(String), fc.constantFrom('1e9', 'x', ''));
  const one = fc.record({
    style: fc.array(words, { maxLength: 8 }),
    label,
    isEdge: fc.boolean(),
    parent: fc.integer({ min: 0, max: 8 }),
    ends: fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })),
    box: fc.tuple(number, number, number, number),
    relative: fc.boolean(),
  });
  const escaped = (text: string): string =>
    text.replace(/[^ -~]|[&<>"]/gu, (character) => {
      const code = character.codePointAt(0)!;
      return code >= 0x20 && code < 0xfffe && (code < 0xd800 || code > 0xdfff) ? `&#${code};` : '';
    });
  fc.assert(
    fc.property(fc.array(one, { minLength: 1, maxLength: 9 }), (cells) => {
      const written = cells.map(
        ({ style, label: text, isEdge, parent, ends, box: [x, y, w, h], relative }, i) =>
          `<mxCell id="${i + 2}" value="${escaped(text)}" style="${style.join(';')}" ${isEdge ? `edge="1" source="${ends[0]}" target="${ends[1]}"` : 'vertex="1"'} parent="${parent}"><mxGeometry x="${x}" y="${y}" width="${w}" height="${h}" ${relative ? 'relative="1"' : ''} as="geometry"><mxPoint x="${y}" y="${x}" as="sourcePoint"/><mxPoint x="${w}" as="targetPoint"/></mxGeometry></mxCell>`,
      );
      const unsafe = unsafeParts(draw(written.join('')).svg);
      if (unsafe.length > 0) throw new Error(unsafe.join());
    }),
    { numRuns: 120 },
  );
  t.end();
});
