import { TimeSlice } from '@lintel/sdk';
import { hiddenBelow } from '../../access/index.js';
import type { Change } from '../../changes.js';
import { inChunks } from '../../../foundation/db/chunks.js';
import { WriteConflict } from '../../../foundation/db/unit-of-work.js';
import { problem } from '../../../foundation/errors.js';
import { factsOf } from '../lock-repository.js';
import { cardInserts, deleteCards, insertCards, rescoreCards, rewritePaths, releaseUniqueKeys } from '../repository.js';
import type { CardState, VersionVerb } from '../types.js';
import type { BatchState, WantedRelation } from './batch-options.js';
import { mandatoryRelations, scoresOf } from './data-quality.js';
import type { CardPlan } from './plan.js';
import { differences } from './rules.js';
import { levelLimit } from './tree.js';
import { isTaken } from './unique.js';
import { updateCards } from './update-repository.js';

/** The verb of the event that a change of a stored card emits. */
function verbOf(before: CardState, after: CardState): VersionVerb {
  if (before.status !== after.status) return after.status === 'ARCHIVED' ? 'archived' : 'restored';
  if (before.approval_status === after.approval_status || after.approval_status === 'BROKEN') return 'updated';
  return ({ APPROVED: 'approved', REJECTED: 'rejected', DRAFT: 'approval_reset' } as const)[after.approval_status];
}

/** Fields stored in `card_contents`; all others are columns of `cards`. */
const CONTENT = /^(attributes|lifecycle)\./;
/** Rows of one statement: enough that the round trip costs little, few enough to bound the memory. */
const CHUNK = 2_000;

/** Adds the results of the relations in operations, which were checked or written, to those of the operations. */
export function addRelationResults({ relations, rows }: BatchState, wanted: readonly WantedRelation[]): void {
  if (wanted.length === 0) return;
  for (const [n, { id, outcome }] of relations!.results()) {
    const row = rows.results[wanted[n]!.row]!;
    (row.relations ??= []).push({ id, outcome });
  }
}

/** Writes a batch that was checked: one statement per kind of change and chunk of rows, and the events. */
export class BatchStore {
  private writtenRow: readonly (string | null)[] | undefined;

  /**
   * @param releasing ids of cards that release a name or an external id for another card of the batch
   * @param wanted relations to write with the cards
   */
  constructor(
    private readonly o: BatchState,
    private readonly plan: CardPlan,
    private readonly releasing: ReadonlySet<string>,
    private readonly wanted: readonly WantedRelation[],
  ) {}

  /** Writes the rows that did not fail. @returns columns of the view of a card that was inserted by a single write */
  async write(): Promise<readonly (string | null)[] | undefined> {
    const {
      uow,
      metamodel: { revision },
    } = this.o;
    const created = [...this.plan.created.values()];
    const updated = [...this.plan.updated.values()];
    const { deleted } = this.plan;
    const restated = updated.filter((c) => c.status !== this.plan.before.get(c.id)!.status).map((c) => c.id);
    const followers = restated.length > 0 ? this.o.participants.filter((p) => p.followsStatus?.()) : [];
    const isOneStatement = this.o.isOptimistic === true || (created.length <= CHUNK && updated.length === 0);
    if (!isOneStatement || deleted.length + this.wanted.length + followers.length > 0) await uow.begin();
    // A parent must not be in a later chunk than its children.
    if (created.length > CHUNK) created.sort((a, b) => a.path_ids.length - b.path_ids.length);
    if (this.releasing.size > 0) await releaseUniqueKeys(uow, [...this.releasing]);
    if (created.length > 0) await this.insert(created, revision);
    await this.readFacts(updated);
    for (let i = 0; i < updated.length; i += CHUNK) await this.update(updated.slice(i, i + CHUNK), revision);
    const roots = this.plan.tree.roots(updated);
    if (roots.length > 0) this.checkLevels(await rewritePaths(uow, roots));
    if (deleted.length > 0) await this.delete(deleted);
    for (const participant of followers) await participant.statusChanged?.(uow, restated);
    if (this.wanted.length > 0) await this.writeRelations();
    return this.writtenRow;
  }

  /** Reads the facts for the scores of updated cards, after their rows are locked. */
  private async readFacts(updated: CardState[]): Promise<void> {
    const { uow, metamodel, single } = this.o;
    if (updated.length === 0) return;
    if (!single) {
      const facts = await factsOf(
        uow,
        updated.map((c) => c.id),
        mandatoryRelations(metamodel),
      );
      for (const card of updated) card.facts = facts.get(card.id) ?? [];
    }
    await this.plan.score();
  }

  private async writeRelations(): Promise<void> {
    await this.o.relations!.write();
    addRelationResults(this.o, this.wanted);
  }

  private async insert(cards: CardState[], revision: string): Promise<void> {
    const { uow, single } = this.o;
    const emitCreated = (chunk: readonly CardState[]) => {
      for (const card of chunk)
        this.emit('created', card, { version: 1, parent_id: card.parent_id, external_id: card.external_id });
    };
    if (single) {
      emitCreated(cards);
      // The result is part of the statement, because it is stored under the Idempotency-Key.
      const isParentHeld = this.o.isOptimistic !== true || cards[0]!.parent_id === null;
      this.writtenRow = await single.insert(uow, cards[0]!, isParentHeld, revision, { id: cards[0]!.id, version: 1 });
      return;
    }
    const prepare = (chunk: readonly CardState[]) => {
      emitCreated(chunk);
      return cardInserts(uow, chunk, revision);
    };
    await inChunks(cards, CHUNK, prepare, (values) => insertCards(uow, values)).catch((error: unknown) => {
      // A concurrent request took the name or the external id after the check: the retry finds it.
      throw isTaken(error) ? new WriteConflict() : error;
    });
  }

  private async update(cards: CardState[], revision: string): Promise<void> {
    const changed: { card: CardState; changes: Change[]; isPlaced: boolean; isRestated: boolean }[] = [];
    const slice = new TimeSlice();
    for (const card of cards) {
      const before = this.plan.before.get(card.id)!;
      const changes = differences(before, card);
      const isPlaced =
        changes.some(({ field }) => !CONTENT.test(field)) || before.path_ids.join() !== card.path_ids.join();
      changed.push({ card, changes, isPlaced, isRestated: before.status !== card.status });
      if (slice.isOver) await slice.next();
    }
    for (const { card, changes } of changed) {
      const comment = this.plan.comments.get(card.id);
      this.emit(verbOf(this.plan.before.get(card.id)!, card), card, {
        version: card.version,
        changes,
        ...(comment !== undefined && { comment }),
      });
    }
    const { metamodel, single } = this.o;
    if (this.o.isOptimistic) {
      this.writtenRow = await single!.update(this.o.uow, changed[0]!, revision);
      return;
    }
    const stale = await updateCards(this.o.uow, changed, revision, single ? mandatoryRelations(metamodel) : undefined);
    if (stale.length === 0) return;
    await rescoreCards(
      this.o.uow,
      stale.map(({ id, facts }) => {
        const card = this.plan.after.get(id)!;
        return { id, ...scoresOf(metamodel, metamodel.types.get(card.type)!, { ...card, facts }) };
      }),
    );
  }

  private async delete(ids: string[]): Promise<void> {
    for (const participant of this.o.participants) await participant.deleting?.(this.o.uow, ids);
    for (const id of ids) {
      const card = this.plan.before.get(id)!;
      this.emit('deleted', card, { version: card.version });
    }
    await deleteCards(this.o.uow, ids);
  }

  private emit(verb: VersionVerb | 'deleted', card: CardState, data: Record<string, unknown>): void {
    this.o.uow.emit({
      type: `card.${verb}`,
      subject: { kind: 'card', id: card.id, type: card.type, name: card.name },
      data,
    });
  }

  private checkLevels(levels: Map<string, number>): void {
    for (const [type, level] of levels) {
      const max = levelLimit(this.o.metamodel.types.get(type));
      if (level > max && this.o.authority.hiddenTypes.includes(type)) throw hiddenBelow();
      if (level > max)
        throw problem('validation_failed', {
          errors: [
            {
              field: '/parent_id',
              reason: `would put a card below it on level ${level}; ${type} has ${max}`,
              in: 'body',
            },
          ],
        });
    }
  }
}
