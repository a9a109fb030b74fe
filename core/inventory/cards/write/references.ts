import type { FieldSet } from '../../metamodel/index.js';

/** Why a writer may not set a reference that is shown to be empty: a response that depends on its value would tell of it. */
export const REFERENCE_REFUSED =
  'is read-only for you where it shows no value: it may name a card that is not visible to you';
/** Why a writer may not move a card away from a parent that is not shown. */
export const PARENT_REFUSED = 'cannot be changed: the card is below one that is not visible to you';

type Attributes = Record<string, unknown>;

/** The values of fields that name cards, for `AccessGate.hiddenAmong`. */
export const referencesIn = ({ cardKeys }: FieldSet, attributes: Attributes): string[] =>
  cardKeys.flatMap((key) => (typeof attributes[key] === 'string' ? [attributes[key]] : []));

/**
 * The attributes without references to cards that are hidden from the caller.
 * @param hidden ids of hidden cards; undefined where the caller sees cards of all types
 */
export function seenAttributes(
  { cardKeys }: FieldSet,
  attributes: Attributes,
  hidden: ReadonlySet<string> | undefined,
): Attributes {
  const unseen = hidden ? cardKeys.filter((key) => isHidden(attributes[key], hidden)) : [];
  return unseen.length === 0
    ? attributes
    : Object.fromEntries(Object.entries(attributes).filter(([key]) => !unseen.includes(key)));
}

const isHidden = (value: unknown, hidden: ReadonlySet<string>): boolean =>
  typeof value === 'string' && hidden.has(value.toLowerCase());

/**
 * Separates what a caller may set of the given attributes. A field that names a card and shows no value may have a hidden one,
 * which must be neither replaced nor told of: `null` leaves it as it is, and another value is refused, both whether or not it has one.
 * @param stored the current attributes
 * @param hidden as above
 * @returns the attributes to set, and the keys that are refused
 */
export function openReferences<A extends Attributes | undefined>(
  { cardKeys }: FieldSet,
  stored: Attributes,
  given: A,
  hidden: ReadonlySet<string> | undefined,
): { open: A; refused: string[] } {
  if (!hidden || !given) return { open: given, refused: [] };
  const unseen = cardKeys.filter(
    (key) => Object.hasOwn(given, key) && (stored[key] === undefined || isHidden(stored[key], hidden)),
  );
  if (unseen.length === 0) return { open: given, refused: [] };
  return {
    open: Object.fromEntries(Object.entries(given).filter(([key]) => !unseen.includes(key))) as A,
    refused: unseen.filter((key) => given[key] !== null),
  };
}
