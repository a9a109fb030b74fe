import { problemsOf, type ErrorTable } from '@lintel/sdk';

export const ERRORS = {
  cmdbsync_name_taken: [409, 'Name taken', 'There is one with this name already.'],
  cmdbsync_connection_used: [409, 'Connection in use', 'Mappings use the connection.'],
  cmdbsync_run_active: [409, 'Run in progress', 'A run of the mapping is in progress.'],
  cmdbsync_source_failed: [422, 'Other system failed', 'The other system did not do what it was asked.'],
  cmdbsync_no_account: [
    409,
    'No service account',
    'The mapping has no active service account in whose name its runs could act.',
  ],
} as const satisfies ErrorTable;

/** Creates the problem of a code of the module; throw the returned problem. */
export const refusal = problemsOf(ERRORS);
