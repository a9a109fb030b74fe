import type { FilePort } from '@lintel/sdk';
import type { HostServices } from '../services.js';
import { systemContext } from '../../foundation/context.js';
import { isUuid } from '../../foundation/ids.js';
import { ModuleUnit } from './unit.js';

/** Expiry of a file during upload, in hours: if the process crashes, the partial file is deleted after this time. */
const ARRIVING_HOURS = 24;

/** Files of one module; other modules' and the core's files are not accessible. */
export function filePort(module: string, { files, transactions }: HostServices): FilePort {
  return {
    async write(ctx, stream, { maxBytes, keepHours }) {
      const { id, size, sha256 } = await files.write(stream, {
        maxBytes,
        createdBy: ctx.actor?.id ?? null,
        keepHours: keepHours ?? ARRIVING_HOURS,
        module,
      });
      if (keepHours === undefined)
        await transactions.run(systemContext(module), (uow) => files.keep([id], uow, module));
      return { id, size, sha256: sha256.toString('hex') };
    },

    async keep(ids, unit) {
      await files.keep(ids.filter(isUuid), ModuleUnit.core(unit), module);
    },

    async *read(id) {
      if (isUuid(id)) yield* files.read(id, module);
    },

    async remove(id, unit) {
      if (isUuid(id)) await files.remove(id, unit && ModuleUnit.core(unit), module);
    },
  };
}
