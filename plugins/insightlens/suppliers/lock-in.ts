import type { InventoryOption } from '@lintel/sdk';
import type { Dependant } from './repository.js';
import type { SupplierView } from './schemas.js';

/**
 * The lock-in by the cards that depend on a supplier: 100 · Σ w·(1 − r) / Σ w. w is the criticality of a card: the number of options for the
 * first one, 1 for the last one and for cards without a value. r is the share of its capabilities that others support too.
 * @param options of the criticality, from the most critical one
 */
export function lockInOf(
  dependants: readonly Dependant[],
  options: readonly InventoryOption[],
): { lock_in: SupplierView['lock_in']; shown: Dependant[] } {
  const place = ({ criticality }: Dependant): number => {
    const at = options.findIndex(({ key }) => key === criticality);
    return at < 0 ? options.length : at;
  };
  const weight = (card: Dependant): number => Math.max(1, options.length - place(card));
  const total = dependants.reduce((sum, card) => sum + weight(card), 0);
  const bound = dependants.reduce((sum, card) => sum + weight(card) * (1 - card.replaceable), 0);
  const groups = [...options.map(({ key, label }) => ({ key, label })), { key: null, label: null }].map((option, i) => {
    const own = dependants.filter((card) => place(card) === i);
    return { ...option, count: own.length, irreplaceable: own.filter(({ replaceable }) => replaceable === 0).length };
  });
  return {
    lock_in: {
      score: total === 0 ? null : Math.round((1_000 * bound) / total) / 10,
      by_criticality: groups.filter(({ count }) => count > 0),
    },
    shown: dependants
      .map((card) => ({ ...card, replaceable: Math.round(card.replaceable * 1e4) / 1e4 }))
      .sort((x, y) => place(x) - place(y) || (y.cost ?? 0) - (x.cost ?? 0) || (x.id < y.id ? -1 : 1)),
  };
}
