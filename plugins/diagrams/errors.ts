import { problemsOf, type ErrorTable } from '@lintel/sdk';

export const ERRORS = {
  diagrams_group_in_use: [409, 'Group in use', 'The group contains diagrams or groups; move or delete them first.'],
  diagrams_group_name_taken: [409, 'Name taken', 'Another group at the same place has this name.'],
  diagrams_group_cycle: [409, 'Group in itself', 'The move would put the group into itself.'],
  diagrams_file_refused: [
    422,
    'File refused',
    'The file is not a draw.io file, or exceeds a limit; `reason` tells which, and `line` where.',
  ],
} as const satisfies ErrorTable;

/** Creates the problem of a code of the module; throw the returned problem. */
export const refusal = problemsOf(ERRORS);
