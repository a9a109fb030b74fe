import type { Test } from 'tap';

let current: Test;

/** Sets the test that `import t from 'tap'` returns in every file imported from now on. */
export function use(test: Test): void {
  current = test;
}

export { current as default };
