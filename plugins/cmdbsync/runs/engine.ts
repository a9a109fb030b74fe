import { ConnectorError, type JobRun } from '@lintel/sdk';
import { applyToCards } from '../applying/cards.js';
import { applyLinks } from '../applying/links.js';
import type { Host } from '../basics.js';
import { openConnection } from '../connections/open.js';
import { findConnection, findMapping } from '../mappings/load-repository.js';
import type { Reading } from '../reading/page.js';
import { readAll } from '../reading/read.js';
import { compileFields } from '../transforms/index.js';
import { findRun } from './lifecycle-repository.js';
import { RunEnded, RunWork } from './lifecycle.js';

/** Runs of mappings, as jobs that continue where a crash has interrupted them. */
export class RunEngine {
  /** By id, what ends the requests of the runs of this node. */
  private readonly running = new Map<string, AbortController>();

  constructor(private readonly host: Host) {}

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
    const work = new RunWork(host, job, mapping, id);
    const ended = new AbortController();
    this.running.set(id, ended);
    try {
      let run = started;
      if (run.state === 'queued') run = await work.step(['queued'], async () => ({ state: 'reading' }));
      const reading = await this.reading(work);
      if (run.state === 'reading')
        run = await readAll(
          work,
          run,
          await openConnection(host, stored, AbortSignal.any([job.signal, ended.signal])),
          reading,
        );
      if (run.state === 'applying') await this.applyAll(work, reading);
    } catch (error) {
      if (error instanceof ConnectorError && !job.signal.aborted) await work.fail(error.fault, error.message);
      else if (!(error instanceof RunEnded || ended.signal.aborted)) throw error;
    } finally {
      this.running.delete(id);
    }
    return { state: (await findRun(host.db, id))?.state ?? 'gone' };
  }

  private async applyAll(work: RunWork, reading: Reading): Promise<void> {
    do {
      await applyToCards(work, reading);
      await applyLinks(work);
    } while (!(await work.end()));
  }

  /** The fields of the mapping that the service account may see on all cards. */
  private async reading({ mapping, ctx }: RunWork): Promise<Reading> {
    return await this.host.inventory.read(ctx, {}, async (inventory) => {
      const kinds = Object.fromEntries(
        mapping.fields.flatMap(({ target }) => {
          const kind = inventory.field(target, [mapping.card_type])?.kind;
          return kind ? [[target, kind] as const] : [];
        }),
      );
      const isSeen = (target: string): boolean =>
        inventory.costs === 'all' || inventory.field(target, [mapping.card_type])?.isCost !== true;
      const seen = mapping.fields.filter(({ target }) => isSeen(target));
      return {
        reader: compileFields({ fields: seen, relations: mapping.relations }, kinds),
        // What the card owns is neither taken nor written by a mapping that only reads.
        fields: mapping.direction === 'pull' ? seen.filter(({ owner }) => owner === 'cmdb') : seen,
      };
    });
  }
}
