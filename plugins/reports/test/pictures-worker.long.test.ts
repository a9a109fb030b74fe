/** The limit of a drawing, with a drawing that takes longer. */
import t from 'tap';
import { drawings } from '../pictures/index.js';
import { stoppedDrawing } from './endless-picture.js';
import { figures, picture } from './picture-samples.js';

t.test('a drawing without end is stopped after ten seconds, and the next one is drawn', async (t) => {
  const drawer = drawings();
  t.teardown(() => drawer.close());
  const stopped = stoppedDrawing(drawer);
  const next = drawer.svg(picture(figures(2)), { width: 1_200, theme: 'light', lang: 'en' });
  const { reason, ms } = await stopped;
  t.equal(reason, 'timeout');
  t.ok(ms >= 9_990 && ms < 20_000, `${ms.toFixed(0)} ms`);
  t.match(await next, /^<svg /);
});
