import type { JobEnd, JobRun } from '@lintel/sdk';
import { ORIGIN, type Host } from '../basics.js';
import { modelUse, type ModelUse } from '../models/schemas.js';
import { adviceOn } from './advice.js';
import { changeSetOf } from './change-set.js';
import type { Proposal } from './definition.js';
import { designFor } from './design.js';
import { tellProposal } from './events.js';
import { loadProposal, lockProposal, saveProposal } from './repository.js';

/**
 * Attempts of the job that ask the model. Each call costs money, and a node that is killed during it may have been killed
 * by its answer.
 */
const ASKING_ATTEMPTS = 3;
const NOT_ASKED: ModelUse = {
  used: false,
  name: null,
  reason: 'unavailable',
  detail: 'The job was interrupted several times, and did not ask the model again.',
  input_tokens: 0,
  output_tokens: 0,
  cost: 0,
};

/** The proposal was cancelled or deleted: its job stops. */
class ProposalEnded extends Error {}

/** Makes proposals, as jobs with the rights of the users who have asked for them. */
export class ProposalEngine {
  /** By id, what ends the work on the proposals of this node. */
  private readonly running = new Map<string, AbortController>();

  constructor(private readonly host: Host) {}

  /** Ends the work on a proposal that was cancelled, if this node has it. */
  cancelled(id: string): void {
    this.running.get(id)?.abort(new ProposalEnded());
  }

  /** Designs, then asks the model; after a crash the design is not made again. @returns the state of the proposal */
  async run(job: JobRun): Promise<{ state: string }> {
    const id = String(job.payload['proposal_id']);
    const proposal = await loadProposal(this.host.db, id);
    if (!proposal) return { state: 'gone' };
    const ended = new AbortController();
    this.running.set(id, ended);
    const signal = AbortSignal.any([job.signal, ended.signal]);
    try {
      if (proposal.state === 'queued' || proposal.state === 'running')
        await this.make(job, proposal, job.payload['use_model'] === true, signal);
    } catch (error) {
      if (!(error instanceof ProposalEnded || ended.signal.aborted)) throw error;
    } finally {
      this.running.delete(id);
    }
    return { state: (await loadProposal(this.host.db, id))?.state ?? 'gone' };
  }

  private async make(job: JobRun, proposal: Proposal, usesModel: boolean, signal: AbortSignal): Promise<void> {
    const { host } = this;
    const { ctx } = job;
    const { requirement } = proposal;
    const design = proposal.design ?? (await designFor(host, ctx, requirement, signal));
    if (!proposal.design)
      await this.write(job, proposal.id, ({ title }) => ({
        state: 'running',
        design,
        change_set: changeSetOf(design, design.options[0], { title, requirement }),
      }));
    const mayAsk = usesModel && job.attempt <= ASKING_ATTEMPTS;
    const asked = mayAsk ? await adviceOn(host, ctx, proposal, design, signal) : undefined;
    signal.throwIfAborted();
    await this.write(job, proposal.id, () => ({
      state: 'ready',
      advice: asked?.advice ?? null,
      model: asked ? modelUse(asked.result) : usesModel ? NOT_ASKED : null,
    }));
  }

  private async write(job: JobRun, id: string, change: (locked: Proposal) => Partial<Proposal>): Promise<void> {
    await this.host.transactions.run({ ...job.ctx, origin: ORIGIN }, async (uow) => {
      await job.guard(uow);
      const locked = await lockProposal(uow, id);
      if (!locked || (locked.state !== 'queued' && locked.state !== 'running')) throw new ProposalEnded();
      const next = { ...locked, ...change(locked) };
      await saveProposal(uow, next);
      if (next.state === 'ready') tellProposal(uow, 'designed', next);
      return { id };
    });
  }

  /** Ends the proposal of a job that has ended without it: otherwise its user could not ask again. */
  async ended({ id, state, payload, uow }: JobEnd): Promise<void> {
    const proposal = state === 'done' ? undefined : await lockProposal(uow, String(payload['proposal_id']));
    if (proposal?.job_id !== id || (proposal.state !== 'queued' && proposal.state !== 'running')) return;
    const error = { code: 'job_failed', detail: 'Its job did not complete; the log of the service has the reason.' };
    await saveProposal(uow, { ...proposal, state: 'failed', error });
    tellProposal(uow, 'failed', proposal);
  }
}
