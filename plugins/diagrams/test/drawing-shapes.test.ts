/** Shapes, labels and images of draw.io as SVG. */
import t from 'tap';
import { cell, draw } from './drawn.js';
import { shape } from './hostile-drawings.js';
import { unsafeParts } from './safe-svg.js';
import { NAMES } from './shape-names.js';
import { textsOf } from './svg-texts.js';

t.test('each shape is drawn, and not like another one', (t) => {
  const drawn = new Map<string, string>();
  for (const name of NAMES) {
    const { svg, notDrawable } = draw(cell('a', `shape=${name};fillColor=#ff0000;html=1;left=0;top=1`, 0, 0));
    t.same([notDrawable, unsafeParts(svg)], [[], []], name);
    drawn.set(name, [...svg.matchAll(/ d="([^"]*)"/g)].map(([, d]) => d).join('|'));
  }
  t.same(
    [...drawn].filter(([, paths]) => paths === ''),
    [],
  );
  const rectangle = drawn.get('rectangle');
  const alike = [...drawn].filter(([name, paths]) => paths === rectangle && name !== 'rectangle').map(([name]) => name);
  t.same(alike, ['ext', 'mxgraph.flowchart.process'], 'those that are rectangles');
  t.end();
});

t.test('all kinds of events, gateways and tasks of BPMN differ', (t) => {
  const paths = (style: string): string =>
    [...draw(cell('', style, 0, 0, 60, 60)).svg.matchAll(/<path[^>]*>/g)].join('');
  const events =
    'general message timer escalation conditional link error cancel compensation signal multiple parallelMultiple terminate';
  const outlines = 'standard eventNonint catching throwing boundNonint end';
  const all = outlines
    .split(' ')
    .flatMap((outline) =>
      events.split(' ').map((symbol) => paths(`shape=mxgraph.bpmn.event;outline=${outline};symbol=${symbol};`)),
    );
  // Intermediate events without symbol, and ends, are the same whether they catch or throw.
  t.equal(new Set(all).size, all.length - 2);
  const gateways = 'exclusive parallel inclusive complex'
    .split(' ')
    .map((kind) => paths(`shape=mxgraph.bpmn.gateway2;gwType=${kind};`));
  const tasks = 'abstract send receive user manual service businessRule script'.split(' ');
  const markers = 'isLoopStandard isLoopMultiParallel isLoopMultiSeq isLoopSub isLoopComp isAdHoc'.split(' ');
  const others = [
    ...gateways,
    ...tasks.map((marker) => paths(`shape=mxgraph.bpmn.task;taskMarker=${marker};`)),
    ...markers.map((marker) => paths(`shape=mxgraph.bpmn.task;${marker}=1;`)),
    ...['call', 'transaction'].map((kind) => paths(`shape=mxgraph.bpmn.task;bpmnShapeType=${kind};`)),
  ];
  t.equal(new Set(others).size, others.length);
  t.end();
});

t.test('gates differ by what they do', (t) => {
  const styles = ['and', 'or', 'xor'].flatMap((operation) =>
    [0, 1].map(
      (negating) => `shape=mxgraph.electrical.logic_gates.logic_gate;operation=${operation};negating=${negating};`,
    ),
  );
  const drawn = styles.map((style) =>
    [...draw(cell('a', style, 0, 0)).svg.matchAll(/ d="([^"]*)"/g)].map(([, d]) => d).join('|'),
  );
  t.equal(new Set(drawn).size, styles.length);
  t.end();
});

t.test('a shape without drawing is a box with its label, and is listed', (t) => {
  const { svg, notDrawable } = draw(
    cell('a', 'shape=mxgraph.aws4.lambda_function;verticalLabelPosition=bottom;verticalAlign=top;', 0, 0),
  );
  t.same(notDrawable, [{ cell_id: 'a', shape: 'mxgraph.aws4.lambda_function' }]);
  t.match(
    textsOf(svg).map(({ text }) => text),
    ['lambda function', 'a'],
  );
  t.end();
});

t.test('labels are wrapped, formatted and placed', (t) => {
  const texts = (label: string, style: string) => textsOf(draw(shape(label, style)).svg);
  const long = 'Enterprise architecture repository of the whole company';
  const wrapped = texts(long, 'html=1;whiteSpace=wrap;');
  t.ok(wrapped.length >= 3 && wrapped.every(({ x, width }) => x >= 10 && x + width <= 130), 'within its shape');
  t.equal(texts(long, 'html=1;').length, 1, 'one line without wrapping');
  t.match(texts('<b>a</b> <i>b</i> <u>c</u> <font color="#ff0000" style="font-size:20px">d</font>', 'html=1;'), [
    { text: 'a', bold: true, size: 12 },
    { text: 'b', bold: false },
    { text: 'c', decoration: 'underline' },
    { text: 'd', fill: '#ff0000', size: 20 },
  ]);
  t.match(
    texts('a<br>b<div>c</div><ul><li>d</li></ul>', 'html=1;').map(({ text }) => text),
    ['a', 'b', 'c', '•', 'd'],
  );
  t.same(
    texts('1 &lt; 2 & <x> "y"', 'whiteSpace=wrap;')
      .map(({ text }) => text)
      .join(' '),
    '1 &lt; 2 & <x> "y"',
    'text is no HTML',
  );
  const [left] = texts('a', 'html=1;align=left;spacingLeft=10;');
  t.equal(left!.x, 22);
  const [below] = texts('a', 'html=1;verticalLabelPosition=bottom;verticalAlign=top;');
  t.ok(below!.y > 70);
  const [aside] = texts('a', 'html=1;labelPosition=right;align=left;');
  t.ok(aside!.x > 130);
  t.match(
    texts('<table><tr><td>a</td><td>b</td></tr><tr><td colspan="2">c</td></tr></table>', 'html=1;').map(
      ({ text }) => text,
    ),
    ['a', 'b', 'c'],
  );
  t.same(texts('x', 'html=1;noLabel=1;'), []);
  t.end();
});

t.test('embedded images are drawn if their bytes are what they say', (t) => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const image = (address: string) => draw(shape('', `shape=image;image=${address};`));
  t.match(image(`data:image/png,${png}`).svg, /<image [^>]*href="data:image\/png;base64,iVBOR/);
  t.same(image(`data:image/png,${png}`).notDrawable, []);
  for (const address of [
    'data:image/png,AAAA',
    `data:image/jpeg,${Buffer.from('<svg/>').toString('base64')}`,
    'img/lib/ibm/x.svg',
  ]) {
    const { svg, notDrawable } = image(address);
    t.notMatch(svg, /<image/);
    t.same(notDrawable, [{ cell_id: 'a', shape: 'image' }], address);
  }
  t.end();
});
