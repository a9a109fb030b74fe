import type { CardRule, RuleRelation } from '@lintel/sdk';
import { PROCESS_TYPE } from '../basics.js';
import type { BpmServices } from '../services.js';
import { IMPLIED } from './implied-repository.js';

/** The type of the card that is linked with an element, of a relation with a process. */
const linkedType = ({ source, target }: RuleRelation): string =>
  source.type === PROCESS_TYPE ? target.type : source.type;

/**
 * Refuses that relations are deleted which the module has made and which links of published flows imply: the flow would say otherwise, and its
 * next publication would make them again. A deletion by the module itself comes after the links are gone.
 */
export const impliedRelations: CardRule<BpmServices> = {
  key: 'implied_relations',
  on: ['delete'],
  relations: async ({ host }, { changes, query }) => {
    const types: Readonly<Record<string, string>> = host.settings().relation_types;
    // Without a statement for relations that no link implies now, such as those that were made under former settings.
    const touched = changes.filter(({ before }) => types[linkedType(before!)] === before!.type);
    if (touched.length === 0) return [];
    const ids = touched.map(({ before }) => before!.id);
    const implied = new Set((await query<{ relation_id: string }>(IMPLIED, [ids])).map((row) => row.relation_id));
    const reason = 'follows from the published flow of the process: remove the links of its elements instead';
    return touched.flatMap((change) =>
      implied.has(change.before!.id!) ? [{ change, errors: [{ field: '', reason }] }] : [],
    );
  },
};
