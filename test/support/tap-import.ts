import type { ResolveHook } from 'node:module';

/** Gives test files the test of their own in place of tap's, which is one per process. */
export const resolve: ResolveHook = (specifier, context, next) =>
  specifier === 'tap'
    ? { url: new URL('./file-test.js', import.meta.url).href, shortCircuit: true }
    : next(specifier, context);
