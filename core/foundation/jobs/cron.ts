import type { RequestContext } from '@lintel/sdk';
import nodeCron, { type ScheduledTask } from 'node-cron';
import { setTimeout as delay } from 'node:timers/promises';
import { systemContext } from '../context.js';
import type { Database } from '../db/database.js';
import type { UnitOfWork } from '../db/unit-of-work.js';
import type { Log } from '../log.js';
import { CRON_ORIGIN, missedJobs, noteKnown, takeSlot } from './cron-repository.js';
import type { JobRunner } from './runner.js';
import { previousSlot } from './slots.js';

/** A recurring task: either `run`, or a registered job type of which each slot queues one job. */
export interface CronJob {
  /** Unique name, such as `cards.purge`. */
  job: string;
  /** Five or six fields; with six, the first is seconds. */
  expression: string;
  /** With UTC, slots are the same instant on every node, and daylight saving neither skips nor repeats any. */
  timezone: 'UTC';
  run?(ctx: RequestContext): Promise<unknown>;
  jobType?: string;
  payload?: unknown;
}

/** A recurring job of this node. */
export interface Schedule {
  job: string;
  /** The type of the jobs that it queues. */
  type: string;
  expression: string;
  payload: unknown;
  /** Null where the schedules were not started, or no slot follows. */
  nextRunAt: Date | null;
}

interface Entry extends CronJob {
  type: string;
  task: ScheduledTask;
  unregister: (() => void) | undefined;
}

/** While the database is unavailable, a slot is retried with increasing pauses for as long as it is the latest one. */
const RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;
/** A slot processed later than this was delayed by an outage, after which only the latest slot runs. */
const LATE_MS = 5_000;

/**
 * Schedules recurring jobs. Every node processes every slot; the unique row of the slot decides which node queues the
 * job, once per slot. A node whose clock is fast may claim a slot early: the job then waits for its time by the clock
 * of the database.
 *
 * After an outage of one or all nodes, a job runs once, for the latest missed slot, which is less than one interval
 * ago; older slots are skipped. A job counts as known from the first slot that a node processes, so that a new
 * workspace does not start by running every job.
 */
export class CronTable {
  private readonly entries = new Map<string, Entry>();
  private started = false;
  private closed = false;

  constructor(
    private readonly db: Database,
    private readonly jobs: JobRunner,
    private readonly log: Log,
  ) {}

  /**
   * Adds a recurring job to this node.
   * @returns a function that removes it from this node
   * @throws when the name is in use or the cron expression is invalid
   */
  add(cron: CronJob): () => void {
    if (this.entries.has(cron.job)) throw new Error(`a recurring job ${cron.job} already exists`);
    if (!nodeCron.validate(cron.expression)) throw new Error(`${cron.expression} is no cron expression`);
    const { run } = cron;
    const type = cron.jobType ?? `cron:${cron.job}`;
    const task = nodeCron.createTask(cron.expression, ({ date }) => this.onSlot(entry, date), {
      name: cron.job,
      timezone: cron.timezone,
      unref: true,
      suppressMissedWarning: true,
      logger: quiet,
    });
    task.on('execution:missed', ({ date }) => this.onSlot(entry, date));
    const unregister =
      run && cron.jobType === undefined ? this.jobs.register(type, { handler: ({ ctx }) => run(ctx) }) : undefined;
    const entry: Entry = { ...cron, type, task, unregister };
    this.entries.set(cron.job, entry);
    if (this.started) this.begin([entry]);
    return () => this.remove(entry);
  }

  /** The recurring jobs of this node. */
  list(): Schedule[] {
    return [...this.entries.values()].map(({ job, type, expression, payload = {}, task }) => ({
      job,
      type,
      expression,
      payload,
      nextRunAt: task.getNextRun(),
    }));
  }

  /** Starts the schedules. */
  start(): void {
    this.started = true;
    this.begin([...this.entries.values()]);
  }

  /** Stops the schedules. */
  close(): void {
    this.closed = true;
    for (const entry of [...this.entries.values()]) this.remove(entry);
  }

  private remove(entry: Entry): void {
    if (!this.has(entry)) return;
    this.entries.delete(entry.job);
    entry.unregister?.();
    void entry.task.destroy();
  }

  private begin(entries: readonly Entry[]): void {
    for (const { task } of entries) void task.start();
    const isWanted = (): boolean => entries.some((entry) => this.has(entry));
    void this.retrying(isWanted, {}, 'whether slots were missed could not be determined', () =>
      this.runMissed(entries.filter((entry) => this.has(entry))),
    );
  }

  /**
   * One statement for all jobs: with one for each, every start of a node would open as many connections as its pool
   * allows.
   */
  private async runMissed(entries: readonly Entry[]): Promise<void> {
    const now = new Date();
    const latest = entries.flatMap((entry) => {
      const slot = previousSlot(entry.expression, now);
      return slot ? [{ job: entry.job, slot, entry }] : [];
    });
    if (latest.length === 0) return;
    const missed = await missedJobs(this.db, latest);
    const known = latest.filter(({ job }) => !missed.has(job));
    if (known.length > 0) await noteKnown(this.db, known);
    for (const { job, slot, entry } of latest) if (missed.has(job)) void this.onSlot(entry, slot);
  }

  private has(entry: Entry): boolean {
    return this.entries.get(entry.job) === entry;
  }

  private async onSlot(entry: Entry, slot: Date): Promise<void> {
    const isDue = (): boolean =>
      Date.now() - slot.getTime() <= LATE_MS ||
      previousSlot(entry.expression, new Date())?.getTime() === slot.getTime();
    const isWanted = (): boolean => this.has(entry);
    await this.retrying(isWanted, { job: entry.job }, 'a slot could not be claimed', async () => {
      if (isDue()) await this.take(entry, slot);
      else this.log.info({ job: entry.job, slot }, 'cron: a slot missed during an outage is skipped');
    });
  }

  private async take({ job, type, payload = {} }: Entry, slot: Date): Promise<void> {
    const when = (uow: UnitOfWork) => takeSlot(uow, job, slot);
    await this.jobs.submit(systemContext(CRON_ORIGIN), type, payload, { origin: CRON_ORIGIN, runAt: slot, when });
  }

  /**
   * Retries work that fails while the database is unavailable, until it is no longer wanted.
   * @param fields of the log line of a failure
   */
  private async retrying(
    isWanted: () => boolean,
    fields: { job?: string },
    failure: string,
    work: () => Promise<void>,
  ): Promise<void> {
    for (let wait = RETRY_MS; !this.closed && isWanted(); wait = Math.min(2 * wait, LAST_RETRY_MS)) {
      try {
        return await work();
      } catch (error) {
        if (this.closed) return;
        this.log.warn({ err: error, ...fields }, `cron: ${failure}`);
        await delay(wait, undefined, { ref: false });
      }
    }
  }
}

/** node-cron's own log is disabled: errors are logged here, in the service's format. */
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };
