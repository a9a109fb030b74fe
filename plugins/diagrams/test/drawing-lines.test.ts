/** Lines of draw.io: heads, routings and ends. */
import t from 'tap';
import { MARKER_NAMES } from '../drawing/markers.js';
import { cell, draw, edge, lineOf } from './drawn.js';
import { ROUTES } from './mxgraph-routes.js';
import { unsafeParts } from './safe-svg.js';
import { textsOf } from './svg-texts.js';

/** A line as the points at which it turns. */
function turnsOf(points: readonly (readonly [number, number])[]): string {
  const distinct = points.filter((point, i) => i === 0 || point.join() !== points[i - 1]!.join());
  const turns = distinct.filter(([x, y], i) => {
    const [before, after] = [distinct[i - 1], distinct[i + 1]];
    return !before || !after || !((before[0] === x && after[0] === x) || (before[1] === y && after[1] === y));
  });
  return turns.map((point) => point.join()).join(' ');
}

t.test('each head of a line differs, filled or not, at both ends', (t) => {
  const two = `${cell('a', 'ellipse', 0, 0)}${cell('b', '', 300, 80)}`;
  const seen = new Map<string, string>();
  for (const name of MARKER_NAMES)
    for (const end of ['start', 'end'])
      for (const fill of ['0', '1']) {
        const style = `startArrow=none;endArrow=none;${end}Arrow=${name};${end}Fill=${fill};${end}Size=12;`;
        const { svg } = draw(`${two}${edge(style)}`);
        t.same(unsafeParts(svg), []);
        seen.set(`${name} ${end} ${fill}`, svg);
      }
  const unfilled =
    /^(open|openThin|dash|cross|baseDash|halfCircle|openAsync|ERone|ERmandOne|ERmany|ERoneToMany|manyOptional)$/;
  const expected = (MARKER_NAMES.length - 1) * 2 + MARKER_NAMES.filter((name) => !unfilled.test(name)).length * 2;
  // `manyOptional` is another name of ERzeroToMany.
  t.equal(new Set(seen.values()).size, expected);
  const plain = draw(`${two}${edge('endArrow=none;')}`).svg;
  t.notOk([...seen.values()].includes(plain), 'none is drawn like a line without head');
  t.end();
});

t.test('lines are routed as in draw.io', (t) => {
  const two = `${cell('a', '', 0, 0)}${cell('b', '', 200, 100)}`;
  const route = (style: string, points?: string, more?: string): string =>
    lineOf(draw(`${two}${edge(`endArrow=none;rounded=0;${style}`, points, more)}`).svg);
  const via = '<Array as="points"><mxPoint x="100" y="200"/></Array>';
  t.equal(route('edgeStyle=none;'), 'M80 40L200 100', 'straight, from outline to outline');
  t.equal(route('edgeStyle=orthogonalEdgeStyle;'), 'M80 20L240 20L240 100');
  t.equal(
    route('edgeStyle=orthogonalEdgeStyle;exitX=1;exitY=0.5;entryX=0;entryY=0.5;'),
    'M80 20L140 20L140 120L200 120',
  );
  t.equal(
    route('edgeStyle=orthogonalEdgeStyle;exitX=0;exitY=0.5;entryX=1;entryY=0.5;'),
    'M0 20L-10 20L-10 70L290 70L290 120L280 120',
  );
  t.equal(route('edgeStyle=elbowEdgeStyle;elbow=horizontal;'), 'M80 20L140 20L140 120L200 120');
  t.equal(route('edgeStyle=elbowEdgeStyle;elbow=vertical;'), 'M40 40L40 70L240 70L240 100');
  t.equal(route('edgeStyle=entityRelationEdgeStyle;'), 'M80 20L110 20L170 120L200 120');
  t.equal(route('edgeStyle=segmentEdgeStyle;', via), 'M40 40L40 200L100 200L100 120L200 120');
  t.equal(route('edgeStyle=none;', via), 'M46.67 40L100 200L205 140', 'through a waypoint');
  t.equal(route('edgeStyle=isometricEdgeStyle;'), 'M74.64 40L226.6 127.74L205.36 140', 'rising and falling by 30°');
  t.match(route('edgeStyle=none;curved=1;', via), /^M[\d. ]+Q100 200 /);
  t.match(route('edgeStyle=orthogonalEdgeStyle;rounded=1;'), /Q240 20/);
  t.match(route('edgeStyle=orthogonalEdgeStyle;', '', 'source="a" target="a"'), /^M80 \d+L100 10L100 30L80/, 'a loop');
  const free = '<mxPoint x="5" y="300" as="sourcePoint"/><mxPoint x="90" y="310" as="targetPoint"/>';
  t.equal(route('edgeStyle=none;', free, ''), 'M5 300L90 310', 'without shapes');
  t.equal(route('edgeStyle=none;', '', ''), '', 'without ends it is not drawn');
  t.end();
});

t.test('right-angled lines turn where those of mxGraph do', (t) => {
  const sides: Record<string, string> = { w: '0 0.5', n: '0.5 0', e: '1 0.5', s: '0.5 1' };
  const ends = (name: string, side: string): string => {
    const [x, y] = sides[side]?.split(' ') ?? [];
    return x === undefined ? '' : `${name}X=${x};${name}Y=${y};`;
  };
  const different = ROUTES.trim()
    .split('\n')
    .flatMap((line) => {
      const [x, y, [exit, entry], points] = [...line.split(' ', 3), line.split(' ').slice(3)] as unknown as [
        string,
        string,
        string,
        string[],
      ];
      const style = `edgeStyle=orthogonalEdgeStyle;jettySize=auto;rounded=0;endArrow=none;${ends('exit', exit!)}${ends('entry', entry!)}`;
      const { svg } = draw(`${cell('a', '', 0, 0)}${cell('b', '', Number(x), Number(y))}${edge(style)}`);
      const drawn = lineOf(svg)
        .slice(1)
        .split('L')
        .map((point) => point.split(' ').map(Number) as [number, number]);
      const expected = turnsOf(points.map((point) => point.split(',').map(Number) as [number, number]));
      return turnsOf(drawn) === expected ? [] : [`${line} | ${turnsOf(drawn)}`];
    });
  t.same(different, []);
  t.end();
});

t.test('lines end at the outlines of their shapes', (t) => {
  const end = (style: string): string =>
    lineOf(
      draw(
        `${cell('a', '', 0, 200, 20, 20)}${cell('b', style, 200, 0, 100, 100)}${edge('endArrow=none;edgeStyle=none;')}`,
      ).svg,
    )
      .split('L')
      .at(-1)!;
  const [rectangle, ellipse, rhombus] = ['', 'ellipse', 'rhombus'].map((style) => end(style).split(' ').map(Number));
  t.same(rectangle, [200, 83.33]);
  t.ok(Math.abs(Math.hypot(ellipse![0]! - 250, ellipse![1]! - 50) - 50) < 0.02);
  t.ok(Math.abs(Math.abs(rhombus![0]! - 250) + Math.abs(rhombus![1]! - 50) - 50) < 0.02);
  for (const name of [
    'hexagonPerimeter2',
    'parallelogramPerimeter',
    'trapezoidPerimeter',
    'stepPerimeter',
    'trianglePerimeter',
    'lifelinePerimeter',
    'calloutPerimeter',
    'centerPerimeter',
  ])
    t.not(end(`perimeter=${name};`), '', name);
  t.end();
});

t.test('the label of a line is at its place', (t) => {
  const two = `${cell('a', '', 0, 0)}${cell('b', '', 200, 0)}`;
  const at = (x: string): number => {
    const label = `<mxCell id="l" value="here" style="edgeLabel;html=1;align=center;verticalAlign=middle;" vertex="1" connectable="0" parent="e"><mxGeometry x="${x}" relative="1" as="geometry"/></mxCell>`;
    const found = textsOf(draw(`${two}${edge('edgeStyle=none;')}${label}`).svg).find(({ text }) => text === 'here')!;
    return Math.round(found.x + found.width / 2);
  };
  t.same(['-1', '0', '0.5'].map(at), [80, 140, 170]);
  t.end();
});

t.test('lines jump over those drawn before them', (t) => {
  const free = (id: string, style: string, [x1, y1, x2, y2]: number[]): string =>
    `<mxCell id="${id}" style="endArrow=none;${style}" edge="1" parent="1"><mxGeometry relative="1" as="geometry"><mxPoint x="${x1}" y="${y1}" as="sourcePoint"/><mxPoint x="${x2}" y="${y2}" as="targetPoint"/></mxGeometry></mxCell>`;
  const crossed = (style: string): string =>
    lineOf(draw(`${free('a', '', [50, 0, 50, 100])}${free('b', style, [0, 50, 100, 50])}`).svg);
  t.equal(crossed(''), 'M0 50L100 50');
  t.equal(crossed('jumpStyle=arc;jumpSize=8;'), 'M0 50L45 50A5 5 0 0 1 55 50L100 50');
  t.equal(crossed('jumpStyle=gap;jumpSize=8;'), 'M0 50L45 50M55 50L100 50');
  t.equal(crossed('jumpStyle=sharp;jumpSize=8;'), 'M0 50L45 50L50 45L55 50L100 50');
  t.equal(crossed('jumpStyle=line;jumpSize=8;'), 'M0 50L45 50M45 55L45 45M55 55L55 45M55 50L100 50');
  t.end();
});
