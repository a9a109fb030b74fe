import { problemsOf, type ErrorTable } from '@lintel/sdk';

export const ERRORS = {
  insightlens_run_active: [409, 'Analysis in progress', 'A run of this analysis is in progress.'],
} as const satisfies ErrorTable;

/** Creates the problem of a code of the module; throw the returned problem. */
export const refusal = problemsOf(ERRORS);
