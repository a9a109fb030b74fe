import {
  answerBulk,
  BulkRunner,
  outcomesOf,
  type BulkAnswer,
  type BulkCall,
  type BulkPass,
  type BulkRow,
  type Problem,
  type UnitOfWork,
} from '@lintel/sdk';
import { analysisOf } from '../analyses/index.js';
import type { Host } from '../basics.js';
import { tellMoved } from '../findings/events.js';
import { lockFindings, moveFindings, readSeen, type LockedState, type SeenFinding } from './moves-repository.js';
import type { BulkMoves } from './schemas.js';

type Move = BulkMoves['operations'][number];
export interface MoveRow extends BulkRow {
  id?: string;
  version?: number;
  outcome: 'transitioned' | 'failed';
  code?: string;
}

/** Transitions of many findings in one transaction, with a constant number of statements. */
export class BulkTransitions {
  constructor(private readonly host: Host) {}

  /** @throws validation_failed with the failed rows, in all_or_nothing, if one failed */
  async run(call: BulkCall<Move>): Promise<BulkAnswer<BulkRow>> {
    const { host } = this;
    const { ctx } = call;
    return await answerBulk<Move, BulkRow>(call, async (operations, mode) => {
      const ids = operations.map(({ id }) => id);
      const seen = await host.inventory.read(ctx, {}, (inventory) => readSeen(inventory, ids));
      const byId = new Map(seen.map((finding) => [finding.id, finding]));
      const results = await host.transactions.run(ctx, async (uow) => {
        // All of them, before passes over parts lock some of them in the order of the request.
        await lockFindings(uow, [...byId.keys()]);
        const runner = new BulkRunner<Move, MoveRow>({
          savepoint: (work) => uow.savepoint(work),
          pass: (part, first) => new MovePass(host, uow, byId, part, first),
          failed: (move, index, refusal) => failedRow(move, index, index, refusal),
          refusalOf: (error) => host.refusalOf(error),
          problem: (code, details) => host.problem(code, details),
        });
        return await runner.run(operations, mode, false);
      });
      return { change_id: ctx.changeId, summary: outcomesOf(results), results };
    });
  }
}

class MovePass implements BulkPass<MoveRow> {
  private readonly problems = new Map<number, Problem>();
  private readonly moves: { move: Move; finding: LockedState; seen: SeenFinding }[] = [];

  constructor(
    private readonly host: Host,
    private readonly uow: UnitOfWork,
    private readonly seen: ReadonlyMap<string, SeenFinding>,
    private readonly operations: readonly Move[],
    private readonly first: number,
  ) {}

  async check(): Promise<MoveRow[]> {
    const locked = await lockFindings(
      this.uow,
      this.operations.map(({ id }) => id).filter((id) => this.seen.has(id)),
    );
    const byId = new Map(locked.map((finding) => [finding.id, finding]));
    const taken = new Set<string>();
    return this.operations.map((move, index): MoveRow => {
      const [finding, seen] = [byId.get(move.id), this.seen.get(move.id)];
      const problem = this.refusal(move, finding, taken);
      taken.add(move.id);
      if (problem || !finding || !seen) {
        const reason = problem ?? this.host.problem('not_found');
        this.problems.set(index, reason);
        return failedRow(move, index, this.first + index, reason);
      }
      this.moves.push({ move, finding, seen });
      return { index, id: move.id, version: this.uow.nextVersion(finding), outcome: 'transitioned' };
    });
  }

  async write(): Promise<void> {
    if (this.moves.length === 0) return;
    await moveFindings(
      this.uow,
      this.moves.map(({ move: { id, to, note = null } }) => ({ id, to, note })),
    );
    for (const { move, finding, seen } of this.moves)
      tellMoved(
        this.uow,
        { ...seen, kind: finding.kind },
        { from: finding.state, to: move.to, note: move.note ?? null },
      );
  }

  problem(index: number): Problem {
    return this.problems.get(index)!;
  }

  private refusal(
    { id, to, note = null, version }: Move,
    finding: LockedState | undefined,
    taken: ReadonlySet<string>,
  ): Problem | undefined {
    const { host } = this;
    if (!finding) return host.problem('not_found');
    if (taken.has(id)) return host.invalid({ field: '/id', reason: 'occurs twice' });
    if (version !== undefined && version !== finding.version)
      return host.problem('precondition_failed', { current_version: finding.version });
    return moveRefusal(host, finding, to, note);
  }
}

/** Why a finding cannot be put in a state; undefined if it can. */
export function moveRefusal(
  host: Host,
  { kind, state }: Pick<LockedState, 'kind' | 'state'>,
  to: string,
  note: string | null,
): Problem | undefined {
  const { moves = {}, withNote = [] } = analysisOf(kind)?.states ?? {};
  const allowed = moves[state] ?? [];
  if (!allowed.includes(to))
    return host.problem('invalid_state', { detail: `The finding is ${state}.`, state, allowed: [...allowed] });
  if (withNote.includes(to) && note === null) return host.invalid({ field: '/note', reason: `is required for ${to}` });
  return undefined;
}

function failedRow({ id }: Move, index: number, place: number, problem: Problem): MoveRow {
  const at = `/operations/${place}`;
  const errors = (problem.errors ?? []).map(({ field, reason }) => ({ field: `${at}${field}`, reason, in: 'body' }));
  if (errors.length === 0)
    errors.push({
      field: problem.code === 'precondition_failed' ? `${at}/version` : at,
      reason: problem.detail,
      in: 'body',
    });
  return { index, id, outcome: 'failed', code: problem.code, errors };
}
