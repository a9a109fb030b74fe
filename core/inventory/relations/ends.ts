import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { findPlaced, placeKey, referenceFault, type CardReference, type CardState } from '../cards/index.js';
import { readEnds } from './repository.js';
import type { SingleRelations } from './single-writes.js';
import type { End, RelationInput } from './types.js';

type Side = 'source' | 'target';

/** An end as an operation names it. */
interface NamedEnd {
  reference: CardReference;
  /** Key under which the card is stored once it is found. */
  key: string;
  /** The error in the form of the reference. */
  fault: string | undefined;
}

const endKey = (reference: CardReference): string => {
  if ('id' in reference) return reference.id;
  if ('ref' in reference) return `ref ${reference.ref}`;
  if ('external_id' in reference) return `${reference.type}\n${reference.external_id}`;
  return JSON.stringify(placeKey(reference));
};

function nameEnd(input: RelationInput, side: Side): NamedEnd | undefined {
  const id = input[`${side}_id`];
  const given = input[side] ?? (id === undefined ? undefined : { id });
  if (!given) return undefined;
  const reference = 'id' in given ? { ...given, id: given.id.toLowerCase() } : given;
  const fault = referenceFault(reference);
  return { reference, key: fault === undefined ? endKey(reference) : '', fault };
}

/** The cards at the ends of a batch of relations: each is named in one of several ways, and looked up once. */
export class Ends {
  private readonly named: readonly Record<Side, NamedEnd | undefined>[];
  private readonly cards = new Map<string, End>();
  private readonly ambiguous = new Set<string>();

  /** @param hiddenTypes types hidden from the caller, whose cards are not found */
  constructor(
    inputs: readonly RelationInput[],
    private readonly hiddenTypes: readonly string[],
  ) {
    this.named = inputs.map((input) => ({ source: nameEnd(input, 'source'), target: nameEnd(input, 'target') }));
  }

  /**
   * Looks up the cards at all ends.
   * @param find finds a card of the bulk that contains the relations, which may not be stored yet
   * @param single reads the cards of a single write
   */
  async load(
    uow: UnitOfWork,
    find: ((reference: CardReference) => CardState | undefined) | undefined,
    single?: SingleRelations,
  ): Promise<void> {
    const toRead = new Map<string, CardReference>();
    for (const { source, target } of this.named) {
      for (const end of [source, target]) {
        if (!end || end.fault !== undefined || this.cards.has(end.key) || toRead.has(end.key)) continue;
        const card = find?.(end.reference);
        if (card) this.cards.set(end.key, card).set(card.id, card);
        else toRead.set(end.key, end.reference);
      }
    }
    const wanted = [...toRead.values()];
    const places = wanted.filter((r) => 'name' in r);
    const placed = await findPlaced(uow, places.map(placeKey), this.hiddenTypes);
    const ids = new Set(wanted.flatMap((r) => ('id' in r ? [r.id] : [])));
    for (const found of placed.values()) if (found.length === 1) ids.add(found[0]!);
    const keys = wanted.filter((r) => 'external_id' in r);
    const cards = single ? await single.readEnds(uow, [...ids], keys) : await readEnds(uow, [...ids], keys);
    for (const card of cards) {
      if (this.hiddenTypes.includes(card.type)) continue;
      this.cards.set(card.id, card);
      if (card.external_id !== null) this.cards.set(endKey({ type: card.type, external_id: card.external_id }), card);
    }
    for (const [n, [id, ...others]] of placed) {
      const card = this.cards.get(id!);
      if (others.length > 0) this.ambiguous.add(endKey(places[n]!));
      else if (card) this.cards.set(endKey(places[n]!), card);
    }
  }

  /** All cards found; those of a bulk include their paths. */
  all(): Iterable<End> {
    return this.cards.values();
  }

  /** The end as operation `index` names it. */
  of(index: number, side: Side): NamedEnd | undefined {
    return this.named[index]![side];
  }

  card(index: number, side: Side): End | undefined {
    const end = this.named[index]![side];
    return end && end.fault === undefined ? this.cards.get(end.key) : undefined;
  }

  /** The reason why no card was found at an end. */
  absence(index: number, side: Side): string {
    const end = this.named[index]![side];
    if (!end) return 'is required';
    return this.ambiguous.has(end.key) ? 'names more than one card' : 'names no card';
  }
}
