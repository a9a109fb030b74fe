import type { Database } from '../../../foundation/db/database.js';
import { rowWithFlush } from '../../../foundation/db/flush.js';
import { eachOnce, Grouped } from '../../../foundation/db/grouped.js';
import { WriteConflict, type UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { lockCards, readCard, readCards, readSingles } from '../lock-repository.js';
import { cardRow, insertCard, insertSingles } from '../repository.js';
import type { CardState } from '../types.js';
import { changedRow, updateCard, updateSingles, type ChangedCard } from './update-repository.js';

type ViewRow = readonly (string | null)[];

/** A card to write, with the JSON of its row and of the flush of its unit of work. */
interface SingleCard {
  id: string;
  json: string;
}

/** A card to read for a change, with the relation types that count in its score. */
interface SingleRead {
  id: string;
  mandatory: string[];
}

const jsonOf = (cards: readonly SingleCard[]): string[] => cards.map(({ json }) => json);
const sizeOf = ({ json }: SingleCard): number => json.length;
const idOfView = (row: ViewRow): string => row[0]!;

/** Reads parents for several units of work; each gets an object of its own. */
async function readParents(db: Database, ids: readonly string[]): Promise<(CardState | undefined)[]> {
  const found = new Map((await readCards(db, [...new Set(ids)])).map((card) => [card.id, card]));
  return ids.map((id) => {
    const card = found.get(id);
    return card && { ...card, facts: [] };
  });
}

/**
 * Locks the parent of a new card, which was read without a lock.
 * @throws WriteConflict where the card cannot be created below it any more, or its path has changed
 */
async function holdParent(uow: UnitOfWork, { parent_id, path_ids }: CardState): Promise<void> {
  const [parent] = await lockCards(uow, 'share', [parent_id!]);
  if (parent?.status !== 'ACTIVE' || [...parent.path_ids, parent.id].join() !== path_ids.join())
    throw new WriteConflict();
}

/** Writes the cards of concurrent requests in shared statements where nothing else happens in their units of work. */
export class SingleWrites {
  private readonly reads: Grouped<SingleRead, CardState>;
  private readonly parents: Grouped<string, CardState>;
  private readonly inserts: Grouped<SingleCard, ViewRow>;
  private readonly updates: Grouped<SingleCard, ViewRow>;

  constructor(db: Database) {
    const readAll = (reads: readonly SingleRead[]): Promise<CardState[]> => {
      // They differ only while the metamodel changes.
      const { mandatory } = reads[0]!;
      const ids = reads.filter((read) => read.mandatory.join() === mandatory.join()).map(({ id }) => id);
      return readSingles(db, ids, mandatory);
    };
    this.reads = new Grouped(eachOnce(readAll, ({ id }) => id));
    this.parents = new Grouped((ids) => readParents(db, ids));
    this.inserts = new Grouped(
      eachOnce((cards) => insertSingles(db, jsonOf(cards)), idOfView),
      sizeOf,
    );
    this.updates = new Grouped(
      eachOnce((cards) => updateSingles(db, jsonOf(cards)), idOfView),
      sizeOf,
    );
  }

  /**
   * Reads a card as `readCard`, with those of concurrent requests.
   * @param mandatory relation types that count in a score
   * @param withParent whether its parent is read too; then it is read separately
   */
  async read(uow: UnitOfWork, id: string, mandatory: string[], withParent: boolean): Promise<CardState[]> {
    const card = uow.isUntouched && !withParent ? await this.reads.add({ id, mandatory }) : undefined;
    return card ? [card] : await readCard(uow, id, mandatory, withParent);
  }

  /** Reads the parent of a card that is to be created, without a lock, with those of concurrent requests. */
  async readParent(uow: UnitOfWork, id: string): Promise<CardState[]> {
    const card = uow.isUntouched ? await this.parents.add(id) : undefined;
    return card ? [card] : await lockCards(uow, 'read', [id]);
  }

  /**
   * Inserts a card, with all other rows of its unit of work: in a shared statement if nothing else happens in its unit;
   * separately if the shared statement skips it, so that it fails with its own error.
   * @param isParentHeld false where the card has a parent that was read without a lock
   * @param result stored under the Idempotency-Key
   * @returns the columns of its view, as text
   * @throws WriteConflict where that parent has changed
   */
  async insert(
    uow: UnitOfWork,
    card: CardState,
    isParentHeld: boolean,
    metamodelRevision: string,
    result: unknown,
  ): Promise<ViewRow> {
    const isFree = uow.isUntouched;
    const flush = uow.flushed(result);
    const shared = isFree
      ? await this.inserts.add({ id: card.id, json: rowWithFlush(cardRow(card), metamodelRevision, flush) })
      : undefined;
    if (shared) return shared;
    if (!isParentHeld) await holdParent(uow, card);
    return await insertCard(uow, card, metamodelRevision, flush);
  }

  /**
   * Updates a card that was read with `readCard` and does not move, as `insert`: separately also if it is archived or
   * restored, which depends on other cards.
   * @returns the columns of its view, as text
   * @throws as `updateCard`
   */
  async update(uow: UnitOfWork, changed: ChangedCard, metamodelRevision: string): Promise<ViewRow> {
    const { id, version } = changed.card;
    const isFree = uow.isUntouched && !changed.isRestated;
    const flush = uow.flushed({ id, version });
    return (
      (isFree
        ? await this.updates.add({ id, json: rowWithFlush(changedRow(changed), metamodelRevision, flush) })
        : undefined) ?? (await updateCard(uow, changed, metamodelRevision, flush))
    );
  }
}
