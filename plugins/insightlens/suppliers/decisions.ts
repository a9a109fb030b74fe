import type { Decision } from './decisions-repository.js';
import type { SeenName } from './repository.js';
import type { SupplierChange } from './schemas.js';

/** What a change decides about the members that the caller sees. */
export interface Plan {
  decisions: Decision[];
  /** Members of the new supplier of a split; empty without one. */
  split: SeenName[];
  errors: { field: string; reason: string }[];
}

/**
 * The decisions of a change: every member that the caller sees stays where it is put. A card is remembered with its key, so that attributes with
 * the same name belong to the same supplier.
 * @param id of the supplier that is changed
 * @param seen its members and those of the suppliers that are merged
 * @param other id for the supplier of a split
 */
export function planOf(
  id: string,
  { split }: Pick<SupplierChange, 'split'>,
  seen: readonly SeenName[],
  other: string,
): Plan {
  const own = seen.filter(({ supplier_id }) => supplier_id === id);
  const errors: Plan['errors'] = [];
  const keys = new Set(split?.keys);
  const cards = new Set(split?.card_ids);
  for (const [i, key] of (split?.keys ?? []).entries())
    if (!own.some((one) => one.key === key))
      errors.push({ field: `/split/keys/${i}`, reason: 'is no key of this supplier' });
  for (const [i, card] of (split?.card_ids ?? []).entries())
    if (!own.some((one) => one.card_id === card))
      errors.push({ field: `/split/card_ids/${i}`, reason: 'is no card of this supplier' });
  const isSplit = (one: SeenName): boolean =>
    one.supplier_id === id && (one.card_id === null ? keys.has(one.key) : cards.has(one.card_id) || keys.has(one.key));
  const parts = seen.filter(isSplit);
  if (split && errors.length === 0 && parts.length === 0)
    errors.push({ field: '/split', reason: 'needs keys or cards of this supplier' });
  if (parts.length > 0 && parts.length === own.length)
    errors.push({ field: '/split', reason: 'must leave a name or a card' });
  const decisions = new Map<string, Decision>();
  const of = (one: SeenName): string => (isSplit(one) ? other : id);
  // Keys of cards first: a decision about the key itself takes their place.
  for (const one of seen)
    if (one.card_id !== null && (!isSplit(one) || keys.has(one.key)))
      decisions.set(`key:${one.key}`, { member: `key:${one.key}`, supplier_id: of(one), card_id: null });
  for (const one of seen) decisions.set(one.member, { member: one.member, supplier_id: of(one), card_id: one.card_id });
  return { decisions: [...decisions.values()], split: parts, errors };
}
