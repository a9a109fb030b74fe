import type { ModelPort } from '@lintel/sdk';
import type { InstalledModule } from '../installed.js';
import type { HostServices } from '../services.js';
import { withAny } from './outbound-port.js';

/**
 * The language model for a module: its calls end when it is switched off, or when the job that they belong to ends.
 * @param ofJob returns the signal of the running job, if any; throws where the module is switched off
 */
export function modelPort(
  module: InstalledModule,
  { languageModel }: HostServices,
  ofJob: () => AbortSignal | undefined,
): ModelPort {
  return {
    isConfigured: () => languageModel.isConfigured(),
    ask: (ctx, call) =>
      withAny([module.off.signal, call.signal, ofJob()], (signal) => languageModel.ask(ctx, module.id, call, signal)),
  };
}
