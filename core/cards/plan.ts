import type { FieldError } from '@lintel/sdk';
import { problem, type Problem } from '../errors.js';
import { uuidv7 } from '../ids.js';
import { dataQuality, type CardType, type Metamodel } from '../metamodel/index.js';
import type { BatchRows } from './batch-rows.js';
import { applyInput, differences, inputErrors, isSubstantive } from './rules.js';
import { Tree } from './tree.js';
import type { CardInput, CardOperation, CardReference, CardState, Outcome } from './types.js';

/** Whether the caller may do this to a card of the type; the problem to answer with where not. */
export type Authorise = (op: CardOperation['op'], type: string, id: string | undefined) => Problem | undefined;

const EMPTY: Omit<CardState, 'id' | 'type'> = {
  subtype: null, name: '', description: null, parent_id: null, path_ids: [], lifecycle: {}, attributes: {}, status: 'ACTIVE',
  approval_status: 'DRAFT', data_quality: 0, external_id: null, alias: null, roles_held: 0, version: 0,
};

export const keyOf = (type: string, externalId: string): string => `${type}\n${externalId}`;

/** What an input says of the parent: undefined where it says nothing, null for none. */
export function parentOf(card: CardInput | undefined): CardReference | null | undefined {
  if (card?.parent !== undefined) return card.parent;
  return card?.parent_id === undefined ? undefined : card.parent_id === null ? null : { id: card.parent_id };
}

/** Data quality of a card as the write path holds it. */
export function scoreOf(metamodel: Metamodel, type: CardType, card: CardState): number {
  const relations = { demanded: metamodel.mandatoryFor(type.key).length, filled: 0 };
  return dataQuality(type, card, { relations, tagGroups: { demanded: 0, filled: 0 }, rolesHeld: card.roles_held });
}

/** Works out what a batch of operations makes of the cards it loaded; asks and changes nothing outside memory. */
export class CardPlan {
  /** Cards as they were, by id. */
  readonly before = new Map<string, CardState>();
  /** Cards as the batch leaves them, by id. */
  readonly after = new Map<string, CardState>();
  readonly created = new Map<string, CardState>();
  readonly updated = new Map<string, CardState>();
  readonly deleted: string[] = [];
  readonly byKey = new Map<string, string>();
  readonly tree = new Tree(this.after);
  private readonly rowOf = new Map<string, number>();

  constructor(private readonly metamodel: Metamodel, private readonly rows: BatchRows, private readonly refs: Map<string, string>, private readonly authorise: Authorise) {}

  keep(cards: readonly CardState[]): void {
    for (const card of cards) {
      this.before.set(card.id, card);
      this.after.set(card.id, card);
      if (card.external_id !== null) this.byKey.set(keyOf(card.type, card.external_id), card.id);
    }
  }

  /** The first operation that concerned the card. */
  row(id: string): number {
    return this.rowOf.get(id)!;
  }

  sound(id: string): boolean {
    return !this.rows.failed(this.row(id));
  }

  add(operation: CardOperation, index: number): void {
    const { op, card } = operation;
    if (op === 'create') { this.create(card ?? {}, index, operation.ref); return; }
    const key = card?.type !== undefined && card.external_id ? keyOf(card.type, card.external_id) : undefined;
    const id = operation.id ?? (op === 'upsert' && key !== undefined ? this.byKey.get(key) : undefined);
    const current = id === undefined ? undefined : this.after.get(id);
    if (!current) {
      if (op !== 'upsert' || operation.id !== undefined) this.rows.fail(index, 'id', 'names no card', problem('not_found'));
      else if (key !== undefined) this.create(card!, index, operation.ref);
      else this.rows.fail(index, 'external_id', 'with type, or id, is needed to upsert');
      return;
    }
    this.rows.results[index]!.id = current.id;
    if (operation.ref !== undefined) this.refs.set(operation.ref, current.id);
    const refusal = this.authorise(op, current.type, current.id);
    if (refusal) this.rows.fail(index, 'op', refusal.detail, refusal);
    else if (operation.version !== undefined && operation.version !== current.version) {
      this.rows.fail(index, 'version', `is stale, the card is at ${current.version}`, problem('precondition_failed', { current_version: current.version }));
    } else if (op === 'update' || op === 'upsert') this.update(current, card ?? {}, index);
    else if (op === 'delete') this.remove(current, index);
    else this.setStatus(current, op, index);
  }

  private create(input: CardInput, index: number, ref: string | undefined): void {
    const type = input.type === undefined ? undefined : this.metamodel.types.get(input.type);
    if (!type) {
      this.rows.fail(index, 'type', input.type === undefined ? 'is required' : 'is unknown');
      if (input.name === undefined || input.name.trim() === '') this.rows.fail(index, 'name', 'must have 1 to 500 characters that are not all blank');
      return;
    }
    const refusal = this.authorise('create', type.key, undefined);
    if (refusal) { this.rows.fail(index, 'op', refusal.detail, refusal); return; }
    const errors = inputErrors(type, input, undefined, this.rows.pointer(index));
    const card = applyInput({ ...EMPTY, id: uuidv7(), type: type.key, version: 1 }, input);
    this.place(card, input, type, index, errors);
    if (errors.length > 0) { this.rows.failAll(index, errors); return; }
    card.data_quality = scoreOf(this.metamodel, type, card);
    this.created.set(card.id, card);
    this.after.set(card.id, card);
    if (ref !== undefined) this.refs.set(ref, card.id);
    if (card.external_id !== null) this.byKey.set(keyOf(card.type, card.external_id), card.id);
    this.finish(index, 'created', card);
  }

  private update(current: CardState, input: CardInput, index: number): void {
    if (current.status === 'ARCHIVED') { this.rows.fail(index, 'id', 'names an archived card', problem('invalid_state', { detail: 'The card is archived; restore it first.' })); return; }
    const type = this.metamodel.types.get(current.type)!;
    const errors = inputErrors(type, input, current, this.rows.pointer(index));
    const next = applyInput(current, input);
    this.place(next, input, type, index, errors);
    if (errors.length > 0) { this.rows.failAll(index, errors); return; }
    const changes = differences(current, next);
    if (changes.length === 0) { this.finish(index, 'unchanged', current); return; }
    if (next.parent_id !== current.parent_id) this.tree.move(next.id);
    if (next.approval_status === 'APPROVED' && isSubstantive(changes)) next.approval_status = 'BROKEN';
    next.data_quality = scoreOf(this.metamodel, type, next);
    this.change(next, index, 'updated');
  }

  private setStatus(current: CardState, op: 'archive' | 'restore', index: number): void {
    const status = op === 'archive' ? 'ARCHIVED' : 'ACTIVE';
    if (current.status === status) {
      const detail = `The card is ${status.toLowerCase()} already.`;
      this.rows.fail(index, 'id', detail, problem('invalid_state', { detail }));
    } else this.change({ ...current, status }, index, op === 'archive' ? 'archived' : 'restored');
  }

  private remove(current: CardState, index: number): void {
    this.deleted.push(current.id);
    this.after.delete(current.id);
    this.updated.delete(current.id);
    this.finish(index, 'deleted', current);
  }

  private change(next: CardState, index: number, outcome: Outcome): void {
    // A card this batch makes, or has changed already, still gets only one new version.
    if (this.created.has(next.id)) this.created.set(next.id, next);
    else {
      next.version = this.before.get(next.id)!.version + 1;
      this.updated.set(next.id, next);
    }
    this.after.set(next.id, next);
    this.finish(index, outcome, next);
  }

  private finish(index: number, outcome: Outcome, card: CardState): void {
    if (!this.rowOf.has(card.id)) this.rowOf.set(card.id, index);
    this.rows.done(index, outcome, card.id, outcome === 'deleted' ? undefined : card.version);
  }

  private place(card: CardState, input: CardInput, type: CardType, index: number, errors: FieldError[]): void {
    const reference = parentOf(input);
    if (reference === undefined) return;
    const bad = (reason: string) => errors.push({ field: `${this.rows.pointer(index)}/${input.parent === undefined ? 'parent_id' : 'parent'}`, reason, in: 'body' });
    if (reference === null) { card.parent_id = null; card.path_ids = []; return; }
    const id = 'id' in reference ? reference.id : 'ref' in reference ? this.refs.get(reference.ref) : this.byKey.get(keyOf(reference.type, reference.external_id));
    const parent = id === undefined ? undefined : this.after.get(id);
    if (!parent) { bad('names no card'); return; }
    if (parent.status !== 'ACTIVE') { bad('names an archived card'); return; }
    if (!type.definition.has_hierarchy || !type.definition.allowed_parent_types.includes(parent.type)) { bad(`a ${parent.type} cannot be the parent of a ${type.key}`); return; }
    card.parent_id = parent.id;
    const path = this.tree.path(card);
    if (!path) { bad('would make the card its own ancestor'); return; }
    card.path_ids = path;
    const max = type.definition.max_level;
    if (max !== undefined && path.length + 1 > max) bad(`would put the card on level ${path.length + 1}; ${type.key} has ${max}`);
  }

  /** Several moves of one batch may only together make a cycle; and they settle each other's paths. */
  settleMoves(): void {
    for (const card of this.updated.values()) {
      if (card.parent_id === this.before.get(card.id)!.parent_id) continue;
      const path = this.tree.path(card);
      if (path) card.path_ids = path;
      else this.rows.fail(this.row(card.id), 'parent_id', 'would make the card its own ancestor', problem('cycle'));
    }
  }

  /** A card whose parent's row failed cannot be stored either. */
  failOrphans(): void {
    for (const card of [...this.created.values(), ...this.updated.values()]) {
      if (card.parent_id !== null && this.created.has(card.parent_id) && !this.sound(card.parent_id)) this.rows.fail(this.row(card.id), 'parent', 'is a card of this call that failed');
    }
  }

  /** Cards whose name among their siblings is new. */
  renamed(): CardState[] {
    return [...this.created.values(), ...this.updated.values()].filter((c) => {
      const was = this.before.get(c.id);
      return c.status === 'ACTIVE' && this.sound(c.id) && (!was || was.status !== 'ACTIVE' || was.name !== c.name || was.parent_id !== c.parent_id);
    });
  }
}
