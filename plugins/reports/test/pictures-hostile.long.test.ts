/** Each kind of picture with long and hostile texts stays readable and safe. */
import t from 'tap';
import { drawings } from '../pictures/index.js';
import { contents, HOSTILE, LONG, options, problemsOf, withTexts, WORD } from './picture-contents.js';
import { picture } from './picture-samples.js';

const drawer = drawings();
t.teardown(() => drawer.close());

for (const [kind, all] of Object.entries(contents))
  t.test(`${kind}: long and hostile texts stay within the picture`, async (t) => {
    const sources = kind === 'graph' ? all.slice(1, 2) : all.slice(0, 2);
    for (const [i, content] of sources.entries())
      for (const [width, texts] of [
        [1_200, [LONG, WORD]],
        [400, [WORD, LONG]],
        [1_200, HOSTILE],
        [400, HOSTILE],
      ] as const)
        t.strictSame(
          await problemsOf(
            drawer,
            withTexts(picture(content), texts),
            options(width, 'dark', { publicUrl: 'https://ea.example' }),
          ),
          [],
          `content ${i}, ${width}`,
        );
  });
