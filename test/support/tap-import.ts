import type { ResolveHook } from 'node:module';

const here = (file: string): string => new URL(file, import.meta.url).href;
const WORKER = here('./worker.js');
const QUICK_ARGON2 = here('./quick-argon2.js');

/**
 * Replaces tap in test files by the test of the file, because tap has one test per process; and the error domains of tap and the
 * hashing of passwords, because they take long.
 */
export const resolve: ResolveHook = (specifier, context, next) => {
  if (specifier === 'tap' && context.parentURL !== WORKER) return { url: here('./file-test.js'), shortCircuit: true };
  if (specifier === 'async-hook-domain') return { url: here('./error-domain.js'), shortCircuit: true };
  if (specifier === '@node-rs/argon2' && context.parentURL !== QUICK_ARGON2)
    return { url: QUICK_ARGON2, shortCircuit: true };
  return next(specifier, context);
};
