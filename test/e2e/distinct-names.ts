/** The input of the rule for names. */
interface Named {
  type: string;
  external_id: string;
  name: string;
  parent?: { type: string; external_id: string } | null;
}

/** The comparison key of a name: names that differ only in case or in compatible characters are equal. */
const fold = (name: string): string => name.trim().normalize('NFKC').toUpperCase().toLowerCase();

/**
 * Makes names unique among siblings, as the API requires. A unique name is unchanged; every card with a repeated name
 * gets its external id as a suffix, so that the result does not depend on the order of the data.
 * @returns the cards in their order, and how many got a suffix
 */
export function distinctNames<T extends Named>(cards: readonly T[]): { cards: T[]; suffixed: number } {
  const place = ({ type, name, parent }: T): string =>
    JSON.stringify([type, parent?.type, parent?.external_id, fold(name)]);
  const bearers = new Map<string, number>();
  for (const card of cards) bearers.set(place(card), (bearers.get(place(card)) ?? 0) + 1);
  const repeats = (card: T): boolean => bearers.get(place(card))! > 1;
  return {
    cards: cards.map((card) => (repeats(card) ? { ...card, name: `${card.name.trim()} (${card.external_id})` } : card)),
    suffixed: cards.filter(repeats).length,
  };
}
