import type { UnitOfWork } from '../db/unit-of-work.js';
import { problem } from '../errors.js';
import type { Metamodel } from '../metamodel/index.js';
import { nameKey } from '../text.js';
import type { BatchRows } from './batch-rows.js';
import { CardPlan, keyOf, levelLimit, parentOf, scoreOf, upsertKey, type Authorise } from './plan.js';
import { childCounts, deleteCards, externalIdsTaken, insertCards, lockCards, lockMoves, namesTaken, rescoreCards, rewritePaths, updateCards, vacate, versionDoc, type CardKey } from './repository.js';
import { differences } from './rules.js';
import type { CardOperation, CardState } from './types.js';
import type { SeesCosts } from './view.js';

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
  /** A single write leaves names and external ids to the constraints, and saves the round trips. */
  lone?: boolean;
}

interface Unique {
  /** What it stands under, one text per value that only one card may have. */
  place(card: CardState): string;
  holds(card: CardState, wanted: CardState): boolean;
  row(id: string): number;
  field: string;
  code: 'name_taken' | 'external_id_taken';
  taken(uow: UnitOfWork, cards: CardState[]): Promise<Map<number, string>>;
}

/** Rows of one statement: enough to make the round trip small beside the work, few enough to keep memory flat. */
const CHUNK = 2_000;
/** How often a batch is worked out anew without the rows that turned out impossible. */
const ROUNDS = 12;

/**
 * The one write path of cards. A single write is a batch of one; API, bulk, import, jobs and modules all come here.
 * Checks first, over the whole batch, under ordered row locks; then one statement per kind of change.
 */
export class CardBatch {
  private plan!: CardPlan;
  /** Cards that give a name or an external id up to another card of the batch. */
  private readonly vacating = new Set<string>();

  constructor(private readonly o: BatchOptions) {}

  /**
   * Loads, locks and checks; nothing is written yet. The verdicts are in `rows`. A row that is refused takes what
   * others built on it along: the batch is worked out anew without it, until what is left can stand.
   * @throws conflict where the rows depend on one another too deeply
   */
  async check(): Promise<void> {
    const { metamodel, operations, rows, refs, authorise } = this.o;
    const loaded = await this.load();
    for (let round = 1; ; round++) {
      const known = new Map(refs);
      const refusals = rows.refusals;
      this.plan = new CardPlan(metamodel, rows, known, authorise, loaded);
      this.vacating.clear();
      operations.forEach((operation, index) => { if (!rows.isRefused(index)) this.plan.add(operation, index); });
      this.plan.settleMoves();
      await this.checkNames();
      await this.checkExternalIds();
      await this.checkChildren();
      if (rows.refusals === refusals) { for (const [ref, id] of known) refs.set(ref, id); return; }
      if (round === ROUNDS) throw problem('conflict', { detail: 'Operations that fail carry others along, more than can be told apart; send fewer at once.' });
      rows.restart();
    }
  }

  /**
   * Writes the rows that did not fail.
   * @param result what an Idempotency-Key gives back, where the caller knows it by now
   */
  async write(result?: unknown): Promise<void> {
    const { uow, metamodel: { revision } } = this.o;
    const created = [...this.plan.created.values()];
    const updated = [...this.plan.updated.values()];
    const { deleted } = this.plan;
    if (created.length > CHUNK || updated.length + deleted.length > 0) await uow.begin();
    // Created parents may be in an earlier chunk than their children, never in a later one.
    if (created.length > CHUNK) created.sort((a, b) => a.path_ids.length - b.path_ids.length);
    if (this.vacating.size > 0) await vacate(uow, [...this.vacating]);
    for (let i = 0; i < created.length; i += CHUNK) await this.insert(created.slice(i, i + CHUNK), revision, result);
    for (let i = 0; i < updated.length; i += CHUNK) await this.update(updated.slice(i, i + CHUNK), revision);
    const roots = this.plan.tree.roots(updated);
    if (roots.length > 0) this.checkLevels(await rewritePaths(uow, roots));
    if (deleted.length > 0) await this.delete(deleted);
  }

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
    const stale = await updateCards(this.o.uow, cards, revision);
    if (stale.length === 0) return;
    const { metamodel } = this.o;
    await rescoreCards(this.o.uow, stale.map(({ id, roles_held }) => {
      const card = this.plan.after.get(id)!;
      return { id, data_quality: scoreOf(metamodel, metamodel.types.get(card.type)!, { ...card, roles_held }) };
    }));
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

  private async load(): Promise<CardState[]> {
    const targets = new Set<string>();
    const parents = new Set<string>();
    const targetKeys: CardKey[] = [];
    const parentKeys: CardKey[] = [];
    const restored = new Set<string>();
    let moves = false;
    let deletes = false;
    for (const { op, id, card } of this.o.operations) {
      const key = op === 'upsert' ? upsertKey(card) : undefined;
      if (op !== 'create' && id !== undefined) targets.add(id.toLowerCase());
      else if (key) targetKeys.push(key);
      if (op === 'restore' && id !== undefined) restored.add(id.toLowerCase());
      deletes ||= op === 'delete';
      const parent = parentOf(card);
      if (parent && 'id' in parent) parents.add(parent.id.toLowerCase());
      else if (parent && 'ref' in parent && this.o.refs.has(parent.ref)) parents.add(this.o.refs.get(parent.ref)!);
      else if (parent && 'external_id' in parent) parentKeys.push(parent);
      if ((op === 'update' || op === 'upsert') && parent !== undefined) moves = true;
    }
    if (moves) await lockMoves(this.o.uow);
    const loaded = await lockCards(this.o.uow, deletes ? 'delete' : 'write', [...targets], targetKeys);
    for (const { id, parent_id } of loaded) if (parent_id !== null && restored.has(id)) parents.add(parent_id);
    const ids = new Set(loaded.map((c) => c.id));
    const keys = new Set(loaded.map((c) => keyOf(c.type, c.external_id ?? '')));
    const unknown = parentKeys.filter((k) => !keys.has(keyOf(k.type, k.external_id)));
    return [...loaded, ...await lockCards(this.o.uow, 'share', [...parents].filter((id) => !ids.has(id)), unknown).then((more) => more.filter((c) => !ids.has(c.id)))];
  }

  private async checkNames(): Promise<void> {
    const place = (c: CardState) => `${c.type}\n${c.parent_id ?? ''}\n${nameKey(c.name)}`;
    const holds = (c: CardState, wanted: CardState) => c.status === 'ACTIVE' && place(c) === place(wanted);
    await this.checkUnique(this.plan.renamed(), { place, holds, row: (id) => this.plan.placeRow(id), field: 'name', code: 'name_taken', taken: namesTaken });
  }

  private async checkExternalIds(): Promise<void> {
    const place = (c: CardState) => keyOf(c.type, c.external_id!);
    const holds = (c: CardState, wanted: CardState) => c.external_id === wanted.external_id;
    await this.checkUnique(this.plan.rekeyed(), { place, holds, row: (id) => this.plan.keyRow(id), field: 'external_id', code: 'external_id_taken', taken: externalIdsTaken });
  }

  /** What only one card may have: refused to the second of the batch, and where a card keeps it that has it now. */
  private async checkUnique(wanting: CardState[], { place, holds, row, field, code, taken }: Unique): Promise<void> {
    const { rows, uow, lone } = this.o;
    const seen = new Map<string, number>();
    for (const card of wanting) {
      const first = seen.get(place(card));
      if (first === undefined) seen.set(place(card), row(card.id));
      else rows.refuse(row(card.id), field, `is taken by operation ${first}`, problem(code));
    }
    if (lone || wanting.length === 0) return;
    for (const [n, holderId] of await taken(uow, wanting)) {
      const card = wanting[n]!;
      if (holderId === card.id || rows.isRefused(row(card.id))) continue;
      const holder = this.plan.after.get(holderId);
      const keeps = !this.plan.before.has(holderId) || (holder !== undefined && holds(holder, card));
      if (keeps) rows.refuse(row(card.id), field, code === 'name_taken' ? 'is taken by an active sibling' : 'is taken by another card of the type', problem(code));
      else this.vacating.add(holderId);
    }
  }

  /** A card that goes, or is archived, must be left without (active) children by the batch as a whole. */
  private async checkChildren(): Promise<void> {
    const archived = [...this.plan.updated.values()].filter((c) => c.status === 'ARCHIVED' && this.plan.before.get(c.id)!.status === 'ACTIVE').map((c) => c.id);
    for (const [ids, activeOnly] of [[this.plan.deleted, false], [archived, true]] as const) {
      if (ids.length === 0) continue;
      const stored = await childCounts(this.o.uow, ids, activeOnly);
      const moved = this.plan.childrenMoved(activeOnly);
      for (const id of ids) {
        const n = (stored.get(id) ?? 0) + (moved.get(id) ?? 0);
        if (n > 0) this.o.rows.refuse(this.plan.placeRow(id), 'child_strategy', `is needed: the card has ${n} children`, problem('children_present', { child_count: n }));
      }
    }
  }

  private checkLevels(levels: Map<string, number>): void {
    for (const [type, level] of levels) {
      const max = levelLimit(this.o.metamodel.types.get(type));
      if (level > max) throw problem('validation_failed', { errors: [{ field: '/parent_id', reason: `would put a card below it on level ${level}; ${type} has ${max}`, in: 'body' }] });
    }
  }

  /** Fields that changed between the version a caller saw and now, for the body of a 412. */
  async changedSince(id: string, version: number, seesCosts: SeesCosts): Promise<string[]> {
    const doc = await versionDoc(this.o.uow, id, version);
    const now = this.plan.before.get(id.toLowerCase());
    if (!doc || !now) return [];
    const closed = seesCosts(now.id, now.type) ? new Set<string>() : this.o.metamodel.costKeys(now.type);
    const fields = differences({ ...now, ...(doc as Partial<CardState>) }, now).map((c) => c.field);
    return fields.filter((field) => !field.startsWith('attributes.') || !closed.has(field.slice('attributes.'.length)));
  }
}
