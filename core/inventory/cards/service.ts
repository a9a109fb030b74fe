import {
  BulkRunner,
  outcomesOf,
  runSingle,
  type BulkMode,
  type CardBulkInOptions,
  type RequestContext,
} from '@lintel/sdk';
import { isStale, type Condition } from '../../foundation/conditions.js';
import type { Database } from '../../foundation/db/database.js';
import { refusalOf } from '../../foundation/db/refusal.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { Problem, problem } from '../../foundation/errors.js';
import type { MetamodelService } from '../metamodel/index.js';
import type { RbacService } from '../../identity/rbac/index.js';
import type { Extensions } from '../extensions.js';
import type { SetChange } from '../rule-values.js';
import { archiveImpact, type ArchiveImpact } from './write/archive-repository.js';
import type { PreviewResult, RowResult } from './write/batch-rows.js';
import { CardBatch } from './write/batch.js';
import type { BatchOptions, CardParticipant, RelationWriter } from './write/batch-options.js';
import { authorityOf, type Authority } from './rights/authority.js';
import { getCard } from './list/page-rows-repository.js';
import type { PreviewTree } from './write/preview-tree.js';
import type { CardReads } from './list/reads.js';
import { parentOf } from './write/card-index.js';
import { WriteCleanup } from './write/cleanup.js';
import { rescore } from './write/data-quality.js';
import { SingleWrites } from './write/single-writes.js';
import type { CardInput, CardOperation, ChildStrategy, Approval } from './types.js';
import { needsRolesAbove, hidesCards, type AccessGate } from '../access/index.js';
import { cardJson, type CardJson } from './list/view.js';
import { writablePatch } from './write/writable-patch.js';

interface BulkResult {
  change_id: string;
  summary: Record<string, number>;
  results: RowResult[];
}

interface Written {
  id: string;
  version: number;
  /** The card after the change; absent if it was deleted. */
  view?: CardJson;
}

/** Maximum number of attempts of a JSON Patch if the card is changed between reading and writing it. */
const PATCH_ATTEMPTS = 20;
/** A condition no version meets. */
const NO_VERSION: Condition = new Set();

/** Whether the operation writes one stored card and no other, unless it is refused. */
const isAlone = ({ op, card, child_strategy }: CardOperation): boolean =>
  op !== 'create' && op !== 'upsert' && op !== 'delete' && parentOf(card) === undefined && child_strategy === undefined;
/** Whether the operation creates a card below one that is given by its id. */
const isBelow = ({ op, card }: CardOperation): boolean => op === 'create' && 'id' in (parentOf(card) ?? {});

/** What a caller may do, determined before the transaction. */
interface Run {
  ctx: RequestContext;
  authority: Authority;
  relations: MakeRelations | undefined;
  /** See `CardBulkInOptions`. */
  keepsApproval?: boolean;
}

/** Reads the caller's permissions: before the transaction, or within it over its unit of work. */
type PrepareRelations = (ctx: RequestContext, on?: UnitOfWork) => Promise<MakeRelations>;
/** @param isThorough whether all that the database would refuse is checked before */
type MakeRelations = (isThorough: boolean) => RelationWriter;

/** The one write path of cards: API, bulk, import, jobs and modules. */
export class CardService {
  private readonly participants: CardParticipant[] = [];
  private relationWriter: PrepareRelations | undefined;
  private readonly singles: SingleWrites;
  private readonly cleanup: WriteCleanup;

  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly metamodel: MetamodelService,
    private readonly rbac: RbacService,
    private readonly reads: CardReads,
    private readonly access: AccessGate,
    private readonly extensions: Pick<Extensions, 'rules'>,
  ) {
    this.singles = new SingleWrites(db);
    this.cleanup = new WriteCleanup(db);
  }

  /** Adds a component that is called inside the transactions that delete, archive or restore cards. */
  join(participant: CardParticipant): () => void {
    this.participants.push(participant);
    return () => {
      const at = this.participants.indexOf(participant);
      if (at >= 0) this.participants.splice(at, 1);
    };
  }

  /**
   * Sets how the relations in operations on cards are written.
   * @param prepare reads the caller's permissions, and returns a function that makes a writer
   */
  relateWith(prepare: PrepareRelations): void {
    this.relationWriter = prepare;
  }

  create(ctx: RequestContext, card: CardInput): Promise<Written> {
    return this.single(ctx, { op: 'create', card });
  }

  update(ctx: RequestContext, id: string, card: CardInput): Promise<Written> {
    return this.single(ctx, { op: 'update', id, version: ctx.ifMatch, card });
  }

  /**
   * Changes the card visible to the caller by JSON Patch. The patch is computed before the transaction, without locks,
   * and written only if the card still has the version from which it was computed; otherwise it is computed again.
   * @throws patch_test_failed; conflict if the card was changed concurrently at each attempt; a 422 if the patch is invalid
   */
  async patch(ctx: RequestContext, id: string, patch: readonly unknown[]): Promise<Written> {
    for (let attempt = 1; ; attempt++) {
      // Errors of a patch for a hidden card would reveal its content.
      const isVisible = this.access.hiddenTypes(ctx).length === 0 || (await this.access.seen(ctx, [id])).size > 0;
      const seen = isVisible ? await getCard(this.db, id, this.reads.reader(ctx)) : undefined;
      const derived = seen && !isStale(ctx.ifMatch, seen.version) ? writablePatch(seen.json, patch) : undefined;
      try {
        return await this.single(
          ctx,
          { op: 'update', id, version: derived ? seen!.version : NO_VERSION, card: derived?.card ?? {} },
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
            detail: 'The card was changed concurrently at each attempt to apply the patch; send the request again.',
          });
      }
    }
  }

  /** @throws not_found */
  async archiveImpact(ctx: RequestContext, id: string): Promise<ArchiveImpact> {
    const impact = await archiveImpact(this.db, id, this.access.visibility(ctx));
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
    return this.single(ctx, { op, id, version: ctx.ifMatch, child_strategy });
  }

  /** Approves, rejects or resets one card. */
  decide(ctx: RequestContext, action: Approval, id: string, comment?: string): Promise<Written> {
    return this.single(ctx, { op: action, id, version: ctx.ifMatch, comment });
  }

  /**
   * Many operations in one transaction.
   * @param mode all_or_nothing: nothing is stored if a row fails; per_row: the other rows are stored
   * @throws in all_or_nothing mode a 422 with the results, where a row failed and it is no dry run
   */
  async bulk(ctx: RequestContext, mode: BulkMode, operations: CardOperation[]): Promise<BulkResult> {
    const work = await this.prepare(ctx, operations);
    const { change_id, results } = await this.transactions.run(ctx, async (uow) => {
      uow.kind = 'bulk';
      if (ctx.dryRun) uow.onlyReads();
      return { change_id: ctx.changeId, results: await work(uow, mode) };
    });
    return { change_id, summary: outcomesOf(results), results };
  }

  /**
   * Reads the caller's permissions and returns the function that executes operations in a transaction.
   * In all_or_nothing mode that function stores nothing if a row failed: it throws, or in a dry run returns the rows.
   * @param on the unit of work, if the transaction has begun: it would hold one connection while waiting for another
   * @param keepsApproval see `CardBulkInOptions`
   */
  async prepare(
    ctx: RequestContext,
    operations: readonly CardOperation[],
    on?: UnitOfWork,
    keepsApproval = false,
  ): Promise<(uow: UnitOfWork, mode: BulkMode) => Promise<RowResult[]>> {
    const authority = await this.authority(ctx, operations, on);
    const relations = operations.some((o) => (o.relations?.length ?? 0) + (o.card?.relations?.length ?? 0) > 0)
      ? await this.relationWriter?.(ctx, on)
      : undefined;
    const run: Run = { ctx, authority, relations, keepsApproval };
    return async (uow, mode) => {
      const results = await this.runner(uow, run, operations.length).run(operations, mode, ctx.dryRun);
      this.cleanup.soon();
      return results;
    };
  }

  /** Executes operations inside a transaction of the caller, over its connection only. */
  async bulkIn(
    uow: UnitOfWork,
    ctx: RequestContext,
    mode: BulkMode,
    operations: CardOperation[],
    { keepsApproval = false }: Pick<CardBulkInOptions, 'keepsApproval'> = {},
  ): Promise<RowResult[]> {
    return (await this.prepare(ctx, operations, uow, keepsApproval))(uow, mode);
  }

  /**
   * Returns the results that `bulkIn` would have in the mode `per_row`, with what rules of modules set, and writes nothing.
   * Only for creates and updates, which follow those that `previewTree` contains.
   * Names and external ids are not checked for duplicates, because that requires all rows at once.
   */
  async preview(
    uow: UnitOfWork,
    ctx: RequestContext,
    operations: readonly CardOperation[],
    previewTree: PreviewTree,
  ): Promise<PreviewResult[]> {
    const run: Run = { ctx, authority: await this.authority(ctx, operations, uow), relations: undefined };
    const setByRules = new Map<string, readonly SetChange[]>();
    const rows = await this.runner(uow, run, operations.length, { previewTree, setByRules }).preview(operations);
    return rows.map((row) => ({ ...row, set: setByRules.get(row.id ?? '') ?? [] }));
  }

  /**
   * Recalculates the scores of cards inside the transaction that changed their related data. Derived: no version,
   * no history, no event.
   */
  rescore(uow: UnitOfWork, ids: readonly string[], onlyDifferent = false): Promise<void> {
    return rescore(uow, this.metamodel.current, ids, onlyDifferent);
  }

  close(): void {
    this.cleanup.close();
  }

  /**
   * @param fault rejects the operation; thrown within the transaction, because a repeated request gets the response of
   *   the first one instead
   */
  private async single(ctx: RequestContext, operation: CardOperation, fault?: Problem): Promise<Written> {
    const authority = await this.authority(ctx, [operation]);
    const { visibility } = this.reads.reader(ctx);
    let view: CardJson | undefined;
    // The first attempt takes no lock; if others change the card meanwhile, the next one does.
    let isOptimistic =
      (isAlone(operation) || isBelow(operation)) && !needsRolesAbove(visibility) && !hidesCards(visibility);
    const done = await this.transactions.run(ctx, async (uow) => {
      if (fault) throw fault;
      const batch = this.batch(
        uow,
        { ctx, authority, relations: undefined },
        {
          operations: [operation],
          pointer: () => '',
          refs: new Map(),
          single: this.singles,
          isOptimistic,
        },
      );
      isOptimistic = false;
      const row = await runSingle(batch);
      // Not before: a further attempt may have a newer metamodel, with costs that the caller may not see.
      const reader = this.reads.reader(ctx);
      const outcome = { id: row.id!, version: row.version ?? 0 };
      // Read while the row is locked, so that the response shows this change and not a later one.
      if (batch.writtenRow)
        view =
          needsRolesAbove(reader.visibility) || hidesCards(reader.visibility)
            ? undefined
            : cardJson(batch.writtenRow, reader, false);
      else if (operation.op !== 'delete') view = await getCard(uow, outcome.id, reader);
      return outcome;
    });
    this.cleanup.soon();
    if (operation.op === 'delete') return done;
    return { ...done, view: view ?? (await this.reads.get(ctx, done.id)) };
  }

  private runner(
    uow: UnitOfWork,
    run: Run,
    all: number,
    preview: Pick<BatchOptions, 'previewTree' | 'setByRules'> = {},
  ): BulkRunner<CardOperation, RowResult> {
    return new BulkRunner({
      savepoint: (work) => uow.savepoint(work),
      pass: (operations, first, refs) =>
        this.batch(uow, run, {
          operations,
          pointer: (n) => `/operations/${first + n}/card`,
          refs: preview.previewTree?.refsOf(operations) ?? refs,
          isThorough: run.ctx.dryRun || operations.length < all,
          ...preview,
        }),
      failed: ({ ref }, index, { errors, detail }) => ({
        index,
        ...(ref !== undefined && { ref }),
        outcome: 'failed',
        errors: errors ?? [{ field: `/operations/${index}`, reason: detail, in: 'body' }],
      }),
      refusalOf,
      problem,
    });
  }

  private batch(
    uow: UnitOfWork,
    { ctx, authority, relations, keepsApproval }: Run,
    of: Pick<
      BatchOptions,
      'operations' | 'pointer' | 'refs' | 'single' | 'isOptimistic' | 'isThorough' | 'previewTree' | 'setByRules'
    >,
  ): CardBatch {
    return new CardBatch({
      ...of,
      uow,
      ctx,
      rules: this.extensions.rules(),
      metamodel: this.metamodel.current,
      participants: this.participants,
      authority,
      seesCostsOf: (id, type) => this.access.seesCosts(uow.ctx, id, type, uow),
      hiddenAmong: (ids) => this.access.hiddenAmong(ctx, ids, uow),
      relations: relations?.(of.isThorough === true),
      keepsApproval,
    });
  }

  private authority(ctx: RequestContext, operations: readonly CardOperation[], on?: UnitOfWork): Promise<Authority> {
    return authorityOf(ctx, operations, this.metamodel.current, this.rbac, this.access, on);
  }
}
