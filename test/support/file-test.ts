import type { Test } from 'tap';

let current: Test;

/** Makes this test the one that `import t from 'tap'` gives, in every file that is imported from now on. */
export function use(test: Test): void {
  current = test;
}

export { current as default };
