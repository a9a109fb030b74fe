import { problemsOf, type ErrorTable } from '@lintel/sdk';

export const ERRORS = {
  ppm_has_children: [
    409,
    'Item has children',
    'The item has items below it, `children` of them; the parameter `strategy` says what becomes of these.',
  ],
  ppm_dependency_exists: [409, 'Dependency exists', 'These two items are already joined by a dependency.'],
  ppm_holiday_exists: [409, 'Holiday exists', 'The day is a holiday already.'],
  ppm_register_unavailable: [
    409,
    'Risk register disabled',
    'The module of risks is disabled: there is no register to create the risk in.',
  ],
  ppm_file_refused: [
    422,
    'File refused',
    'The file is no plan, or an item of it cannot be stored: `problems` names the lines.',
  ],
} as const satisfies ErrorTable;

/** Creates the problem of a code of the module; throw the returned problem. */
export const refusal = problemsOf(ERRORS);
