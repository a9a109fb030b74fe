import type { UnitOfWork } from '../db/unit-of-work.js';
import { problem } from '../errors.js';
import type { Metamodel } from '../metamodel/index.js';
import { nameKey } from '../text.js';
import type { BatchRows } from './batch-rows.js';
import { CardPlan, keyOf, parentOf, type Authorise } from './plan.js';
import { childCounts, deleteCards, insertCards, lockCards, lockMoves, namesTaken, rewritePaths, updateCards, versionDoc, type CardKey } from './repository.js';
import { differences } from './rules.js';
import type { CardOperation, CardState } from './types.js';

/** Called with the ids of cards about to be deleted, inside the transaction: whoever references cards lets go here. */
export type DeleteParticipant = (uow: UnitOfWork, ids: string[]) => Promise<void>;

export interface BatchOptions {
  uow: UnitOfWork;
  metamodel: Metamodel;
  operations: readonly CardOperation[];
  rows: BatchRows;
  /** Cards of the call by `ref`, those of batches before this one included. */
  refs: Map<string, string>;
  authorise: Authorise;
  participants: readonly DeleteParticipant[];
}

/** Rows of one statement: enough to make the round trip small beside the work, few enough to keep memory flat. */
const CHUNK = 2_000;

/**
 * The one write path of cards. A single write is a batch of one; API, bulk, import, jobs and modules all come here.
 * Checks first, over the whole batch, under ordered row locks; then one statement per kind of change.
 */
export class CardBatch {
  private readonly plan: CardPlan;

  constructor(private readonly o: BatchOptions) {
    this.plan = new CardPlan(o.metamodel, o.rows, o.refs, o.authorise);
  }

  /** Loads, locks and checks; nothing is written yet. The verdicts are in `rows`. */
  async check(): Promise<void> {
    await this.load();
    this.o.operations.forEach((operation, index) => this.plan.add(operation, index));
    this.plan.settleMoves();
    await this.checkNames();
    await this.checkChildren();
    this.plan.failOrphans();
  }

  /**
   * Writes the rows that did not fail.
   * @param result what an Idempotency-Key gives back, where the caller knows it by now
   */
  async write(result?: unknown): Promise<void> {
    const { uow, metamodel: { revision } } = this.o;
    const sound = (card: CardState) => this.plan.sound(card.id);
    const created = [...this.plan.created.values()].filter(sound);
    const updated = [...this.plan.updated.values()].filter(sound);
    const deleted = this.plan.deleted.filter((id) => this.plan.sound(id));
    if (created.length > CHUNK || updated.length + deleted.length > 0) await uow.begin();
    for (let i = 0; i < created.length; i += CHUNK) await this.insert(created.slice(i, i + CHUNK), revision, result);
    for (let i = 0; i < updated.length; i += CHUNK) await this.update(updated.slice(i, i + CHUNK), revision);
    const roots = this.plan.tree.roots(updated);
    if (roots.length > 0) this.checkLevels(await rewritePaths(uow, roots));
    if (deleted.length > 0) await this.delete(deleted);
  }

  /** Created parents may be in an earlier chunk than their children, never in a later one: references point back. */
  private async insert(cards: CardState[], revision: string, result: unknown): Promise<void> {
    for (const card of cards) this.emit('created', card, { version: 1, parent_id: card.parent_id, external_id: card.external_id });
    await insertCards(this.o.uow, cards, revision, result);
  }

  private async update(cards: CardState[], revision: string): Promise<void> {
    for (const card of cards) {
      const before = this.plan.before.get(card.id)!;
      const verb = card.status === before.status ? 'updated' : card.status === 'ARCHIVED' ? 'archived' : 'restored';
      this.emit(verb, card, { version: card.version, changes: differences(before, card) });
    }
    await updateCards(this.o.uow, cards, revision);
  }

  private async delete(ids: string[]): Promise<void> {
    for (const participant of this.o.participants) await participant(this.o.uow, ids);
    for (const id of ids) {
      const card = this.plan.before.get(id)!;
      this.emit('deleted', card, { version: card.version });
    }
    await deleteCards(this.o.uow, ids);
  }

  private emit(verb: string, card: CardState, data: Record<string, unknown>): void {
    this.o.uow.emit({ type: `card.${verb}`, subject: { kind: 'card', id: card.id, type: card.type, name: card.name }, data });
  }

  private async load(): Promise<void> {
    const targets = new Set<string>();
    const parents = new Set<string>();
    const targetKeys: CardKey[] = [];
    const parentKeys: CardKey[] = [];
    let moves = false;
    for (const { op, id, card } of this.o.operations) {
      if (op !== 'create' && id !== undefined) targets.add(id);
      else if (op === 'upsert' && card?.type !== undefined && card.external_id) targetKeys.push({ type: card.type, external_id: card.external_id });
      const parent = parentOf(card);
      if (parent && 'id' in parent) parents.add(parent.id);
      else if (parent && 'ref' in parent && this.o.refs.has(parent.ref)) parents.add(this.o.refs.get(parent.ref)!);
      else if (parent && 'external_id' in parent) parentKeys.push(parent);
      if ((op === 'update' || op === 'upsert') && parent !== undefined) moves = true;
    }
    if (moves) await lockMoves(this.o.uow);
    this.plan.keep(await lockCards(this.o.uow, 'write', [...targets], targetKeys));
    const unknown = parentKeys.filter((k) => !this.plan.byKey.has(keyOf(k.type, k.external_id)));
    this.plan.keep(await lockCards(this.o.uow, 'share', [...parents].filter((id) => !this.plan.before.has(id)), unknown));
  }

  private async checkNames(): Promise<void> {
    const { rows, operations, uow } = this.o;
    const place = (c: CardState) => `${c.type}\n${c.parent_id ?? ''}\n${nameKey(c.name)}`;
    const renamed = this.plan.renamed();
    const seen = new Map<string, number>();
    for (const card of renamed) {
      const index = this.plan.row(card.id);
      const first = seen.get(place(card));
      if (first === undefined) seen.set(place(card), index);
      else rows.fail(index, 'name', `is taken by operation ${first}`, problem('name_taken'));
    }
    // A lone create or rename leaves this to the constraint and saves the round trip.
    if (operations.length === 1 || renamed.length === 0) return;
    for (const [n, holderId] of await namesTaken(uow, renamed)) {
      const card = renamed[n]!;
      const holder = this.plan.after.get(holderId);
      // The holder may give the name up in this very batch.
      const keeps = !this.plan.before.has(holderId) || (holder !== undefined && holder.status === 'ACTIVE' && place(holder) === place(card));
      if (holderId !== card.id && keeps) rows.fail(this.plan.row(card.id), 'name', 'is taken by an active sibling', problem('name_taken'));
    }
  }

  private async checkChildren(): Promise<void> {
    const archived = [...this.plan.updated.values()].filter((c) => c.status === 'ARCHIVED').map((c) => c.id);
    const going = new Map<string | null | undefined, number>();
    for (const id of new Set([...this.plan.deleted, ...archived])) {
      const parent = this.plan.before.get(id)?.parent_id;
      going.set(parent, (going.get(parent) ?? 0) + 1);
    }
    for (const [ids, activeOnly] of [[this.plan.deleted, false], [archived, true]] as const) {
      if (ids.length === 0) continue;
      for (const [id, n] of await childCounts(this.o.uow, ids, activeOnly)) {
        if (n > (going.get(id) ?? 0)) this.o.rows.fail(this.plan.row(id), 'child_strategy', `is needed: the card has ${n} children`, problem('children_present', { child_count: n }));
      }
    }
  }

  private checkLevels(levels: Map<string, number>): void {
    for (const [type, level] of levels) {
      const max = this.o.metamodel.types.get(type)?.definition.max_level;
      if (max !== undefined && level > max) throw problem('validation_failed', { errors: [{ field: '/parent_id', reason: `would put a card below it on level ${level}; ${type} has ${max}`, in: 'body' }] });
    }
  }

  /** Fields that changed between the version a caller saw and now, for the body of a 412. */
  async changedSince(id: string, version: number): Promise<string[]> {
    const doc = await versionDoc(this.o.uow, id, version);
    const now = this.plan.before.get(id);
    return doc && now ? differences({ ...now, ...(doc as Partial<CardState>) }, now).map((c) => c.field) : [];
  }
}
