import {
  ErrorBudget,
  Problem,
  TimeSlice,
  type FieldError,
  type ModuleServices,
  type RequestContext,
  type UnitOfWork,
} from '@lintel/sdk';
import { CARD_MANAGE, MANAGE } from '../permissions.js';
import type { BulkMode, BulkOperation, BulkResult, BulkView } from './bulk-schemas.js';
import { tellOwners } from './notices.js';
import { RiskPlan, movedCards, type Known, type Outcome, type RiskOperation } from './plan.js';
import { referenceOf, type RiskState } from './state.js';
import {
  cardsOf,
  changeLinks,
  insertRisks,
  lockRisks,
  removeRisks,
  shareMatrix,
  takeNumbers,
  updateRisks,
  type Link,
} from './write-repository.js';

/** What belongs to an operation besides `op`. */
const MEMBERS: Record<BulkOperation['op'], readonly string[]> = {
  create: ['ref', 'risk'],
  update: ['ref', 'id', 'version', 'risk'],
  transition: ['ref', 'id', 'version', 'to', 'comment', 'rationale', 'expires_on'],
  delete: ['ref', 'id', 'version'],
};
/** A card or a user went while the operation was checked. */
const isGone = (error: unknown): boolean => (error as { code?: string }).code === '23503';

/** The one write path of risks: a single write is a set of one. As many statements for one as for 10,000. */
export class RiskWriter {
  constructor(private readonly host: ModuleServices) {}

  /** Does one operation. @returns its risk and version @throws the problem it is refused with */
  async one(ctx: RequestContext, operation: RiskOperation): Promise<Outcome> {
    const known = await this.lookUp(ctx, [operation]);
    return await this.host.transactions.run(ctx, async (uow) => {
      const done = await this.work(uow, known, [operation], new Map(), () => true);
      const [result] = done;
      if (result instanceof Problem) throw result;
      return result!;
    });
  }

  /**
   * Many operations in one transaction.
   * @param mode all_or_nothing: one that fails undoes all; per_row: the sound ones are stored
   * @throws in all_or_nothing mode a 422 with the results, where one failed and it is no dry run
   */
  async bulk(
    ctx: RequestContext,
    operations: readonly BulkOperation[],
    mode: BulkMode = 'all_or_nothing',
  ): Promise<BulkView> {
    const misplaced = operations.map((operation) => this.misplaced(operation));
    const known = await this.lookUp(ctx, operations);
    const done = await this.host.transactions.run(ctx, async (uow) => {
      const refs = new Map<string, string>();
      const results =
        mode === 'per_row'
          ? await this.perRow(uow, known, operations, misplaced, 0, refs)
          : await this.allOrNothing(uow, known, operations, misplaced, refs);
      return { change_id: ctx.changeId, results };
    });
    const summary: Record<string, number> = {};
    for (const { outcome } of done.results) summary[outcome] = (summary[outcome] ?? 0) + 1;
    return { change_id: done.change_id, summary, results: done.results };
  }

  /** Does operations of the system inside a transaction. @returns how many changed something */
  async system(uow: UnitOfWork, operations: readonly RiskOperation[]): Promise<number> {
    const done = await this.work(
      uow,
      { visible: new Set(), owners: new Set(), writable: undefined },
      operations,
      new Map(),
      () => true,
    );
    return done.filter((result) => !(result instanceof Problem) && result.outcome !== 'unchanged').length;
  }

  /** All there is to know of the caller, the cards and the users, before the transaction. */
  private async lookUp(ctx: RequestContext, operations: readonly RiskOperation[]): Promise<Known> {
    const ids = [...new Set(operations.flatMap(({ id }) => id?.toLowerCase() ?? []))];
    const named = operations.flatMap(({ risk, card }) =>
      [...(risk?.cards ?? []), ...(card ? [card] : [])].map(({ card_id }) => card_id.toLowerCase()),
    );
    const cards = [...new Set([...named, ...(await cardsOf(this.host.db, ids))])];
    const owners = [...new Set(operations.flatMap(({ risk }) => risk?.owner_id?.toLowerCase() ?? []))];
    const visible = new Set(cards.length > 0 ? (await this.host.cards.find(ctx, cards)).keys() : []);
    const users = owners.length > 0 ? [...(await this.host.users.find(owners)).values()] : [];
    const writable = ctx.permissions.has(MANAGE)
      ? undefined
      : await this.host.cards.mayAmong(ctx, cards, MANAGE, CARD_MANAGE);
    return { visible, owners: new Set(users.filter(({ is_active }) => is_active).map(({ id }) => id)), writable };
  }

  private async allOrNothing(
    uow: UnitOfWork,
    known: Known,
    operations: readonly BulkOperation[],
    misplaced: readonly (Problem | undefined)[],
    refs: Map<string, string>,
  ): Promise<BulkResult[]> {
    const { results, failed } = await this.rows(uow, known, operations, misplaced, 0, refs, (failed) => failed === 0);
    if (failed > 0 && !uow.ctx.dryRun) {
      const errors = results.flatMap((row) => row.errors ?? []) as FieldError[];
      throw this.host.problem('validation_failed', {
        detail: `Nothing was stored: ${failed} of ${operations.length} operations failed.`,
        errors: errors.slice(0, 100),
        results: results.filter(({ outcome }) => outcome === 'failed').slice(0, 1_000),
      });
    }
    return results;
  }

  /** Stores what can be stored; where the database refuses the whole, halves it until what is to blame stands alone. */
  private async perRow(
    uow: UnitOfWork,
    known: Known,
    operations: readonly BulkOperation[],
    misplaced: readonly (Problem | undefined)[],
    first: number,
    refs: Map<string, string>,
  ): Promise<BulkResult[]> {
    const made = new Map(refs);
    try {
      const { results } = await uow.savepoint(() =>
        this.rows(uow, known, operations, misplaced, first, made, () => true),
      );
      for (const [ref, id] of made) refs.set(ref, id);
      return results;
    } catch (error) {
      if (!isGone(error)) throw error;
      if (operations.length === 1)
        return [
          this.failed(
            operations[0]!,
            first,
            this.host.problem('conflict', { detail: 'A card or user it names was deleted meanwhile.' }),
            new ErrorBudget(),
          ),
        ];
      const half = Math.ceil(operations.length / 2);
      const before = await this.perRow(uow, known, operations.slice(0, half), misplaced.slice(0, half), first, refs);
      return [
        ...before,
        ...(await this.perRow(uow, known, operations.slice(half), misplaced.slice(half), first + half, refs)),
      ];
    }
  }

  private async rows(
    uow: UnitOfWork,
    known: Known,
    operations: readonly BulkOperation[],
    misplaced: readonly (Problem | undefined)[],
    first: number,
    refs: Map<string, string>,
    mayWrite: (failed: number) => boolean,
  ): Promise<{ results: BulkResult[]; failed: number }> {
    const numbers = new Map<string, number>();
    const done = await this.work(uow, known, operations, refs, mayWrite, misplaced, numbers);
    const budget = new ErrorBudget();
    const results = done.map((result, i): BulkResult => {
      const { ref } = operations[i]!;
      if (result instanceof Problem) return this.failed(operations[i]!, first + i, result, budget);
      const number = numbers.get(result.id);
      return {
        index: first + i,
        ...(ref !== undefined && { ref }),
        id: result.id,
        ...(number !== undefined && number > 0 && { reference: referenceOf(number) }),
        version: result.version,
        outcome: result.outcome,
      };
    });
    return { results, failed: results.filter(({ outcome }) => outcome === 'failed').length };
  }

  /**
   * Locks, works out and writes.
   * @param mayWrite told how many failed
   * @param misplaced refusals known before, by place
   * @param numbers takes those of the risks concerned, by id
   * @returns by place what became of each operation, or the problem it was refused with
   */
  private async work(
    uow: UnitOfWork,
    known: Known,
    operations: readonly RiskOperation[],
    refs: Map<string, string>,
    mayWrite: (failed: number) => boolean,
    misplaced: readonly (Problem | undefined)[] = [],
    numbers = new Map<string, number>(),
  ): Promise<(Outcome | Problem)[]> {
    const matrix = await shareMatrix(uow);
    const named = operations.flatMap(
      ({ id, ref }) => id?.toLowerCase() ?? (ref === undefined ? undefined : refs.get(ref)) ?? [],
    );
    const plan = new RiskPlan(this.host, uow.ctx, await lockRisks(uow, [...new Set(named)]), known, refs);
    const done: (Outcome | Problem)[] = [];
    const slice = new TimeSlice();
    for (const [i, operation] of operations.entries()) {
      done.push(misplaced[i] ?? attempt(() => plan.apply(operation)));
      if (slice.isOver) await slice.next();
    }
    if (!mayWrite(done.filter((result) => result instanceof Problem).length)) return done;
    if (plan.created.length > 0) plan.number(await takeNumbers(uow, plan.created.length));
    for (const [id, { number }] of plan.stored) numbers.set(id, number);
    for (const [id, risk] of plan.after) if (risk) numbers.set(id, risk.number);
    const left = [...plan.after.values()].filter((risk) => risk !== undefined);
    await insertRisks(
      uow,
      this.host,
      matrix,
      left.filter(({ id }) => !plan.stored.has(id)),
    );
    await updateRisks(
      uow,
      this.host,
      matrix,
      left.filter(({ id }) => plan.stored.has(id)),
    );
    await changeLinks(uow, ...movedLinks(plan.stored, left));
    await removeRisks(
      uow,
      [...plan.after].flatMap(([id, risk]) => (!risk && plan.stored.has(id) ? [id] : [])),
    );
    const events = [...plan.events()];
    for (const event of events) uow.emit(event);
    await tellOwners(this.host, uow, events);
    return done;
  }

  private misplaced(operation: BulkOperation): Problem | undefined {
    const members = MEMBERS[operation.op];
    const faults = Object.keys(operation).flatMap((member) =>
      member === 'op' || members.includes(member)
        ? []
        : [{ field: `/${member}`, reason: `does not belong to ${operation.op}` }],
    );
    if (operation.id !== undefined && operation.ref !== undefined)
      faults.push({ field: '/ref', reason: 'cannot stand beside id' });
    if (operation.op === 'update' && operation.risk === undefined)
      faults.push({ field: '/risk', reason: 'is required' });
    if (faults.length === 0) return undefined;
    const problem = this.host.invalid(...faults);
    problem.extensions['misplaced'] = true;
    return problem;
  }

  private failed({ op, ref }: BulkOperation, index: number, problem: Problem, budget: ErrorBudget): BulkResult {
    const at = `/operations/${index}`;
    const inside = (op === 'create' || op === 'update') && problem.extensions['misplaced'] !== true ? `${at}/risk` : at;
    const isStale = problem.code === 'precondition_failed';
    const isAddress = (field: string): boolean => field === '/id' || field === '/ref';
    const errors = (problem.errors && budget.take(problem.errors))?.map(({ field, reason }) => ({
      field: isAddress(field) ? `${at}${field}` : `${inside}${field}`,
      reason,
      in: 'body',
    })) ?? [
      {
        field: isStale ? `${at}/version` : at,
        reason: isStale
          ? `is stale: the risk has version ${String(problem.extensions['current_version'])}`
          : problem.detail,
        in: 'body',
      },
    ];
    return { index, ...(ref !== undefined && { ref }), outcome: 'failed', code: problem.code, errors };
  }
}

function attempt(apply: () => Outcome): Outcome | Problem {
  try {
    return apply();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** Links to put and links to take away, by what changed. */
function movedLinks(
  stored: ReadonlyMap<string, RiskState>,
  risks: readonly RiskState[],
): [put: Link[], gone: Omit<Link, 'role'>[]] {
  const [put, gone]: [Link[], Omit<Link, 'role'>[]] = [[], []];
  for (const risk of risks) {
    for (const card_id of movedCards(stored.get(risk.id), risk)) {
      const link = risk.cards.find((card) => card.card_id === card_id);
      if (link) put.push({ risk_id: risk.id, ...link });
      else gone.push({ risk_id: risk.id, card_id });
    }
  }
  return [put, gone];
}
