import type { JobEnd, JobRun } from '@lintel/sdk';
import { analysisOf } from '../analyses/index.js';
import type { Host } from '../basics.js';
import { announce, publish } from './publish.js';
import { tellRun } from './events.js';
import { findRun, lockRun, saveRun } from './repository.js';
import { RunEnded, RunWork } from './work.js';

/** Runs of analyses, as jobs that continue where a crash has interrupted them. */
export class RunEngine {
  /** By id, what ends the work on the runs of this node. */
  private readonly running = new Map<string, AbortController>();

  constructor(private readonly host: Host) {}

  /** Ends the work on a run that was cancelled, if this node has it. */
  cancelled(id: string): void {
    this.running.get(id)?.abort(new RunEnded());
  }

  /** The job of a run: its phases, then its results are shown, then new findings are announced. @returns the state of the run */
  async run(job: JobRun): Promise<{ state: string }> {
    const { host } = this;
    const id = String(job.payload['run_id']);
    const run = await findRun(host.db, id);
    const analysis = run && analysisOf(run.kind);
    if (!run || !analysis) return { state: 'gone' };
    const ended = new AbortController();
    this.running.set(id, ended);
    const work = new RunWork(host, job, analysis, run, AbortSignal.any([job.signal, ended.signal]));
    try {
      if (run.state === 'queued' || run.state === 'running') {
        for (let phase = run.phase; phase < analysis.phases.length; phase++) {
          await work.begin(phase);
          await analysis.phases[phase]!.run(work);
        }
        await publish(work, analysis);
      }
      if (work.state.state === 'done') await announce(work, analysis);
    } catch (error) {
      if (!(error instanceof RunEnded || ended.signal.aborted)) throw error;
    } finally {
      this.running.delete(id);
    }
    return { state: (await findRun(host.db, id))?.state ?? 'gone' };
  }

  /** Ends the run of a job that has ended without it: otherwise the analysis could not run again. */
  async ended({ id, state, payload, uow }: JobEnd): Promise<void> {
    const run = state === 'done' ? undefined : await lockRun(uow, String(payload['run_id']));
    if (run?.job_id !== id || (run.state !== 'queued' && run.state !== 'running')) return;
    const error = { code: 'job_failed', detail: 'Its job did not complete; the log of the service has the reason.' };
    await saveRun(uow, { ...run, state: 'failed' }, error);
    tellRun(uow, 'failed', { ...run, state: 'failed' }, error);
    if (run.started_by === null) return;
    const title = analysisOf(run.kind)?.title ?? run.kind;
    await this.host.notifications.send(uow, {
      to: [run.started_by],
      kind: 'insightlens.run_failed',
      subject: { kind: 'insightlens_run', id: run.id, name: title },
      title: `Analysis failed: ${title}`,
      path: `/runs/${run.id}`,
    });
  }
}
