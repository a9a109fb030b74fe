import { TimeSlice, type FieldError } from '@lintel/sdk';
import type { Change } from '../../changes.js';
import { COST_REFUSED, costsHidden } from '../../access/index.js';
import { isStale } from '../../../foundation/conditions.js';
import { problem, type Problem } from '../../../foundation/errors.js';
import { uuidv7 } from '../../../foundation/ids.js';
import type { CardType } from '../../metamodel/index.js';
import { parentOf, referenceFault, upsertKey } from './card-index.js';
import { applyChildStrategy, type ChildPlan } from './archive-rules.js';
import { applyInput, differences, inputErrors, isSubstantive } from './rules.js';
import { missingForApproval, scoresOf } from './data-quality.js';
import { PlannedCards } from './planned-cards.js';
import { openReferences, PARENT_REFUSED, REFERENCE_REFUSED } from './references.js';
import { levelLimit } from './tree.js';
import {
  APPROVALS,
  BLANK,
  type Approval,
  type CardInput,
  type CardOperation,
  type CardState,
  type ChildStrategy,
} from '../types.js';

/** Plans the operations of a batch on the cards it loaded, in memory: it runs no statement. */
export class CardPlan extends PlannedCards implements ChildPlan {
  /** Plans an operation. @returns a promise where it changes other cards too, which may be many */
  add(operation: CardOperation, index: number): Promise<void> | undefined {
    const { op, card } = operation;
    const { rows, refs } = this.o;
    if (op === 'create') {
      this.create(card ?? {}, index, operation.ref);
      return undefined;
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
      return undefined;
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
    else if (op === 'delete') return this.remove(current, index, operation.child_strategy);
    else if (op === 'archive') return this.archive(current, index, operation.child_strategy);
    else if (op === 'restore') this.restore(current, index);
    else this.decide(current, op, index, operation.comment);
    return undefined;
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
      id: uuidv7(),
      type: type.key,
      ...BLANK,
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
    this.insert(card, index);
    if (ref !== undefined) refs.set(ref, card.id);
    rows.done(index, 'created', card.id, card.version);
  }

  private refusesCosts(type: CardType, input: CardInput, card: CardState, index: number): boolean {
    if (!input.attributes || type.fields.costKeys.size === 0) return false;
    const keys = Object.keys(input.attributes).filter((key) => type.fields.costKeys.has(key));
    if (keys.length === 0 || this.o.authority.seesCosts(type.key, this.asStored(card))) return false;
    for (const key of keys) this.o.rows.fail(index, `attributes/${key}`, COST_REFUSED, costsHidden());
    return true;
  }

  private update(current: CardState, given: CardInput, index: number): void {
    const { metamodel, rows, unseen } = this.o;
    if (current.status === 'ARCHIVED') {
      this.wrongState(index, 'The card is archived; restore it first.');
      return;
    }
    const type = metamodel.types.get(current.type)!;
    if (this.refusesCosts(type, given, current, index)) return;
    const { open, refused } = openReferences(type.fields, current.attributes, given.attributes, unseen.cards);
    const input: CardInput = open ? { ...given, attributes: open } : given;
    const errors = inputErrors(type, input, current, rows.pointer(index), this.o.byHand);
    for (const key of refused)
      errors.push({ field: `${rows.pointer(index)}/attributes/${key}`, reason: REFERENCE_REFUSED, in: 'body' });
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

  private async archive(current: CardState, index: number, strategy: ChildStrategy | undefined): Promise<void> {
    if (current.status === 'ARCHIVED') {
      this.wrongState(index, 'The card is archived already.');
      return;
    }
    if (!(await this.settle(current, index, 'archive', strategy))) return;
    const next: CardState = { ...current, status: 'ARCHIVED' };
    this.change(current, next, index);
    this.o.rows.done(index, 'archived', next.id, next.version);
  }

  private async remove(current: CardState, index: number, strategy: ChildStrategy | undefined): Promise<void> {
    if (!(await this.settle(current, index, 'delete', strategy))) return;
    this.drop(current, index);
    this.o.rows.done(index, 'deleted', current.id);
  }

  /** Applies the strategy for the children. Without one, existing children make the row fail in `checkPlan`. */
  private async settle(
    parent: CardState,
    index: number,
    op: 'archive' | 'delete',
    strategy: ChildStrategy | undefined,
  ): Promise<boolean> {
    const refusal = strategy && (await applyChildStrategy(this, this.o.metamodel, parent, index, op, strategy));
    if (refusal) this.o.rows.fail(index, 'child_strategy', refusal.detail, refusal);
    return !refusal;
  }

  refuses(op: CardOperation['op'], card: CardState): Problem | undefined {
    return this.o.authority.refuses(op, card.type, this.asStored(card));
  }

  /** Records a substantive edit: its author may not approve it, and an approval becomes invalid. */
  edited(next: CardState): void {
    if (this.o.keepsApproval === true) return;
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
      const missing = missingForApproval(metamodel, type, this.o.unseen.shown(type, current));
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
        rows.fail(index, 'action', 'needs another user: you made the last edit', problem('four_eyes'));
        return;
      }
    }
    const next: CardState = { ...current, approval_status };
    if (comment !== undefined) this.comments.set(current.id, comment);
    this.change(current, next, index);
    rows.done(index, 'updated', next.id, next.version);
  }

  /** The fields of a card's type. */
  fieldsOf({ type }: CardState): CardType['fields'] {
    return this.o.metamodel.types.get(type)!.fields;
  }

  /**
   * Sets values that a rule of a module adds to a created or updated card.
   * @param index of the operation that changes the card
   * @returns what they change; errors of the values, if any: none are set then
   */
  complete(
    current: CardState,
    set: CardInput,
    index: number,
    maxDescription: number,
  ): { errors: FieldError[]; changes: Change[] } {
    const { metamodel, rows } = this.o;
    const type = metamodel.types.get(current.type)!;
    const errors = inputErrors(type, set, current, rows.pointer(index));
    if ([...(set.description ?? '')].length > maxDescription)
      errors.push({
        field: `${rows.pointer(index)}/description`,
        reason: `must not have more than ${maxDescription} characters`,
        in: 'body',
      });
    if (errors.length > 0) return { errors, changes: [] };
    const next = applyInput(type, current, set);
    const changes = differences(current, next);
    if (changes.length === 0) return { errors, changes };
    if (this.created.has(current.id)) Object.assign(next, scoresOf(metamodel, type, next));
    else if (isSubstantive(changes)) this.edited(next);
    this.change(current, next, index);
    return { errors, changes };
  }

  private wrongState(index: number, detail: string): void {
    this.o.rows.fail(index, 'id', detail, problem('invalid_state', { detail }));
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
    const current = card.parent_id === null ? undefined : this.after.get(card.parent_id);
    if (current && this.isHidden(current)) {
      // A caller who cannot see the parent is shown none, and can neither remove nor replace it. The path tells that it is there.
      if (reference !== null) bad(PARENT_REFUSED);
      return;
    }
    if (reference === null) {
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

  /** Computes the paths of moved cards: several moves together may create a cycle, and change each other's paths. */
  async settleMoves(): Promise<void> {
    if (!this.tree.anyMoved) return;
    const slice = new TimeSlice();
    for (const card of this.stored()) {
      if (slice.isOver) await slice.next();
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
}
