/** Images have the characters of fonts that the operator adds. */
import { setExtraFonts } from '@lintel/sdk/host';
import { FONT_FILES, pngOf } from '@lintel/sdk/drawing';
import { Resvg } from '@resvg/resvg-js';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { fontsOf } from '../../core/foundation/fonts.js';
import { drawings } from '../../plugins/reports/pictures/index.js';

const MATHEMATICAL = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuMathTeXGyre.ttf');
/** Script capitals, which DejaVu Sans does not have, and the font above has; another one, which neither has. */
const [ADDED, OTHER_ADDED, MISSING] = ['\u{1d49c}', '\u{1d4a9}', '\u{4e2d}'];
const svgOf = (text: string, width = 60): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="40"><text x="5" y="30" font-size="24">${text}</text></svg>`;
const image = (text: string): string => Buffer.from(pngOf(svgOf(text), { width: 60 })).toString('base64');
/** Drawn with the whole files. */
const byWholeFonts = (svg: string, width: number): string =>
  new Resvg(svg, {
    font: { loadSystemFonts: false, fontFiles: [...FONT_FILES], defaultFontFamily: 'DejaVu Sans' },
    fitTo: { mode: 'width', value: width },
  })
    .render()
    .asPng()
    .toString('base64');
const left = (): string[] => readdirSync(tmpdir()).filter((name) => name === `lintel-fonts-${process.pid}`);

const none = t.testdir({ 'read.me': 'no font' });
const folder = t.testdir({});
t.teardown(() => setExtraFonts([]));

t.test('the files of fonts in a folder, and warnings where there are none', async (t) => {
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  t.same(await fontsOf(undefined, warn), []);
  t.same(warnings, []);
  await copyFile(MATHEMATICAL, join(folder, 'math.TTF'));
  await writeFile(join(folder, 'broken.otf'), 'no font');
  await writeFile(join(folder, 'license.txt'), 'text');
  t.same(await fontsOf(folder, warn), [join(folder, 'broken.otf'), join(folder, 'math.TTF')]);
  t.same(warnings, []);
  t.same(await fontsOf(join(none, 'absent'), warn), []);
  await writeFile(join(folder, 'x'), '');
  t.same(await fontsOf(join(folder, 'x'), warn), []);
  t.match(warnings, [/cannot be read \(ENOENT\)/, /cannot be read \(ENOTDIR\)/]);
});

t.test('images are drawn with them, also by threads', async (t) => {
  const latin = image('Latin');
  t.equal(image(ADDED), image(OTHER_ADDED), 'characters without a font are the same box');
  setExtraFonts(await fontsOf(folder, () => undefined));
  t.not(image(ADDED), image(OTHER_ADDED));
  t.not(image(ADDED), image(MISSING));
  t.equal(image('Latin'), latin, 'other characters stay as they are, and a broken file does no harm');

  const drawn = async (text: string): Promise<string> => {
    const to = drawings();
    try {
      const content = { kind: 'figures' as const, figures: [{ label: text, value: '1' }] };
      const options = { width: 400, theme: 'light' as const, lang: 'en', publicUrl: undefined };
      return Buffer.from(await to.png({ title: 'T', description: 'D', content } as never, options)).toString('base64');
    } finally {
      await to.close();
    }
  };
  t.not(await drawn(ADDED), await drawn(OTHER_ADDED));
  setExtraFonts([]);
  t.equal(await drawn(ADDED), await drawn(OTHER_ADDED));
});

t.test('a font of the operator replaces no character of the platform', async (t) => {
  const text = `Latin&#39;s text ${ADDED}`;
  const without = image(text);
  setExtraFonts(await fontsOf(folder, () => undefined));
  t.equal(image(text), without, 'nor beside a character that it adds, which is outside of the image');
  setExtraFonts([]);
});

t.test('a font without outlines, such as one of coloured images, is passed over', async (t) => {
  const outlines = await readFile(MATHEMATICAL);
  const coloured = Buffer.from(outlines);
  // The names of its tables: the glyphs of such fonts are images in other tables.
  for (const [table, other] of [
    ['glyf', 'CBDT'],
    ['loca', 'CBLC'],
  ] as const)
    coloured.write(other, coloured.indexOf(table, 12, 'latin1'), 'latin1');
  const both = t.testdir({ 'a.ttf': coloured, 'b.ttf': outlines });
  for (const text of [ADDED, `${ADDED}e\u0301`]) {
    setExtraFonts([join(both, 'b.ttf')]);
    const expected = image(text);
    setExtraFonts(await fontsOf(both, () => undefined));
    t.equal(image(text), expected, text);
  }
  setExtraFonts([]);
});

t.test('a font with some characters draws them as the whole font does', (t) => {
  const characters = [...'AZaz09&amp;%@ÀÉîñøßŁžΩψЖя€→●'.replace('&amp;', '&'), '\u{1d538}', '\u{4e2d}'];
  for (const weight of [400, 700]) {
    // Each of its own, because kerning is omitted.
    const texts = characters.map(
      (one, i) =>
        `<text x="${i * 30}" y="30" font-size="24" font-weight="${weight}">${one.replace('&', '&amp;')}</text>`,
    );
    const width = characters.length * 30;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="40">${texts.join('')}</svg>`;
    t.equal(Buffer.from(pngOf(svg, { width })).toString('base64'), byWholeFonts(svg, width), `weight ${weight}`);
  }
  t.end();
});

t.test('scripts with joined letters, and marks, are set with the whole font', (t) => {
  for (const text of ['\u0633\u0644\u0627\u0645', 'e\u0301', 'e&#x301;', '&#65;&#x1F600;&#9999999;\u0301'])
    t.equal(
      Buffer.from(pngOf(svgOf(text, 90), { width: 90 })).toString('base64'),
      byWholeFonts(svgOf(text, 90), 90),
      text,
    );
  t.end();
});

/** Bytes that this process has read; undefined where the system does not count them. */
const bytesRead = (): number | undefined =>
  existsSync('/proc/self/io') ? Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))![1]) : undefined;

t.test('glyphs are not read of whole files, as resvg reads the file for each of them', (t) => {
  const texts = Array.from({ length: 100 }, (_, i) => `<text y="${i}">Some text ${i}</text>`).join('');
  const before = bytesRead();
  pngOf(`<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40">${texts}</svg>`, { width: 60 });
  if (before !== undefined) t.ok(bytesRead()! - before < 100e6, `${bytesRead()! - before} bytes`);
  t.end();
});

t.test('an image leaves no files', (t) => {
  t.same(left(), []);
  t.throws(() => pngOf('<svg', { width: 60 }));
  t.same(left(), []);
  t.end();
});
