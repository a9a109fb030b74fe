import t from 'tap';
import { inLanes } from '../../core/inventory/imports/lanes.js';
import { until } from '../support/app.js';

async function* given(parts: readonly number[]): AsyncGenerator<number, void, void> {
  yield* parts;
}

t.test('two parts of an import are worked on at the same time, the next ones when both have ended', async (t) => {
  for (const parts of [[1, 2, 3, 4, 5], given([1, 2, 3, 4, 5])]) {
    const end = new Map<number, () => void>();
    const begun: number[] = [];
    const working = inLanes(parts, (part) => {
      begun.push(part);
      return new Promise((resolve) => end.set(part, resolve));
    });
    await until(() => begun.length === 2);
    end.get(2)!();
    await new Promise(setImmediate);
    t.strictSame(begun, [1, 2], 'the lock that both hold is free before the third part');
    end.get(1)!();
    await until(() => begun.length === 4);
    end.get(3)!();
    end.get(4)!();
    await until(() => begun.length === 5);
    end.get(5)!();
    await working;
    t.strictSame(begun, [1, 2, 3, 4, 5]);
  }
});

t.test('after the error of a part no further one is begun, and the other has ended', async (t) => {
  const seen: string[] = [];
  const fail = new Error('the first part');
  let end!: () => void;
  const working = inLanes([1, 2, 3], async (part) => {
    seen.push(`begun ${part}`);
    if (part === 1) throw fail;
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    seen.push(`ended ${part}`);
  });
  const outcome = working.catch((error: unknown) => {
    seen.push('thrown');
    return error;
  });
  await until(() => seen.length === 2);
  end();
  t.equal(await outcome, fail);
  t.strictSame(seen, ['begun 1', 'begun 2', 'ended 2', 'thrown']);
});
