import { TimeSlice, type Inventory, type JobRun, type RequestContext, type UnitOfWork } from '@lintel/sdk';
import {
  MOST_CARDS,
  MOST_EVIDENCE,
  MOST_FINDINGS,
  type Analysis,
  type AnalysisWork,
  type NewFinding,
  type PhaseProgress,
} from '../analyses/definition.js';
import { ORIGIN, type Host } from '../basics.js';
import { deletePhase, storeFindings } from '../findings/store-repository.js';
import type { Run, RunState } from './definition.js';
import { tellRun } from './events.js';
import { lockRun, saveRun } from './repository.js';

/** Milliseconds between two events about the progress of a run. */
const PROGRESS_MS = 2_000;

/** The run was ended by others: its job stops. */
export class RunEnded extends Error {}

/** @throws an Error that names the limit, since the analysis is wrong */
function check(findings: readonly NewFinding[]): void {
  if (findings.length > MOST_FINDINGS) throw new Error(`more than ${MOST_FINDINGS} findings at once`);
  for (const { key, cards, evidence } of findings) {
    if (cards.length === 0 || cards.length > MOST_CARDS) throw new Error(`${key} has ${cards.length} cards`);
    if (JSON.stringify(evidence).length > MOST_EVIDENCE) throw new Error(`the evidence of ${key} is too large`);
  }
}

/** The transactions of one run: each holds the lease of its job and the row of the run, so that a run is written by one job only. */
export class RunWork implements AnalysisWork {
  readonly slice = new TimeSlice();
  private toldAt = 0;

  constructor(
    readonly host: Host,
    private readonly job: JobRun,
    private readonly analysis: Analysis,
    private run: Run,
    readonly signal: AbortSignal,
  ) {}

  get ctx(): RequestContext {
    return { ...this.job.ctx, origin: ORIGIN };
  }

  get runId(): string {
    return this.run.id;
  }

  get day(): string {
    return this.run.day;
  }

  get position(): unknown {
    return this.run.position;
  }

  /** As last stored. */
  get state(): Run {
    return this.run;
  }

  async read<T>(work: (inventory: Inventory) => Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    return await this.host.inventory.read(this.ctx, {}, work);
  }

  /** Begins a phase, or continues it from its position: without one, what it had stored is deleted. */
  async begin(phase: number): Promise<void> {
    const isContinued = this.run.phase === phase && this.run.state === 'running';
    if (isContinued && this.run.position !== null) return;
    await this.write(['queued', 'running'], async (uow, run) => {
      if (isContinued) {
        await deletePhase(uow, run.id, phase);
        await this.analysis.phases[phase]!.reset?.(uow, run.id);
      }
      return { state: 'running', phase, position: null, percent: this.percent(phase, 0) };
    });
  }

  async store(findings: readonly NewFinding[], progress: PhaseProgress = {}): Promise<void> {
    check(findings);
    await this.step(async (uow) => {
      if (findings.length === 0) return;
      const { kind, states } = this.analysis;
      const { id, phase } = this.run;
      await storeFindings(this.host, uow, { runId: id, phase, kind, state: states.initial }, findings);
    }, progress);
  }

  async step(store: (uow: UnitOfWork) => Promise<void>, { position, share }: PhaseProgress = {}): Promise<void> {
    await this.write(['running'], async (uow, run) => {
      await store(uow);
      return {
        ...(position !== undefined && { position }),
        ...(share !== undefined && { percent: this.percent(run.phase, share) }),
      };
    });
  }

  /**
   * A transaction of the run.
   * @param work returns what has changed of the run
   * @throws RunEnded if the run is not in one of the states any more
   */
  async write(states: readonly RunState[], work: (uow: UnitOfWork, run: Run) => Promise<Partial<Run>>): Promise<void> {
    this.signal.throwIfAborted();
    this.run = await this.host.transactions.run(this.ctx, async (uow) => {
      await this.job.guard(uow);
      const run = await lockRun(uow, this.runId);
      if (!run || !states.includes(run.state)) throw new RunEnded();
      const next: Run = { ...run, ...(await work(uow, run)) };
      await saveRun(uow, next);
      this.tell(uow, run, next);
      return next;
    });
  }

  private tell(uow: UnitOfWork, before: Run, next: Run): void {
    if (next.state !== before.state) tellRun(uow, next.state === 'done' ? 'finished' : 'started', next);
    else if (performance.now() - this.toldAt >= PROGRESS_MS) {
      this.toldAt = performance.now();
      tellRun(uow, 'progressed', next);
    }
  }

  private percent(phase: number, share: number): number {
    return Math.floor((100 * (phase + Math.min(1, Math.max(0, share)))) / this.analysis.phases.length);
  }
}
