import { problemsOf, type ErrorTable } from '@lintel/sdk';

export const ERRORS = {
  risks_move_refused: [
    409,
    'Move not possible',
    'The risk cannot go there from its status; `allowed` lists where it can.',
  ],
  risks_card_linked: [409, 'Card linked', 'The risk has a link with this card already.'],
} as const satisfies ErrorTable;

/** Creates the problem of a code of the module; throw the returned problem. */
export const refusal = problemsOf(ERRORS);
