import { hiddenBelow } from '../../access/index.js';
import type { CardState } from '../types.js';
import type { BatchState } from './batch-options.js';
import type { CardPlan } from './plan.js';
import { levelsBelow } from './preview-tree-repository.js';
import { levelLimit } from './tree.js';

/** A moved card, and the level to which it moves. */
interface Moved {
  id: string;
  level: number;
}

/**
 * Refuses moves that place cards deeper than their type allows, before the statement that moves them does: of each card that would be too
 * deep, the nearest move above it. Cards above are checked first, so that a long chain is cut into parts that are short enough at once.
 */
export async function checkDepths({ uow, rows, metamodel, authority }: BatchState, plan: CardPlan): Promise<void> {
  const movers = new Set(
    [...plan.updated.values()].filter((c) => c.parent_id !== plan.before.get(c.id)!.parent_id).map((c) => c.id),
  );
  if (movers.size === 0) return;
  /** Moved cards that stay, with the number of levels by which they and what is below are higher then. */
  const staying = new Map<string, number>();
  const refuse = (mover: Moved, type: string, level: number): void => {
    const row = plan.placeRow(mover.id);
    if (authority.hiddenTypes.includes(type)) rows.refuse(row, 'parent', hiddenBelow().detail, hiddenBelow());
    else {
      const reason = `would put a card below it on level ${level}; ${type} has ${levelLimit(metamodel.types.get(type))}`;
      rows.refuse(row, 'parent', reason, undefined);
    }
    staying.set(mover.id, mover.level - plan.before.get(mover.id)!.path_ids.length - 1);
  };
  const check = (card: CardState, path: readonly string[], below: number, type: string): void => {
    const line = [...path, card.id];
    const at = line.findLastIndex((id) => movers.has(id));
    if (at < 0) return;
    const stays = line.findLast((id) => staying.has(id));
    const level = line.length + below - (stays === undefined ? 0 : staying.get(stays)!);
    if (level > levelLimit(metamodel.types.get(type)) && line[at] !== stays)
      refuse({ id: line[at]!, level: at + 1 }, type, level);
  };
  const placed = plan
    .stored()
    .flatMap((card) => {
      const path = plan.tree.path(card);
      return path ? [{ card, path }] : [];
    })
    .sort((a, b) => a.path.length - b.path.length);
  for (const { card, path } of placed) check(card, path, 0, card.type);
  const paths = new Map(placed.map(({ card, path }) => [card.id, path]));
  for (const { id, type, levels } of await levelsBelow(uow, [...movers], [...movers])) {
    const path = paths.get(id);
    if (path) check(plan.after.get(id)!, path, levels, type);
  }
}
