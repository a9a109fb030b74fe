import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import type { Metamodel } from '../../metamodel/index.js';
import { factsOf, lockCards } from '../lock-repository.js';
import { rescoreCards } from '../repository.js';
import { mandatoryRelations, scoresOf } from './data-quality.js';

/** Computes the data quality of cards again and stores the scores that differ. */
export async function rescore(uow: UnitOfWork, metamodel: Metamodel, ids: readonly string[]): Promise<void> {
  const cards = await lockCards(uow, 'write', [...ids]);
  if (cards.length === 0) return;
  const facts = await factsOf(
    uow,
    cards.map((c) => c.id),
    mandatoryRelations(metamodel),
  );
  const scores = cards.flatMap((card) => {
    const type = metamodel.types.get(card.type);
    const now = type && scoresOf(metamodel, type, { ...card, facts: facts.get(card.id) ?? [] });
    return !now || (now.data_quality === card.data_quality && now.open_quality === card.open_quality)
      ? []
      : [{ id: card.id, ...now }];
  });
  if (scores.length > 0) await rescoreCards(uow, scores);
}
