import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';

export type FaultCode =
  | 'not_installed'
  | 'broken'
  | 'no_manifest'
  | 'invalid_manifest'
  | 'incompatible'
  | 'requirement'
  | 'migration'
  | 'mount'
  | 'activation'
  | 'unstable';

const MAX_DETAIL = 500;

/** The reason why a module does not run. Other modules and the platform are not affected. */
export class ModuleFault extends Error {
  constructor(
    readonly code: FaultCode,
    detail: string,
    cause?: unknown,
  ) {
    super(detail.slice(0, MAX_DETAIL), { cause });
    this.name = 'ModuleFault';
  }

  /** The reason, and the file and line of the module where the error occurred, if its stack shows it. @param folder of the module */
  describe(folder: string): string {
    const place = placeOf(this.cause, folder);
    return place === undefined ? this.message : `${this.message} (${place})`;
  }

  /** Whether enabling the module again may succeed: it is loaded and mounted. */
  get mayPass(): boolean {
    return ['requirement', 'migration', 'activation', 'unstable'].includes(this.code);
  }
}

/** The first file and line of a folder in the stack of an error or of its causes; the form depends on where the error was thrown. */
function placeOf(error: unknown, folder: string): string | undefined {
  if (folder === '' || !(error instanceof Error)) return undefined;
  for (const root of [`${pathToFileURL(folder).href}/`, `${folder}${sep}`]) {
    const [, rest] = error.stack?.split(root, 2) ?? [];
    const found = rest && /^([^\s:?()]+)(?:\?[^\s:()]*)?:(\d+)/.exec(rest);
    if (found) return `${found[1]}:${found[2]}`;
  }
  return placeOf(error.cause, folder);
}

/** Converts an error to a fault of the module; a fault is returned unchanged. */
export const faultOf = (error: unknown, code: FaultCode): ModuleFault =>
  error instanceof ModuleFault ? error : new ModuleFault(code, reasonOf(error), error);

/** The first line of the error's text, for any thrown value. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n')[0]!.slice(0, MAX_DETAIL) || 'no reason was given';
}

/**
 * Waits for work of a module with a timeout.
 * @param ms timeout in milliseconds
 * @throws what the work throws, or an Error naming the timeout; the work itself is not cancelled
 */
export async function within<T>(ms: number, what: string, work: () => T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([(async () => work())(), late]);
  } finally {
    clearTimeout(timer);
  }
}
