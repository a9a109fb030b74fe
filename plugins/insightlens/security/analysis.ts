import type { Analysis, NewFinding } from '../analyses/definition.js';
import { readWithoutOwner } from './owner-missing-repository.js';

const PAGE = 1_000;
const OWNER_MISSING = 'owner-missing';

const findingOf = ({ id }: { id: string }): NewFinding => ({
  key: `${OWNER_MISSING}:${id}`,
  rule: OWNER_MISSING,
  severity: 'medium',
  score: null,
  cards: [{ id, role: 'subject' }],
  needs: ['stakeholders'],
  evidence: {},
});

/** Rules over the landscape. */
export const security: Analysis = {
  kind: 'security',
  title: 'Security and compliance',
  states: {
    initial: 'new',
    moves: {
      new: ['in_review', 'accepted', 'not_applicable', 'risk_tracked'],
      in_review: ['new', 'mitigated', 'accepted', 'not_applicable', 'risk_tracked'],
      mitigated: ['in_review', 'verified'],
      verified: ['in_review'],
      accepted: ['in_review'],
      not_applicable: ['in_review'],
      risk_tracked: ['in_review', 'mitigated'],
    },
    withNote: ['accepted', 'not_applicable'],
  },
  phases: [
    {
      key: OWNER_MISSING,
      async run(work) {
        const roles = work.host.settings().owner_roles;
        for (let after = work.position as string | null; ; ) {
          const rows = await work.read((inventory) => readWithoutOwner(inventory, roles, after, PAGE));
          const last = rows.at(-1);
          if (!last) return;
          after = last.id;
          await work.store(rows.map(findingOf), { position: after });
        }
      },
    },
  ],
};
