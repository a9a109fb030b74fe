import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { keyOf, parentOf, placeKey, referenceFault, upsertKey } from './card-index.js';
import { descendantIds, lockCards, lockMoves, placedIds, type CardKey, type PlaceKey } from '../lock-repository.js';
import type { SingleWrites } from './single-writes.js';
import type { CardOperation, CardPlace, CardState } from '../types.js';

/** Positions to look up in the database; for those with a path also their ancestors, which the batch may create. */
function placeKeys(places: readonly CardPlace[]): PlaceKey[] {
  const keys = places.map(placeKey).flatMap((place) =>
    place.anywhere
      ? [place]
      : place.keys.map((_, n) => ({
          type: n === place.keys.length - 1 ? place.type : null,
          keys: place.keys.slice(0, n + 1),
          anywhere: false,
        })),
  );
  // Each once: many operations may name the same position, at which there may be many cards.
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
}

/** The positions by which operations refer to cards, as parents and as ends of relations. */
export function placesOf(operations: readonly CardOperation[]): CardPlace[] {
  return operations
    .flatMap(({ card, relations }) => [
      parentOf(card),
      ...[...(relations ?? []), ...(card?.relations ?? [])].map((r) => r.target),
    ])
    .filter(
      (reference) => reference !== null && reference !== undefined && 'name' in reference && !referenceFault(reference),
    ) as CardPlace[];
}

/**
 * Loads the descendants of archived and deleted cards level by level, because concurrent requests may add cards below unlocked ones.
 */
async function loadBelow(
  uow: UnitOfWork,
  mode: 'delete' | 'read',
  ids: string[],
  activeOnly: boolean,
  add: (cards: CardState[]) => void,
): Promise<void> {
  const seen = new Set(ids);
  while (ids.length > 0) {
    const below = (await descendantIds(uow, [...ids], activeOnly)).filter((id) => !seen.has(id));
    if (below.length === 0) return;
    for (const id of below) seen.add(id);
    add(await lockCards(uow, mode, below));
  }
}

const parentsOf = (cards: readonly CardState[]): string[] => [
  ...new Set(cards.flatMap(({ parent_id }) => parent_id ?? [])),
];

/**
 * `unlocked` is for operations that neither archive, restore nor delete; `optimistic` for one that neither moves nor affects others;
 * `dry` loads what `locked` does and locks nothing.
 */
export type Loading = 'locked' | 'unlocked' | 'optimistic' | 'dry';

/**
 * Loads every card that operations change or refer to.
 * @param refs existing cards of the request by `ref`
 * @param mandatory relation types that count in a score, to load the facts of a single card with it
 * @param single reads the card of an optimistic operation
 * @param anyHidden whether some cards are hidden from the caller: then the current parents of cards that get another one, or none, are loaded too
 */
export async function loadCards(
  uow: UnitOfWork,
  operations: readonly CardOperation[],
  refs: ReadonlyMap<string, string>,
  loading: Loading,
  mandatory: string[] | undefined,
  anyHidden: boolean,
  single?: SingleWrites,
): Promise<CardState[]> {
  const targets = new Set<string>();
  const parents = new Set<string>();
  const targetKeys: CardKey[] = [];
  const parentKeys: CardKey[] = [];
  const restored = new Set<string>();
  const withChildren = new Map<'all' | 'active', string[]>([
    ['all', []],
    ['active', []],
  ]);
  let anyMoves = false;
  let isForDelete = false;
  let anyLeavesParent = false;
  for (const { op, id, card, child_strategy } of operations) {
    const key = op === 'upsert' ? upsertKey(card) : undefined;
    if (op !== 'create' && id !== undefined) targets.add(id.toLowerCase());
    else if (key) targetKeys.push(key);
    if (op === 'restore' && id !== undefined) restored.add(id.toLowerCase());
    // The foreign keys of relations include the status of the card.
    isForDelete ||= op === 'delete' || op === 'archive' || op === 'restore';
    if (child_strategy !== undefined && id !== undefined) {
      withChildren.get(op === 'delete' ? 'all' : 'active')!.push(id.toLowerCase());
      anyMoves ||= child_strategy !== 'cascade';
    }
    const parent = parentOf(card);
    anyLeavesParent ||= parent !== undefined;
    if (parent && 'id' in parent) parents.add(parent.id.toLowerCase());
    else if (parent && 'ref' in parent && refs.has(parent.ref)) parents.add(refs.get(parent.ref)!);
    else if (parent && 'external_id' in parent) parentKeys.push(parent);
    if ((op === 'update' || op === 'upsert') && parent !== undefined) anyMoves = true;
  }
  if (loading === 'optimistic') {
    const [target] = targets;
    if (target !== undefined) return single!.read(uow, target, mandatory ?? [], restored.size > 0);
    return single!.readParent(uow, [...parents][0]!);
  }
  if (loading === 'unlocked') {
    for (const id of await placedIds(uow, placeKeys(placesOf(operations)))) parents.add(id);
    const read = await lockCards(uow, 'read', [...targets, ...parents], [...targetKeys, ...parentKeys]);
    const known = new Set(read.map(({ id }) => id));
    const above = anyLeavesParent && anyHidden ? parentsOf(read).filter((id) => !known.has(id)) : [];
    return [...read, ...(await lockCards(uow, 'read', above))];
  }
  const isLocked = loading === 'locked';
  if (anyMoves && isLocked) await lockMoves(uow);
  const mode = !isLocked ? 'read' : isForDelete ? 'delete' : 'write';
  const loaded = await lockCards(uow, mode, [...targets], targetKeys, mandatory);
  const known = new Set(loaded.map((c) => c.id));
  const add = (cards: CardState[]) => {
    for (const card of cards)
      if (!known.has(card.id)) {
        known.add(card.id);
        loaded.push(card);
      }
  };
  for (const [which, ids] of withChildren)
    await loadBelow(uow, isLocked ? 'delete' : 'read', ids, which === 'active', add);
  const raised = new Set([...withChildren.values()].flat());
  for (const { id, parent_id } of loaded)
    if (parent_id !== null && (restored.has(id) || raised.has(id))) parents.add(parent_id);
  if (anyLeavesParent && anyHidden) for (const id of parentsOf(loaded)) parents.add(id);
  for (const id of await placedIds(uow, placeKeys(placesOf(operations)))) parents.add(id);
  const keys = new Set(loaded.map((c) => keyOf(c.type, c.external_id ?? '')));
  const unknown = parentKeys.filter((k) => !keys.has(keyOf(k.type, k.external_id)));
  add(
    await lockCards(
      uow,
      isLocked ? 'share' : 'read',
      [...parents].filter((id) => !known.has(id)),
      unknown,
    ),
  );
  return loaded;
}
