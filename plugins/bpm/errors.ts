import { problemsOf, type ErrorTable } from '@lintel/sdk';

export const ERRORS = {
  bpm_file_refused: [
    422,
    'File refused',
    'The file is no BPMN 2.0 file that can be read; `reason` is the kind of error, `line` and `column` are its place.',
  ],
  bpm_file_too_complex: [
    422,
    'File too complex',
    'The file could not be read, compared or drawn within the time limit.',
  ],
  bpm_pending_exists: [
    409,
    'A version is pending',
    'Another version of the flow awaits approval; a process has at most one.',
  ],
  bpm_problems: [
    409,
    'The flow has problems',
    'The flow has problems of severity `error`, listed in `problems`; the setting `block_submit_on_problems` does not let it be submitted.',
  ],
  bpm_content_changed: [
    409,
    'Content changed',
    'The stored content is not the content that was submitted; withdraw the version.',
  ],
  bpm_template_name_taken: [409, 'Name taken', 'Another template has this name.'],
  bpm_relation_type: [
    409,
    'Relation type unsuitable',
    'A relation that a link implies cannot be made, because the relation type named in the settings does not exist or does not relate these types.',
  ],
  bpm_relations_refused: [
    409,
    'Relations refused',
    'Relations that the links imply could not be made or removed; `reasons` says why.',
  ],
} as const satisfies ErrorTable;

/** Creates the problem of a code of the module; throw the returned problem. */
export const refusal = problemsOf(ERRORS);
