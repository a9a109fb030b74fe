import t from 'tap';
import { inLanes } from '../../core/inventory/imports/lanes.js';
import { until } from '../support/app.js';

async function* given(parts: readonly number[]): AsyncGenerator<number, void, void> {
  yield* parts;
}

/** Work on parts, each of which ends when the test says so. */
function started(parts: Iterable<number> | AsyncIterable<number>, most?: number) {
  const end = new Map<number, () => void>();
  const begun: number[] = [];
  const working = inLanes(
    parts,
    (part) => {
      begun.push(part);
      return new Promise((resolve) => end.set(part, resolve));
    },
    most,
  );
  return { working, begun, end: (part: number) => end.get(part)!() };
}

t.test('two parts of an import are worked on at the same time, the next one when one of them has ended', async (t) => {
  for (const parts of [[1, 2, 3, 4], given([1, 2, 3, 4])]) {
    const { working, begun, end } = started(parts);
    await until(() => begun.length === 2);
    end(2);
    await until(() => begun.length === 3);
    end(3);
    await until(() => begun.length === 4);
    end(4);
    await new Promise(setImmediate);
    t.strictSame(begun, [1, 2, 3, 4]);
    end(1);
    await working;
  }
});

t.test('after as many parts as may follow each other, the next ones begin when all have ended', async (t) => {
  for (const parts of [[1, 2, 3, 4, 5, 6, 7], given([1, 2, 3, 4, 5, 6, 7])]) {
    const { working, begun, end } = started(parts, 3);
    await until(() => begun.length === 2);
    end(2);
    await until(() => begun.length === 3);
    end(3);
    await new Promise(setImmediate);
    t.strictSame(begun, [1, 2, 3], 'the locks that all hold are free before the fourth part');
    end(1);
    await until(() => begun.length === 5);
    end(4);
    await until(() => begun.length === 6);
    end(5);
    end(6);
    await until(() => begun.length === 7);
    end(7);
    await working;
    t.strictSame(begun, [1, 2, 3, 4, 5, 6, 7]);
  }
});

t.test('no parts are no work', async (t) => {
  await inLanes([], () => Promise.reject(new Error('there is none')));
  await inLanes(given([]), () => Promise.reject(new Error('there is none')), 2);
  t.pass();
});

t.test('after the error of a part no further one is begun, and the other has ended', async (t) => {
  for (const most of [Infinity, 2, 4]) {
    const seen: string[] = [];
    const fail = new Error('the first part');
    let end!: () => void;
    const working = inLanes(
      [1, 2, 3],
      async (part) => {
        seen.push(`begun ${part}`);
        if (part === 1) throw fail;
        await new Promise<void>((resolve) => {
          end = resolve;
        });
        seen.push(`ended ${part}`);
      },
      most,
    );
    const outcome = working.catch((error: unknown) => {
      seen.push('thrown');
      return error;
    });
    await until(() => seen.length === 2);
    end();
    t.equal(await outcome, fail);
    t.strictSame(seen, ['begun 1', 'begun 2', 'ended 2', 'thrown']);
  }
});
