import { problemsOf, type ErrorTable } from '@lintel/sdk';

export const ERRORS = {
  insightlens_partner_unavailable: [
    409,
    'Module not enabled',
    'The module that would have the risk or decision is not enabled.',
  ],
  insightlens_run_active: [409, 'Analysis in progress', 'A run of this analysis is in progress.'],
  insightlens_proposal_outdated: [
    409,
    'Cards were changed',
    'Cards that the change set names were changed since the proposal was made or refreshed.',
  ],
  insightlens_proposal_active: [409, 'Proposal in progress', 'A proposal of this user is in progress.'],
} as const satisfies ErrorTable;

/** Creates the problem of a code of the module; throw the returned problem. */
export const refusal = problemsOf(ERRORS);
