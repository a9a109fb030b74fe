/** Labels are inside of the picture, apart from each other, and whole where there is space; hostile files are drawn as well. */
import t from 'tap';
import {
  all,
  bounds,
  canvasOf,
  definitionsOf,
  diagram,
  drawn,
  edge,
  groupOf,
  isOverlapping,
  isWithin,
  labelBoxes,
  processFile,
  shape,
  symbolsIn,
  textBox,
  textsIn,
} from './drawing-support.js';
import { drawBpmn, pngOfDrawing } from '../drawing/index.js';
import { file } from './samples.js';

const overlaps = (boxes: ReturnType<typeof labelBoxes>): string[] =>
  boxes.flatMap((a, i) =>
    boxes.slice(i + 1).flatMap((b) => (isOverlapping(a.box, b.box) ? [`${a.id} and ${b.id}`] : [])),
  );

t.test('labels without a place in the file are placed apart from each other and from shapes', async (t) => {
  const count = 24;
  const nodes = Array.from(
    { length: count },
    (_, i) => `<startEvent id="e${i}" name="An event with a long name ${i}"/>`,
  );
  const flows = Array.from(
    { length: count - 1 },
    (_, i) => `<sequenceFlow id="f${i}" name="flow ${i}" sourceRef="e${i}" targetRef="e${i + 1}"/>`,
  );
  // Closer to each other than their names are wide.
  const at = (i: number): [number, number] => [(i % 6) * 70, Math.floor(i / 6) * 60];
  const shapes = nodes.map((_, i) => shape(`e${i}`, [...at(i), 36, 36]));
  const edges = flows.map((_, i) =>
    edge(`f${i}`, [
      [at(i)[0] + 18, at(i)[1] + 18],
      [at(i + 1)[0] + 18, at(i + 1)[1] + 18],
    ]),
  );
  const { tree } = drawn(processFile([...nodes, ...flows].join(''), [...shapes, ...edges].join('')));
  const labels = labelBoxes(tree);
  t.equal(labels.length, count * 2 - 1);
  t.strictSame(overlaps(labels), []);
  for (const { id, box } of labels) t.ok(isWithin(box, canvasOf(tree)), `${id} is inside of the picture`);
});

t.test('a single label is below its event, and beside its line', async (t) => {
  const content =
    '<startEvent id="a" name="Begin"/><task id="b"/><sequenceFlow id="f" name="go" sourceRef="a" targetRef="b"/>';
  const { tree } = drawn(
    processFile(
      content,
      shape('a', [0, 0, 36, 36]) +
        shape('b', [150, -22, 100, 80]) +
        edge('f', [
          [36, 18],
          [150, 18],
        ]),
    ),
  );
  const [begin, go] = labelBoxes(tree);
  t.ok(begin!.box.y >= 36 && begin!.box.y < 44 && Math.abs(begin!.box.x + begin!.box.width / 2 - 18) < 1);
  t.ok(go!.box.y + go!.box.height <= 18 && go!.box.x > 36 && go!.box.x < 150, 'above the middle of the line');
});

t.test('labels stay at the places of the file, within their boxes if those are close together', async (t) => {
  const names = ['Approve the request of the customer', 'Reject the request of the customer'];
  const content = names.map((name, i) => `<startEvent id="e${i}" name="${name}"/>`).join('');
  const labelled = (width: number) =>
    drawn(
      processFile(
        content,
        names.map((_, i) => shape(`e${i}`, [i * 62, 0, 36, 36], '', bounds(i * 62 - 12, 50, width, 30))).join(''),
      ),
    );
  for (const width of [60, 30, 4]) {
    const labels = labelBoxes(labelled(width).tree);
    t.strictSame(overlaps(labels), [], `boxes of ${width}`);
    for (const { box } of labels) t.ok(box.y >= 49 && box.y < 60, 'at the height of the file');
  }
});

t.test('a label that needs more space than in the file takes it only where it is free', async (t) => {
  const content = Array.from(
    { length: 3 },
    (_, i) => `<startEvent id="e${i}" name="Approve the request of the customer"/>`,
  ).join('');
  const stacked = (step: number) =>
    drawn(
      processFile(
        content,
        Array.from({ length: 3 }, (_, i) =>
          shape(`e${i}`, [0, i * step, 36, 36], '', bounds(50, i * step, 60, 18)),
        ).join(''),
      ),
    ).tree;
  const [close, apart] = [stacked(22), stacked(100)];
  t.strictSame(overlaps(labelBoxes(close)), []);
  t.ok(textsIn(close).some((text) => text.endsWith('…')));
  t.notOk(textsIn(apart).some((text) => text.endsWith('…')));
  for (const { box } of labelBoxes(apart)) t.ok(box.height > 18, 'lower than its text');
});

t.test('a wide label is wrapped rather than drawn over another shape', async (t) => {
  const content = '<startEvent id="e" name="A name that is wide"/><task id="a"/>';
  const task: [number, number, number, number] = [62, 20, 100, 80];
  const { tree } = drawn(
    processFile(content, shape('e', [0, 0, 36, 36], '', bounds(-45, 42, 126, 14)) + shape('a', task)),
  );
  const [label] = labelBoxes(tree);
  t.notOk(isOverlapping(label!.box, { x: task[0], y: task[1], width: task[2], height: task[3] }));
});

t.test('boxes of labels that are no boxes are not used', async (t) => {
  for (const box of [
    bounds(0, 0, 0, 0),
    bounds(-1, -1, -1, -1),
    bounds('NaN', 0, 10, 10),
    bounds(1e12, 0, 50, 10),
    '',
  ]) {
    const { tree } = drawn(processFile('<startEvent id="e" name="Name"/>', shape('e', [500, 500, 36, 36], '', box)));
    const [label] = labelBoxes(tree);
    t.ok(label!.box.y > 536 && label!.box.y < 545 && label!.box.x > 480, box);
  }
});

t.test(
  'names of activities are inside of their shapes, beside symbols, markers and events on the border',
  async (t) => {
    const names = [
      'Check',
      'Check the creditworthiness of the customer',
      'Check the terms of the contract with the customer again',
      'Donaudampfschifffahrtsgesellschaft',
      'word '.repeat(300),
      '一'.repeat(80),
      'a\nb\nc',
    ];
    for (const name of names) {
      const content = `<userTask id="e" name="${name.replaceAll('\n', '&#10;')}"><standardLoopCharacteristics/></userTask><boundaryEvent id="b" attachedToRef="e"/>`;
      const { tree } = drawn(processFile(content, shape('e', [0, 0, 100, 80]) + shape('b', [72, 62, 36, 36])));
      const one = groupOf(tree, 'e')!;
      const boxes = all(one)
        .filter(({ name: tag }) => tag === 'text')
        .map(textBox);
      t.ok(boxes.length > 0);
      for (const box of boxes)
        t.ok(isWithin(box, { x: 0, y: 0, width: 100, height: 80 }), `${name.slice(0, 20)} is inside`);
      const taken = [
        { x: 5, y: 5, width: 17, height: 17 },
        { x: 43, y: 63, width: 14, height: 14 },
        { x: 72, y: 62, width: 28, height: 18 },
      ];
      if (name.startsWith('Check'))
        for (const box of boxes)
          t.notOk(
            taken.some((other) => isOverlapping(box, other)),
            `${name} is beside the symbols`,
          );
      const isCut = textsIn(one).some((text) => text.endsWith('…'));
      t.equal(isCut, name.startsWith('word') || name.startsWith('一'.repeat(40)), `${name.slice(0, 20)} is cut`);
    }
  },
);

t.test('a name makes room for the marker below it', async (t) => {
  const content = '<task id="e" name="Check the whole contract again"><standardLoopCharacteristics/></task>';
  const { tree } = drawn(processFile(content, shape('e', [0, 0, 100, 60])));
  const lines = all(groupOf(tree, 'e')!)
    .filter(({ name }) => name === 'text')
    .map(textBox);
  t.ok(lines.length >= 2);
  for (const line of lines) t.notOk(isOverlapping(line, { x: 43, y: 43, width: 14, height: 14 }));
});

t.test('lines end at the outlines of their shapes', async (t) => {
  const content = '<startEvent id="a"/><exclusiveGateway id="b"/><sequenceFlow id="f" sourceRef="a" targetRef="b"/>';
  const path = (points: [number, number][]) => {
    const { tree } = drawn(
      processFile(content, shape('a', [0, 0, 40, 40]) + shape('b', [200, 0, 40, 40]) + edge('f', points)),
    );
    const [line, arrow] = all(groupOf(tree, 'f')!)
      .filter(({ name }) => name === 'path')
      .map(({ attributes }) => attributes['d']!);
    return [
      /^M([\d.]+) ([\d.]+)/.exec(line!)!.slice(1).map(Number),
      /^M([\d.]+) ([\d.]+)/.exec(arrow!)!.slice(1).map(Number),
    ];
  };
  t.strictSame(
    path([
      [40, 20],
      [200, 20],
    ]),
    [
      [40, 20],
      [200, 20],
    ],
  );
  t.strictSame(
    path([
      [20, 20],
      [220, 20],
    ]),
    [
      [40, 20],
      [200, 20],
    ],
    'from the middle to the middle',
  );
  const [from, to] = path([
    [20, 20],
    [220, 40],
  ]);
  t.ok(Math.abs(Math.hypot(from![0]! - 20, from![1]! - 20) - 20) < 0.1, 'on the circle');
  t.ok(Math.abs(Math.abs(to![0]! - 220) + Math.abs(to![1]! - 20) - 20) < 0.1, 'on the diamond');
  t.strictSame(
    path([]),
    [
      [40, 20],
      [200, 20],
    ],
    'a line without points joins its shapes',
  );
});

t.test('texts of the file cannot be markup', async (t) => {
  const evil = "&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp; &quot;' onload=&quot;x&#x202e;&#x7f;";
  const content = `<task id="e" name="${evil}"><documentation>${evil}</documentation></task><startEvent id="s" name="${evil}"/>
    <textAnnotation id="n"><text>${evil}</text></textAnnotation>`;
  const items = shape('e', [0, 0, 300, 80]) + shape('s', [400, 0, 36, 36]) + shape('n', [0, 200, 200, 80]);
  const xml = file(`<process id="p">${content}</process>${diagram(items).replace('name="D"', `name="${evil}"`)}`);
  const links = {
    e: { href: '/cards/1?a=1&b="2"', label: '</a><script>' },
    s: { href: 'javascript:alert(1)', label: 'x' },
  };
  const { svg, tree } = drawn(xml, { links, title: '</title><script>alert(2)</script>' });
  t.notMatch(svg, /<script|onload="|&amp;amp;amp;|\u202e|\u007f/);
  t.strictSame(
    [...new Set(all(tree).map(({ name }) => name))].filter(
      (name) => !['svg', 'title', 'desc', 'g', 'a', 'rect', 'path', 'circle', 'text'].includes(name),
    ),
    [],
  );
  const anchors = all(tree).filter(({ name }) => name === 'a');
  t.strictSame(
    anchors.map(({ attributes }) => attributes['href']),
    ['/cards/1?a=1&b="2"'],
  );
});

t.test('links lead to addresses of this platform or of the web, and are signed', async (t) => {
  const href = (address: string) => {
    const { tree } = drawn(processFile('<task id="e" name="E"/>', shape('e', [0, 0, 100, 80])), {
      links: { e: { href: address, label: 'ERP' } },
    });
    const anchor = all(tree).find(({ name }) => name === 'a');
    t.equal(textsIn(groupOf(tree, 'e')).includes('↗'), anchor !== undefined);
    return anchor?.attributes['href'];
  };
  for (const good of ['/x', 'https://a.example/b', 'HTTP://a.example']) t.equal(href(good), good);
  for (const bad of [
    '//evil.example',
    '/\\evil.example',
    'javascript:x',
    'data:text/html,x',
    'java\nscript:x',
    '',
    'x',
    'https://',
  ])
    t.equal(href(bad), undefined, bad);
});

t.test('differences have a frame, a sign and an entry of the legend, and removed elements are drawn', async (t) => {
  const flow = '<sequenceFlow id="f" sourceRef="a" targetRef="b"/>';
  const items =
    shape('a', [0, 0, 100, 80]) +
    shape('b', [200, 0, 100, 80]) +
    edge('f', [
      [100, 40],
      [200, 40],
    ]);
  const after = processFile(`<task id="a" name="A"/><task id="b" name="B"/>${flow}`, items);
  const before = definitionsOf(
    processFile(
      '<task id="gone" name="Gone"/><task id="a"/><task id="__proto__"/>',
      shape('gone', [0, 200, 100, 80]) + shape('a', [0, 0, 100, 80]),
    ),
  );
  const { tree, svg } = drawn(after, {
    before,
    marks: { a: ['moved', 'renamed'], b: 'added', f: 'rewired', gone: 'removed', elsewhere: 'added' },
  });
  const marked = (id: string) => all(groupOf(tree, id)!).flatMap(({ attributes }) => attributes['data-mark'] ?? []);
  t.strictSame(['a', 'b', 'f'].map(marked), [['renamed'], ['added'], ['rewired']]);
  const signs = all(tree).flatMap(({ attributes }) => attributes['data-sign'] ?? []);
  t.strictSame(
    signs.sort(),
    ['added', 'added', 'moved', 'moved', 'removed', 'removed', 'renamed', 'renamed', 'rewired', 'rewired'],
    'each also in the legend',
  );
  t.strictSame(all(tree).filter(({ attributes }) => attributes['data-removed'] === 'gone').length, 1);
  t.match(svg, />added: 1</);
  t.notMatch(svg, /changed:/);
  t.strictSame(symbolsIn(tree).filter((name) => name === 'arrow').length, 1);
  const legend = all(tree).find(({ attributes }) => attributes['data-legend'])!;
  for (const one of all(legend).filter(({ name }) => name === 'text')) t.ok(isWithin(textBox(one), canvasOf(tree)));
  const plain = drawn(after, { before, marks: { ['__proto__']: 'added' } as never });
  t.notOk(all(plain.tree).some(({ attributes }) => attributes['data-mark'] ?? attributes['data-legend']));
});

t.test('ids that are names of properties of objects are ids like others', async (t) => {
  const ids = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];
  const content = ids.map((id) => `<task id="${id}" name="${id}"/>`).join('');
  const items = ids.map((id, i) => shape(id, [i * 150, 0, 100, 80])).join('');
  const { tree } = drawn(processFile(content, items), { marks: {}, links: {} });
  t.strictSame(
    all(tree).flatMap(({ attributes }) => attributes['data-element'] ?? []),
    ids,
  );
  t.notOk(all(tree).some(({ name, attributes }) => name === 'a' || attributes['data-mark'] !== undefined));
});

t.test('shapes without a size have the usual one', async (t) => {
  for (const [tag, width, height] of [
    ['task', '100', '80'],
    ['dataObjectReference', '36', '50'],
  ] as const)
    for (const box of [bounds(10, 20, 0, 0), bounds(10, 20, 'NaN', 'NaN'), '<dc:Bounds x="10" y="20"/>']) {
      const xml = processFile(`<${tag} id="e"/>`, shape('e', [0, 0, 1, 1]).replace(/<dc:Bounds[^>]*>/, box));
      const { svg, tree } = drawn(xml);
      const canvas = canvasOf(tree);
      t.ok(canvas.x < 10 && canvas.y < 20 && canvas.width > Number(width) && canvas.height > Number(height), box);
      if (tag === 'task') t.match(svg, `width="${width}" height="${height}"`);
    }
});

t.test('absurd coordinates give a bounded picture that says what it does not show', async (t) => {
  const content = '<task id="a" name="A"/><task id="b" name="B"/><sequenceFlow id="f" sourceRef="a" targetRef="b"/>';
  const flow = edge('f', [
    [100, 40],
    [200, 40],
  ]);
  const reason = (box: string, points = flow) => {
    const xml = processFile(
      content,
      `${shape('a', [0, 0, 100, 80])}${shape('b', [0, 0, 1, 1]).replace(/<dc:Bounds[^>]*>/, box)}${points}`,
    );
    const { notDrawn, width, height, svg } = drawn(xml);
    t.ok(width >= 1 && width <= 16_384 && height >= 1 && height <= 16_384 && svg.length < 20_000, box);
    t.notMatch(svg, /NaN|Infinity|[0-9]e[+-]?[0-9]/);
    return notDrawn.map(({ id, reason: why }) => `${id} ${why}`).join();
  };
  t.equal(reason(bounds(200, 0, 100, 80)), '');
  t.equal(reason(bounds(300, 80, -100, -80)), '', 'a negative size');
  t.equal(reason(bounds(200, 0, 0, 0)), '', 'no size');
  t.equal(reason(bounds(200, 0, 1e5, 1e5)), '');
  for (const far of [bounds(1e9, 0, 100, 80), bounds(0, -1e300, 100, 80), bounds(0, 0, 1e9, 80)])
    t.equal(reason(far), 'b out_of_bounds');
  for (const none of [
    '',
    bounds('NaN', 0, 100, 80),
    bounds('Infinity', 0, 100, 80),
    bounds('', '', '', ''),
    bounds('x', 'y', 1, 1),
  ])
    t.equal(reason(none), 'b invalid');
  t.equal(
    reason(
      bounds(200, 0, 100, 80),
      edge('f', [
        [1e9, 0],
        [0, 0],
      ]),
    ),
    'f out_of_bounds',
  );
  t.equal(
    reason(
      bounds(200, 0, 100, 80),
      edge('f', [
        ['NaN', 0],
        [0, 'x'],
      ]),
    ),
    '',
    'no points: a straight line',
  );
  t.equal(reason('', edge('f', [['NaN', 0]])), 'b invalid,f invalid');
});

t.test('themes, width and image', async (t) => {
  const definitions = definitionsOf(processFile('<task id="e" name="Name"/>', shape('e', [0, 0, 100, 80])));
  const [light, dark] = [drawBpmn(definitions)!, drawBpmn(definitions, { theme: 'dark' })!];
  t.not(light.svg, dark.svg);
  const wide = drawBpmn(definitions, { width: 1_000 })!;
  t.strictSame(
    [wide.width, Math.round((wide.height / wide.width) * 100)],
    [1_000, Math.round((light.height / light.width) * 100)],
  );
  t.equal(/viewBox="([^"]*)"/.exec(wide.svg)![1], /viewBox="([^"]*)"/.exec(light.svg)![1]);
  t.equal(drawBpmn(definitions, { width: 1e9 })!.width, 16_384);
  t.equal(drawBpmn(definitions, { width: -5 })!.width, 16);
  const png = Buffer.from(pngOfDrawing(light, 2));
  t.equal(png.toString('latin1', 1, 4), 'PNG');
  t.strictSame([png.readUInt32BE(16), png.readUInt32BE(20)], [light.width * 2, light.height * 2]);
  t.notMatch(drawBpmn(definitionsOf(file('<process id="p"/>')))!.svg, /data-element/, 'an empty picture');
  t.equal(drawBpmn(definitions)!.svg, light.svg, 'the same picture each time');
});

t.test('a label far from what it names is placed beside it', async (t) => {
  const content =
    '<startEvent id="a" name="Begin"/><task id="b"/><sequenceFlow id="f" name="go" sourceRef="a" targetRef="b"/>';
  const picture = (label: string, ofEdge = '') =>
    drawn(
      processFile(
        content,
        shape('a', [0, 40, 36, 36], '', label) +
          shape('b', [200, 18, 100, 80]) +
          edge(
            'f',
            [
              [36, 58],
              [200, 58],
            ],
            '',
            ofEdge,
          ),
      ),
    );
  const usual = picture('', '');
  const boxes = labelBoxes(usual.tree);
  for (const [what, label, ofEdge] of [
    ['an event', bounds(40_000, -30_000, 60, 14), ''],
    ['an event, beside the picture', bounds(18, 900, 60, 14), ''],
    ['a flow', '', bounds(-5_000, 58, 20, 14)],
    ['an event, in a box that is far too wide', bounds(0, 80, 100_000, 14), ''],
    ['a flow, in a box that is far too high', '', bounds(100, -100_000, 20, 200_000)],
  ] as const) {
    const { tree, width, height } = picture(label, ofEdge);
    t.strictSame([width, height], [usual.width, usual.height], what);
    t.strictSame(labelBoxes(tree), boxes, what);
  }
  const moved = picture(bounds(-12, 140, 60, 14));
  t.equal(labelBoxes(moved.tree).find(({ id }) => id === 'a')!.box.y > 130, true, 'a label that was moved stays there');
});

t.test(
  'of several diagrams that of the collaboration is shown, otherwise the first one that is not empty',
  async (t) => {
    const roots = `<collaboration id="c"><participant id="pool" processRef="p"/><participant id="other" processRef="q"/></collaboration>
    <process id="p"><task id="a"/></process><process id="q"><task id="b"/></process>`;
    const of = (id: string): string => shape(id, [40, 20, 100, 80]);
    const [p, q, c] = [
      diagram(of('a'), 'p', 'P'),
      diagram(of('b'), 'q', 'Q'),
      diagram(shape('pool', [0, 0, 300, 150]) + of('a'), 'c', 'C'),
    ];
    const isShown = (...diagrams: string[]): string[] => {
      const { tree } = drawn(file(roots + diagrams.join('')));
      return ['pool', 'a', 'b'].filter((id) => groupOf(tree, id) !== undefined);
    };
    t.strictSame(isShown(p, c), ['pool', 'a']);
    t.strictSame(isShown(p, q, c), ['pool', 'a'], 'the last one');
    t.strictSame(isShown(q, diagram('', 'c', 'C')), ['b'], 'an empty one is not shown');
    t.strictSame(isShown(diagram('', 'p', 'P'), q), ['b']);
    t.ok(groupOf(drawn(file(roots + p + c), { diagram: 0 }).tree, 'a'), 'the index is that of the file');
    t.notOk(groupOf(drawn(file(roots + p + c), { diagram: 0 }).tree, 'pool'));
  },
);
