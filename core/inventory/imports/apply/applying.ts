import type { RequestContext } from '@lintel/sdk';
import type { CardOperation, CardService, RowResult } from '../../cards/index.js';
import type { Database } from '../../../foundation/db/database.js';
import type { Transactions, UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import type { JobRun } from '../../../foundation/jobs/index.js';
import type { ActingUsers } from '../../../identity/tokens/index.js';
import type { RelationOperation, RelationService } from '../../relations/index.js';
import {
  dueCards,
  dueChunks,
  dueRelations,
  markApplied,
  movedOn,
  type Applied,
  type DueCard,
  type DueChunk,
  type DueRelation,
} from '../rows/due-repository.js';
import { conflictsOf, wasOvertaken } from './conflicts.js';
import { cardOperation, faultsOf, parentsFirst, relationOperation } from '../rows/operations.js';
import { inLanes, LANES } from '../lanes.js';
import { addProgress, changeImport, holdImport, type StoredImport } from '../repository.js';
import { countRows } from '../rows/rows-repository.js';
import { ImportGone, type RowError } from '../types.js';

/** Rows of one transaction: those to write, with their operations, and the rejected ones. */
interface Chunk<O> {
  operations: O[];
  rows: { n: number; verdict: 'create' | 'update' }[];
  refused: Applied[];
}

/**
 * Chunks after which the locks of an import are free for users who wait to cancel it, or to change the cards of its rows. Both
 * numbers of chunks take about as long: a relation takes a fourth of the time of a card.
 */
const CARD_CHUNKS = LANES;
const RELATION_CHUNKS = 4 * LANES;

/** The permissions of the user who applied the import no longer suffice. */
class MayNotImport extends Error {}

/**
 * Writes the rows of an import through the write paths of cards and relations, chunk by chunk: each is one transaction,
 * which also marks its rows. Two are written at the same time: relations, and cards of one level of the tree, do not depend
 * on each other unless rows move cards. If another node takes over, it continues with the unmarked rows.
 */
export class Applying {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly acting: ActingUsers,
    private readonly cards: CardService,
    private readonly relations: RelationService,
  ) {}

  async run(job: JobRun, importId: string, userId: string): Promise<unknown> {
    try {
      return await this.apply(job, importId, userId);
    } catch (error) {
      if (error instanceof ImportGone) return { gone: true };
      throw error;
    }
  }

  private async apply(job: JobRun, importId: string, userId: string): Promise<unknown> {
    try {
      const done = (await this.applyCards(job, importId, userId)) + (await this.applyRelations(job, importId, userId));
      await this.finish(job, importId, userId);
      return { rows: done };
    } catch (error) {
      if (error instanceof MayNotImport) return await this.fail(job, importId);
      throw error;
    }
  }

  /** @returns the number of rows written or rejected */
  private async applyCards(job: JobRun, importId: string, userId: string): Promise<number> {
    let done = 0;
    // Rows that were left are found by another pass; the last pass finds none.
    for (let due = await dueChunks(this.db, importId); due.length > 0; due = await dueChunks(this.db, importId))
      for (const chunks of due)
        await inLanes(
          chunks,
          async (chunk) => {
            const ctx = await this.allowed(job, importId, userId);
            const written = await this.step(job, ctx, importId, (uow) => this.cardChunk(uow, ctx, importId, chunk));
            done += written;
          },
          CARD_CHUNKS,
        );
    return done;
  }

  /** As for cards. */
  private async applyRelations(job: JobRun, importId: string, userId: string): Promise<number> {
    let done = 0;
    for (let isLast = false; !isLast; ) {
      isLast = true;
      await inLanes(
        this.relationChunks(importId),
        async (rows) => {
          isLast = false;
          const ctx = await this.allowed(job, importId, userId);
          const written = await this.step(job, ctx, importId, (uow) => this.relationChunk(uow, ctx, importId, rows));
          done += written;
        },
        RELATION_CHUNKS,
      );
    }
    return done;
  }

  /** The rows with relations to write. The next ones are read while some are written: they do not depend on them. */
  private async *relationChunks(importId: string): AsyncGenerator<DueRelation[], void, void> {
    for (let due = await dueRelations(this.db, importId, 0); due.length > 0; ) {
      const next = dueRelations(this.db, importId, due.at(-1)!.n);
      // Its failure is thrown below.
      next.catch(() => undefined);
      yield due;
      due = await next;
    }
  }

  /**
   * The context of the user who applied the import, with current permissions; undefined where they no longer suffice.
   */
  private async context(job: JobRun, importId: string, userId: string): Promise<RequestContext | undefined> {
    const user = await this.acting.find(userId, job.tokenId);
    if (!user?.permissions.has('cards.import')) return undefined;
    return { ...job.ctx, changeId: importId, origin: 'import', ...user };
  }

  private async allowed(job: JobRun, importId: string, userId: string): Promise<RequestContext> {
    const ctx = await this.context(job, importId, userId);
    if (!ctx) throw new MayNotImport();
    return ctx;
  }

  /** Runs a transaction guarded by the job, while the import is being applied. */
  private step<T>(
    job: JobRun,
    ctx: RequestContext,
    importId: string,
    work: (uow: UnitOfWork, held: StoredImport) => Promise<T>,
  ): Promise<T> {
    job.signal.throwIfAborted();
    return this.transactions.run(ctx, async (uow) => {
      await job.guard(uow);
      uow.kind = 'import';
      const held = await holdImport(uow, importId);
      if (held?.state !== 'applying') throw new ImportGone();
      return await work(uow, held);
    });
  }

  /** @returns the number of rows written or rejected */
  private async cardChunk(uow: UnitOfWork, ctx: RequestContext, id: string, of: DueChunk): Promise<number> {
    const due = parentsFirst(await dueCards(uow, id, of));
    const here = new Set(due.map(({ n }) => n));
    const { chunk, rest } = await this.checked<DueCard, CardOperation>(uow, 'card', due);
    for (const row of rest)
      add(
        chunk,
        row,
        cardOperation(row, (n) => here.has(n)),
        { field: 'parent', reason: `row ${row.parent_row} was not stored` },
      );
    const results = chunk.operations.length > 0 ? await this.cards.bulkIn(uow, ctx, 'per_row', chunk.operations) : [];
    return await this.mark(uow, id, chunk, results);
  }

  /** @returns the number of rows written or rejected */
  private async relationChunk(
    uow: UnitOfWork,
    ctx: RequestContext,
    id: string,
    due: readonly DueRelation[],
  ): Promise<number> {
    const { chunk, rest } = await this.checked<DueRelation, RelationOperation>(uow, 'relation', due);
    for (const row of rest) add(chunk, row, relationOperation(row), { field: '', reason: 'an end was not stored' });
    const results =
      chunk.operations.length > 0 ? await this.relations.bulkIn(uow, ctx, 'per_row', chunk.operations) : [];
    return await this.mark(uow, id, chunk, results);
  }

  /** Excludes rows whose fields changed since the diff was shown; the others are written to the version read here. */
  private async checked<R extends DueCard | DueRelation, O>(
    uow: UnitOfWork,
    kind: 'card' | 'relation',
    due: readonly R[],
  ): Promise<{ chunk: Chunk<O>; rest: R[] }> {
    const chunk: Chunk<O> = { operations: [], rows: [], refused: [] };
    const now = await movedOn(
      uow,
      kind,
      due.flatMap(({ target_id: target, base_version }) =>
        target === null ? [] : [{ id: target, version: base_version }],
      ),
    );
    const rest = due.filter((row) => {
      const current = row.target_id === null ? undefined : now.get(row.target_id);
      const errors = conflictsOf(row.diff, current);
      if (errors.length > 0) chunk.refused.push({ n: row.n, verdict: 'conflict', target_id: null, errors });
      else if (current) row.base_version = current.version;
      return errors.length === 0;
    });
    return { chunk, rest };
  }

  /** Stores the results of a chunk. @returns the number of rows written or rejected */
  private async mark<O>(
    uow: UnitOfWork,
    id: string,
    { rows, refused }: Chunk<O>,
    results: readonly Pick<RowResult, 'id' | 'outcome' | 'errors'>[],
  ): Promise<number> {
    const applied = rows.flatMap(({ n, verdict }, i): Applied[] => {
      const { id: target, outcome } = results[i]!;
      if (outcome !== 'failed') return [{ n, verdict, target_id: target ?? null }];
      const errors = faultsOf(results[i]!);
      return wasOvertaken(errors) ? [] : [{ n, verdict: 'failed', target_id: null, errors }];
    });
    await markApplied(uow, id, [...applied, ...refused]);
    const done = applied.length + refused.length;
    await addProgress(uow, id, done);
    return done;
  }

  private async finish(job: JobRun, importId: string, userId: string): Promise<void> {
    const ctx = (await this.context(job, importId, userId)) ?? { ...job.ctx, origin: 'import' };
    await this.step(job, ctx, importId, async (uow, { file_name }) => {
      const counts = await countRows(uow, importId);
      await changeImport(uow, importId, { state: 'applied', counts, isApplied: true });
      uow.emit({
        type: 'import.applied',
        subject: { kind: 'import', id: importId, name: file_name },
        data: { counts },
      });
    });
  }

  private async fail(job: JobRun, importId: string): Promise<unknown> {
    const errors = [{ reason: 'the user who applied it may not import any more' }];
    await this.step(job, { ...job.ctx, origin: 'import' }, importId, async (uow, { file_name }) => {
      await changeImport(uow, importId, { state: 'failed', errors, counts: await countRows(uow, importId) });
      uow.emit({ type: 'import.failed', subject: { kind: 'import', id: importId, name: file_name }, data: { errors } });
    });
    return { failed: errors.length };
  }
}

function add<O extends CardOperation | RelationOperation>(
  chunk: Chunk<O>,
  row: DueCard | DueRelation,
  operation: O | undefined,
  fault: RowError,
): void {
  if (operation) {
    chunk.operations.push(
      row.base_version === null || operation.op === 'create' ? operation : { ...operation, version: row.base_version },
    );
    chunk.rows.push(row);
  } else chunk.refused.push({ n: row.n, verdict: 'failed', target_id: null, errors: [fault] });
}
