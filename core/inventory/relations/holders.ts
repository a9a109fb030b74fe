import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { RelationType } from '../metamodel/index.js';
import { holders } from './repository.js';
import type { RelationState } from './types.js';

type Pair = Pick<RelationState, 'source_id' | 'target_id'> & { type: RelationType };

const keyOf = (type: string, side: 'source' | 'target', card: string): string => `${type} ${side} ${card}`;

/** The places that a new relation takes: of each, the database allows one relation. */
function placesOf({ type, source_id, target_id }: Pair): string[] {
  return [
    ...(type.oneSource ? [keyOf(type.key, 'source', target_id)] : []),
    ...(type.oneTarget ? [keyOf(type.key, 'target', source_id)] : []),
  ];
}

/** Which relations of types with one card at a side exist, to refuse further ones before the database does. */
export class Holders {
  private readonly taken = new Set<string>();

  private constructor(private readonly stored: ReadonlySet<string>) {}

  /**
   * @param pairs of the relations that may be created
   * @param deleted ids of the relations that are deleted before
   */
  static async load(uow: UnitOfWork, pairs: readonly Pair[], deleted: ReadonlySet<string>): Promise<Holders> {
    const found = await holders(
      uow,
      pairs.filter(({ type }) => type.oneSource).map(({ type, target_id }) => [type.key, target_id] as const),
      pairs.filter(({ type }) => type.oneTarget).map(({ type, source_id }) => [type.key, source_id] as const),
    );
    const left = found.filter(({ id }) => !deleted.has(id));
    return new Holders(new Set(left.map(({ type, side, card_id }) => keyOf(type, side, card_id))));
  }

  /** Begins anew, with the stored relations only. */
  restart(): void {
    this.taken.clear();
  }

  /** Takes the places of a new relation. @returns false if one of them is taken */
  take(pair: Pair): boolean {
    const places = placesOf(pair);
    if (places.some((place) => this.stored.has(place) || this.taken.has(place))) return false;
    for (const place of places) this.taken.add(place);
    return true;
  }
}
