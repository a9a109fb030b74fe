/** Large graphs: every node and edge is drawn, no line crosses a node, and lines of different nets do not lie on each other. */
import type { GraphPicture, Picture } from '@lintel/sdk';
import t from 'tap';
import { nodeSize } from '../pictures/graph-marks.js';
import { layOutTracks } from '../pictures/graph-tracks.js';
import { drawings } from '../pictures/index.js';
import { MAX_BYTES, options } from './picture-contents.js';
import { graph, picture } from './picture-samples.js';
import { readSvg } from './svg.js';

// How long a drawing takes is not what these tests are about: the machine may be busy.
const drawer = drawings({ limitMs: 60_000 });
t.teardown(() => drawer.close());

const SMALL = 'The texts are small: ask for a greater width, or enlarge the picture.';
const sample = (nodes: number, edges: number): GraphPicture => graph(nodes, edges) as GraphPicture;
/** Edges to a node further on, so that each node has a layer of its own. */
const chain: GraphPicture = {
  ...sample(500, 0),
  edges: Array.from({ length: 499 }, (_, i) => ({ from: `id ${i}`, to: `id ${i + 1}` })),
};
/** Edges in any direction, with cycles, loops and several between the same nodes. */
const tangled: GraphPicture = {
  ...sample(90, 0),
  edges: Array.from({ length: 270 }, (_, i) => ({ from: `id ${(i * 37) % 90}`, to: `id ${(i * i * 11) % 90}` })),
};
const many = sample(500, 2_000);

interface Segment {
  x: readonly [number, number];
  y: readonly [number, number];
  net: number | undefined;
}
const sorted = (a: number, b: number): readonly [number, number] => (a < b ? [a, b] : [b, a]);

for (const [name, content] of Object.entries({ chain, tangled, many }))
  t.test(`${name}: lines run between the nodes, from one end to the other`, async (t) => {
    const sized = content.nodes.map(nodeSize);
    const layout = layOutTracks(sized, content.edges, [1_128, 2_700]);
    const boxes = new Map(
      layout.nodes.map(({ node, x, y }) => [node.id, { x: [x, x + node.width], y: [y, y + node.height] } as const]),
    );
    t.equal(boxes.size, content.nodes.length);
    const isOn = (id: string, point: { x: number; y: number } | undefined): boolean => {
      const { x, y } = boxes.get(id)!;
      const isWithin = point !== undefined && point.x >= x[0] && point.x <= x[1] && point.y >= y[0] && point.y <= y[1];
      return isWithin && (y.includes(point.y) || x.includes(point.x));
    };
    const segments: Segment[] = [];
    let lost = 0;
    for (const [i, { from, to }] of content.edges.entries()) {
      const { points, net } = layout.edges[i]!;
      if (!isOn(from, points[0]) || !isOn(to, points.at(-1))) lost += 1;
      for (const [k, { x, y }] of points.slice(1).entries())
        segments.push({ x: sorted(points[k]!.x, x), y: sorted(points[k]!.y, y), net });
    }
    t.equal(lost, 0, 'edges that do not begin and end at their nodes');
    t.equal(segments.filter(({ x, y }) => x[0] < x[1] && y[0] < y[1]).length, 0, 'lines that are not straight');
    const crossing = segments.filter(({ x, y }) =>
      [...boxes.values()].some((box) => x[1] > box.x[0] && x[0] < box.x[1] && y[1] > box.y[0] && y[0] < box.y[1]),
    );
    t.strictSame(crossing.slice(0, 3), [], 'lines that cross a node');
    // Lines on the same coordinate that have more than a point in common.
    const levels = new Map<string, Segment[]>();
    for (const segment of segments) {
      const key = segment.y[0] === segment.y[1] ? `y ${segment.y[0].toFixed(2)}` : `x ${segment.x[0].toFixed(2)}`;
      levels.set(key, [...(levels.get(key) ?? []), segment]);
    }
    const shared = [...levels.values()].flatMap((level) =>
      level.filter((a, i) =>
        level.some((b, k) => {
          const [p, q] = a.y[0] === a.y[1] ? [a.x, b.x] : [a.y, b.y];
          return k > i && a.net !== b.net && p[0] < q[1] - 0.1 && q[0] < p[1] - 0.1;
        }),
      ),
    );
    t.ok(shared.length <= segments.length / 100, `${shared.length} of ${segments.length} lines lie on another one`);
  });

t.test('all of 500 nodes and 2,000 edges are drawn; what is beyond is counted', async (t) => {
  const draw = async (content: Picture['content'], width = 1_200) => {
    const svg = await drawer.svg(picture(content), options(width));
    const texts = new Set(Array.from(svg.matchAll(/<text [^>]*>([^<]*)</g), ([, text]) => text!));
    return { svg, texts, lines: svg.split(' marker-end=').length - 1 };
  };
  const largest = await draw(many);
  t.equal(largest.lines, 2_000);
  t.ok(largest.svg.length < MAX_BYTES, `${largest.svg.length} bytes`);
  const { texts, problems } = readSvg(largest.svg, 3);
  t.strictSame(problems, []);
  t.equal(texts.filter(({ content }) => content === 'Application').length, 126, 'one of four nodes, and the legend');
  t.ok(largest.texts.has(SMALL));
  const height = Number(/ height="([\d.]+)"/.exec(largest.svg)![1]);
  t.ok(height < 3_500, `${height} px`);

  const wide = await draw(many, 4_000);
  t.notOk(wide.texts.has(SMALL), 'a greater width has larger texts');
  const beyond = await draw(sample(520, 2_300));
  t.ok(beyond.texts.has('… and 20 more nodes'));
  t.notOk(
    [...beyond.texts].some((text) => text.endsWith(' more edges')),
    'edges of nodes that are left out',
  );
  const edges = await draw(sample(400, 2_300));
  t.equal(edges.lines, 2_000);
  t.ok(edges.texts.has('… and 300 more edges'));
});

t.test('graphs of up to 60 nodes have no smaller texts than other pictures', async (t) => {
  for (const content of [sample(60, 80), { ...tangled, nodes: tangled.nodes.slice(0, 60) }]) {
    const { problems, texts } = readSvg(await drawer.svg(picture(content), options(1_200)));
    t.strictSame(problems, []);
    t.notOk(texts.some(({ content: text }) => text === SMALL || text.startsWith('… and')));
  }
});
