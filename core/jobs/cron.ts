import type { RequestContext } from '@lintel/sdk';
import nodeCron, { type ScheduledTask } from 'node-cron';
import { systemContext } from '../context.js';
import type { Database } from '../db/database.js';
import type { Log } from '../log.js';
import { latestSlot, takeSlot } from './repository.js';
import type { JobRunner } from './runner.js';
import { previousSlot } from './slots.js';

/** Work that recurs. Either `run`, or a registered type of job that each slot queues one of. */
export interface CronJob {
  /** Unique name, such as `cards.purge`. */
  job: string;
  /** Five or six fields; the sixth, at the front, is seconds. */
  expression: string;
  /** Slots mean the same instant on every node. */
  timezone: 'UTC';
  run?(ctx: RequestContext): Promise<unknown>;
  jobType?: string;
  payload?: unknown;
}

interface Entry extends CronJob {
  type: string;
  task: ScheduledTask;
  unregister: (() => void) | undefined;
}

/** Tries of one slot while the database is away. */
const TRIES = 3;
const RETRY_MS = 2_000;

/**
 * The clock of recurring jobs. Each node's clock rings; the row of the slot decides which node queues the job.
 *
 * A slot that passed while no node was up is made up when a node starts, under two conditions: it is the latest
 * slot of its expression, so younger than the interval, and the job ran before, so that a new workspace does not
 * begin with a round of everything. Older slots are not made up.
 */
export class CronTable {
  private readonly entries = new Map<string, Entry>();
  private started = false;
  private closed = false;

  constructor(private readonly db: Database, private readonly jobs: JobRunner, private readonly log: Log) {}

  /**
   * Adds a recurring job to this node.
   * @returns a function that takes it off this node
   * @throws when the name is taken or the expression is no cron expression
   */
  add(cron: CronJob): () => void {
    if (this.entries.has(cron.job)) throw new Error(`a recurring job ${cron.job} exists already`);
    if (!nodeCron.validate(cron.expression)) throw new Error(`${cron.expression} is no cron expression`);
    const { run } = cron;
    const type = cron.jobType ?? `cron:${cron.job}`;
    const task = nodeCron.createTask(cron.expression, ({ date }) => this.fire(entry, date), {
      name: cron.job, timezone: cron.timezone, unref: true, suppressMissedWarning: true, logger: quiet,
    });
    task.on('execution:missed', ({ date }) => this.fire(entry, date));
    const unregister = run && cron.jobType === undefined ? this.jobs.register(type, { handler: ({ ctx }) => run(ctx) }) : undefined;
    const entry: Entry = { ...cron, type, task, unregister };
    this.entries.set(cron.job, entry);
    if (this.started) this.begin(entry);
    return () => this.remove(entry);
  }

  /** Starts the clocks. */
  start(): void {
    this.started = true;
    for (const entry of this.entries.values()) this.begin(entry);
  }

  /** Stops the clocks. */
  close(): void {
    this.closed = true;
    for (const entry of [...this.entries.values()]) this.remove(entry);
  }

  private remove(entry: Entry): void {
    if (this.entries.get(entry.job) !== entry) return;
    this.entries.delete(entry.job);
    entry.unregister?.();
    void entry.task.destroy();
  }

  private begin(entry: Entry): void {
    void entry.task.start();
    void this.makeUp(entry);
  }

  private async makeUp(entry: Entry): Promise<void> {
    try {
      const slot = previousSlot(entry.expression, new Date());
      const latest = slot && await latestSlot(this.db, entry.job);
      if (slot && latest && latest < slot) await this.fire(entry, slot);
    } catch (error) {
      this.log.warn({ err: error, job: entry.job }, 'cron: whether a slot was missed could not be seen');
    }
  }

  private async fire(entry: Entry, slot: Date): Promise<void> {
    for (let attempt = 1; !this.closed && this.entries.get(entry.job) === entry; attempt++) {
      try {
        const options = { origin: 'cron', when: (uow: Parameters<typeof takeSlot>[0]) => takeSlot(uow, entry.job, slot) };
        await this.jobs.submit(systemContext('cron'), entry.type, entry.payload ?? {}, options);
        return;
      } catch (error) {
        this.log.warn({ err: error, job: entry.job, slot }, 'cron: a slot could not be taken');
        if (attempt >= TRIES) return;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
      }
    }
  }
}

/** What goes wrong is logged here, in the service's own form. */
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };
