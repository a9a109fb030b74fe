import type { RunWork } from '../runs/lifecycle.js';
import { compileFields } from '../transforms/index.js';
import type { Reading } from './stage.js';

/** How the records of a mapping are read and compared: by the fields that the service account may see on all cards. */
export async function readingOf({ host, mapping, ctx }: RunWork): Promise<Reading> {
  return await host.inventory.read(ctx, {}, async (inventory) => {
    const kinds = Object.fromEntries(
      mapping.fields.flatMap(({ target }) => {
        const kind = inventory.field(target, [mapping.card_type])?.kind;
        return kind ? [[target, kind] as const] : [];
      }),
    );
    const isSeen = (target: string): boolean =>
      inventory.costs === 'all' || inventory.field(target, [mapping.card_type])?.isCost !== true;
    const seen = mapping.fields.filter(({ target }) => isSeen(target));
    const isComplete = mapping.direction !== 'pull';
    return {
      reader: compileFields({ fields: seen, relations: mapping.relations }, kinds),
      // What the card owns is neither taken nor written by a mapping that only reads.
      fields: isComplete ? seen : seen.filter(({ owner }) => owner === 'cmdb'),
      isComplete,
    };
  });
}
