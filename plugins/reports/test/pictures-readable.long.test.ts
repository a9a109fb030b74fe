/** Each kind of picture with the least, realistic and greatest contents is readable, in each theme and width. */
import t from 'tap';
import { drawings } from '../pictures/index.js';
import { contents, EMPTY, options, problemsOf } from './picture-contents.js';
import { picture } from './picture-samples.js';

const drawer = drawings();
t.teardown(() => drawer.close());

for (const [kind, all] of Object.entries(contents))
  t.test(`${kind}: readable with every content, theme and width`, async (t) => {
    const sizes = [
      [1_200, 'light'],
      [400, 'dark'],
      [2_400, 'dark'],
    ] as const;
    for (const [i, content] of all.entries())
      for (const [width, theme] of sizes.slice(0, i < 2 ? 3 : 2))
        t.strictSame(
          await problemsOf(drawer, picture(content), options(width, theme)),
          [],
          `content ${i}, ${width}, ${theme}`,
        );
    t.strictSame(await problemsOf(drawer, picture(EMPTY[kind]!, '', { description: '' }), options(1_200)), [], 'empty');
  });
