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

/** The key an upsert without an id looks for. */
export function upsertKey(card: CardInput | undefined): { type: string; external_id: string } | undefined {
  return card?.type !== undefined && card.external_id?.trim() ? { type: card.type, external_id: card.external_id } : undefined;
}

/** Levels of any tree: paths are stored with each card, so that their size grows with the square of the depth. */
export const MAX_LEVEL = 100;

/** The deepest level a card of the type may stand on. */
export const levelLimit = (type: CardType | undefined): number => Math.min(type?.definition.max_level ?? MAX_LEVEL, MAX_LEVEL);

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
  /** The last operation that gave the card its name, parent or status; and the one that gave it its external id. */
  private readonly placedBy = new Map<string, number>();
  private readonly keyedBy = new Map<string, number>();

  constructor(
    private readonly metamodel: Metamodel, private readonly rows: BatchRows, private readonly refs: Map<string, string>,
    private readonly authorise: Authorise, loaded: readonly CardState[],
  ) {
    for (const card of loaded) {
      this.before.set(card.id, card);
      this.after.set(card.id, card);
      if (card.external_id !== null) this.byKey.set(keyOf(card.type, card.external_id), card.id);
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

  add(operation: CardOperation, index: number): void {
    const { op, card } = operation;
    if (op === 'create') { this.create(card ?? {}, index, operation.ref); return; }
    const wanted = upsertKey(card);
    const key = wanted && keyOf(wanted.type, wanted.external_id);
    const id = operation.id?.toLowerCase() ?? (op === 'upsert' && key !== undefined ? this.byKey.get(key) : undefined);
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
    this.placedBy.set(card.id, index);
    this.rekey(undefined, card, index);
    this.rows.done(index, 'created', card.id, card.version);
  }

  private rekey(before: CardState | undefined, after: CardState | undefined, index: number): void {
    if (before?.external_id === after?.external_id) return;
    if (before?.external_id) this.byKey.delete(keyOf(before.type, before.external_id));
    if (!after?.external_id) return;
    this.byKey.set(keyOf(after.type, after.external_id), after.id);
    this.keyedBy.set(after.id, index);
  }

  private update(current: CardState, input: CardInput, index: number): void {
    if (current.status === 'ARCHIVED') { this.rows.fail(index, 'id', 'names an archived card', problem('invalid_state', { detail: 'The card is archived; restore it first.' })); return; }
    const type = this.metamodel.types.get(current.type)!;
    const errors = inputErrors(type, input, current, this.rows.pointer(index));
    const next = applyInput(current, input);
    this.place(next, input, type, index, errors);
    if (errors.length > 0) { this.rows.failAll(index, errors); return; }
    const changes = differences(current, next);
    if (changes.length === 0) { this.rows.done(index, 'unchanged', current.id, current.version); return; }
    if (next.parent_id !== current.parent_id) this.tree.move(next.id);
    if (next.approval_status === 'APPROVED' && isSubstantive(changes)) next.approval_status = 'BROKEN';
    next.data_quality = scoreOf(this.metamodel, type, next);
    this.change(current, next, index, 'updated');
  }

  private setStatus(current: CardState, op: 'archive' | 'restore', index: number): void {
    const status = op === 'archive' ? 'ARCHIVED' : 'ACTIVE';
    if (current.status === status) {
      const detail = `The card is ${status.toLowerCase()} already.`;
      this.rows.fail(index, 'id', detail, problem('invalid_state', { detail }));
    } else if (status === 'ACTIVE' && current.parent_id !== null && this.after.get(current.parent_id)?.status !== 'ACTIVE') {
      const detail = 'The card is below an archived one; restore that first.';
      this.rows.fail(index, 'id', detail, problem('invalid_state', { detail }));
    } else this.change(current, { ...current, status }, index, op === 'archive' ? 'archived' : 'restored');
  }

  private remove(current: CardState, index: number): void {
    this.deleted.push(current.id);
    this.after.delete(current.id);
    this.updated.delete(current.id);
    this.placedBy.set(current.id, index);
    this.rekey(current, undefined, index);
    this.rows.done(index, 'deleted', current.id);
  }

  private change(current: CardState, next: CardState, index: number, outcome: Outcome): void {
    // A card this batch makes, or has changed already, still gets only one new version.
    if (this.created.has(next.id)) this.created.set(next.id, next);
    else {
      next.version = this.before.get(next.id)!.version + 1;
      this.updated.set(next.id, next);
    }
    this.after.set(next.id, next);
    if (next.name !== current.name || next.parent_id !== current.parent_id || next.status !== current.status) this.placedBy.set(next.id, index);
    this.rekey(current, next, index);
    this.rows.done(index, outcome, next.id, next.version);
  }

  private place(card: CardState, input: CardInput, type: CardType, index: number, errors: FieldError[]): void {
    const reference = parentOf(input);
    if (reference === undefined) return;
    const bad = (reason: string) => errors.push({ field: `${this.rows.pointer(index)}/${input.parent === undefined ? 'parent_id' : 'parent'}`, reason, in: 'body' });
    if (reference === null) { card.parent_id = null; card.path_ids = []; return; }
    const id = 'id' in reference ? reference.id.toLowerCase() : 'ref' in reference ? this.refs.get(reference.ref) : this.byKey.get(keyOf(reference.type, reference.external_id));
    const parent = id === undefined ? undefined : this.after.get(id);
    if (!parent) { bad('names no card'); return; }
    if (parent.status !== 'ACTIVE') { bad('names an archived card'); return; }
    if (!type.definition.has_hierarchy || !type.definition.allowed_parent_types.includes(parent.type)) { bad(`a ${parent.type} cannot be the parent of a ${type.key}`); return; }
    card.parent_id = parent.id;
    const path = this.tree.path(card);
    if (!path) { bad('would make the card its own ancestor'); return; }
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
      else this.rows.refuse(this.placeRow(card.id), 'parent_id', 'would make the card its own ancestor', problem('cycle'));
    }
  }

  /** The cards the batch writes. */
  stored(): CardState[] {
    return [...this.created.values(), ...this.updated.values()];
  }

  /** Cards whose name among their siblings is new, in the order of the operations. */
  renamed(): CardState[] {
    return this.stored().filter((c) => {
      const was = this.before.get(c.id);
      return c.status === 'ACTIVE' && (!was || was.status !== 'ACTIVE' || was.name !== c.name || was.parent_id !== c.parent_id);
    }).sort((a, b) => this.placeRow(a.id) - this.placeRow(b.id));
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
      if (card?.parent_id && !(activeOnly && card.status !== 'ACTIVE')) moved.set(card.parent_id, (moved.get(card.parent_id) ?? 0) + n);
    };
    for (const card of this.stored()) { count(this.before.get(card.id), -1); count(card, 1); }
    for (const id of this.deleted) count(this.before.get(id), -1);
    return moved;
  }
}
