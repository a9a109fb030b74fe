import type { CardDecision, CardRule } from '@lintel/sdk';
import { isDeepStrictEqual } from 'node:util';
import { INITIATIVE_TYPE } from '../basics.js';
import type { PpmServices } from '../services.js';
import { FIELD_KEYS, ORIGIN } from './fields.js';
import { ROLLED_UP } from './repository.js';

interface RolledUp extends Record<string, unknown> {
  card_id: string;
  rolled_up: Record<string, true>;
  has_budget: boolean;
  has_costs: boolean;
}

/** Refuses changes of the fields of an initiative that are computed from its plan. */
export const computedFields: CardRule<PpmServices> = {
  key: 'computed_fields',
  types: [INITIATIVE_TYPE],
  on: ['update'],
  cards: async (_services, { ctx, changes, query }) => {
    if (ctx.origin === ORIGIN) return [];
    const touched = changes.flatMap((change) => {
      const { before, after } = change;
      if (!before || !after) return [];
      const fields = FIELD_KEYS.filter(
        (key) => !isDeepStrictEqual(before.attributes[key] ?? null, after.attributes[key] ?? null),
      );
      return fields.length > 0 ? [{ change, id: before.id, fields }] : [];
    });
    if (touched.length === 0) return [];
    const rows = await query<RolledUp>(ROLLED_UP, [touched.map(({ id }) => id)]);
    const plans = new Map(rows.map((row) => [row.card_id, row]));
    return touched.flatMap(({ change, id, fields }): CardDecision[] => {
      const plan = plans.get(id);
      if (!plan) return [];
      // The first write may still be queued.
      const computed = new Set([
        ...Object.keys(plan.rolled_up),
        ...(plan.has_budget ? ['costBudget'] : []),
        ...(plan.has_costs ? ['costActual'] : []),
      ]);
      const refused = fields.filter((key) => computed.has(key));
      if (refused.length === 0) return [];
      const errors = refused.map((key) => ({ field: `/attributes/${key}`, reason: 'is computed from the plan' }));
      return [{ change, errors }];
    });
  },
};
