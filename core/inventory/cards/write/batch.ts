import { TimeSlice, type BulkPass } from '@lintel/sdk';
import { latestSeen } from '../../../foundation/conditions.js';
import { WriteConflict } from '../../../foundation/db/unit-of-work.js';
import { problem, type Problem } from '../../../foundation/errors.js';
import { lockCards } from '../lock-repository.js';
import { changedFields } from '../../changes.js';
import { changesSince } from '../../changes-repository.js';
import type { CardState } from '../types.js';
import { checkPlan, checkUnwritten } from './batch-checks.js';
import { applyCardRules } from './card-rules.js';
import { loadCards, placesOf, type Loading } from './batch-loader.js';
import type { BatchOptions, BatchState, WantedRelation } from './batch-options.js';
import { BatchRows, type RowResult } from './batch-rows.js';
import { addRelationResults, BatchStore } from './batch-store.js';
import { mandatoryRelations } from './data-quality.js';
import { checkDepths } from './depths.js';
import { CardPlan } from './plan.js';
import { checkUnique } from './unique.js';
import { UnseenParts } from './unseen-parts.js';

/** How often a batch is planned again without the rows that were refused. */
const ROUNDS = 12;

/**
 * The one write path of cards. A single write is a batch of one; API, bulk requests, imports, jobs and modules all use it.
 * Checks first, over the whole batch, under ordered row locks; then one statement per kind of change.
 */
export class CardBatch implements BulkPass<RowResult> {
  private plan!: CardPlan;
  /** Ids of cards that release a name or an external id for another card of the batch. */
  private releasing: ReadonlySet<string> = new Set();
  private wanted: readonly WantedRelation[] = [];
  /** Columns of the view of a card that was written by a single statement. */
  writtenRow: readonly (string | null)[] | undefined;

  private readonly o: BatchState;

  constructor(options: BatchOptions) {
    this.o = { ...options, rows: new BatchRows(options.operations, options.pointer) };
  }

  /** The problem returned for a single request with this operation; that of a stale version has the changed fields. */
  async problem(index: number): Promise<Problem> {
    const failure = this.o.rows.problem(index);
    if (failure.code === 'precondition_failed')
      failure.extensions['changed_fields'] = await this.changedFields(this.o.operations[index]!.id!);
    return failure;
  }

  /**
   * Loads, locks and checks; nothing is written yet.
   *
   * Locking a row writes to it, and most cards of a repeated import have not changed. Therefore cards are first read
   * without locks, and then only those that change are locked. If one of them was changed meanwhile, all are locked and
   * the batch is planned again. A single operation may write at once, if its row is still the one that was read. A dry run locks nothing.
   * @throws conflict if refused rows make too many other rows impossible
   */
  async check(): Promise<readonly RowResult[]> {
    const { operations, rows, single, previewTree } = this.o;
    const isReadFirst = !single && operations.every(({ op }) => op === 'create' || op === 'update' || op === 'upsert');
    if (this.o.isOptimistic) await this.planAndCheck('optimistic');
    else if (previewTree) await this.planAndCheck('unlocked');
    else if (this.isDryRun) await this.planAndCheck('dry');
    else if (!isReadFirst || !(await this.planAndCheck('unlocked'))) {
      rows.restart(true);
      await this.planAndCheck('locked');
    }
    return rows.results;
  }

  /**
   * Plans the operations and checks the plan. Other rows may depend on a refused row, so the batch is planned again
   * without the refused rows, until no further row is refused.
   * @returns false if the cards were read without locks and have changed since
   */
  private async planAndCheck(how: Loading): Promise<boolean> {
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
      single,
    );
    // Another node may have stored cards of a type that this node has not read yet: the unit of work runs again with it.
    if (stored.some((card) => !metamodel.types.has(card.type))) throw new WriteConflict();
    const loaded = previewTree?.placed(stored, operations) ?? stored;
    const unseen = await UnseenParts.read(this.o, loaded);
    for (let round = 1; ; round++) {
      const known = new Map(refs);
      const refusals = rows.refusals;
      this.plan = new CardPlan({
        metamodel,
        rows,
        refs: known,
        authority,
        unseen,
        loaded,
        byNames,
        actor: uow.ctx.actor?.id ?? null,
        byHand: uow.ctx.origin === 'api',
        keepsApproval: this.o.keepsApproval,
      });
      previewTree?.begin(this.plan);
      for (const [index, operation] of operations.entries()) {
        const pending = rows.isRefused(index) ? undefined : this.plan.add(operation, index);
        if (pending) await pending;
        if (slice.isOver) await slice.next();
      }
      if (how === 'unlocked' && !previewTree && !(await this.confirm())) return false;
      await this.plan.settleMoves();
      if (previewTree) await previewTree.checkBelow(uow, this.plan, rows, metamodel, authority.hiddenTypes);
      else {
        if (this.o.isThorough) await checkDepths(this.o, this.plan);
        this.releasing = await checkUnique(this.o, this.plan);
      }
      this.wanted = await checkPlan(this.o, this.plan);
      if (this.o.isThorough && !previewTree) await checkUnwritten(this.o, this.plan);
      if (rows.refusals === refusals) await applyCardRules(this.o, this.plan);
      if (rows.refusals === refusals) {
        for (const [ref, id] of known) refs.set(ref, id);
        previewTree?.absorb(this.plan, known, operations);
        for (const [id, changes] of this.plan.setByRules) this.o.setByRules?.set(id, changes);
        if (how === 'dry') addRelationResults(this.o, this.wanted);
        return true;
      }
      if (round === ROUNDS)
        throw problem('conflict', {
          detail: 'Too many operations depend on operations that fail; send fewer operations at once.',
        });
      rows.restart();
    }
  }

  /**
   * Locks the cards that the plan changes or places others below.
   * @returns whether they are unchanged since they were read; false for moves, which lock before they read
   */
  private async confirm(): Promise<boolean> {
    const { before, created, updated, tree } = this.plan;
    if (tree.anyMoved) return false;
    const parents = new Set<string>();
    for (const { parent_id } of created.values())
      if (parent_id !== null && before.has(parent_id) && !updated.has(parent_id)) parents.add(parent_id);
    const isPlacedAsRead = (card: CardState) => {
      const read = before.get(card.id)!;
      return card.status === read.status && card.path_ids.join() === read.path_ids.join();
    };
    const toChange = await lockCards(this.o.uow, 'write', [...updated.keys()]);
    // Only the rows in `cards` of these are locked: their contents may change meanwhile, and are not used.
    const toPlaceBelow = await lockCards(this.o.uow, 'share', [...parents]);
    return (
      toChange.length === updated.size &&
      toPlaceBelow.length === parents.size &&
      toChange.every((card) => card.version === before.get(card.id)!.version) &&
      [...toChange, ...toPlaceBelow].every(isPlacedAsRead)
    );
  }

  /** Whether many operations are checked and not written. */
  private get isDryRun(): boolean {
    return this.o.ctx.dryRun && !this.o.single;
  }

  /** Writes the rows that did not fail. */
  async write(): Promise<void> {
    this.writtenRow = await new BatchStore(this.o, this.plan, this.releasing, this.wanted).write();
  }

  /** Fields that changed since the version named by If-Match; none if there is no such version. */
  private async changedFields(id: string): Promise<string[]> {
    const { uow, metamodel, authority, seesCostsOf } = this.o;
    const version = latestSeen(uow.ctx.ifMatch);
    const now = this.plan.before.get(id.toLowerCase());
    if (!version || !now) return [];
    const closed = new Set((await seesCostsOf(now.id, now.type)) ? [] : metamodel.costKeys(now.type));
    // The name of such a field would tell that it got, or lost, a card that is not visible.
    if (authority.hiddenTypes.length > 0)
      for (const key of metamodel.types.get(now.type)?.fields.cardKeys ?? []) closed.add(key);
    const fields = changedFields(await changesSince(uow, 'card', now.id, version));
    return fields.filter((field) => !field.startsWith('attributes.') || !closed.has(field.slice('attributes.'.length)));
  }
}
