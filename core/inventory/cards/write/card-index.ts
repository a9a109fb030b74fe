import { nameKey } from '../../../foundation/text.js';
import type { PlaceKey } from '../lock-repository.js';
import type { CardInput, CardPlace, CardReference, CardState } from '../types.js';

export const keyOf = (type: string, externalId: string): string => `${type}\n${externalId}`;

/** The names of the ancestors in a position; undefined if the position contains none. */
export function pathOf({ path }: Pick<CardPlace, 'path'>): string[] | undefined {
  return typeof path === 'string'
    ? path
        .split(' / ')
        .map((s) => s.trim())
        .filter(Boolean)
    : path;
}

/** The parent in an input: undefined if it contains none, null for no parent. */
export function parentOf(card: CardInput | undefined): CardReference | null | undefined {
  if (card?.parent !== undefined) return card.parent;
  return card?.parent_id === undefined ? undefined : card.parent_id === null ? null : { id: card.parent_id };
}

/** The key by which an upsert without an id finds its card. */
export function upsertKey(card: CardInput | undefined): { type: string; external_id: string } | undefined {
  return card?.type !== undefined && card.external_id?.trim()
    ? { type: card.type, external_id: card.external_id }
    : undefined;
}

const FORMS = ['id', 'ref', 'external_id type', 'name type', 'name path type'];

/** The error in the form of a reference; undefined if it is valid. */
export function referenceFault(reference: CardReference): string | undefined {
  if ('id' in reference && Object.keys(reference).length === 1) return undefined;
  const form = Object.entries(reference)
    .filter(([, value]) => value !== undefined)
    .map(([key]) => key)
    .sort()
    .join(' ');
  return FORMS.includes(form)
    ? undefined
    : 'must be {id}, {ref}, {type, external_id} or {type, path, name}, and nothing beside it';
}

/** The position as used by the look-up in the database. */
export function placeKey(place: CardPlace): PlaceKey {
  const path = pathOf(place);
  return { type: place.type, keys: [...(path ?? []), place.name].map(nameKey), anywhere: path === undefined };
}

/** Finds cards by the references of operations, among loaded cards and those created by the batch. */
export class CardIndex {
  private readonly byKey = new Map<string, string>();
  /** Ids of active cards by parent and name; and by type and name. Several if types or parents differ. */
  private readonly byPlace = new Map<string, Set<string>>();
  private readonly byName = new Map<string, Set<string>>();

  /**
   * @param cards the planned cards by id
   * @param byNames whether any operation refers to a card by its position
   * @param hiddenTypes whose cards cannot be referenced
   */
  constructor(
    private readonly cards: ReadonlyMap<string, CardState>,
    private readonly refs: ReadonlyMap<string, string>,
    private readonly byNames: boolean,
    private readonly hiddenTypes: readonly string[],
  ) {}

  /** Replaces the index entries of a card by those of its current position. */
  move(before: CardState | undefined, after: CardState | undefined): void {
    if (before?.external_id !== after?.external_id) {
      // Another card of the batch may already have the former external id.
      if (before?.external_id && this.key(before.type, before.external_id) === before.id)
        this.byKey.delete(keyOf(before.type, before.external_id));
      if (after?.external_id) this.byKey.set(keyOf(after.type, after.external_id), after.id);
    }
    if (!this.byNames) return;
    const same =
      before &&
      after &&
      before.name === after.name &&
      before.parent_id === after.parent_id &&
      before.status === after.status;
    if (same) return;
    if (before?.status === 'ACTIVE') for (const [map, key] of this.places(before)) map.get(key)?.delete(before.id);
    if (after?.status !== 'ACTIVE') return;
    for (const [map, key] of this.places(after)) {
      const ids = map.get(key);
      if (ids) ids.add(after.id);
      else map.set(key, new Set([after.id]));
    }
  }

  key(type: string, externalId: string): string | undefined {
    return this.byKey.get(keyOf(type, externalId));
  }

  /** @returns the card, or the reason why it was not found */
  find(reference: CardReference): CardState | 'names no card' | 'names more than one card' {
    let found: string | undefined;
    for (const id of this.ids(reference)) {
      if (!this.isSeen(id)) continue;
      if (found !== undefined) return 'names more than one card';
      found = id;
    }
    return found === undefined ? 'names no card' : this.cards.get(found)!;
  }

  private isSeen(id: string): boolean {
    const card = this.cards.get(id);
    return card !== undefined && !this.hiddenTypes.includes(card.type);
  }

  private ids(reference: CardReference): Iterable<string> {
    const one = (id: string | undefined) => (id === undefined ? [] : [id]);
    if ('id' in reference) return one(reference.id.toLowerCase());
    if ('ref' in reference) return one(this.refs.get(reference.ref));
    if ('external_id' in reference) return one(this.key(reference.type, reference.external_id));
    const key = nameKey(reference.name);
    const path = pathOf(reference);
    if (!path) return this.byName.get(`${reference.type}\n${key}`) ?? [];
    let above: (string | null)[] = [null];
    for (const name of path)
      above = above
        .flatMap((parent) => [...(this.byPlace.get(`${parent ?? ''}\n${nameKey(name)}`) ?? [])])
        .filter((id) => this.isSeen(id));
    return above
      .flatMap((parent) => [...(this.byPlace.get(`${parent ?? ''}\n${key}`) ?? [])])
      .filter((id) => this.cards.get(id)?.type === reference.type);
  }

  private places(card: CardState): [Map<string, Set<string>>, string][] {
    const key = nameKey(card.name);
    return [
      [this.byPlace, `${card.parent_id ?? ''}\n${key}`],
      [this.byName, `${card.type}\n${key}`],
    ];
  }
}
