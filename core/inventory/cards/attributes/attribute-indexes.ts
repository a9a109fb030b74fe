import { setTimeout as delay } from 'node:timers/promises';
import { systemContext } from '../../../foundation/context.js';
import type { Database } from '../../../foundation/db/database.js';
import type { Revisions } from '../../../foundation/db/revisions.js';
import type { JobRun, JobRunner } from '../../../foundation/jobs/index.js';
import type { Log } from '../../../foundation/log.js';
import type { MetamodelService } from '../../metamodel/index.js';
import {
  hasNoCards,
  IndexSession,
  isQueued,
  standingIndexes,
  wantedIndexes,
  type AttributeIndex,
  type StandingIndex,
} from './attribute-indexes-repository.js';

/** Type of the job that brings the indexes in line with the metamodel; a change of the metamodel queues it. */
export const INDEX_JOB = 'cards.index_attributes';
/** How often it is tried to become the one who makes indexes, in ms. */
const LOCK_EVERY_MS = 500;
/** At the start nothing waits longer than this for a lock, in ms. */
const START_WAIT_MS = 2_000;

interface Work {
  make: AttributeIndex[];
  /** Names of what nobody asks for, and of what was broken off. */
  drop: string[];
}

function workOf(wanted: ReadonlyMap<string, AttributeIndex>, standing: readonly StandingIndex[]): Work {
  const valid = new Set(standing.filter((index) => index.valid).map(({ name }) => name));
  return {
    make: [...wanted.values()].filter(({ name }) => !valid.has(name)),
    drop: standing.filter(({ name }) => !valid.has(name) || !wanted.has(name)).map(({ name }) => name),
  };
}

const isNone = ({ make, drop }: Work): boolean => make.length === 0 && drop.length === 0;

/**
 * Keeps an index for each field the metamodel flags as filterable. What there is, the catalogue of the database says;
 * lists are right without any of them, only slow.
 */
export class AttributeIndexes {
  constructor(
    private readonly db: Database,
    private readonly metamodel: MetamodelService,
    private readonly revisions: Revisions,
    private readonly jobs: JobRunner,
    private readonly log: Log,
  ) {}

  /** Sees to what is due when a node starts: at once while there are no cards, in the background else. Never fails. */
  async start(): Promise<void> {
    try {
      if (isNone(workOf(wantedIndexes(this.metamodel.current), await standingIndexes(this.db)))) return;
      if ((await hasNoCards(this.db)) && (await this.atOnce().catch(() => false))) return;
      await this.jobs.submit(
        systemContext('start'),
        INDEX_JOB,
        {},
        { when: async (uow) => !(await isQueued(uow, INDEX_JOB)) },
      );
    } catch (error) {
      this.log.warn({ err: error }, 'indexes of attributes could not be seen to; lists by attributes may be slow');
    }
  }

  /**
   * Makes what is missing, drops what is not wanted, until both agree with the metamodel as it is by then.
   * @throws where an index could not be made, after all others were
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
          // One that cannot be made keeps no other from being made.
          await session.create(index).then(
            () => done.made++,
            (error: unknown) => failed.set(index.name, error),
          );
          await progress(done);
        }
        signal.throwIfAborted();
        if (done.made > 0) await session.analyze();
        // What failed has left an index nobody may use, and is not tried for ever.
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

  /** @returns whether it was seen to, here or by another node */
  private async atOnce(): Promise<boolean> {
    const session = await IndexSession.open(this.db);
    try {
      // Who holds it is another node that starts.
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
    return workOf(wantedIndexes(this.metamodel.current), await session.standing());
  }
}
