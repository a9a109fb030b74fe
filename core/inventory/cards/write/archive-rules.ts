import { hiddenBelow } from '../../access/index.js';
import { problem, type Problem } from '../../../foundation/errors.js';
import type { Metamodel } from '../../metamodel/index.js';
import type { Tree } from './tree.js';
import type { CardState, ChildStrategy } from '../types.js';

/** As much of a batch's plan as is needed to settle the children of a card that goes. */
export interface ChildPlan {
  readonly after: ReadonlyMap<string, CardState>;
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
 * Does with the children of a card that goes what the caller chose. Archived ones are in nobody's way unless the card
 * is deleted.
 * @param index the operation the card goes by
 * @returns why it cannot be
 */
export function applyChildStrategy(
  plan: ChildPlan,
  metamodel: Metamodel,
  parent: CardState,
  index: number,
  op: 'archive' | 'delete',
  strategy: ChildStrategy,
): Problem | undefined {
  const concerned = (c: CardState) => op === 'delete' || c.status === 'ACTIVE';
  const cascade = strategy === 'cascade';
  const below = [...plan.after.values()].filter(
    (c) => concerned(c) && (cascade ? plan.tree.path(c)?.includes(parent.id) : c.parent_id === parent.id),
  );
  // What he does not see nobody changes, nor is he told how much of it there is.
  if (below.some((child) => plan.isHidden(child))) return hiddenBelow();
  for (const child of below) {
    const refusal = plan.refuses(cascade ? op : 'update', child);
    if (refusal) return refusal;
  }
  if (cascade) {
    for (const child of below) {
      if (op === 'delete') plan.drop(child, index);
      else plan.change(child, { ...child, status: 'ARCHIVED' }, index);
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
  }
  return undefined;
}
