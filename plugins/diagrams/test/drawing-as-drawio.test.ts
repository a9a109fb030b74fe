/** What was found to differ from the drawings of draw.io itself. */
import t from 'tap';
import { cell, draw } from './drawn.js';
import { shape } from './hostile-drawings.js';
import { textsOf } from './svg-texts.js';

const baselines = (html: string): Map<string, number> =>
  new Map(textsOf(draw(shape(html, 'html=1;whiteSpace=wrap;verticalAlign=top;')).svg).map(({ text, y }) => [text, y]));

t.test('the opacity of a shape is not that of its label', (t) => {
  t.notMatch(draw(cell('a', 'opacity=20;', 0, 0)).svg, /<g opacity/);
  t.match(draw(cell('a', 'textOpacity=20;', 0, 0)).svg, /<g opacity="0.2"/);
  const glass = (style: string) => draw(cell('a', `glass=1;${style}`, 0, 0)).svg;
  t.match(glass('opacity=20;'), /fill-opacity="0.09"/, 'but it is that of its reflection');
  t.end();
});

t.test('labels at the top and bottom have more space', (t) => {
  const y = (style: string) => textsOf(draw(cell('a', style, 0, 0)).svg)[0]!.y;
  const [top, middle, bottom] = ['top', 'middle', 'bottom'].map((place) => y(`html=1;verticalAlign=${place};`));
  // Spacing of 2 on both sides, 5 more at the top and 1 more at the bottom, around lines of 1.2 × 12 px in 40 px.
  t.equal(Math.round(middle! - top!), Math.round((40 - 14.4) / 2 - 7));
  t.equal(Math.round(bottom! - middle!), Math.round((40 - 14.4) / 2 - 3));
  t.end();
});

t.test('a colour is that of the swimlane or shape around', (t) => {
  const lane = `<mxCell id="l" style="swimlane;fillColor=#a0522d;strokeColor=#123456;" vertex="1" parent="1"><mxGeometry width="200" height="200" as="geometry"/></mxCell>
    <mxCell id="g" style="group" vertex="1" parent="l"><mxGeometry width="100" height="100" as="geometry"/></mxCell>`;
  const inside = (style: string, parent: string) =>
    cell('a', style, 10, 30).replace('parent="1"', `parent="${parent}"`);
  const fills = (style: string, parent = 'g') =>
    [...draw(`${lane}${inside(style, parent)}`).svg.matchAll(/ fill="(#\w+)"/g)].map(([, fill]) => fill);
  t.equal(fills('fillColor=swimlane;').filter((fill) => fill === '#a0522d').length, 2);
  t.equal(fills('fillColor=inherit;', 'l').filter((fill) => fill === '#a0522d').length, 2);
  t.equal(fills('fillColor=#ffffff;').filter((fill) => fill === '#a0522d').length, 1);
  t.match(draw(cell('a', 'fillColor=swimlane;', 0, 0)).svg, /fill="#ffffff"/, 'without a swimlane around');
  t.end();
});

t.test('margins within a label meet those around them', (t) => {
  const [flat, nested] = [
    baselines('<h1>Title</h1><ul><li>Entry</li></ul>'),
    baselines('<h1>Title</h1><div><p></p><div><ul><li>Entry</li></ul></div></div>'),
  ];
  t.ok(flat.has('Title') && flat.has('Entry'));
  t.equal(nested.get('Title'), flat.get('Title'));
  t.equal(nested.get('Entry'), flat.get('Entry'));
  const padded = baselines('<h1>Title</h1><div style="padding:10px"><ul><li>Entry</li></ul></div>');
  t.ok(padded.get('Entry')! > flat.get('Entry')! + 10, 'not those with a space between them');
  t.end();
});

t.test('decisions have corners, and `plus` is a plus sign in a box', (t) => {
  const paths = (style: string) =>
    [...draw(cell('', style, 0, 0, 20, 20)).svg.matchAll(/ d="([^"]*)"/g)].map(([, d]) => d!);
  t.notMatch(paths('shape=mxgraph.flowchart.decision;rounded=1;').join(), /[CQA]/);
  t.strictSame(paths('shape=plus;'), [...paths('shape=rectangle;'), 'M10 5L10 15M5 10L15 10']);
  t.end();
});

t.test('boxes of unknown shapes do not cover each other with black', (t) => {
  const opacity = (fill: string) =>
    Number(
      /fill-opacity="([\d.]+)"/.exec(draw(cell('a', `shape=mxgraph.aws3d.unknown;fillColor=${fill};`, 0, 0)).svg)![1],
    );
  t.ok(opacity('#000000') < 0.1);
  t.equal(opacity('#ff9900'), 0.25);
  t.end();
});
