/** The worker: images, limits, and what happens when a drawing fails. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Picture } from '@lintel/sdk';
import t from 'tap';
import { WorkerQueueError } from '@lintel/sdk/drawing';
import { drawings, type DrawOptions } from '../pictures/index.js';
import { stoppedDrawing } from './endless-picture.js';
import { bars, figures, panels, picture, typeNames } from './picture-samples.js';

const OPTIONS: DrawOptions = { width: 1_200, theme: 'light', lang: 'en' };
const small = picture(figures(2));
const reasonOf = async (drawing: Promise<unknown>): Promise<string> => {
  const error: unknown = await drawing.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  return error instanceof WorkerQueueError ? error.reason : String(error);
};

t.test('images have the size that was asked for, within 12 million pixels', async (t) => {
  const drawer = drawings();
  t.teardown(() => drawer.close());
  const size = async (one: Picture, options: DrawOptions & { scale?: 1 | 2 }): Promise<[number, number]> => {
    const png = await drawer.png(one, options);
    t.strictSame([...png.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    return [png.readUInt32BE(16), png.readUInt32BE(20)];
  };
  const svg = await drawer.svg(small, OPTIONS);
  const height = Number(/ height="(\d+)"/.exec(svg)![1]);
  t.strictSame(await size(small, OPTIONS), [1_200, height]);
  t.strictSame(await size(small, { ...OPTIONS, scale: 2 }), [2_400, 2 * height]);
  const [width, high] = await size(picture(bars(typeNames)), { ...OPTIONS, width: 4_000, scale: 2 });
  t.ok(width * high <= 12_000_000, `${width} × ${high}`);
  // The text of a dark picture is light: its image is not one colour.
  const dark = await drawer.png(picture(panels()), { ...OPTIONS, theme: 'dark' });
  t.ok(dark.length > 50_000, `${dark.length} bytes`);
});

t.test('a drawing that fails does not affect the next one', async (t) => {
  const drawer = drawings();
  t.teardown(() => drawer.close());
  const broken = { ...small, content: { kind: 'figures' } } as unknown as Picture;
  const uncopyable = { ...small, notes: [() => undefined] } as unknown as Picture;
  const [first, second, third, fourth] = [
    drawer.svg(broken, OPTIONS),
    drawer.svg(small, OPTIONS),
    drawer.svg(uncopyable, OPTIONS),
    drawer.png(small, OPTIONS),
  ];
  t.equal(await reasonOf(first), 'failed');
  t.match(await second, /^<svg /);
  t.equal(await reasonOf(third), 'failed');
  t.ok((await fourth).length > 1_000);
  for (const width of [399, 4_001, Number.NaN])
    t.equal(await reasonOf(drawer.svg(small, { ...OPTIONS, width })), 'RangeError: A picture is 400 to 4,000 px wide.');
});

// It computes for as long as the limit. The long test has the limit of ten seconds, and a drawing after it.
t.test('a drawing without end is stopped at the limit', async (t) => {
  const drawer = drawings({ limitMs: 1_000 });
  t.teardown(() => drawer.close());
  const { reason, ms } = await stoppedDrawing(drawer);
  t.equal(reason, 'timeout');
  t.ok(ms >= 990, `${ms.toFixed(0)} ms`);
});

t.test('at most 32 drawings wait; closing rejects them', async (t) => {
  const drawer = drawings();
  const all = Array.from({ length: 34 }, () => reasonOf(drawer.svg(small, OPTIONS)));
  await drawer.close();
  t.strictSame(await Promise.all(all), [...Array.from({ length: 33 }, () => 'closed'), 'busy']);
  t.equal(await reasonOf(drawer.svg(small, OPTIONS)), 'closed');
});

t.test('an idle worker does not keep the process alive', async (t) => {
  const index = new URL('../pictures/index.js', import.meta.url).href;
  const code = `const { drawings } = await import(${JSON.stringify(index)});
    const svg = await drawings().svg(${JSON.stringify(small)}, ${JSON.stringify(OPTIONS)});
    console.log(svg.slice(0, 4));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = setTimeout(() => child.kill('SIGKILL'), 40_000);
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += String(data)));
  const [status, signal] = (await once(child, 'close')) as unknown[];
  clearTimeout(stop);
  t.strictSame([status, signal, output.trim()], [0, null, '<svg']);
});
