import type { FieldError } from '@lintel/sdk';
import { COST_REFUSED, costsHidden } from '../../access/index.js';
import { isStale } from '../../../foundation/conditions.js';
import { problem, type Problem } from '../../../foundation/errors.js';
import { uuidv7 } from '../../../foundation/ids.js';
import type { CardType, Metamodel } from '../../metamodel/index.js';
import { missingForApproval } from './approval.js';
import type { Authority } from '../rights/authority.js';
import type { BatchRows } from './batch-rows.js';
import { CardIndex, parentOf, referenceFault, upsertKey } from './card-index.js';
import { applyChildStrategy, type ChildPlan } from './archive-rules.js';
import { applyInput, differences, inputErrors, isSubstantive } from './rules.js';
import { scoresOf } from './data-quality.js';
import { levelLimit, Tree } from './tree.js';
import {
  APPROVALS,
  BLANK,
  type Approval,
  type CardInput,
  type CardOperation,
  type CardState,
  type ChildStrategy,
} from '../types.js';

export interface PlanOptions {
  metamodel: Metamodel;
  rows: BatchRows;
  refs: Map<string, string>;
  authority: Authority;
  loaded: readonly CardState[];
  /** Whether any operation names a card by its place. */
  byNames: boolean;
  /** Who does it; recorded as who edited what an approval is about. */
  actor: string | null;
  /** Whether it is done by a request, and not by an import or a job. */
  byHand: boolean;
}

/** Works out what a batch of operations makes of the cards it loaded; asks and changes nothing outside memory. */
export class CardPlan implements ChildPlan {
  /** Cards as they were, by id. */
  readonly before = new Map<string, CardState>();
  /** Cards as the batch leaves them, by id. */
  readonly after = new Map<string, CardState>();
  readonly created = new Map<string, CardState>();
  readonly updated = new Map<string, CardState>();
  readonly deleted: string[] = [];
  readonly tree = new Tree(this.after);
  readonly index: CardIndex;
  /** Comments given with approvals, by card. */
  readonly comments = new Map<string, string>();
  /** The last operation that gave the card its name, parent or status; and the one that gave it its external id. */
  private readonly placedBy = new Map<string, number>();
  private readonly keyedBy = new Map<string, number>();

  constructor(private readonly o: PlanOptions) {
    this.index = new CardIndex(this.after, o.refs, o.byNames, o.authority.hiddenTypes);
    for (const card of o.loaded) {
      this.before.set(card.id, card);
      this.after.set(card.id, card);
      this.index.move(undefined, card);
    }
  }

  /** The operation to refuse where the card cannot be where the batch puts it. */
  placeRow(id: string): number {
    return this.placedBy.get(id)!;
  }

  /** The operation to refuse where the card cannot have its external id. */
  keyRow(id: string): number {
    return this.keyedBy.get(id)!;
  }

  /** Whether the card does not exist for the caller. */
  isHidden({ type }: Pick<CardState, 'type'>): boolean {
    return this.o.authority.hiddenTypes.includes(type);
  }

  add(operation: CardOperation, index: number): void {
    const { op, card } = operation;
    const { rows, refs } = this.o;
    if (op === 'create') {
      this.create(card ?? {}, index, operation.ref);
      return;
    }
    const wanted = upsertKey(card);
    const id =
      operation.id?.toLowerCase() ??
      (op === 'upsert' && wanted ? this.index.key(wanted.type, wanted.external_id) : undefined);
    const current = id === undefined ? undefined : this.after.get(id);
    if (!current || this.isHidden(current)) {
      if (op !== 'upsert' || operation.id !== undefined) rows.fail(index, 'id', 'names no card', problem('not_found'));
      else if (wanted) this.create(card!, index, operation.ref);
      else rows.fail(index, 'external_id', 'with type, or id, is needed to upsert');
      return;
    }
    rows.results[index]!.id = current.id;
    if (operation.ref !== undefined) refs.set(operation.ref, current.id);
    const refusal = this.o.authority.refuses(op, current.type, this.asStored(current));
    if (refusal) rows.fail(index, 'op', refusal.detail, refusal);
    else if (isStale(operation.version, current.version)) {
      rows.fail(
        index,
        'version',
        `is stale, the card is at ${current.version}`,
        problem('precondition_failed', { current_version: current.version }),
      );
    } else if (op === 'update' || op === 'upsert') this.update(current, card ?? {}, index);
    else if (op === 'delete') this.remove(current, index, operation.child_strategy);
    else if (op === 'archive') this.archive(current, index, operation.child_strategy);
    else if (op === 'restore') this.restore(current, index);
    else this.decide(current, op, index, operation.comment);
  }

  private create(input: CardInput, index: number, ref: string | undefined): void {
    const { metamodel, rows, refs, authority } = this.o;
    const type = input.type === undefined ? undefined : metamodel.types.get(input.type);
    if (!type) {
      rows.fail(index, 'type', input.type === undefined ? 'is required' : 'is unknown');
      if (input.name === undefined || input.name.trim() === '')
        rows.fail(index, 'name', 'must have 1 to 500 characters that are not all blank');
      return;
    }
    const refusal = authority.refuses('create', type.key, undefined);
    if (refusal) {
      rows.fail(index, 'op', refusal.detail, refusal);
      return;
    }
    const errors = inputErrors(type, input, undefined, rows.pointer(index), this.o.byHand);
    const blank: CardState = {
      ...BLANK,
      id: uuidv7(),
      type: type.key,
      version: 1,
      attributes: type.fields.defaults(),
      edited_by: this.o.actor,
    };
    const card = applyInput(type, blank, input);
    this.place(card, input, type, index, errors);
    if (this.refusesCosts(type, input, card, index)) return;
    if (errors.length > 0) {
      rows.failAll(index, errors);
      return;
    }
    Object.assign(card, scoresOf(metamodel, type, card));
    this.created.set(card.id, card);
    this.after.set(card.id, card);
    this.index.move(undefined, card);
    if (ref !== undefined) refs.set(ref, card.id);
    this.placedBy.set(card.id, index);
    if (card.external_id !== null) this.keyedBy.set(card.id, index);
    rows.done(index, 'created', card.id, card.version);
  }

  private refusesCosts(type: CardType, input: CardInput, card: CardState, index: number): boolean {
    if (!input.attributes || type.fields.costKeys.size === 0) return false;
    const keys = Object.keys(input.attributes).filter((key) => type.fields.costKeys.has(key));
    if (keys.length === 0 || this.o.authority.seesCosts(type.key, this.asStored(card))) return false;
    for (const key of keys) this.o.rows.fail(index, `attributes/${key}`, COST_REFUSED, costsHidden());
    return true;
  }

  private update(current: CardState, input: CardInput, index: number): void {
    const { metamodel, rows } = this.o;
    if (current.status === 'ARCHIVED') {
      this.wrongState(index, 'The card is archived; restore it first.');
      return;
    }
    const type = metamodel.types.get(current.type)!;
    if (this.refusesCosts(type, input, current, index)) return;
    const errors = inputErrors(type, input, current, rows.pointer(index), this.o.byHand);
    const next = applyInput(type, current, input);
    this.place(next, input, type, index, errors);
    if (errors.length > 0) {
      rows.failAll(index, errors);
      return;
    }
    const refusal =
      next.parent_id === current.parent_id
        ? undefined
        : this.o.authority.refusesMove(type.key, this.asStored(current), next.path_ids);
    if (refusal) {
      rows.fail(index, input.parent === undefined ? 'parent_id' : 'parent', refusal.detail, refusal);
      return;
    }
    const changes = differences(current, next);
    if (changes.length === 0) {
      rows.done(index, 'unchanged', current.id, current.version);
      return;
    }
    if (isSubstantive(changes)) this.edited(next);
    this.change(current, next, index);
    rows.done(index, 'updated', next.id, next.version);
  }

  private restore(current: CardState, index: number): void {
    if (current.status === 'ACTIVE') {
      this.wrongState(index, 'The card is active already.');
      return;
    }
    if (current.parent_id !== null && this.after.get(current.parent_id)?.status !== 'ACTIVE') {
      this.wrongState(index, 'The card is below an archived one; restore that first.');
      return;
    }
    const next: CardState = { ...current, status: 'ACTIVE' };
    this.change(current, next, index);
    this.o.rows.done(index, 'restored', next.id, next.version);
  }

  private archive(current: CardState, index: number, strategy: ChildStrategy | undefined): void {
    if (current.status === 'ARCHIVED') {
      this.wrongState(index, 'The card is archived already.');
      return;
    }
    if (!this.settle(current, index, 'archive', strategy)) return;
    const next: CardState = { ...current, status: 'ARCHIVED' };
    this.change(current, next, index);
    this.o.rows.done(index, 'archived', next.id, next.version);
  }

  private remove(current: CardState, index: number, strategy: ChildStrategy | undefined): void {
    if (!this.settle(current, index, 'delete', strategy)) return;
    this.drop(current, index);
    this.o.rows.done(index, 'deleted', current.id);
  }

  /** Without a choice nothing is done to children here: those there are refuse the row later. */
  private settle(
    parent: CardState,
    index: number,
    op: 'archive' | 'delete',
    strategy: ChildStrategy | undefined,
  ): boolean {
    const refusal = strategy && applyChildStrategy(this, this.o.metamodel, parent, index, op, strategy);
    if (refusal) this.o.rows.fail(index, 'child_strategy', refusal.detail, refusal);
    return !refusal;
  }

  refuses(op: CardOperation['op'], card: CardState): Problem | undefined {
    return this.o.authority.refuses(op, card.type, this.asStored(card));
  }

  drop(current: CardState, index: number): void {
    this.deleted.push(current.id);
    this.after.delete(current.id);
    this.updated.delete(current.id);
    this.placedBy.set(current.id, index);
    this.index.move(current, undefined);
  }

  /** Records a substantive edit: its author may not approve the card, and an existing approval is broken. */
  edited(next: CardState): void {
    next.edited_by = this.o.actor;
    if (next.approval_status === 'APPROVED') next.approval_status = 'BROKEN';
  }

  private decide(current: CardState, action: Approval, index: number, comment: string | undefined): void {
    const { metamodel, rows } = this.o;
    if (current.status === 'ARCHIVED') {
      this.wrongState(index, 'The card is archived; restore it first.');
      return;
    }
    const approval_status = APPROVALS[action];
    if (current.approval_status === approval_status) {
      this.wrongState(index, `The card is ${approval_status} already.`);
      return;
    }
    const type = metamodel.types.get(current.type)!;
    if (action === 'approve') {
      const missing = missingForApproval(metamodel, type, current);
      if (missing.length > 0) {
        rows.fail(
          index,
          'action',
          'is refused while something demanded is missing',
          problem('approval_blocked', { missing }),
        );
        return;
      }
      if (
        type.definition.approval_policy?.four_eyes === true &&
        this.o.actor !== null &&
        current.edited_by === this.o.actor
      ) {
        rows.fail(index, 'action', 'is for somebody else', problem('four_eyes'));
        return;
      }
    }
    const next: CardState = { ...current, approval_status };
    if (comment !== undefined) this.comments.set(current.id, comment);
    this.change(current, next, index);
    rows.done(index, 'updated', next.id, next.version);
  }

  /** The card where it is stored: rights are those it has there, and not where the batch puts it. */
  private readonly asStored = (card: CardState): CardState => this.before.get(card.id) ?? card;

  private wrongState(index: number, detail: string): void {
    this.o.rows.fail(index, 'id', detail, problem('invalid_state', { detail }));
  }

  change(current: CardState, next: CardState, index: number): void {
    // A card this batch makes, or has changed already, still gets only one new version.
    if (this.created.has(next.id)) this.created.set(next.id, next);
    else {
      next.version = this.before.get(next.id)!.version + 1;
      this.updated.set(next.id, next);
    }
    if (next.parent_id !== current.parent_id) this.tree.move(next.id);
    this.after.set(next.id, next);
    this.index.move(current, next);
    if (next.name !== current.name || next.parent_id !== current.parent_id || next.status !== current.status)
      this.placedBy.set(next.id, index);
    if (next.external_id !== null && next.external_id !== current.external_id) this.keyedBy.set(next.id, index);
  }

  /** Scores what changed. Of stored cards the facts around them must be known by now. */
  score(): void {
    const { metamodel } = this.o;
    for (const card of this.stored()) Object.assign(card, scoresOf(metamodel, metamodel.types.get(card.type)!, card));
  }

  private place(card: CardState, input: CardInput, type: CardType, index: number, errors: FieldError[]): void {
    const reference = parentOf(input);
    if (reference === undefined) return;
    const bad = (reason: string) =>
      errors.push({
        field: `${this.o.rows.pointer(index)}/${input.parent === undefined ? 'parent_id' : 'parent'}`,
        reason,
        in: 'body',
      });
    if (reference === null) {
      // Who does not see the parent sees none already: nothing changes.
      const parent = card.parent_id === null ? undefined : this.after.get(card.parent_id);
      if (parent && this.isHidden(parent)) return;
      card.parent_id = null;
      card.path_ids = [];
      return;
    }
    const fault = referenceFault(reference);
    if (fault) {
      bad(fault);
      return;
    }
    const parent = this.index.find(reference);
    if (typeof parent === 'string') {
      bad(parent);
      return;
    }
    if (parent.status !== 'ACTIVE') {
      bad('names an archived card');
      return;
    }
    if (!type.definition.has_hierarchy || !type.definition.allowed_parent_types.includes(parent.type)) {
      bad(`a ${parent.type} cannot be the parent of a ${type.key}`);
      return;
    }
    card.parent_id = parent.id;
    const path = this.tree.path(card);
    if (!path) {
      bad('would make the card its own ancestor');
      return;
    }
    card.path_ids = path;
    const max = levelLimit(type);
    if (path.length + 1 > max) bad(`would put the card on level ${path.length + 1}; ${type.key} has ${max}`);
  }

  /** Several moves of one batch may only together make a cycle; and they settle each other's paths. */
  settleMoves(): void {
    if (!this.tree.anyMoved) return;
    for (const card of this.stored()) {
      if (card.parent_id === this.before.get(card.id)?.parent_id) continue;
      const path = this.tree.path(card);
      if (path) card.path_ids = path;
      else
        this.o.rows.refuse(
          this.placeRow(card.id),
          'parent_id',
          'would make the card its own ancestor',
          problem('cycle'),
        );
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

  /** The children that cards get (1) and lose (-1) by the batch, archived ones included or not. */
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
