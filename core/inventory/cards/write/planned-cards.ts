import { nextVersion } from '../../../foundation/versions.js';
import { TimeSlice } from '@lintel/sdk';
import type { Metamodel } from '../../metamodel/index.js';
import type { SetChange } from '../../rule-values.js';
import type { Authority } from '../rights/authority.js';
import type { CardState } from '../types.js';
import type { BatchRows } from './batch-rows.js';
import { CardIndex } from './card-index.js';
import { scoresOf } from './data-quality.js';
import { Tree } from './tree.js';
import type { UnseenParts } from './unseen-parts.js';

interface PlanOptions {
  metamodel: Metamodel;
  rows: BatchRows;
  refs: Map<string, string>;
  authority: Authority;
  unseen: UnseenParts;
  loaded: readonly CardState[];
  /** Whether any operation names a card by type, path and name. */
  byNames: boolean;
  /** Id of the user, recorded as the last editor of what an approval covers. */
  actor: string | null;
  /** Whether the operations come from a request, and not from an import or a job. */
  byHand: boolean;
  /** Whether edits leave approvals and the last editor unchanged. */
  keepsApproval?: boolean | undefined;
}

/** The cards of a batch in memory: their stored state, and their state after the operations planned so far. */
export class PlannedCards {
  /** Stored cards, by id. */
  readonly before = new Map<string, CardState>();
  /** Planned cards, by id. */
  readonly after = new Map<string, CardState>();
  readonly created = new Map<string, CardState>();
  readonly updated = new Map<string, CardState>();
  readonly deleted: string[] = [];
  readonly tree = new Tree(this.after);
  readonly index: CardIndex;
  /** Comments given with approvals, by card. */
  readonly comments = new Map<string, string>();
  /** What rules of modules set, by card. */
  readonly setByRules = new Map<string, readonly SetChange[]>();
  /** Index of the last operation that changed name, parent or status of a card; and of the one that changed its external id. */
  private readonly placedBy = new Map<string, number>();
  private readonly keyedBy = new Map<string, number>();
  /** Indexes of the operations that change a card. */
  private readonly changedBy = new Map<string, number[]>();

  constructor(protected readonly o: PlanOptions) {
    this.index = new CardIndex(this.after, o.refs, o.byNames, o.authority.hiddenTypes);
    for (const card of o.loaded) {
      this.before.set(card.id, card);
      this.after.set(card.id, card);
      this.index.move(undefined, card);
      this.tree.place(card.id, null, card.parent_id);
    }
  }

  /** Index of the operation to refuse if the card cannot have its name, parent or status. */
  placeRow(id: string): number {
    return this.placedBy.get(id)!;
  }

  /** Index of the operation to refuse if the card cannot have its external id. */
  keyRow(id: string): number {
    return this.keyedBy.get(id)!;
  }

  /** Indexes of the operations that change a card, also as a child of another one. */
  rowsOf(id: string): readonly number[] {
    return this.changedBy.get(id) ?? [];
  }

  /** Records what a rule of a module has set. */
  noteSet(id: string, changes: readonly SetChange[]): void {
    if (changes.length > 0) this.setByRules.set(id, [...(this.setByRules.get(id) ?? []), ...changes]);
  }

  private note(id: string, index: number): void {
    const rows = this.changedBy.get(id);
    if (!rows) this.changedBy.set(id, [index]);
    // Operations are applied in their order, and rules complete cards for their last operation.
    else if (rows.at(-1) !== index) rows.push(index);
  }

  /** Whether the card does not exist for the caller. */
  isHidden({ type }: Pick<CardState, 'type'>): boolean {
    return this.o.authority.hiddenTypes.includes(type);
  }

  /** Deletes a card by the operation. */
  drop(current: CardState, index: number): void {
    this.note(current.id, index);
    this.deleted.push(current.id);
    this.after.delete(current.id);
    this.updated.delete(current.id);
    this.placedBy.set(current.id, index);
    this.index.move(current, undefined);
    this.tree.place(current.id, current.parent_id, null);
  }

  /** The stored card: permissions depend on its stored position, not on the planned one. */
  protected readonly asStored = (card: CardState): CardState => this.before.get(card.id) ?? card;

  /** Adds a card that the operation creates. */
  protected insert(card: CardState, index: number): void {
    this.note(card.id, index);
    this.created.set(card.id, card);
    this.after.set(card.id, card);
    this.index.move(undefined, card);
    this.tree.place(card.id, null, card.parent_id);
    this.placedBy.set(card.id, index);
    if (card.external_id !== null) this.keyedBy.set(card.id, index);
  }

  /** Changes a card by the operation. */
  change(current: CardState, next: CardState, index: number): void {
    this.note(next.id, index);
    // A card that the batch creates or has already changed gets only one new version.
    if (this.created.has(next.id)) this.created.set(next.id, next);
    else {
      next.version = nextVersion(this.before.get(next.id)!);
      this.updated.set(next.id, next);
    }
    if (next.parent_id !== current.parent_id) {
      this.tree.move(next.id);
      this.tree.place(next.id, current.parent_id, next.parent_id);
    }
    this.after.set(next.id, next);
    this.index.move(current, next);
    if (next.name !== current.name || next.parent_id !== current.parent_id || next.status !== current.status)
      this.placedBy.set(next.id, index);
    if (next.external_id !== null && next.external_id !== current.external_id) this.keyedBy.set(next.id, index);
  }

  /** Computes the scores of created and updated cards. The facts of stored cards must have been read. */
  async score(): Promise<void> {
    const { metamodel } = this.o;
    const slice = new TimeSlice();
    for (const card of this.stored()) {
      Object.assign(card, scoresOf(metamodel, metamodel.types.get(card.type)!, card));
      if (slice.isOver) await slice.next();
    }
  }

  /** The cards the batch writes. */
  stored(): CardState[] {
    return [...this.created.values(), ...this.updated.values()];
  }

  /** Cards whose name among their siblings is new, in the order of the operations. */
  renamed(): CardState[] {
    return this.stored()
      .filter((c) => {
        const was = this.before.get(c.id);
        return (
          c.status === 'ACTIVE' &&
          (!was || was.status !== 'ACTIVE' || was.name !== c.name || was.parent_id !== c.parent_id)
        );
      })
      .sort((a, b) => this.placeRow(a.id) - this.placeRow(b.id));
  }

  /** Cards whose external id is new, in the order of the operations. */
  rekeyed(): CardState[] {
    return this.stored()
      .filter((c) => c.external_id !== null && this.before.get(c.id)?.external_id !== c.external_id)
      .sort((a, b) => this.keyRow(a.id) - this.keyRow(b.id));
  }

  /** By how many the children of cards change. @param activeOnly counts active children only */
  childrenMoved(activeOnly: boolean): Map<string, number> {
    const moved = new Map<string, number>();
    const count = (card: CardState | undefined, n: number) => {
      if (card?.parent_id && !(activeOnly && card.status !== 'ACTIVE'))
        moved.set(card.parent_id, (moved.get(card.parent_id) ?? 0) + n);
    };
    for (const card of this.stored()) {
      count(this.before.get(card.id), -1);
      count(card, 1);
    }
    for (const id of this.deleted) count(this.before.get(id), -1);
    return moved;
  }
}
