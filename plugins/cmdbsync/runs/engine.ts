import { ConnectorError, type Connector, type JobRun } from '@lintel/sdk';
import { applyToCards } from '../applying/cards.js';
import { applyLinks } from '../applying/links.js';
import type { Host } from '../basics.js';
import { openConnection } from '../connections/open.js';
import { findConnection, findMapping } from '../mappings/load-repository.js';
import { pushCreations, settleSent } from '../pushing/creations.js';
import { Remote } from '../pushing/remote.js';
import { stagePushes } from '../pushing/scan.js';
import { pushUpdates } from '../pushing/updates.js';
import { readAll } from '../reading/read.js';
import { readingOf } from '../reading/reading.js';
import type { Reading } from '../reading/stage.js';
import { storable } from '../transforms/values.js';
import type { Run } from './definition.js';
import { findRun } from './lifecycle-repository.js';
import { RunEnded, RunWork } from './lifecycle.js';
import { SyncMetrics } from './metrics.js';
import { checkAbilities } from './abilities.js';

/** Characters of the reason of a failed run. */
const MOST_DETAIL = 2_000;

/** What the steps of a run use. */
interface Tools {
  work: RunWork;
  reading: Reading;
  connector: Connector;
  remote: Remote;
}

/** Runs of mappings, as jobs that continue where a crash has interrupted them. */
export class RunEngine {
  /** By id, what ends the requests of the runs of this node. */
  private readonly running = new Map<string, AbortController>();
  private readonly metrics: SyncMetrics;

  constructor(private readonly host: Host) {
    this.metrics = new SyncMetrics(host.metrics);
  }

  /** Ends the requests of a run that was cancelled, if this node has it: its job then ends without waiting for the other system. */
  cancelled(id: string): void {
    this.running.get(id)?.abort(new RunEnded());
  }

  /** The job of a run: reads, compares, and applies what needs no decision. @returns the state of the run */
  async run(job: JobRun): Promise<{ state: string }> {
    const { host } = this;
    const id = String(job.payload['run_id']);
    const started = await findRun(host.db, id);
    const mapping = started && (await findMapping(host.db, started.mapping_id));
    const stored = mapping && (await findConnection(host.db, mapping.connection_id));
    if (!started || !mapping || !stored) return { state: 'gone' };
    const since = performance.now();
    const work = new RunWork(host, job, mapping, id);
    const ended = new AbortController();
    this.running.set(id, ended);
    try {
      const signal = AbortSignal.any([job.signal, ended.signal]);
      // A run that only writes cards needs no connection once it has read.
      if (started.direction === 'pull' && started.state === 'applying')
        await this.applyAll(work, await readingOf(work));
      else {
        const connector = await openConnection(host, stored, signal);
        const reading = await readingOf(work);
        const remote = new Remote(connector, mapping.table_name, signal, this.metrics);
        await this.perform({ work, reading, connector, remote }, started);
      }
    } catch (error) {
      if (error instanceof ConnectorError && !job.signal.aborted)
        await work.fail(error.fault, storable(error.message, MOST_DETAIL));
      else if (!(error instanceof RunEnded || ended.signal.aborted)) throw error;
    } finally {
      this.running.delete(id);
    }
    const after = await findRun(host.db, id);
    if (after) this.metrics.ended(started, after, (performance.now() - since) / 1_000);
    return { state: after?.state ?? 'gone' };
  }

  private async perform(tools: Tools, started: Run): Promise<void> {
    const { work, connector, reading, remote } = tools;
    const { mapping } = work;
    let run = started;
    const { isFull } = checkAbilities(connector, mapping, run);
    if (run.state === 'queued')
      run = await work.step(['queued'], async () => ({
        state: 'reading',
        ...(isFull && { is_full: true, since: null }),
      }));
    if (run.state === 'reading') {
      const isAtBegin = run.pages === 0 && run.cursor === null;
      if (isAtBegin && !run.dry_run && mapping.direction !== 'pull' && remote.canLookUp)
        await settleSent(work, remote, reading);
      if (run.direction !== 'push' && !run.is_read) run = await readAll(work, run, connector, reading);
      if (run.direction !== 'pull') run = await stagePushes(work, run, connector, reading);
    }
    if (run.state === 'applying') await this.applyAll(work, reading, run.direction === 'pull' ? undefined : tools);
  }

  private async applyAll(work: RunWork, reading: Reading, tools?: Tools): Promise<void> {
    do {
      await applyToCards(work, reading);
      await applyLinks(work);
      if (!tools) continue;
      await pushUpdates(work, tools.connector, tools.remote, reading);
      await pushCreations(work, tools.remote, reading);
    } while (!(await work.end()));
  }
}
