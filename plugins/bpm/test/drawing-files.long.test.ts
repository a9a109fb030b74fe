/** All diagrams of the real files are drawn completely, also without their interchange. Runs in a process of its own: it measures processor time. */
import t from 'tap';
import { dataAbsent } from '../../../test/support/app.js';
import { drawBpmn, drawFile, layOut, type BpmnNode } from '../drawing/index.js';
import { boundsOfLabel, drawnItems } from './drawing-files.js';
import {
  all,
  canvasOf,
  definitionsOf,
  isOverlapping,
  isWithin,
  labelBoxes,
  processFile,
  shape,
  textBox,
  treeOf,
} from './drawing-support.js';
import { elementsOf, isA } from '../drawing/moddle.js';
import { flowNodes, placesOf, problemsOf } from './layout-checks.js';
import { largeBpmn } from './large-file.js';
import { expectedCounts, realFile, realFiles } from './samples.js';

t.test(
  'each shape and edge of each diagram is drawn, with its label inside of the picture',
  { skip: dataAbsent },
  async (t) => {
    const expected = expectedCounts();
    for (const name of realFiles()) {
      const definitions = definitionsOf(realFile(name));
      let found = 0;
      for (const [i, diagram] of elementsOf(definitions, 'diagrams').entries()) {
        const items = drawnItems(diagram);
        const { svg, notDrawn } = drawBpmn(definitions, { diagram: i })!;
        const tree = treeOf(svg);
        const ids = all(tree).flatMap(({ attributes }) => attributes['data-element'] ?? []);
        found += items.length;
        t.equal(ids.length + notDrawn.length, items.length, `${name} ${i}: all shapes and edges`);
        t.strictSame(
          notDrawn.filter(({ reason }) => reason !== 'hidden'),
          [],
          `${name} ${i}: only collapsed content is left out`,
        );
        const canvas = canvasOf(tree);
        for (const text of all(tree).filter((one) => one.name === 'text'))
          if (!isWithin(textBox(text), canvas)) t.fail(`${name} ${i}: ${text.text} is inside of the picture`);
        const labels = labelBoxes(tree);
        const stated = new Map(items.map((item) => boundsOfLabel(item)));
        for (const [n, a] of labels.entries())
          for (const b of labels.slice(n + 1)) {
            const [first, second] = [stated.get(a.id), stated.get(b.id)];
            const isStated = first !== undefined && second !== undefined && isOverlapping(first, second);
            if (isOverlapping(a.box, b.box) && !isStated)
              t.fail(`${name} ${i}: the labels of ${a.id} and ${b.id} are apart`);
          }
        t.equal(drawBpmn(definitions, { diagram: i })!.svg, svg, `${name} ${i}: the same picture each time`);
      }
      const counts = expected[Object.keys(expected).find((key) => key.endsWith(name.split('/')[1]!))!]!;
      t.equal(found, counts.shapes + counts.edges, `${name}: as many as the data set counts`);
    }
  },
);

t.test(
  'each file without its interchange is laid out, with all flow nodes apart from each other',
  { skip: dataAbsent },
  async (t) => {
    for (const name of realFiles()) {
      const definitions = definitionsOf(realFile(name));
      definitions.set('diagrams', []);
      const made = await layOut(definitions);
      const roots = elementsOf(definitions, 'rootElements').filter((one) => isA(one, 'bpmn:Process'));
      const nodes: BpmnNode[] = roots.flatMap(flowNodes);
      t.strictSame(problemsOf(placesOf(made!), nodes), [], name);
      const { svg, notDrawn } = (await drawFile(definitions))!;
      const ids = new Set(all(treeOf(svg)).flatMap(({ attributes }) => attributes['data-element'] ?? []));
      t.strictSame(
        nodes.filter(({ id }) => !ids.has(id!)).map(({ id }) => id),
        [],
        `${name}: all are drawn`,
      );
      t.strictSame(notDrawn, [], name);
    }
  },
);

const secondsOf = async (work: () => unknown): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

t.test('large files, and thousands of shapes at one place, take seconds at most', async (t) => {
  const large = definitionsOf(largeBpmn({ nodes: 2_500 }));
  const seconds = await secondsOf(() => drawBpmn(large));
  t.ok(seconds < 3, `5,000 elements: ${seconds.toFixed(2)} s`);
  const bare = definitionsOf(largeBpmn({ nodes: 2_500, diagram: false }));
  const laidOut = await secondsOf(() => drawFile(bare));
  t.ok(laidOut < 6, `5,000 elements without interchange: ${laidOut.toFixed(2)} s`);
  const count = 5_000;
  const events = Array.from({ length: count }, (_, i) => `<startEvent id="e${i}" name="name ${i % 7}"/>`).join('');
  for (const [width, height] of [
    [36, 36],
    [1e5, 1e5],
  ] as const) {
    const shapes = Array.from({ length: count }, (_, i) => shape(`e${i}`, [0, 0, width, height])).join('');
    const heap = definitionsOf(processFile(events, shapes));
    const needed = await secondsOf(() => drawBpmn(heap));
    t.ok(needed < 10, `${count} shapes of ${width} px: ${needed.toFixed(2)} s`);
  }
});
