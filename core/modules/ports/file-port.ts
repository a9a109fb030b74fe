import type { FilePort } from '@lintel/sdk';
import type { HostServices } from '../services.js';
import { systemContext } from '../../foundation/context.js';
import { isUuid } from '../../foundation/ids.js';
import { ModuleUnit } from './unit.js';

/** So long a file that is to stay for ever may take to arrive; a crash meanwhile leaves nothing for longer. */
const ARRIVING_HOURS = 24;

/** Files of one module; those of others and of the core are not there for it. */
export function filePort(module: string, { files, transactions }: HostServices): FilePort {
  return {
    async write(ctx, stream, { maxBytes, keepHours }) {
      const { id, size, sha256 } = await files.write(stream, {
        maxBytes,
        createdBy: ctx.actor?.id ?? null,
        keepHours: keepHours ?? ARRIVING_HOURS,
        module,
      });
      if (keepHours === undefined) await transactions.run(systemContext(module), (uow) => files.keep(id, uow));
      return { id, size, sha256: sha256.toString('hex') };
    },

    async *read(id) {
      if (isUuid(id)) yield* files.read(id, module);
    },

    async remove(id, unit) {
      if (isUuid(id)) await files.remove(id, unit && ModuleUnit.core(unit), module);
    },
  };
}
