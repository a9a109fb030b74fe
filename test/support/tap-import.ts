import type { ResolveHook } from 'node:module';

const here = (file: string): string => new URL(file, import.meta.url).href;
const WORKER = here('./worker.js');

/** Replaces tap in test files by the test of the file, because tap has one test per process, and the error domains of tap. */
export const resolve: ResolveHook = (specifier, context, next) => {
  if (specifier === 'tap' && context.parentURL !== WORKER) return { url: here('./file-test.js'), shortCircuit: true };
  if (specifier === 'async-hook-domain') return { url: here('./error-domain.js'), shortCircuit: true };
  return next(specifier, context);
};
