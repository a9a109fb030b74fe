import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { recordCardChanges } from '../../history/index.js';
import { cardsOfStakeholder, removeFromAllCards } from './stakeholder-repository.js';
import { lockCards } from '../lock-repository.js';

/**
 * Removes a user who is being deleted from all cards, and updates their scores. The user is locked, so that no
 * transaction can add the user as a stakeholder; cards are locked before their stakeholders, as in all transactions.
 * @param rescore recomputes the scores of cards
 */
export async function removeStakeholder(
  uow: UnitOfWork,
  user: { id: string; display_name: string },
  rescore: (uow: UnitOfWork, ids: readonly string[]) => Promise<void>,
): Promise<void> {
  const cards = await cardsOfStakeholder(uow, user.id);
  if (cards.length === 0) return;
  await lockCards(uow, 'write', cards);
  const gone = await removeFromAllCards(uow, user.id);
  await rescore(uow, cards);
  await recordCardChanges(
    uow,
    gone.map(({ card_id, role }) => ({
      cardId: card_id,
      field: `stakeholders.${role}`,
      old: { user_id: user.id, display_name: user.display_name },
      new: null,
    })),
  );
  for (const { id, card_id, role, card_type, card_name } of gone) {
    uow.emit({
      type: 'card.stakeholder_removed',
      subject: { kind: 'card', id: card_id, type: card_type, name: card_name },
      data: { stakeholder: { id, user_id: user.id, role } },
    });
  }
}
