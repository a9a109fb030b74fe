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

  /** Whether enabling the module again may succeed: it is loaded and mounted. */
  get mayPass(): boolean {
    return ['requirement', 'migration', 'activation', 'unstable'].includes(this.code);
  }
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
