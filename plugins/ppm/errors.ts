import { problemsOf, type ErrorTable } from '@lintel/sdk';

export const ERRORS = {
  ppm_register_unavailable: [
    409,
    'Risk register disabled',
    'The module of risks is disabled: there is no register to create the risk in.',
  ],
} as const satisfies ErrorTable;
export const refusal = problemsOf(ERRORS);
