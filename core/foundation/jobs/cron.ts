import type { RequestContext } from '@lintel/sdk';
import nodeCron, { type ScheduledTask } from 'node-cron';
import { setTimeout as delay } from 'node:timers/promises';
import { systemContext } from '../context.js';
import type { Database } from '../db/database.js';
import type { UnitOfWork } from '../db/unit-of-work.js';
import type { Log } from '../log.js';
import { isMissed, noteKnown, takeSlot } from './cron-repository.js';
import type { JobRunner } from './runner.js';
import { previousSlot } from './slots.js';

/** Work that recurs. Either `run`, or a registered type of job that each slot queues one of. */
export interface CronJob {
  /** Unique name, such as `cards.purge`. */
  job: string;
  /** Five or six fields; the sixth, at the front, is seconds. */
  expression: string;
  /** Slots mean the same instant on every node, and none is left out or doubled by daylight saving. */
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

/** While the database is away a slot is tried again, less and less often, for as long as it is the latest one. */
const RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;
/** A slot taken so late is no hiccup of a busy node but one of a standstill, of which only the latest runs. */
const LATE_MS = 5_000;

/**
 * The clock of recurring jobs. Each node's clock comes to each slot; the row of the slot decides which node queues the job, once
 * for each slot. A node whose clock is fast takes a slot before its time: the job waits for it, by the clock of the
 * database.
 *
 * After a standstill, of the one node or of all, a job runs once, for the latest slot that was missed, which is less
 * than its interval ago; older ones are left out. A job is known from when a node first comes to one of its slots, so that a new
 * workspace does not begin with a round of everything.
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
   * @returns a function that takes it off this node
   * @throws when the name is taken or the expression is no cron expression
   */
  add(cron: CronJob): () => void {
    if (this.entries.has(cron.job)) throw new Error(`a recurring job ${cron.job} exists already`);
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
    void this.patiently(entry, 'whether a slot was missed could not be seen', () => this.makeUp(entry));
  }

  private async makeUp(entry: Entry): Promise<void> {
    const slot = previousSlot(entry.expression, new Date());
    if (!slot) return;
    if (await isMissed(this.db, entry.job, slot)) await this.take(entry, slot);
    else await noteKnown(this.db, entry.job, slot);
  }

  private async onSlot(entry: Entry, slot: Date): Promise<void> {
    const isDue = (): boolean =>
      Date.now() - slot.getTime() <= LATE_MS ||
      previousSlot(entry.expression, new Date())?.getTime() === slot.getTime();
    await this.patiently(entry, 'a slot could not be taken', async () => {
      if (isDue()) await this.take(entry, slot);
      else this.log.info({ job: entry.job, slot }, 'cron: a slot that passed during a standstill is left out');
    });
  }

  private async take({ job, type, payload = {} }: Entry, slot: Date): Promise<void> {
    const when = (uow: UnitOfWork) => takeSlot(uow, job, slot);
    await this.jobs.submit(systemContext('cron'), type, payload, { origin: 'cron', runAt: slot, when });
  }

  /** Tries again what fails, the database being away, while the entry is there. */
  private async patiently(entry: Entry, failure: string, work: () => Promise<void>): Promise<void> {
    for (
      let wait = RETRY_MS;
      !this.closed && this.entries.get(entry.job) === entry;
      wait = Math.min(2 * wait, LAST_RETRY_MS)
    ) {
      try {
        return await work();
      } catch (error) {
        if (this.closed) return;
        this.log.warn({ err: error, job: entry.job }, `cron: ${failure}`);
        await delay(wait, undefined, { ref: false });
      }
    }
  }
}

/** What goes wrong is logged here, in the service's own form. */
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };
