import { problemsOf, type ErrorTable } from '@lintel/sdk';

export const ERRORS = {
  risks_move_refused: [
    409,
    'Move not possible',
    'The risk cannot go there from its status; `allowed` lists where it can.',
  ],
  risks_card_linked: [409, 'Card linked', 'The risk has a link with this card already.'],
} as const satisfies ErrorTable;

/** Builds the problem of a code of the module's own; throw what it returns. */
export const refusal = problemsOf(ERRORS);
