import { hiddenBelow } from '../../access/index.js';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import type { Metamodel } from '../../metamodel/index.js';
import type { BatchRows } from './batch-rows.js';
import { levelsBelow } from './preview-tree-repository.js';
import type { CardPlan } from './plan.js';
import { levelLimit, Tree } from './tree.js';
import { BLANK, type CardOperation, type CardState } from '../types.js';

/** Only the position of a card, because many are kept in memory. */
type Position = Pick<CardState, 'id' | 'type' | 'status' | 'parent_id' | 'path_ids'>;

const positionOf = ({ id, type, status, parent_id, path_ids }: CardState): Position => ({
  id,
  type,
  status,
  parent_id,
  path_ids,
});

/**
 * The trees of the workspace after operations that are previewed batch by batch and not written. Later
 * operations may refer to cards that earlier ones would create or move.
 */
export class PreviewTree {
  private readonly cards = new Map<string, Position>();
  /** Moved cards, with their stored ancestors. */
  private readonly moved = new Map<string, readonly string[]>();
  /** Types of created cards that are not parents, by parent. */
  private readonly leaves = new Map<string, Set<string>>();
  private readonly made = new Map<string, string>();

  /**
   * @param isParent whether the card of a `ref` is used as a parent by later batches
   * @param anyMoves whether any operation moves a stored card
   */
  constructor(
    private readonly isParent: (ref: string) => boolean,
    private readonly anyMoves: boolean,
  ) {}

  /** Whether a card used as a parent would exist. */
  has(ref: string): boolean {
    return this.made.has(ref);
  }

  /** The cards created by earlier batches that operations use as parents, by `ref`. */
  refsOf(operations: readonly CardOperation[]): Map<string, string> {
    return new Map(
      operations.flatMap(({ card }) => {
        const ref = card?.parent && 'ref' in card.parent ? card.parent.ref : undefined;
        const id = ref === undefined ? undefined : this.made.get(ref);
        return ref === undefined || id === undefined ? [] : [[ref, id] as const];
      }),
    );
  }

  /** Sets stored cards to their planned positions, and adds the planned cards around them. */
  placed(stored: readonly CardState[], operations: readonly CardOperation[]): CardState[] {
    const cards = new Map(stored.map((card) => [card.id, { ...card, ...this.cards.get(card.id) }]));
    const add = (id: string | null): void => {
      const found = id === null || cards.has(id) ? undefined : this.cards.get(id);
      if (!found) return;
      cards.set(found.id, { ...BLANK, ...found });
      around(found);
    };
    const around = ({ id, parent_id, path_ids }: Position): void => {
      if (this.moved.has(id)) add(parent_id);
      for (const above of path_ids) if (this.moved.has(above)) add(above);
    };
    for (const card of [...cards.values()]) around(card);
    for (const { card } of operations)
      if (card?.parent && 'ref' in card.parent) add(this.made.get(card.parent.ref) ?? null);
    return [...cards.values()];
  }

  /** Passes earlier moves to a plan. */
  begin({ tree, before }: CardPlan): void {
    for (const id of this.moved.keys()) if (before.has(id)) tree.move(id);
  }

  /** Refuses moves that place descendants deeper than their type allows, like the check in the database when they are written. */
  async checkBelow(
    uow: UnitOfWork,
    plan: CardPlan,
    rows: BatchRows,
    metamodel: Metamodel,
    hiddenTypes: readonly string[],
  ): Promise<void> {
    const movers = new Map(
      [...plan.updated.values()].flatMap((c) =>
        c.parent_id === plan.before.get(c.id)!.parent_id ? [] : [[c.id, plan.placeRow(c.id)] as const],
      ),
    );
    if (movers.size === 0) return;
    const tree = new Tree({ get: (id) => plan.after.get(id) ?? this.cards.get(id) });
    for (const id of [...this.moved.keys(), ...movers.keys()]) tree.move(id);
    /** The last move that determines the position of the card, and its level. */
    const decided = (card: Position): { row: number; level: number } | undefined => {
      const path = tree.path(card) ?? [];
      const by = [...path, card.id].flatMap((id) => movers.get(id) ?? []);
      return by.length === 0 ? undefined : { row: Math.max(...by), level: path.length + 1 };
    };
    const check = (row: number, type: string, level: number): void => {
      const max = levelLimit(metamodel.types.get(type));
      if (level <= max || rows.isRefused(row)) return;
      if (hiddenTypes.includes(type)) rows.refuse(row, 'parent', hiddenBelow().detail, hiddenBelow());
      else rows.refuse(row, 'parent', `would put a card below it on level ${level}; ${type} has ${max}`, undefined);
    };
    const affected = new Map<string, { row: number; level: number }>();
    for (const card of new Map([...this.cards, ...plan.created, ...plan.updated]).values()) {
      const at = decided(card);
      if (!at) continue;
      check(at.row, card.type, at.level);
      for (const type of this.leaves.get(card.id) ?? []) check(at.row, type, at.level + 1);
      if (this.moved.has(card.id) || movers.has(card.id)) affected.set(card.id, at);
    }
    const below = [...this.moved].filter(([, was]) => was.some((id) => affected.has(id))).map(([id]) => id);
    for (const { id, type, levels } of await levelsBelow(
      uow,
      [...affected.keys()],
      [...new Set([...affected.keys(), ...below, ...movers.keys()])],
    )) {
      check(affected.get(id)!.row, type, affected.get(id)!.level + levels);
    }
  }

  /** Stores the planned state of a batch. */
  absorb(plan: CardPlan, refs: ReadonlyMap<string, string>, operations: readonly CardOperation[]): void {
    const parents = new Set<string>();
    for (const { ref } of operations) {
      const id = ref === undefined ? undefined : refs.get(ref);
      if (id === undefined || !plan.created.has(id) || !this.isParent(ref!)) continue;
      parents.add(id);
      this.made.set(ref!, id);
    }
    const keep = (id: string | null): void => {
      const card = id === null ? undefined : plan.after.get(id);
      if (card) this.cards.set(card.id, positionOf(card));
    };
    for (const id of parents) keep(id);
    if (!this.anyMoves) return;
    for (const { id, parent_id, type } of plan.created.values()) {
      if (parent_id === null || parents.has(id)) continue;
      keep(parent_id);
      this.leaves.set(parent_id, (this.leaves.get(parent_id) ?? new Set()).add(type));
    }
    for (const { id, parent_id } of plan.updated.values()) {
      const before = plan.before.get(id)!;
      if (before.parent_id === parent_id) continue;
      keep(id);
      keep(parent_id);
      if (!this.moved.has(id)) this.moved.set(id, before.path_ids);
    }
  }
}
