import type { ErrorTable } from '@lintel/sdk';

export const ERRORS = {
  reports_saved_invalid: [
    409,
    'Saved report no longer valid',
    'The report, or a card type, field or other object in its parameters, no longer exists; `errors` lists the parameters.',
  ],
} as const satisfies ErrorTable;
