import type { LoadHook, ResolveHook } from 'node:module';

const here = (file: string): string => new URL(file, import.meta.url).href;
const WORKER = here('./worker.js');
const QUICK_ARGON2 = here('./quick-argon2.js');

const DISCOVER = new URL('../../core/modules/install/discover.js', import.meta.url).href;

/** Lets the modules of test apps be the bundled ones, which users run. */
export const load: LoadHook = async (url, context, next) => {
  const loaded = await next(url, context);
  if (url !== DISCOVER) return loaded;
  const text = String(loaded.source);
  const source = text.replace("'../../../plugins'", "'../../../../service/plugins'");
  if (source === text) throw new Error('the folder of modules is not found in discover.js');
  return { ...loaded, source };
};

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
