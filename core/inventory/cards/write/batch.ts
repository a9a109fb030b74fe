import { TimeSlice, type BulkPass, type FieldError } from '@lintel/sdk';
import { hiddenBelow } from '../../access/index.js';
import { WriteConflict, type UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { invalid, problem, type Problem } from '../../../foundation/errors.js';
import type { Metamodel } from '../../metamodel/index.js';
import { BatchRows, type RowResult } from './batch-rows.js';
import { loadCards, placesOf, type Loading } from './batch-loader.js';
import type { Authority } from '../rights/authority.js';
import { CardPlan } from './plan.js';
import { missing, namedKey } from './reference-repository.js';
import { childCounts, factsOf, lockCards } from '../lock-repository.js';
import {
  deleteCards,
  insertCards,
  rescoreCards,
  rewritePaths,
  updateCards,
  releaseUniqueKeys,
  versionDoc,
} from '../repository.js';
import { differences } from './rules.js';
import type { PreviewTree } from './preview-tree.js';
import { mandatoryRelations, scoresOf } from './data-quality.js';
import type { SingleInserts } from './single-inserts.js';
import { levelLimit } from './tree.js';
import type { CardOperation, CardReference, CardState, RelationInput, VersionVerb, WrittenRelation } from '../types.js';
import { checkUnique, isTaken } from './unique.js';
import type { SeesCosts } from '../list/view.js';

/** Whoever references cards has a say inside the transaction that changes them. */
export interface CardParticipant {
  /** Cards are about to be deleted: let go of them. */
  deleting?(uow: UnitOfWork, ids: string[]): Promise<void>;
  /** Cards were archived or restored. */
  statusChanged?(uow: UnitOfWork, ids: string[]): Promise<void>;
}

/** A relation of a card's operation, with the place in the body its faults are reported at. */
export interface WantedRelation {
  row: number;
  pointer: string;
  sourceId: string;
  relation: RelationInput;
}

/** Writes the relations that come with cards; made by whoever owns relations. */
export interface RelationWriter {
  /**
   * Checks relations against the cards as the batch leaves them.
   * @param find looks a card up in the batch; undefined where only the database may know it
   * @returns faults by index of `wanted`
   */
  check(
    uow: UnitOfWork,
    wanted: readonly WantedRelation[],
    find: (reference: CardReference) => CardState | undefined,
  ): Promise<Map<number, { errors: FieldError[]; cause: Problem }>>;
  /** Writes those that were checked last. @returns by index of `wanted`: id and outcome */
  write(): Promise<Map<number, WrittenRelation>>;
}

export interface BatchOptions {
  uow: UnitOfWork;
  metamodel: Metamodel;
  operations: readonly CardOperation[];
  /** Pointer to the card of operation n in the body. */
  pointer: (index: number) => string;
  /** Cards of the call by `ref`, those of batches before this one included. */
  refs: Map<string, string>;
  authority: Authority;
  participants: readonly CardParticipant[];
  /** Writes the relations that operations carry; absent where none does. */
  relations?: RelationWriter | undefined;
  /** A single write leaves names and external ids to the constraints, and saves the round trips; what makes its card. */
  single?: SingleInserts | undefined;
  /** What batches before this one would leave, where none is written: nothing is locked, names and external ids are left alone. */
  previewTree?: PreviewTree | undefined;
}

/** The options, with the rows that the operations have become so far. */
export interface BatchState extends BatchOptions {
  rows: BatchRows;
}

/** What a change of a stored card is called in the event log. */
function verbOf(before: CardState, after: CardState): VersionVerb {
  if (before.status !== after.status) return after.status === 'ARCHIVED' ? 'archived' : 'restored';
  if (before.approval_status === after.approval_status || after.approval_status === 'BROKEN') return 'updated';
  return ({ APPROVED: 'approved', REJECTED: 'rejected', DRAFT: 'approval_reset' } as const)[after.approval_status];
}

/** Rows of one statement: enough to make the round trip small beside the work, few enough to keep memory flat. */
const CHUNK = 2_000;
/** How often a batch is worked out anew without the rows that turned out impossible. */
const ROUNDS = 12;

/**
 * The one write path of cards. A single write is a batch of one; API, bulk, import, jobs and modules all come here.
 * Checks first, over the whole batch, under ordered row locks; then one statement per kind of change.
 */
export class CardBatch implements BulkPass<RowResult> {
  private plan!: CardPlan;
  /** Cards that give a name or an external id up to another card of the batch. */
  private vacating: ReadonlySet<string> = new Set();
  private readonly wanted: WantedRelation[] = [];
  /** Columns of the view of a card that was made alone. */
  madeRow: readonly (string | null)[] | undefined;

  private readonly o: BatchState;

  constructor(options: BatchOptions) {
    this.o = { ...options, rows: new BatchRows(options.operations, options.pointer) };
  }

  /** What a lone operation's failure answers as. */
  problem(index: number): Problem {
    return this.o.rows.problem(index);
  }

  /**
   * Loads, locks and checks; nothing is written yet.
   *
   * A lock is a write, and most of what is sent again has not changed: cards are read first, and what is to change is
   * locked once that is known. Where it is no longer as it was read, all is locked and worked out anew.
   * @throws conflict where the rows depend on one another too deeply
   */
  async check(): Promise<readonly RowResult[]> {
    const { operations, rows, single, previewTree } = this.o;
    const isReadFirst = !single && operations.every(({ op }) => op === 'create' || op === 'update' || op === 'upsert');
    if (previewTree) await this.workOut('unlocked');
    else if (!isReadFirst || !(await this.workOut('unlocked'))) {
      rows.restart(true);
      await this.workOut('locked');
    }
    return rows.results;
  }

  /**
   * A row that is refused takes what others built on it along: the batch is worked out anew without it, until what is
   * left can stand.
   * @returns false where it was read unlocked and does not hold
   */
  private async workOut(how: Loading): Promise<boolean> {
    const { metamodel, operations, rows, refs, authority, uow, single, previewTree } = this.o;
    const byNames = placesOf(operations).length > 0;
    const slice = new TimeSlice();
    const stored = await loadCards(
      uow,
      operations,
      refs,
      how,
      single ? mandatoryRelations(metamodel) : undefined,
      authority.hiddenTypes.length > 0,
    );
    const loaded = previewTree?.placed(stored, operations) ?? stored;
    for (let round = 1; ; round++) {
      const known = new Map(refs);
      const refusals = rows.refusals;
      this.plan = new CardPlan({
        metamodel,
        rows,
        refs: known,
        authority,
        loaded,
        byNames,
        actor: uow.ctx.actor?.id ?? null,
        byHand: uow.ctx.origin === 'api',
      });
      previewTree?.begin(this.plan);
      for (const [index, operation] of operations.entries()) {
        if (!rows.isRefused(index)) this.plan.add(operation, index);
        if (slice.isOver) await slice.next();
      }
      if (how === 'unlocked' && !previewTree && !(await this.confirm())) return false;
      this.plan.settleMoves();
      if (previewTree) await previewTree.checkBelow(uow, this.plan, rows, metamodel, authority.hiddenTypes);
      else this.vacating = await checkUnique(this.o, this.plan);
      await this.checkChildren();
      await this.checkReferences();
      await this.checkRelations();
      if (rows.refusals === refusals) {
        for (const [ref, id] of known) refs.set(ref, id);
        previewTree?.absorb(this.plan, known, operations);
        return true;
      }
      if (round === ROUNDS)
        throw problem('conflict', {
          detail: 'Operations that fail carry others along, more than can be told apart; send fewer at once.',
        });
      rows.restart();
    }
  }

  /** Locks what the plan changes or builds on. @returns whether it still is as it was read; moves take turns before they read */
  private async confirm(): Promise<boolean> {
    const { before, created, updated, tree } = this.plan;
    if (tree.anyMoved) return false;
    const parents = new Set<string>();
    for (const { parent_id } of created.values())
      if (parent_id !== null && before.has(parent_id) && !updated.has(parent_id)) parents.add(parent_id);
    const isAsRead = (card: CardState) => {
      const read = before.get(card.id)!;
      return card.version === read.version && card.path_ids.join() === read.path_ids.join();
    };
    const locked = [
      ...(await lockCards(this.o.uow, 'write', [...updated.keys()])),
      ...(await lockCards(this.o.uow, 'share', [...parents])),
    ];
    return locked.length === updated.size + parents.size && locked.every(isAsRead);
  }

  /** Writes the rows that did not fail. */
  async write(): Promise<void> {
    const {
      uow,
      metamodel: { revision },
    } = this.o;
    const created = [...this.plan.created.values()];
    const updated = [...this.plan.updated.values()];
    const { deleted } = this.plan;
    if (created.length > CHUNK || updated.length + deleted.length + this.wanted.length > 0) await uow.begin();
    // Created parents may be in an earlier chunk than their children, never in a later one.
    if (created.length > CHUNK) created.sort((a, b) => a.path_ids.length - b.path_ids.length);
    if (this.vacating.size > 0) await releaseUniqueKeys(uow, [...this.vacating]);
    for (let i = 0; i < created.length; i += CHUNK) await this.insert(created.slice(i, i + CHUNK), revision);
    await this.readFacts(updated);
    for (let i = 0; i < updated.length; i += CHUNK) await this.update(updated.slice(i, i + CHUNK), revision);
    const roots = this.plan.tree.roots(updated);
    if (roots.length > 0) this.checkLevels(await rewritePaths(uow, roots));
    if (deleted.length > 0) await this.delete(deleted);
    const turned = updated.filter((c) => c.status !== this.plan.before.get(c.id)!.status).map((c) => c.id);
    if (turned.length > 0)
      for (const participant of this.o.participants) await participant.statusChanged?.(uow, turned);
    if (this.wanted.length > 0) await this.writeRelations();
  }

  /** Facts are read once the locks are held, and of the cards alone whose score they go into. */
  private async readFacts(updated: CardState[]): Promise<void> {
    const { uow, metamodel, single } = this.o;
    if (updated.length === 0) return;
    if (!single) {
      const facts = await factsOf(
        uow,
        updated.map((c) => c.id),
        mandatoryRelations(metamodel),
      );
      for (const card of updated) card.facts = facts.get(card.id) ?? [];
    }
    this.plan.score();
  }

  private async writeRelations(): Promise<void> {
    for (const [n, { id, outcome }] of await this.o.relations!.write()) {
      const row = this.o.rows.results[this.wanted[n]!.row]!;
      (row.relations ??= []).push({ id, outcome });
    }
  }

  private async insert(cards: CardState[], revision: string): Promise<void> {
    const { uow, single } = this.o;
    for (const card of cards)
      this.emit('created', card, { version: 1, parent_id: card.parent_id, external_id: card.external_id });
    if (single) {
      // The result goes into the statement, because an Idempotency-Key gives it back.
      this.madeRow = await single.insert(uow, cards[0]!, revision, { id: cards[0]!.id, version: 1 });
      return;
    }
    await insertCards(uow, cards, revision).catch((error: unknown) => {
      // Somebody was faster since the check: looking again names the row, or finds the card an upsert is about.
      throw isTaken(error) ? new WriteConflict() : error;
    });
  }

  private async update(cards: CardState[], revision: string): Promise<void> {
    for (const card of cards) {
      const before = this.plan.before.get(card.id)!;
      const comment = this.plan.comments.get(card.id);
      this.emit(verbOf(before, card), card, {
        version: card.version,
        changes: differences(before, card),
        ...(comment !== undefined && { comment }),
      });
    }
    const { metamodel, single } = this.o;
    const stale = await updateCards(this.o.uow, cards, revision, single ? mandatoryRelations(metamodel) : undefined);
    if (stale.length === 0) return;
    await rescoreCards(
      this.o.uow,
      stale.map(({ id, facts }) => {
        const card = this.plan.after.get(id)!;
        return { id, ...scoresOf(metamodel, metamodel.types.get(card.type)!, { ...card, facts }) };
      }),
    );
  }

  private async delete(ids: string[]): Promise<void> {
    for (const participant of this.o.participants) await participant.deleting?.(this.o.uow, ids);
    for (const id of ids) {
      const card = this.plan.before.get(id)!;
      this.emit('deleted', card, { version: card.version });
    }
    await deleteCards(this.o.uow, ids);
  }

  private emit(verb: VersionVerb | 'deleted', card: CardState, data: Record<string, unknown>): void {
    this.o.uow.emit({
      type: `card.${verb}`,
      subject: { kind: 'card', id: card.id, type: card.type, name: card.name },
      data,
    });
  }

  /** A card that goes, or is archived, must be left without (active) children by the batch as a whole. */
  private async checkChildren(): Promise<void> {
    const archived = [...this.plan.updated.values()]
      .filter((c) => c.status === 'ARCHIVED' && this.plan.before.get(c.id)!.status === 'ACTIVE')
      .map((c) => c.id);
    for (const [ids, activeOnly] of [
      [this.plan.deleted, false],
      [archived, true],
    ] as const) {
      if (ids.length === 0) continue;
      const stored = await childCounts(this.o.uow, ids, activeOnly, this.o.authority.hiddenTypes);
      // Of these only cards the caller sees: no operation moves another.
      const moved = this.plan.childrenMoved(activeOnly);
      for (const id of ids) {
        const { n, seen } = stored.get(id) ?? { n: 0, seen: 0 };
        const [all, shown] = [n + (moved.get(id) ?? 0), seen + (moved.get(id) ?? 0)];
        const row = this.plan.placeRow(id);
        if (shown > 0)
          this.o.rows.refuse(
            row,
            'child_strategy',
            `is needed: the card has ${shown} children`,
            problem('children_present', { child_count: shown }),
          );
        else if (all > 0) this.o.rows.refuse(row, 'id', hiddenBelow().detail, hiddenBelow());
      }
    }
  }

  /** Values that name users and cards; unchanged ones may name what is gone. */
  private async checkReferences(): Promise<void> {
    const { operations, rows, metamodel, uow } = this.o;
    const named = operations.flatMap(({ card }, row) => {
      const { id, outcome } = rows.results[row]!;
      const type = id === undefined || outcome === 'failed' ? undefined : this.plan.after.get(id)?.type;
      return card?.attributes && type !== undefined
        ? metamodel.types
            .get(type)!
            .fields.references(card.attributes)
            .map((r) => ({ ...r, row }))
        : [];
    });
    const isMade = (id: string): boolean => {
      const card = this.plan.after.get(id);
      return card !== undefined && !this.plan.isHidden(card);
    };
    const gone = await missing(
      uow,
      named.filter((r) => r.kind === 'user' || !isMade(r.id)),
      this.o.authority.hiddenTypes,
    );
    for (const { row, key, kind, id } of named) {
      const fault = {
        field: `${rows.pointer(row)}/attributes/${key}`,
        reason: kind === 'user' ? 'names no user' : 'names no card',
        in: 'body' as const,
      };
      if (gone.has(namedKey({ kind, id }))) rows.refuseAt(row, [fault], invalid(fault));
    }
  }

  /** Relations that come with cards, checked with the cards they come with. */
  private async checkRelations(): Promise<void> {
    const { operations, rows, relations, uow } = this.o;
    this.wanted.length = 0;
    if (!relations) return;
    operations.forEach((operation, row) => {
      const { id: sourceId, outcome } = rows.results[row]!;
      if (rows.isRefused(row) || outcome === 'failed' || sourceId === undefined) return;
      const add = (given: readonly RelationInput[] | undefined, at: string) =>
        given?.forEach((relation, n) => this.wanted.push({ row, pointer: `${at}/relations/${n}`, sourceId, relation }));
      add(operation.relations, rows.pointer(row).replace(/\/card$/, ''));
      add(operation.card?.relations, rows.pointer(row));
    });
    if (this.wanted.length === 0) return;
    const find = (reference: CardReference) => {
      const card = this.plan.index.find(reference);
      return typeof card === 'string' ? undefined : card;
    };
    for (const [n, { errors, cause }] of await relations.check(uow, this.wanted, find))
      rows.refuseAt(this.wanted[n]!.row, errors, cause);
  }

  private checkLevels(levels: Map<string, number>): void {
    for (const [type, level] of levels) {
      const max = levelLimit(this.o.metamodel.types.get(type));
      if (level > max && this.o.authority.hiddenTypes.includes(type)) throw hiddenBelow();
      if (level > max)
        throw problem('validation_failed', {
          errors: [
            {
              field: '/parent_id',
              reason: `would put a card below it on level ${level}; ${type} has ${max}`,
              in: 'body',
            },
          ],
        });
    }
  }

  /** Fields that changed between the version a caller saw and now, for the body of a 412; none where it saw none. */
  async changedSince(id: string, version: number | undefined, seesCosts: SeesCosts): Promise<string[]> {
    const doc = version === undefined ? undefined : await versionDoc(this.o.uow, id, version);
    const now = this.plan.before.get(id.toLowerCase());
    if (!doc || !now) return [];
    const closed = seesCosts(now.id, now.type) ? new Set<string>() : this.o.metamodel.costKeys(now.type);
    const fields = differences({ ...now, ...(doc as Partial<CardState>) }, now).map((c) => c.field);
    return fields.filter((field) => !field.startsWith('attributes.') || !closed.has(field.slice('attributes.'.length)));
  }
}
