import { TimeSlice } from '@lintel/sdk';
import { hiddenBelow } from '../../access/index.js';
import { problem, type Problem } from '../../../foundation/errors.js';
import type { Metamodel } from '../../metamodel/index.js';
import type { Tree } from './tree.js';
import type { CardState, ChildStrategy } from '../types.js';

/** The parts of a batch's plan that are needed to process the children of an archived or deleted card. */
export interface ChildPlan {
  readonly after: ReadonlyMap<string, CardState>;
  /** Cards that the batch creates, by id. */
  readonly created: ReadonlyMap<string, CardState>;
  readonly tree: Tree;
  /** Whether a card does not exist for the caller. */
  isHidden(card: CardState): boolean;
  refuses(op: 'archive' | 'delete' | 'update', card: CardState): Problem | undefined;
  drop(card: CardState, index: number): void;
  change(before: CardState, after: CardState, index: number): void;
  /** Marks a substantive edit. */
  edited(card: CardState): void;
}

/**
 * Applies the child strategy that the caller chose to the children of a card that is archived or deleted. Archived
 * children are affected only if the card is deleted.
 * @param index index of the operation that archives or deletes the card
 * @returns the problem that prevents it
 */
export async function applyChildStrategy(
  plan: ChildPlan,
  metamodel: Metamodel,
  parent: CardState,
  index: number,
  op: 'archive' | 'delete',
  strategy: ChildStrategy,
): Promise<Problem | undefined> {
  const concerned = (c: CardState) => op === 'delete' || c.status === 'ACTIVE';
  const cascade = strategy === 'cascade';
  const below = [...(cascade ? plan.tree.allBelow(parent.id) : plan.tree.below(parent.id))]
    .map((id) => plan.after.get(id)!)
    .filter(concerned);
  const slice = new TimeSlice();
  // The caller must not change hidden cards, and the response must not reveal their number.
  if (below.some((child) => plan.isHidden(child))) return hiddenBelow();
  // A card is created with one version, event and status, and cannot be archived or deleted by the same batch.
  if (cascade && below.some((child) => plan.created.has(child.id)))
    return problem('conflict', {
      detail: `The same request creates cards below the card; ${op} it in a later request.`,
    });
  for (const child of below) {
    const refusal = plan.refuses(cascade ? op : 'update', child);
    if (refusal) return refusal;
    if (slice.isOver) await slice.next();
  }
  if (cascade) {
    for (const child of below) {
      if (op === 'delete') plan.drop(child, index);
      else plan.change(child, { ...child, status: 'ARCHIVED' }, index);
      if (slice.isOver) await slice.next();
    }
    return undefined;
  }
  const newParent = strategy === 'reparent' && parent.parent_id !== null ? plan.after.get(parent.parent_id) : undefined;
  if (newParent && below.length > 0 && plan.isHidden(newParent))
    return problem('conflict', {
      detail: 'What is below the card cannot move up from here; choose another child_strategy.',
    });
  for (const child of below) {
    const allowed = metamodel.types.get(child.type)?.definition.allowed_parent_types ?? [];
    if (newParent && !allowed.includes(newParent.type))
      return problem('conflict', { detail: `A ${newParent.type} cannot be the parent of a ${child.type}.` });
    const next: CardState = { ...child, parent_id: newParent?.id ?? null };
    plan.edited(next);
    plan.change(child, next, index);
    next.path_ids = plan.tree.path(next) ?? [];
    if (slice.isOver) await slice.next();
  }
  return undefined;
}
