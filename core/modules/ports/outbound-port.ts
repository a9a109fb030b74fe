import type { OutboundPort } from '@lintel/sdk';
import type { InstalledModule } from '../installed.js';
import type { HostServices } from '../services.js';

/**
 * Outbound requests of a module: its retries end when it is switched off, or when the job that they belong to ends.
 * @param ofJob returns the signal of the running job, if any; throws where the module is switched off
 */
export function outboundPort(
  module: InstalledModule,
  { outbound }: HostServices,
  ofJob: () => AbortSignal | undefined,
): OutboundPort {
  return {
    request: async (url, request = {}) => {
      if (!request.retries) return await outbound.request(url, request);
      return await withAny([module.off.signal, request.signal, ofJob()], (signal) =>
        outbound.request(url, { ...request, signal }),
      );
    },
  };
}

/** Runs work with a signal that follows several; removes its listeners, because some of the signals live as long as the module. */
export async function withAny<T>(
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const any = new AbortController();
  const stop = (): void => any.abort();
  for (const signal of signals) {
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
  }
  try {
    return await work(any.signal);
  } finally {
    for (const signal of signals) signal?.removeEventListener('abort', stop);
  }
}
