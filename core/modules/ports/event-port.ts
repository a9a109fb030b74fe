import type { EventPort, ModuleManifest } from '@lintel/sdk';
import type { Services } from '../../container.js';

/** What the log holds of a module's own subjects; events of others would show what their readers may not see. */
export function eventPort(module: string, declared: ModuleManifest['events'], { events }: Services): EventPort {
  const kinds = new Set(declared?.map(({ kind }) => kind));
  return {
    async history({ kind, id }, { page, page_size, cursor, sort_dir }) {
      if (!kinds.has(kind)) throw new Error(`${module} asks for events of the kind ${kind}, which its manifest does not declare`);
      return await events.list({ subject_kind: kind, subject_id: id, page, page_size, cursor, sort_dir });
    },
  };
}
