import type { UnitOfWork } from '@lintel/sdk';
import type { Proposal } from './definition.js';

/** Emits the event of a proposal: for the user to whom it is private, without its content. */
export function tellProposal(
  uow: UnitOfWork,
  type: 'requested' | 'designed' | 'failed' | 'cancelled' | 'updated' | 'committed' | 'deleted',
  { id, asked_by }: Pick<Proposal, 'id' | 'asked_by'>,
): void {
  uow.emit({ type: `insightlens_proposal.${type}`, subject: { kind: 'insightlens_proposal', id }, data: { asked_by } });
}
