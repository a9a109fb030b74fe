/** Images have the characters of fonts that the operator adds. */
import { setExtraFonts } from '@lintel/sdk/host';
import { pngOf } from '@lintel/sdk/drawing';
import { copyFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import t from 'tap';
import { fontsOf } from '../../core/foundation/fonts.js';
import { drawings } from '../../plugins/reports/pictures/index.js';

const MATHEMATICAL = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuMathTeXGyre.ttf');
/** Script capitals, which DejaVu Sans does not have, and the font above has; another one, which neither has. */
const [ADDED, OTHER_ADDED, MISSING] = ['\u{1d49c}', '\u{1d4a9}', '\u{4e2d}'];
const image = (text: string): string =>
  Buffer.from(
    pngOf(
      `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><text x="5" y="30" font-size="24">${text}</text></svg>`,
      {
        width: 60,
      },
    ),
  ).toString('base64');

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
