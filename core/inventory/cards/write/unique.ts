import { TimeSlice } from '@lintel/sdk';
import { WriteConflict, type UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { problem } from '../../../foundation/errors.js';
import { nameKey } from '../../../foundation/text.js';
import type { BatchState } from './batch-options.js';
import { keyOf } from './card-index.js';
import { externalIdsTaken, namesTaken, type Holder } from './unique-repository.js';
import type { CardPlan } from './plan.js';
import type { CardState } from '../types.js';

const TAKEN = ['cards_name_taken', 'cards_external_id_taken'];

/** Whether a statement failed because another card already has the name or the external id. */
export const isTaken = (error: unknown): boolean => TAKEN.includes((error as { constraint?: string }).constraint ?? '');

interface Unique {
  /** The key of the unique value, one text per value. */
  place(card: CardState): string;
  holds(card: CardState, wanted: CardState): boolean;
  row(id: string): number;
  field: string;
  code: 'name_taken' | 'external_id_taken';
  taken(uow: UnitOfWork, cards: CardState[]): Promise<Map<number, Holder>>;
}

/**
 * Refuses duplicate unique values: for the second card of the batch, and if a stored card keeps the value.
 * @returns ids of cards that release a name or an external id for another card of the batch
 */
export async function checkUnique(o: BatchState, plan: CardPlan): Promise<Set<string>> {
  const releasing = new Set<string>();
  const place = (c: CardState) => `${c.type}\n${c.parent_id ?? ''}\n${nameKey(c.name)}`;
  await check(o, plan, releasing, plan.renamed(), {
    place,
    holds: (c, wanted) => c.status === 'ACTIVE' && place(c) === place(wanted),
    row: (id) => plan.placeRow(id),
    field: 'name',
    code: 'name_taken',
    taken: namesTaken,
  });
  await check(o, plan, releasing, plan.rekeyed(), {
    place: (c) => keyOf(c.type, c.external_id!),
    holds: (c, wanted) => c.external_id === wanted.external_id,
    row: (id) => plan.keyRow(id),
    field: 'external_id',
    code: 'external_id_taken',
    taken: externalIdsTaken,
  });
  return releasing;
}

async function check(
  { rows, uow, single, operations }: BatchState,
  plan: CardPlan,
  releasing: Set<string>,
  claiming: CardState[],
  { place, holds, row, field, code, taken }: Unique,
): Promise<void> {
  const seen = new Map<string, number>();
  const slice = new TimeSlice();
  for (const card of claiming) {
    if (slice.isOver) await slice.next();
    const key = place(card);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, row(card.id));
    else rows.refuse(row(card.id), field, `is taken by operation ${first}`, problem(code));
  }
  if (single || claiming.length === 0) return;
  for (const [n, { id: holderId, external_id }] of await taken(uow, claiming)) {
    if (slice.isOver) await slice.next();
    const card = claiming[n]!;
    if (holderId === card.id || rows.isRefused(row(card.id))) continue;
    const holder = plan.after.get(holderId);
    // The card of an upsert, created concurrently after the look-up.
    if (
      !plan.before.has(holderId) &&
      plan.created.has(card.id) &&
      external_id !== null &&
      external_id === card.external_id &&
      operations[row(card.id)]!.op === 'upsert'
    )
      throw new WriteConflict();
    const keeps = !plan.before.has(holderId) || (holder !== undefined && holds(holder, card));
    if (keeps)
      rows.refuse(
        row(card.id),
        field,
        code === 'name_taken' ? 'is taken by an active sibling' : 'is taken by another card of the type',
        problem(code),
      );
    else releasing.add(holderId);
  }
}
