import type { RequestContext } from '@lintel/sdk';
import { isStale, latestSeen, type Condition } from '../../foundation/conditions.js';
import type { Database } from '../../foundation/db/database.js';
import { mayRetry, type Transactions, type UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { databaseProblem } from '../../foundation/db/constraints.js';
import { Problem, problem } from '../../foundation/errors.js';
import type { MetamodelService } from '../metamodel/index.js';
import type { RbacService } from '../../identity/rbac/index.js';
import { archiveImpact, type ArchiveImpact } from './write/archive-repository.js';
import { BatchRows, type RowResult } from './write/batch-rows.js';
import { CardBatch, type CardParticipant, type RelationWriter } from './write/batch.js';
import { authorityOf, type Authority } from './rights/authority.js';
import { getCard } from './list/page-rows-repository.js';
import type { Reader } from './list/view.js';
import type { PreviewTree } from './write/preview-tree.js';
import type { CardReads } from './list/reads.js';
import { factsOf, lockCards } from './lock-repository.js';
import { COMPACT_COUNTS, rescoreCards, FLUSH_GIN } from './repository.js';
import { mandatoryRelations, scoresOf } from './write/data-quality.js';
import { SingleInserts } from './write/single-inserts.js';
import type { CardInput, CardOperation, ChildStrategy, Approval } from './types.js';
import { asksAbove, hidesCards, type AccessGate } from '../access/index.js';
import { cardJson, type CardJson, type SeesCosts } from './list/view.js';
import { writablePatch } from './write/writable-patch.js';

export interface BulkResult {
  change_id: string;
  summary: Record<string, number>;
  results: RowResult[];
}

export interface Written {
  id: string;
  version: number;
  /** The card as the change left it; absent where it was deleted. */
  view?: CardJson;
}

/** Counts and indexes are tidied up so long after a write: one for many. */
const TIDY_AFTER_MS = 1_000;
/** How often a JSON Patch is worked out anew, where the card was changed between reading and writing it. */
const PATCH_ATTEMPTS = 20;
/** A condition no version meets. */
const NO_VERSION: Condition = new Set();

/** What a caller may do, worked out before the transaction. */
interface Run {
  authority: Authority;
  relations: (() => RelationWriter) | undefined;
}

/** The one write path of cards: API, bulk, import, jobs and modules. */
export class CardService {
  private readonly participants: CardParticipant[] = [];
  private relationWriter: ((ctx: RequestContext) => Promise<() => RelationWriter>) | undefined;
  private tidying: NodeJS.Timeout | undefined;
  private isUntidy = false;
  private readonly singles: SingleInserts;

  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly metamodel: MetamodelService,
    private readonly rbac: RbacService,
    private readonly reads: CardReads,
    private readonly access: AccessGate,
  ) {
    this.singles = new SingleInserts(db);
  }

  /** Has `participant` do its part inside the transactions that delete, archive or restore cards. */
  join(participant: CardParticipant): void {
    this.participants.push(participant);
  }

  /** Has the relations that operations carry written by `prepare`, which is asked for the caller's rights once. */
  relateWith(prepare: (ctx: RequestContext) => Promise<() => RelationWriter>): void {
    this.relationWriter = prepare;
  }

  create(ctx: RequestContext, card: CardInput): Promise<Written> {
    return this.single(ctx, { op: 'create', card }, '');
  }

  update(ctx: RequestContext, id: string, card: CardInput): Promise<Written> {
    return this.single(ctx, { op: 'update', id, version: ctx.ifMatch, card }, '');
  }

  /**
   * Changes a card by JSON Patch, as the caller sees it. The patch is worked out before the transaction, while nothing is
   * locked, and written on condition that the card still has the version it was worked out for; else it is worked out anew.
   * @throws patch_test_failed; conflict where others changed the card each time; a 422 where the patch does not fit
   */
  async patch(ctx: RequestContext, id: string, patch: readonly unknown[]): Promise<Written> {
    for (let attempt = 1; ; attempt++) {
      // What is wrong with a patch for a hidden card would tell what is in it.
      const isVisible = this.access.hiddenTypes(ctx).length === 0 || (await this.access.seen(ctx, [id])).size > 0;
      const seen = isVisible ? await getCard(this.db, id, this.reads.reader(ctx)) : undefined;
      const derived = seen && !isStale(ctx.ifMatch, seen.version) ? writablePatch(seen.json, patch) : undefined;
      try {
        return await this.single(
          ctx,
          { op: 'update', id, version: derived ? seen!.version : NO_VERSION, card: derived?.card ?? {} },
          '',
          derived?.fault,
        );
      } catch (error) {
        if (
          !(error instanceof Problem) ||
          error.code !== 'precondition_failed' ||
          isStale(ctx.ifMatch, error.extensions['current_version'] as number)
        )
          throw error;
        if (attempt === PATCH_ATTEMPTS)
          throw problem('conflict', {
            detail: 'Others change the card faster than the patch can be applied; send it again.',
          });
      }
    }
  }

  /** @throws not_found */
  async archiveImpact(ctx: RequestContext, id: string): Promise<ArchiveImpact> {
    const hidden = this.access.hiddenTypes(ctx);
    const impact = await archiveImpact(
      this.db,
      id,
      [...this.metamodel.current.types.keys()].filter((type) => !hidden.includes(type)),
    );
    if (!impact) throw problem('not_found');
    return impact;
  }

  /** `archive`, `restore` or `delete` of one card. */
  act(
    ctx: RequestContext,
    op: 'archive' | 'restore' | 'delete',
    id: string,
    child_strategy?: ChildStrategy,
  ): Promise<Written> {
    return this.single(ctx, { op, id, version: ctx.ifMatch, child_strategy }, '');
  }

  /** Approves, rejects or resets one card. */
  decide(ctx: RequestContext, action: Approval, id: string, comment?: string): Promise<Written> {
    return this.single(ctx, { op: action, id, version: ctx.ifMatch, comment }, '');
  }

  /**
   * Many operations in one transaction.
   * @param mode all_or_nothing: one failing row undoes all; per_row: the sound rows are stored
   * @throws in all_or_nothing mode a 422 with the results, where a row failed and it is no dry run
   */
  async bulk(
    ctx: RequestContext,
    mode: 'all_or_nothing' | 'per_row',
    operations: CardOperation[],
  ): Promise<BulkResult> {
    const work = await this.prepare(ctx, operations);
    const { change_id, results } = await this.transactions.run(ctx, async (uow) => {
      uow.kind = 'bulk';
      return { change_id: ctx.changeId, results: await work(uow, mode) };
    });
    const summary: Record<string, number> = {};
    for (const { outcome } of results) summary[outcome] = (summary[outcome] ?? 0) + 1;
    return { change_id, summary, results };
  }

  /**
   * Works out what a caller may do, before any transaction, and gives the function that does operations in one.
   * That function stores nothing, in all_or_nothing mode, where a row failed: it throws, or in a dry run only tells.
   */
  async prepare(
    ctx: RequestContext,
    operations: readonly CardOperation[],
  ): Promise<(uow: UnitOfWork, mode: 'all_or_nothing' | 'per_row') => Promise<RowResult[]>> {
    const authority = await this.authority(ctx, operations);
    const relations = operations.some((o) => (o.relations?.length ?? 0) + (o.card?.relations?.length ?? 0) > 0)
      ? await this.relationWriter?.(ctx)
      : undefined;
    const run: Run = { authority, relations };
    return async (uow, mode) => {
      const results =
        mode === 'per_row'
          ? await this.perRow(uow, run, operations, 0, new Map())
          : await this.together(uow, ctx, run, operations);
      this.tidySoon();
      return results;
    };
  }

  /** Runs operations inside the caller's transaction; for callers whose rights need no database read. */
  async bulkIn(
    uow: UnitOfWork,
    ctx: RequestContext,
    mode: 'all_or_nothing' | 'per_row',
    operations: CardOperation[],
  ): Promise<RowResult[]> {
    return (await this.prepare(ctx, operations))(uow, mode);
  }

  /**
   * Says what `bulkIn` by rows would do with creates and updates after those that `previewTree` has seen, and writes nothing.
   * Whether names and external ids are free is not looked at: that takes all rows at once.
   */
  async preview(
    uow: UnitOfWork,
    ctx: RequestContext,
    operations: readonly CardOperation[],
    previewTree: PreviewTree,
  ): Promise<RowResult[]> {
    return this.previewed(
      uow,
      { authority: await this.authority(ctx, operations), relations: undefined },
      operations,
      previewTree,
    );
  }

  /**
   * Works out the scores of cards anew, inside the transaction that changed what is around them. Derived: no version,
   * no history, no event.
   */
  async rescore(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
    const metamodel = this.metamodel.current;
    const cards = await lockCards(uow, 'write', [...ids]);
    if (cards.length === 0) return;
    const facts = await factsOf(
      uow,
      cards.map((c) => c.id),
      mandatoryRelations(metamodel),
    );
    const scores = cards.flatMap((card) => {
      const type = metamodel.types.get(card.type);
      const now = type && scoresOf(metamodel, type, { ...card, facts: facts.get(card.id) ?? [] });
      return !now || (now.data_quality === card.data_quality && now.open_quality === card.open_quality)
        ? []
        : [{ id: card.id, ...now }];
    });
    if (scores.length > 0) await rescoreCards(uow, scores);
  }

  close(): void {
    clearTimeout(this.tidying);
    this.isUntidy = false;
  }

  /** @param fault why the operation is refused; told within the transaction, where a repeated request has got its first answer */
  private async single(
    ctx: RequestContext,
    operation: CardOperation,
    pointer: string,
    fault?: Problem,
  ): Promise<Written> {
    const [reader, authority] = [this.reads.reader(ctx), await this.authority(ctx, [operation])];
    let view: CardJson | undefined;
    const done = await this.transactions.run(ctx, async (uow) => {
      if (fault) throw fault;
      const rows = new BatchRows([operation], () => pointer);
      const batch = this.batch(uow, { authority, relations: undefined }, [operation], rows, new Map(), true);
      await batch.check();
      const row = rows.results[0]!;
      if (row.outcome === 'failed') {
        const failure = rows.problem(0);
        if (failure.code === 'precondition_failed')
          failure.extensions['changed_fields'] = await batch.changedSince(
            operation.id!,
            latestSeen(ctx.ifMatch),
            await this.seesCosts(ctx, uow, reader, operation.id!),
          );
        throw failure;
      }
      const outcome = { id: row.id!, version: row.version ?? 0 };
      await batch.write(outcome);
      // While the row is locked: the answer shows this change and not the next one's.
      if (batch.madeRow)
        view =
          asksAbove(reader.visibility) || hidesCards(reader.visibility)
            ? undefined
            : cardJson(batch.madeRow, reader, false);
      else if (operation.op !== 'delete') view = await getCard(uow, outcome.id, reader);
      return outcome;
    });
    this.tidySoon();
    if (operation.op === 'delete') return done;
    return { ...done, view: view ?? (await this.reads.get(ctx, done.id)) };
  }

  /** Whose costs of one card a caller sees, as the unit of work leaves it. */
  private async seesCosts(
    ctx: RequestContext,
    uow: UnitOfWork,
    { visibility: { costRedactedTypes } }: Reader,
    id: string,
  ): Promise<SeesCosts> {
    const isOwn = costRedactedTypes.size > 0 && (await this.access.holdsCosts(ctx, id, uow));
    return (_id, type) => isOwn || !costRedactedTypes.has(type);
  }

  /** Stores what can be stored; where the database refuses the whole, halves it until the bad rows stand alone. */
  private async perRow(
    uow: UnitOfWork,
    run: Run,
    operations: readonly CardOperation[],
    first: number,
    refs: Map<string, string>,
  ): Promise<RowResult[]> {
    const rows = new BatchRows(operations, (n) => `/operations/${first + n}/card`);
    const known = new Map(refs);
    try {
      await uow.savepoint(async () => {
        const batch = this.batch(uow, run, operations, rows, known);
        await batch.check();
        await batch.write();
      });
      for (const [ref, id] of known) refs.set(ref, id);
      return rows.results.map((r) => ({ ...r, index: first + r.index }));
    } catch (error) {
      // Of a deadlock no row is to blame: all of it runs again.
      if (mayRetry(error)) throw error;
      const refusal = error instanceof Problem ? error : databaseProblem(error);
      if (!refusal || refusal.status >= 500) throw error;
      if (operations.length === 1) {
        const { id: _id, version: _version, ...row } = rows.results[0]!;
        return [
          {
            ...row,
            index: first,
            outcome: 'failed',
            errors: refusal.errors ?? [{ field: `/operations/${first}`, reason: refusal.detail, in: 'body' }],
          },
        ];
      }
      const half = Math.ceil(operations.length / 2);
      const before = await this.perRow(uow, run, operations.slice(0, half), first, refs);
      return [...before, ...(await this.perRow(uow, run, operations.slice(half), first + half, refs))];
    }
  }

  /** As `perRow` halves what depends on one another too deeply. */
  private async previewed(
    uow: UnitOfWork,
    run: Run,
    operations: readonly CardOperation[],
    previewTree: PreviewTree,
  ): Promise<RowResult[]> {
    const rows = new BatchRows(operations, (n) => `/operations/${n}/card`);
    try {
      await this.batch(uow, run, operations, rows, previewTree.refsOf(operations), false, previewTree).check();
      return rows.results;
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      if (operations.length === 1)
        return [
          {
            index: 0,
            outcome: 'failed',
            errors: error.errors ?? [{ field: '/operations/0', reason: error.detail, in: 'body' }],
          },
        ];
      const half = Math.ceil(operations.length / 2);
      return [
        ...(await this.previewed(uow, run, operations.slice(0, half), previewTree)),
        ...(await this.previewed(uow, run, operations.slice(half), previewTree)),
      ];
    }
  }

  private async together(
    uow: UnitOfWork,
    ctx: RequestContext,
    run: Run,
    operations: readonly CardOperation[],
  ): Promise<RowResult[]> {
    const rows = new BatchRows(operations, (n) => `/operations/${n}/card`);
    const batch = this.batch(uow, run, operations, rows, new Map());
    await batch.check();
    if (!rows.anyFailed) await batch.write();
    else if (!ctx.dryRun) {
      const failed = rows.results.filter((r) => r.outcome === 'failed');
      throw problem('validation_failed', {
        detail: `Nothing was stored: ${failed.length} of ${operations.length} operations failed.`,
        errors: failed.flatMap((r) => r.errors ?? []).slice(0, 100),
        results: failed.slice(0, 1_000),
      });
    }
    return rows.results;
  }

  private batch(
    uow: UnitOfWork,
    { authority, relations }: Run,
    operations: readonly CardOperation[],
    rows: BatchRows,
    refs: Map<string, string>,
    lone = false,
    previewTree?: PreviewTree,
  ): CardBatch {
    return new CardBatch({
      uow,
      metamodel: this.metamodel.current,
      operations,
      rows,
      refs,
      participants: this.participants,
      authority,
      relations: relations?.(),
      single: lone ? this.singles : undefined,
      previewTree,
    });
  }

  private authority(ctx: RequestContext, operations: readonly CardOperation[]): Promise<Authority> {
    return authorityOf(ctx, operations, this.metamodel.current, this.rbac, this.access);
  }

  private tidySoon(): void {
    this.isUntidy = true;
    this.tidying ??= setTimeout(() => void this.tidy(), TIDY_AFTER_MS).unref();
  }

  /** Both are only slower for being left undone, by what a role may not do too: PostgreSQL does it some day. */
  private async tidy(): Promise<void> {
    this.isUntidy = false;
    await this.db.query(COMPACT_COUNTS).catch(() => undefined);
    await this.db.query(FLUSH_GIN).catch(() => undefined);
    this.tidying = undefined;
    if (this.isUntidy) this.tidySoon();
  }
}
