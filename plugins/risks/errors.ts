import { problemsOf, type ErrorTable } from '@lintel/sdk';

export const ERRORS = {
  risks_move_refused: [
    409,
    'Move not possible',
    'The status of the risk cannot be changed to this one; `allowed` lists the possible next statuses.',
  ],
  risks_card_linked: [409, 'Card linked', 'The risk is already linked with this card.'],
} as const satisfies ErrorTable;

/** Creates the problem of a code of the module; throw the returned problem. */
export const refusal = problemsOf(ERRORS);
