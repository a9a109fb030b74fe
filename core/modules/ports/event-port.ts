import type { EventPort, ModuleManifest } from '@lintel/sdk';
import type { HostServices } from '../services.js';
import { NO_PERMISSIONS } from '../../foundation/context.js';

const ANONYMOUS = { actor: null, permissions: NO_PERMISSIONS };

/** The events of a module's own subjects; events of other subjects could show what their readers may not see. */
export function eventPort(
  module: string,
  declared: ModuleManifest['events'],
  { events, visibility }: HostServices,
): EventPort {
  const kinds = new Set(declared?.map(({ kind }) => kind));
  return {
    async history({ kind, id }, { page, page_size, cursor, sort_dir, total }, ctx) {
      if (!kinds.has(kind))
        throw new Error(`${module} requests events of the kind ${kind}, which its manifest does not declare`);
      const found = await events.list({ subject_kind: kind, subject_id: id, page, page_size, cursor, sort_dir, total });
      return { ...found, items: await visibility.withoutHidden(found.items, ctx ?? ANONYMOUS) };
    },
  };
}
