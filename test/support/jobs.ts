/** Helpers for jobs: they are queued by the service and not by a route, and read from their rows. */
import { systemContext } from '../../core/foundation/context.js';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';
import type { EnqueueOptions, JobDefinition } from '../../core/foundation/jobs/index.js';
import { sql, until, type TestApp } from './app.js';

export interface JobRow {
  state: string;
  attempts: number;
  fence: string;
  error: string | null;
  failures: { attempt: number; at: string; error: string }[];
  result: unknown;
  progress: unknown;
  run_at: Date;
  lease_until: Date | null;
  origin: string;
  version: number;
}

export interface JobHelper {
  row(id: string): Promise<JobRow>;
  inState(id: string, state: string, ms?: number): Promise<JobRow>;
  submit(type: string, payload?: unknown, options?: EnqueueOptions): Promise<string>;
  /** Ends the lease of the job, as if its node had sent no heartbeat for too long. */
  loseLease(id: string): Promise<unknown>;
}

/** @param node that queues submitted jobs */
export function jobsAt(node: TestApp, database: DatabaseConnection = node.database): JobHelper {
  const row = async (id: string): Promise<JobRow> =>
    (await sql<JobRow & Record<string, unknown>>(database, 'select * from jobs where id = $1', [id]))[0]!;
  return {
    row,
    inState: (id, state, ms = 10_000) =>
      until(async () => {
        const job = await row(id);
        return job.state === state && job;
      }, ms),
    submit: async (type, payload = {}, options = {}) =>
      (await node.app.services.jobs.submit(systemContext('test'), type, payload, options))!,
    loseLease: (id) =>
      sql(database, `update jobs set lease_until = clock_timestamp() - interval '1 second' where id = $1`, [id]),
  };
}

/** Registers a job type on nodes until the end of the test. @returns a function that unregisters it earlier */
export function registerJob(
  t: { teardown(fn: () => void): unknown },
  nodes: readonly TestApp[],
  type: string,
  definition: JobDefinition,
): () => void {
  const offs = nodes.map((node) => node.app.services.jobs.register(type, definition));
  const off = (): void => offs.forEach((end) => end());
  t.teardown(off);
  return off;
}

/** Waits until no job is queued or running; the statements of a job count as those of the request that queued it. */
export async function noJobs(database: DatabaseConnection): Promise<void> {
  await until(
    async () => (await sql(database, `select from jobs where state in ('queued', 'running')`)).length === 0,
    20_000,
  );
}

/** A promise and the function that resolves it. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
