/** Public draw.io files and large ones as pictures, in the thread of the module. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import t from 'tap';
import { WorkerQueue } from '@lintel/sdk/drawing';
import { DATA_DIR, dataAbsent } from '../../../test/support/app.js';
import type { ContentAnswers, ContentOrder, SentRead, ShowOrder, Shown } from '../content/orders.js';
import { readDrawio, textOf } from '../drawio/index.js';
import { fileWith } from './hostile-drawings.js';
import { unsafeParts } from './safe-svg.js';
import { textsOf } from './svg-texts.js';

const folder = join(DATA_DIR, 'drawio');
const names = dataAbsent ? [] : readdirSync(folder).filter((name) => /\.(xml|drawio)$/.test(name));

const script = new URL('../content/worker.js', import.meta.url);
const thread = new WorkerQueue<ContentOrder, ContentAnswers[ContentOrder['kind']]>({ script, limitMs: 60_000 });
t.teardown(() => thread.close());

const save = async (bytes: Uint8Array) =>
  (await thread.run({ kind: 'save', bytes, maxBytes: 10_000_000, publicUrl: undefined })) as ContentAnswers['save'];
const saved = async (bytes: Uint8Array): Promise<SentRead> => {
  const answer = await save(bytes);
  if (!answer.ok) throw new Error(answer.message);
  return answer;
};
const show = async ({ content }: SentRead, output: ShowOrder['output']): Promise<Shown> =>
  (await thread.run({
    kind: 'show',
    stored: { content, shapes: '[]', held: '[]', key: '' },
    states: new Map(),
    publicUrl: undefined,
    output,
  })) as Shown;
const drawn = async (file: SentRead, page: number) => {
  const { bytes, notDrawable } = await show(file, {
    as: 'svg',
    page,
    width: undefined,
    theme: 'light',
    language: 'en',
    title: 'A',
  });
  return { svg: Buffer.from(bytes).toString(), notDrawable };
};

/** Words of a label, without its markup; ideographs are no words. */
const wordsOf = (text: string): string[] => text.match(/[\p{Script=Latin}\d]{3,}/gu) ?? [];

t.test('each page of the public files is drawn with its labels', { skip: dataAbsent }, async (t) => {
  for (const name of names) {
    const content = readFileSync(join(folder, name));
    const file = await saved(content);
    const read = readDrawio(content);
    if (!read.ok) throw new Error(read.message);
    for (const [page, { cells }] of read.file.pages.entries()) {
      const { svg, notDrawable } = await drawn(file, page);
      t.same(unsafeParts(svg), [], name);
      const words = new Set(textsOf(svg).flatMap(({ text }) => wordsOf(text)));
      const expected = cells
        .filter(({ vertex, edge }) => vertex || edge)
        .map((cell) => ({ text: textOf(cell) }))
        .filter(({ text }) => text.length < 200);
      const missing = expected.filter(({ text }) => wordsOf(text).some((word) => !words.has(word)));
      // Placeholders are shown as their values, and labels of lines without ends are not drawn.
      const lost = missing.filter(({ text }) => !text.includes('%')).map(({ text }) => text);
      t.ok(lost.length <= expected.length * 0.05, `${name} ${page}: ${lost.slice(0, 3).join(' | ')}`);
      t.ok(
        notDrawable.every(({ shape }) => /^(mxgraph\.|image$)/.test(shape)),
        name,
      );
    }
  }
});

/** A page with rows of shapes, each connected with the next one. */
function large(count: number): Buffer {
  const shapes = Array.from({ length: count / 2 }, (_, i) => {
    const [x, y] = [(i % 50) * 160, Math.floor(i / 50) * 100];
    const style = `rounded=1;whiteSpace=wrap;html=1;shape=${['rect', 'ellipse', 'cylinder3', 'cube'][i % 4]};`;
    return `<mxCell id="v${i}" value="Application &lt;b&gt;number ${i}&lt;/b&gt;" style="${style}" vertex="1" parent="1"><mxGeometry x="${x}" y="${y}" width="120" height="60" as="geometry"/></mxCell>`;
  });
  const lines = shapes.map(
    (_, i) =>
      `<mxCell id="e${i}" value="uses" style="edgeStyle=orthogonalEdgeStyle;rounded=1;html=1;" edge="1" parent="1" source="v${i}" target="v${(i + 51) % shapes.length}"><mxGeometry relative="1" as="geometry"/></mxCell>`,
  );
  return Buffer.from(fileWith([...shapes, ...lines].join('')));
}

t.test('5,000 cells are drawn while the event loop goes on', async (t) => {
  await drawn(await saved(large(10)), 0);
  const file = await saved(large(5_000));
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  const began = performance.now();
  const { svg, notDrawable } = await drawn(file, 0);
  const took = performance.now() - began;
  delays.disable();
  t.equal(textsOf(svg).filter(({ text }) => text === 'uses').length, 2_500);
  t.same(notDrawable, []);
  t.comment(
    `drawn in ${Math.round(took)} ms; the event loop stood still for at most ${Math.round(delays.max / 1e6)} ms`,
  );
});

t.test('the thread reads, writes and draws', async (t) => {
  const file = await saved(large(10));
  t.match(file, { removed: [], pages: [{ id: 'p', name: 'Page', cells: 10, shapes: 0 }], shapes: [], links: [] });
  const { bytes } = await show(file, { as: 'drawio', compressed: true });
  t.notMatch(Buffer.from(bytes).toString(), /mxCell/);
  t.equal((await saved(bytes)).sha256, file.sha256, 'what it writes is equal to what it has read');
  const image = await show(file, { as: 'png', page: 0, width: 300, theme: 'light', language: 'en', title: 'A' });
  t.equal(Buffer.from(image.bytes).subarray(1, 4).toString(), 'PNG');
  t.match(await save(Buffer.from('<a/>')), { ok: false, reason: 'not_drawio', line: 1 });
});
