import { systemContext } from '../../foundation/context.js';
import type { Continuity } from '../../foundation/db/continuity.js';
import { isOwnEnd, type LogEnd } from '../../foundation/db/continuity-repository.js';
import type { Database } from '../../foundation/db/database.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { Log } from '../../foundation/log.js';
import {
  adoptSource,
  lockSource,
  noteLost,
  readGaps,
  skipPositions,
  type Gap,
  type GapReason,
  type Source,
} from './gap-repository.js';

const SUBJECT = { kind: 'log', name: 'Event log' };

/**
 * The gaps of the log: where another server continues it, or a former state, positions that were given before may be lost. The log then resumes at
 * a position that was never given, so that a position always names the same event.
 */
export class EventGaps {
  private gaps: readonly Gap[] = [];

  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly continuity: Pick<Continuity, 'folder' | 'starts'>,
    private readonly log: Log,
  ) {}

  /** Reads the gaps again. */
  async load(): Promise<void> {
    this.gaps = await readGaps(this.db);
  }

  /** Whether the positions between two are those of a gap, as far as this node knows. */
  explains(before: number, after: number): boolean {
    return this.gaps.some(({ ended, resumed }) => ended === before && resumed === after);
  }

  /** The gap in which a position is, or before which it is not certain; undefined where there is none. */
  around(position: number): Gap | undefined {
    return this.gaps.find(({ sure, resumed }) => sure < position && position < resumed - 1);
  }

  /**
   * Lets the log continue on a database: skips positions if that is not the one that continued it before, or does not have the end of the log that
   * this node has read. Must be called before the next position is given.
   * @param end the last event that this node has read
   * @param since when the log was last known to be the one that this node has read, by the clock of the database
   */
  async settle(end: LogEnd = { position: 0 }, since?: string): Promise<void> {
    await this.transactions.run(systemContext('log'), async (uow) => {
      const read = await lockSource(uow, end.position);
      const { folder, starts } = this.continuity;
      const source = { ...read, started: folder ?? read.started };
      const reason = reasonOf(source, starts, end);
      if (reason === 'adopt') await adoptSource(uow, source);
      // Another server has given no position yet; the same one may have given some again.
      else if (reason !== undefined) await this.skip(uow, source, end, reason, reason === 'lost' ? since : undefined);
      await announceLost(uow, end.position);
    });
    await this.load();
  }

  private async skip(
    uow: UnitOfWork,
    source: Source,
    end: LogEnd,
    reason: GapReason,
    since: string | undefined,
  ): Promise<void> {
    const { head: ended } = source;
    const isEpoch = reason !== 'restart';
    const gap = await skipPositions(uow, source, { reason, isEpoch, known: end.position, ended, since });
    this.log.warn({ reason, ended, resumed: gap.resumed, epoch: gap.epoch }, 'event log: it resumes after a gap');
    uow.emit({
      type: 'log.resumed',
      subject: { ...SUBJECT, id: String(gap.resumed) },
      data: { reason, epoch: gap.epoch, ended, resumed: gap.resumed },
    });
  }
}

/** @returns why positions must be skipped; `adopt` where nothing is known of the database before */
function reasonOf(source: Source, starts: ReadonlySet<string>, end: LogEnd): GapReason | 'adopt' | undefined {
  const { head, lineage, started, former_lineage, former_started } = source;
  if (former_lineage === null || former_started === null) return 'adopt';
  const isSame = isOwnEnd({ mark: source.mark ?? undefined, oldest: source.oldest ?? undefined }, end);
  if (former_lineage !== lineage) return 'failover';
  // Another node may have skipped the positions already.
  if (!source.is_lost && (head < end.position || !isSame)) return 'lost';
  if (former_started === started) return undefined;
  return starts.has(former_started) ? 'adopt' : 'restart';
}

/** Announces that positions up to one that was given are lost, unless that is known. */
async function announceLost(uow: UnitOfWork, position: number): Promise<void> {
  const lost = await noteLost(uow, position);
  if (!lost) return;
  const from = lost.known + 1;
  uow.emit({
    type: 'log.truncated',
    subject: { ...SUBJECT, id: `${from}-${position}` },
    data: { from, to: position, events: lost.events, epoch: lost.epoch },
  });
}
