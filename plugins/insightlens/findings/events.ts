import type { UnitOfWork } from '@lintel/sdk';
import type { Need, News } from '../analyses/definition.js';
import { announceFindings, newFindings } from './store-repository.js';

/** What the events of a finding are about. */
export interface FindingSubject {
  id: string;
  kind: string;
  needs: readonly Need[];
  card_ids: readonly string[];
}

/** Emits that a run has found a finding that none had before; not of one that rests on costs, which not every receiver may see. */
function tellFound(uow: UnitOfWork, runId: string, { id, kind, needs, card_ids }: FindingSubject): void {
  if (needs.includes('costs')) return;
  uow.emit({
    type: 'insightlens_finding.found',
    subject: { kind: 'insightlens_finding', id },
    data: { kind, run_id: runId, card_ids },
  });
}

/** Findings that no run before had. */
export const FINDING_NEWS: News = {
  path: '/findings',
  seenBy: newFindings,
  async announce(uow, { id, kind }, limit) {
    const found = await announceFindings(uow, id, limit);
    for (const finding of found) tellFound(uow, id, { ...finding, kind });
    return found.length;
  },
};

/** Emits a decision about a finding; of one that rests on costs without what was decided. */
export function tellMoved(
  uow: UnitOfWork,
  { id, kind, needs, card_ids }: FindingSubject,
  move: { from: string; to: string; note: string | null },
): void {
  uow.emit({
    type: 'insightlens_finding.transitioned',
    subject: { kind: 'insightlens_finding', id },
    data: needs.includes('costs') ? { card_ids } : { kind, ...move, card_ids },
  });
}
