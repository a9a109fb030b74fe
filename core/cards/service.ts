import type { RequestContext } from '@lintel/sdk';
import type { Database } from '../db/database.js';
import { mayRetry, type Transactions, type UnitOfWork } from '../db/unit-of-work.js';
import { databaseProblem } from '../db/constraints.js';
import { Problem, problem } from '../errors.js';
import type { MetamodelService } from '../metamodel/index.js';
import type { RbacService } from '../rbac/index.js';
import { BatchRows, type RowResult } from './batch-rows.js';
import { CardBatch, type DeleteParticipant } from './batch.js';
import type { Authorise } from './plan.js';
import { getCard } from './read-repository.js';
import type { CardReads } from './reads.js';
import { FOLD_COUNTS, purgeableIds } from './repository.js';
import type { CardInput, CardOperation } from './types.js';
import type { CardJson } from './view.js';

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

const FOLD_AFTER_MS = 1_000;
/** Application permission and stakeholder permission each operation needs. */
const NEEDS = {
  create: ['cards.create', undefined], update: ['cards.edit', 'card.edit'], upsert: ['cards.edit', 'card.edit'],
  archive: ['cards.archive', 'card.archive'], restore: ['cards.archive', 'card.archive'], delete: ['cards.delete', undefined],
} as const;

/** The one write path of cards: API, bulk, import, jobs and modules. */
export class CardService {
  private readonly participants: DeleteParticipant[] = [];
  private folding: NodeJS.Timeout | undefined;

  constructor(private readonly db: Database, private readonly transactions: Transactions, private readonly metamodel: MetamodelService, private readonly rbac: RbacService, private readonly reads: CardReads) {}

  /** Has `participant` let go of cards inside the transaction that deletes them. */
  beforeDelete(participant: DeleteParticipant): void {
    this.participants.push(participant);
  }

  create(ctx: RequestContext, card: CardInput): Promise<Written> {
    return this.single(ctx, { op: 'create', card }, '');
  }

  update(ctx: RequestContext, id: string, card: CardInput): Promise<Written> {
    return this.single(ctx, { op: 'update', id, version: ctx.ifMatch, card }, '');
  }

  /** `archive`, `restore` or `delete` of one card. */
  act(ctx: RequestContext, op: 'archive' | 'restore' | 'delete', id: string): Promise<Written> {
    return this.single(ctx, { op, id, version: ctx.ifMatch }, '');
  }

  /**
   * Many operations in one transaction.
   * @param mode all_or_nothing: one failing row undoes all; per_row: the sound rows are stored
   * @throws in all_or_nothing mode a 422 with the results, where a row failed and it is no dry run
   */
  async bulk(ctx: RequestContext, mode: 'all_or_nothing' | 'per_row', operations: CardOperation[]): Promise<BulkResult> {
    const authorise = await this.authorise(ctx, operations);
    const { change_id, results } = await this.transactions.run(ctx, async (uow) => {
      uow.kind = 'bulk';
      const change_id = ctx.changeId;
      if (mode === 'per_row') return { change_id, results: await this.perRow(uow, authorise, operations, 0, new Map()) };
      const rows = new BatchRows(operations, (n) => `/operations/${n}/card`);
      const batch = this.batch(uow, authorise, operations, rows, new Map());
      await batch.check();
      if (!rows.anyFailed) await batch.write();
      else if (!ctx.dryRun) {
        const errors = rows.results.flatMap((r) => r.errors ?? []);
        throw problem('validation_failed', { detail: `Nothing was stored: ${rows.results.filter((r) => r.outcome === 'failed').length} of ${operations.length} operations failed.`, errors: errors.slice(0, 100), results: rows.results.filter((r) => r.outcome === 'failed').slice(0, 1_000) });
      }
      return { change_id, results: rows.results };
    });
    this.foldSoon();
    const summary: Record<string, number> = {};
    for (const { outcome } of results) summary[outcome] = (summary[outcome] ?? 0) + 1;
    return { change_id, summary, results };
  }

  /**
   * Deletes archived cards past their retention, with their events.
   * @param days retention; 0 keeps them for ever
   * @param guard run inside each transaction; throws where the job no longer owns its work
   * @returns how many went
   */
  async purgeArchived(ctx: RequestContext, days: number, guard: (uow: UnitOfWork) => Promise<void> = async () => undefined): Promise<number> {
    if (days === 0) return 0;
    const authorise = await this.authorise(ctx, []);
    for (let gone = 0; ;) {
      const n = await this.transactions.run(ctx, async (uow) => {
        uow.kind = 'job';
        await guard(uow);
        const operations = (await purgeableIds(uow, days)).map((id): CardOperation => ({ op: 'delete', id }));
        const rows = new BatchRows(operations, (i) => `/${i}`);
        const batch = this.batch(uow, authorise, operations, rows, new Map());
        await batch.check();
        await batch.write();
        return rows.results.filter((r) => r.outcome === 'deleted').length;
      });
      gone += n;
      if (n === 0) return gone;
    }
  }

  close(): void {
    clearTimeout(this.folding);
  }

  private async single(ctx: RequestContext, operation: CardOperation, pointer: string): Promise<Written> {
    const [reader, authorise] = [await this.reads.reader(ctx), await this.authorise(ctx, [operation])];
    let view: CardJson | undefined;
    const done = await this.transactions.run(ctx, async (uow) => {
      const rows = new BatchRows([operation], () => pointer);
      const batch = this.batch(uow, authorise, [operation], rows, new Map(), true);
      await batch.check();
      const row = rows.results[0]!;
      if (row.outcome === 'failed') {
        const failure = rows.problem(0);
        if (failure.code === 'precondition_failed') failure.extensions['changed_fields'] = await batch.changedSince(operation.id!, operation.version!, reader.seesCosts);
        throw failure;
      }
      const outcome = { id: row.id!, version: row.version ?? 0 };
      await batch.write(outcome);
      // While the row is locked: the answer shows this change and not the next one's.
      if (operation.op !== 'create' && operation.op !== 'delete') view = await getCard(uow, outcome.id, reader);
      return outcome;
    });
    this.foldSoon();
    if (operation.op === 'delete') return done;
    return { ...done, view: view ?? await this.reads.get(ctx, done.id) };
  }

  /** Stores what can be stored; where the database refuses the whole, halves it until the bad rows stand alone. */
  private async perRow(uow: UnitOfWork, authorise: Authorise, operations: CardOperation[], first: number, refs: Map<string, string>): Promise<RowResult[]> {
    const rows = new BatchRows(operations, (n) => `/operations/${first + n}/card`);
    const known = new Map(refs);
    try {
      await uow.savepoint(async () => {
        const batch = this.batch(uow, authorise, operations, rows, known);
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
        return [{ ...row, index: first, outcome: 'failed', errors: refusal.errors ?? [{ field: `/operations/${first}`, reason: refusal.detail, in: 'body' }] }];
      }
      const half = Math.ceil(operations.length / 2);
      const before = await this.perRow(uow, authorise, operations.slice(0, half), first, refs);
      return [...before, ...await this.perRow(uow, authorise, operations.slice(half), first + half, refs)];
    }
  }

  private batch(uow: UnitOfWork, authorise: Authorise, operations: CardOperation[], rows: BatchRows, refs: Map<string, string>, lone = false): CardBatch {
    return new CardBatch({ uow, metamodel: this.metamodel.current, operations, rows, refs, participants: this.participants, authorise, lone });
  }

  /**
   * Stakeholder roles are asked only where the application permissions do not suffice for every type, once for the
   * whole batch; before the transaction, which would hold one connection while it waits for another.
   */
  private async authorise(ctx: RequestContext, operations: readonly CardOperation[]): Promise<Authorise> {
    const suffices = (permission: string) => ctx.permissions.has(permission) && [...this.metamodel.current.types.keys()].every((type) => ctx.permissions.has(permission, type));
    const held = new Map<string, ReadonlySet<string>>();
    for (const op of new Set(operations.map((o) => o.op))) {
      const [permission, cardPermission] = NEEDS[op];
      if (ctx.actor && cardPermission !== undefined && !held.has(cardPermission) && !suffices(permission)) held.set(cardPermission, await this.rbac.cardsWith(ctx.actor.id, cardPermission));
    }
    return (op, type, id) => {
      const [permission, cardPermission] = NEEDS[op];
      if (ctx.permissions.has(permission, type)) return undefined;
      if (cardPermission !== undefined && id !== undefined && held.get(cardPermission)?.has(id)) return undefined;
      return problem('forbidden', { detail: `The permission ${permission} is required.`, required_permission: permission });
    };
  }

  private foldSoon(): void {
    this.folding ??= setTimeout(() => {
      this.folding = undefined;
      this.db.query(FOLD_COUNTS).catch(() => undefined);
    }, FOLD_AFTER_MS).unref();
  }
}
