import type { MetricsPort } from '@lintel/sdk';
import type { Run } from './definition.js';

/** Seconds. */
const BUCKETS = [1, 5, 15, 60, 300, 900, 3_600, 14_400];
/** Counts of a run that are counted over all runs. */
const COUNTED = ['read', 'unchanged', 'applied', 'pushed', 'conflict', 'error', 'failed'] as const;

/** Metrics of runs in `/api/metrics`. */
export class SyncMetrics {
  private readonly runs;
  private readonly seconds;
  private readonly records;
  private readonly writes;

  constructor(metrics: MetricsPort) {
    this.runs = metrics.counter('runs_total', 'Jobs of runs that have ended, by the state of the run.', [
      'direction',
      'state',
    ]);
    this.seconds = metrics.histogram('run_seconds', 'Duration of the jobs of runs.', BUCKETS, ['direction']);
    this.records = metrics.counter('records_total', 'Records that runs have handled, by their outcome.', ['outcome']);
    this.writes = metrics.counter('writes_total', 'Requests that write to other systems.', ['operation', 'outcome']);
  }

  /** A request that writes. @param outcome `ok`, or a fault of connectors */
  written(operation: string, outcome: string): void {
    this.writes.inc({ operation, outcome });
  }

  /** The end of a job. @param before the run at its begin @param seconds duration */
  ended(before: Run, after: Run, seconds: number): void {
    const { direction, state } = after;
    this.runs.inc({ direction, state });
    this.seconds.observe(seconds, { direction });
    for (const outcome of COUNTED) {
      const n = (after.counts[outcome] ?? 0) - (before.counts[outcome] ?? 0);
      if (n > 0) this.records.inc({ outcome }, n);
    }
  }
}
