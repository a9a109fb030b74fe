import { invalid } from '../../../foundation/errors.js';
import type { CardReference, RelationInput } from '../types.js';
import { checkChildren } from './archive-rules.js';
import type { BatchState, WantedRelation } from './batch-options.js';
import type { CardPlan } from './plan.js';
import { missing, namedKey } from './reference-repository.js';

/**
 * The checks of a planned batch that need the database; they refuse rows.
 * @returns the relations to write with the cards
 */
export async function checkPlan(state: BatchState, plan: CardPlan): Promise<WantedRelation[]> {
  await checkChildren(state, plan);
  await checkReferences(state, plan);
  return checkRelations(state, plan);
}

/** Refuses new values that name users or cards that do not exist; unchanged values may name deleted ones. */
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
  const gone = await missing(
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
    if (gone.has(namedKey({ kind, id }))) rows.refuseAt(row, [fault], invalid(fault));
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
