import type { ResolveHook } from 'node:module';

const here = (file: string): string => new URL(file, import.meta.url).href;
const WORKER = here('./worker.js');

/** Gives test files the test of their own in place of tap's, which is one per process, and tap other error domains. */
export const resolve: ResolveHook = (specifier, context, next) => {
  if (specifier === 'tap' && context.parentURL !== WORKER) return { url: here('./file-test.js'), shortCircuit: true };
  if (specifier === 'async-hook-domain') return { url: here('./error-domain.js'), shortCircuit: true };
  return next(specifier, context);
};
