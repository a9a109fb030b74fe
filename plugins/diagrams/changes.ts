import { setTimeout as delay } from 'node:timers/promises';
import type { JobRun, LogEvent, ModuleServices, RequestContext, UnitOfWork } from '@lintel/sdk';
import { diagramsOf, isShown, noteChange, takeChanges, type ChangedCards } from './changes-repository.js';
import type { Settings } from './settings.js';

/** The job that tells which diagrams show changed cards. */
export const TELL = 'diagrams.tell_changes';
/** Changes of cards that change their shapes. */
export const CARD_EVENTS = ['card.updated', 'card.archived', 'card.restored'] as const;
/** Changes that follow within this time are told together. */
const TOGETHER_MS = 500;
const DIAGRAMS_AT_ONCE = 500;
const MOST_CARDS = 200;
/** The lock under which changes are noted and told, so that none is noted without being told. */
const LOCK = 'changes';

/** Tells the receivers of events when cards of a diagram were renamed, archived, restored or deleted. */
export class CardChanges {
  constructor(private readonly host: ModuleServices<Settings>) {}

  /** Notes a change of a card, to be told soon. */
  async note({ type, subject, data }: LogEvent, ctx: RequestContext): Promise<void> {
    const changes = (data['changes'] as { field: string }[] | undefined) ?? [];
    if (type === 'card.updated' && !changes.some(({ field }) => field === 'name')) return;
    if (!(await isShown(this.host.db, subject.id))) return;
    await this.host.transactions.run(ctx, async (uow) => {
      await this.host.lock(uow, LOCK);
      if (await noteChange(uow, subject.id, subject.type ?? '')) await this.host.jobs.enqueue(uow, TELL, {});
    });
  }

  /** Tells the noted changes. @returns the number of events */
  async tell(job: JobRun): Promise<{ told: number }> {
    await delay(TOGETHER_MS, undefined, { signal: job.signal });
    for (let told = 0; ; ) {
      const taken = await this.host.transactions.run(job.ctx, async (uow) => {
        await job.guard(uow);
        await this.host.lock(uow, LOCK);
        const changed = await takeChanges(uow, DIAGRAMS_AT_ONCE, MOST_CARDS);
        emit(uow, changed, 'changed');
        return changed.length;
      });
      told += taken;
      if (taken < DIAGRAMS_AT_ONCE || job.signal.aborted) return { told };
    }
  }

  /** Tells that cards are deleted, in the transaction that deletes them. */
  async deleted(uow: UnitOfWork, cards: readonly string[]): Promise<void> {
    emit(uow, await diagramsOf(uow, cards, DIAGRAMS_AT_ONCE, MOST_CARDS), 'deleted');
  }
}

/** All cards of an event have one type, on which it depends who sees them. */
function emit(uow: UnitOfWork, changed: readonly ChangedCards[], change: 'changed' | 'deleted'): void {
  for (const { diagram_id, name, card_ids } of changed)
    uow.emit({
      type: 'diagrams.cards_changed',
      subject: { kind: 'diagrams', id: diagram_id, name },
      data: { changed_card_ids: card_ids, change },
    });
}
