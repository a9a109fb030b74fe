import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { runWorstBodies } from './worst-run.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const { WORST_ONLY } = process.env;
const began = performance.now();
const { operations, requests, statuses, verdicts, longest, unreached } = await runWorstBodies({
  pluginsDir: join(root, 'test/fixtures/modules/library'),
  mostBytes: 33_554_432,
  each: true,
  only: WORST_ONLY || undefined,
});

t.test('no body an operation takes holds the service up, or fills its memory', async (t) => {
  t.comment(
    `${requests} bodies to ${operations} operations in ${((performance.now() - began) / 1_000).toFixed(0)} s: ${Object.entries(
      statuses,
    )
      .map(([status, n]) => `${status}: ${n}`)
      .join(', ')}; the loop stood still at most ${longest}`,
  );
  for (const { operation, shape, place, faults } of verdicts)
    t.fail(`${operation}: ${shape} in ${place}: ${faults.join('; ')}`);
  t.equal(verdicts.length, 0);
  t.strictSame(unreached, [], 'every operation gets to see its bodies');
  if (!WORST_ONLY) t.ok(operations >= 70, `${operations} operations take a body`);
});
