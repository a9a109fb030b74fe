import { hiddenBelow } from '../../access/index.js';
import { invalid, problem } from '../../../foundation/errors.js';
import { childCounts, missingObjects, objectKey } from '../lock-repository.js';
import type { CardReference, RelationInput } from '../types.js';
import type { BatchState, WantedRelation } from './batch-options.js';
import type { CardPlan } from './plan.js';

/**
 * The checks of a planned batch that need the database; they refuse rows.
 * @returns the relations to write with the cards
 */
export async function checkPlan(state: BatchState, plan: CardPlan): Promise<WantedRelation[]> {
  await checkChildren(state, plan);
  await checkReferences(state, plan);
  return checkRelations(state, plan);
}

/** The checks that otherwise the statements of a write make; they refuse rows. */
export async function checkUnwritten({ uow, rows, participants }: BatchState, plan: CardPlan): Promise<void> {
  const restored = [...plan.updated.values()]
    .filter((c) => c.status === 'ACTIVE' && plan.before.get(c.id)!.status === 'ARCHIVED')
    .map((c) => c.id);
  if (restored.length === 0) return;
  for (const participant of participants)
    for (const [id, refusal] of (await participant.notRestorable?.(uow, restored)) ?? [])
      rows.refuse(plan.placeRow(id), 'id', refusal.detail, refusal);
}

/** Refuses to delete cards that keep children after the batch, and to archive cards that keep active ones. */
async function checkChildren({ uow, rows, authority, isOptimistic }: BatchState, plan: CardPlan): Promise<void> {
  // The statement that writes the card checks this; if there are children, the unit of work is repeated and refuses it.
  if (isOptimistic) return;
  const archived = [...plan.updated.values()]
    .filter((c) => c.status === 'ARCHIVED' && plan.before.get(c.id)!.status === 'ACTIVE')
    .map((c) => c.id);
  for (const [ids, activeOnly] of [
    [plan.deleted, false],
    [archived, true],
  ] as const) {
    if (ids.length === 0) continue;
    const stored = await childCounts(uow, ids, activeOnly, authority.hiddenTypes);
    // Only cards visible to the caller, because an operation cannot move others.
    const moved = plan.childrenMoved(activeOnly);
    for (const id of ids) {
      const { n, seen } = stored.get(id) ?? { n: 0, seen: 0 };
      const [all, shown] = [n + (moved.get(id) ?? 0), seen + (moved.get(id) ?? 0)];
      const row = plan.placeRow(id);
      if (shown > 0)
        rows.refuse(
          row,
          'child_strategy',
          `is needed: the card has ${shown} children`,
          problem('children_present', { child_count: shown }),
        );
      else if (all > 0) rows.refuse(row, 'id', hiddenBelow().detail, hiddenBelow());
    }
  }
}

/**
 * Refuses values in the input that name users or cards that do not exist. Stored values that the input does not contain
 * are not checked: they may name deleted ones.
 */
async function checkReferences(
  { operations, rows, metamodel, uow, authority }: BatchState,
  plan: CardPlan,
): Promise<void> {
  const named = operations.flatMap(({ card }, row) => {
    const { id, outcome } = rows.results[row]!;
    const type = id === undefined || outcome === 'failed' ? undefined : plan.after.get(id)?.type;
    return card?.attributes && type !== undefined
      ? metamodel.types
          .get(type)!
          .fields.references(card.attributes)
          .map((r) => ({ ...r, row }))
      : [];
  });
  const isMade = (id: string): boolean => {
    const card = plan.after.get(id);
    return card !== undefined && !plan.isHidden(card);
  };
  const gone = await missingObjects(
    uow,
    named.filter((r) => r.kind === 'user' || !isMade(r.id)),
    authority.hiddenTypes,
  );
  for (const { row, key, kind, id } of named) {
    const fault = {
      field: `${rows.pointer(row)}/attributes/${key}`,
      reason: kind === 'user' ? 'names no user' : 'names no card',
      in: 'body' as const,
    };
    if (gone.has(objectKey({ kind, id }))) rows.refuseAt(row, [fault], invalid(fault));
  }
}

/**
 * Checks the relations in the operations against the planned state of the cards.
 * @returns the relations to write, unless a row is refused
 */
async function checkRelations(
  { operations, rows, relations, uow }: BatchState,
  plan: CardPlan,
): Promise<WantedRelation[]> {
  const wanted: WantedRelation[] = [];
  if (!relations) return wanted;
  operations.forEach((operation, row) => {
    const { id: sourceId, outcome } = rows.results[row]!;
    if (rows.isRefused(row) || outcome === 'failed' || sourceId === undefined) return;
    const add = (given: readonly RelationInput[] | undefined, at: string) =>
      given?.forEach((relation, n) => wanted.push({ row, pointer: `${at}/relations/${n}`, sourceId, relation }));
    add(operation.relations, rows.pointer(row).replace(/\/card$/, ''));
    add(operation.card?.relations, rows.pointer(row));
  });
  if (wanted.length === 0) return wanted;
  const find = (reference: CardReference) => {
    const card = plan.index.find(reference);
    return typeof card === 'string' ? undefined : card;
  };
  for (const [n, { errors, cause }] of await relations.check(uow, wanted, find))
    rows.refuseAt(wanted[n]!.row, errors, cause);
  return wanted;
}
