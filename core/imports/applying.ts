import type { RequestContext } from '@lintel/sdk';
import type { CardInput, CardOperation, CardService, RowResult } from '../cards/index.js';
import type { Database } from '../db/database.js';
import type { Transactions, UnitOfWork } from '../db/unit-of-work.js';
import type { JobRun } from '../jobs/index.js';
import type { RbacService } from '../rbac/index.js';
import type { RelationOperation, RelationService } from '../relations/index.js';
import { dueCards, dueRelations, markApplied, type Applied, type DueCard, type DueRelation } from './apply-repository.js';
import { patchOf } from './card-verdict.js';
import { rowErrors } from './ndjson.js';
import { changeImport, lockImport, noteProgress, readActor, type StoredImport } from './repository.js';
import { countRows } from './rows-repository.js';
import { ImportGone } from './staging.js';
import type { Reference, RelationValues } from './types.js';

interface Chunk<O> { operations: O[]; rows: { n: number; verdict: 'create' | 'update' }[]; refused: Applied[] }

const refOf = (row: number): string => `row ${row}`;

/**
 * Writes the rows of an import through the write paths of cards and relations, chunk by chunk: each is one
 * transaction, in which its rows are marked too. Whoever takes over goes on with the first row that is not marked.
 */
export class Applying {
  constructor(
    private readonly db: Database, private readonly transactions: Transactions, private readonly rbac: RbacService,
    private readonly cards: CardService, private readonly relations: RelationService,
  ) {}

  async run(job: JobRun, importId: string, userId: string): Promise<unknown> {
    try {
      let done = 0;
      for (const chunk of [this.cardChunk, this.relationChunk]) {
        for (let n = -1; n !== 0;) {
          const ctx = await this.context(job, importId, userId);
          if (!ctx) return await this.fail(job, importId);
          n = await this.step(job, ctx, importId, (uow, held) => chunk.call(this, uow, ctx, held));
          done += n;
        }
      }
      await this.finish(job, importId, userId);
      return { rows: done };
    } catch (error) {
      if (error instanceof ImportGone) return { gone: true };
      throw error;
    }
  }

  /** Who asked for it, with the rights of now; undefined where they do not suffice any more. */
  private async context(job: JobRun, importId: string, userId: string): Promise<RequestContext | undefined> {
    const actor = await readActor(this.db, userId);
    const permissions = actor && this.rbac.permissionsOf(actor.role);
    if (!actor || !permissions?.has('cards.import')) return undefined;
    return { ...job.ctx, changeId: importId, origin: 'import', actor, permissions };
  }

  /** A transaction of the job's current owner, while the import is to be applied. */
  private step<T>(job: JobRun, ctx: RequestContext, importId: string, work: (uow: UnitOfWork, held: StoredImport) => Promise<T>): Promise<T> {
    job.signal.throwIfAborted();
    return this.transactions.run(ctx, async (uow) => {
      await job.guard(uow);
      uow.kind = 'import';
      const held = await lockImport(uow, importId);
      if (held?.state !== 'applying') throw new ImportGone();
      return await work(uow, held);
    });
  }

  private async cardChunk(uow: UnitOfWork, ctx: RequestContext, { id, done }: StoredImport): Promise<number> {
    const due = await dueCards(uow, id);
    if (due.length === 0) return 0;
    const here = new Set(due.map(({ n }) => n));
    const chunk: Chunk<CardOperation> = { operations: [], rows: [], refused: [] };
    for (const row of due) {
      const operation = cardOperation(row, here);
      if (operation) { chunk.operations.push(operation); chunk.rows.push(row); }
      else chunk.refused.push({ n: row.n, verdict: 'failed', target_id: null, errors: [{ field: 'parent', reason: `row ${row.parent_row} was not stored` }] });
    }
    const results = chunk.operations.length > 0 ? await this.cards.bulkIn(uow, ctx, 'per_row', chunk.operations) : [];
    return await this.mark(uow, id, done, chunk, results);
  }

  private async relationChunk(uow: UnitOfWork, ctx: RequestContext, { id, done }: StoredImport): Promise<number> {
    const due = await dueRelations(uow, id);
    if (due.length === 0) return 0;
    const chunk: Chunk<RelationOperation> = { operations: [], rows: [], refused: [] };
    for (const row of due) {
      const operation = relationOperation(row);
      if (operation) { chunk.operations.push(operation); chunk.rows.push(row); }
      else chunk.refused.push({ n: row.n, verdict: 'failed', target_id: null, errors: [{ field: '', reason: 'an end was not stored' }] });
    }
    const results = chunk.operations.length > 0 ? await this.relations.bulkIn(uow, ctx, 'per_row', chunk.operations) : [];
    return await this.mark(uow, id, done, chunk, results);
  }

  private async mark<O>(uow: UnitOfWork, id: string, done: number, { rows, refused }: Chunk<O>, results: readonly Pick<RowResult, 'id' | 'outcome' | 'errors'>[]): Promise<number> {
    const applied = rows.map(({ n, verdict }, i): Applied => {
      const { id: target, outcome, errors } = results[i]!;
      if (outcome !== 'failed') return { n, verdict, target_id: target ?? null };
      return { n, verdict: 'failed', target_id: null, errors: rowErrors(errors ?? []).map((e) => ({ ...e, field: e.field.replace(/^operations\.\d+\.?(card\.?)?/, '') })) };
    });
    await markApplied(uow, id, [...applied, ...refused]);
    const n = applied.length + refused.length;
    await noteProgress(uow, id, done + n, 'applying');
    return n;
  }

  private async finish(job: JobRun, importId: string, userId: string): Promise<void> {
    const ctx = await this.context(job, importId, userId) ?? { ...job.ctx, origin: 'import' };
    await this.step(job, ctx, importId, async (uow, { file_name }) => {
      const counts = await countRows(uow, importId);
      await changeImport(uow, importId, { state: 'applied', counts, isApplied: true });
      uow.emit({ type: 'import.applied', subject: { kind: 'import', id: importId, name: file_name }, data: { counts } });
    });
  }

  private async fail(job: JobRun, importId: string): Promise<unknown> {
    const errors = [{ reason: 'who applied it may not import any more' }];
    await this.step(job, { ...job.ctx, origin: 'import' }, importId, async (uow, { file_name }) => {
      await changeImport(uow, importId, { state: 'failed', errors, counts: await countRows(uow, importId) });
      uow.emit({ type: 'import.failed', subject: { kind: 'import', id: importId, name: file_name }, data: { errors } });
    });
    return { failed: errors.length };
  }
}

/** @returns undefined where the parent is a row that was not stored */
function cardOperation({ n, verdict, doc, target_id, diff, parent_row, parent_target }: DueCard, here: ReadonlySet<number>): CardOperation | undefined {
  const card: CardInput = verdict === 'create' ? { ...doc.input } : patchOf<CardInput>(diff);
  const moves = verdict === 'create' ? doc.parent !== undefined : diff.some(({ field }) => field === 'parent_id');
  if (moves) {
    if (parent_row === null) card.parent = doc.parent as Exclude<typeof doc.parent, { row: number }> ?? null;
    else if (parent_target !== null) card.parent = { id: parent_target };
    else if (here.has(parent_row)) card.parent = { ref: refOf(parent_row) };
    else return undefined;
  }
  return verdict === 'create' ? { op: 'create', ref: refOf(n), card } : { op: 'update', id: target_id!, ref: refOf(n), card };
}

/** @returns undefined where an end is a row that was not stored */
function relationOperation({ verdict, doc, target_id, diff, source_row, source_target, target_row, target_target }: DueRelation): RelationOperation | undefined {
  if (verdict === 'update') return { op: 'update', id: target_id!, ...patchOf<RelationValues>(diff) };
  const { type, ...values } = doc.input;
  const end = (row: number | null, target: string | null, given: Reference | undefined) => (row === null ? given : target === null ? undefined : { id: target });
  const [source, target] = [end(source_row, source_target, doc.source), end(target_row, target_target, doc.target)];
  if (!source || !target) return undefined;
  return { op: 'create', ...(type !== undefined && { type }), source: source as NonNullable<RelationOperation['source']>, target: target as NonNullable<RelationOperation['target']>, ...values };
}
