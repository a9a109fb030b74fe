import { setTimeout as delay } from 'node:timers/promises';
import { systemContext } from '../../../foundation/context.js';
import type { Database } from '../../../foundation/db/database.js';
import type { Revisions } from '../../../foundation/db/revisions.js';
import type { JobRun, JobRunner } from '../../../foundation/jobs/index.js';
import type { Log } from '../../../foundation/log.js';
import { INDEX_JOB, type MetamodelService } from '../../metamodel/index.js';
import {
  hasNoCards,
  IndexSession,
  isQueued,
  existingIndexes,
  requiredIndexes,
  type AttributeIndex,
  type ExistingIndex,
} from './attribute-indexes-repository.js';

/** Interval between attempts to take the lock, in ms. */
const LOCK_EVERY_MS = 500;
/** Lock timeout during startup, in ms. */
const START_WAIT_MS = 2_000;

interface Work {
  make: AttributeIndex[];
  /** Names of unneeded and invalid indexes. */
  drop: string[];
}

function workOf(required: ReadonlyMap<string, AttributeIndex>, existing: readonly ExistingIndex[]): Work {
  const valid = new Set(existing.filter((index) => index.valid).map(({ name }) => name));
  return {
    make: [...required.values()].filter(({ name }) => !valid.has(name)),
    drop: existing.filter(({ name }) => !valid.has(name) || !required.has(name)).map(({ name }) => name),
  };
}

const isNone = ({ make, drop }: Work): boolean => make.length === 0 && drop.length === 0;

/**
 * Maintains an index for each field that the metamodel marks as filterable. The existing ones are read from the
 * database catalogue; without an index lists are correct but slow.
 */
export class AttributeIndexes {
  constructor(
    private readonly db: Database,
    private readonly metamodel: MetamodelService,
    private readonly revisions: Revisions,
    private readonly jobs: JobRunner,
    private readonly log: Log,
  ) {}

  /** Starts the pending work at startup: immediately while there are no cards, else in the background. Never throws. */
  async start(): Promise<void> {
    try {
      if (isNone(workOf(requiredIndexes(this.metamodel.current), await existingIndexes(this.db)))) return;
      if ((await hasNoCards(this.db)) && (await this.atOnce().catch(() => false))) return;
      await this.jobs.submit(
        systemContext('start'),
        INDEX_JOB,
        {},
        { when: async (uow) => !(await isQueued(uow, INDEX_JOB)) },
      );
    } catch (error) {
      this.log.warn({ err: error }, 'attribute indexes could not be updated; lists by attributes may be slow');
    }
  }

  /**
   * Creates missing and drops unneeded indexes until they match the current metamodel.
   * @throws where an index could not be created, after all others were processed
   */
  async bringUp({ signal, progress }: Pick<JobRun, 'signal' | 'progress'>): Promise<{ made: number; dropped: number }> {
    const session = await IndexSession.open(this.db);
    const cancel = (): void => void session.cancel(this.db).catch(() => undefined);
    signal.addEventListener('abort', cancel);
    const done = { made: 0, dropped: 0 };
    const failed = new Map<string, unknown>();
    try {
      while (!(await session.tryLock())) await delay(LOCK_EVERY_MS, undefined, { signal });
      for (;;) {
        const { make, drop } = await this.due(session);
        const missing = make.filter(({ name }) => !failed.has(name));
        if (missing.length === 0 && drop.length === 0) break;
        for (const name of drop) {
          signal.throwIfAborted();
          await session.drop(name);
          done.dropped++;
        }
        for (const index of missing) {
          signal.throwIfAborted();
          // A failure of one index does not prevent the others.
          await session.create(index).then(
            () => done.made++,
            (error: unknown) => failed.set(index.name, error),
          );
          await progress(done);
        }
        signal.throwIfAborted();
        if (done.made > 0) await session.analyze();
        // A failed creation leaves an invalid index; it is dropped and not retried in this run.
        if (failed.size > 0 && missing.length > 0) for (const name of failed.keys()) await session.drop(name);
      }
      signal.throwIfAborted();
      for (const error of failed.values()) throw error;
      return done;
    } finally {
      signal.removeEventListener('abort', cancel);
      await session.close();
    }
  }

  /** @returns whether the work is done, by this or another node */
  private async atOnce(): Promise<boolean> {
    const session = await IndexSession.open(this.db);
    try {
      // The lock is held by another node that is starting and does the work.
      if (!(await session.tryLock())) return true;
      const { make, drop } = await this.due(session);
      await session.atOnce(START_WAIT_MS, async () => {
        for (const name of drop) await session.drop(name, true);
        for (const index of make) await session.create(index, true);
      });
      return true;
    } finally {
      await session.close();
    }
  }

  private async due(session: IndexSession): Promise<Work> {
    await this.revisions.refresh();
    return workOf(requiredIndexes(this.metamodel.current), await session.existing());
  }
}
