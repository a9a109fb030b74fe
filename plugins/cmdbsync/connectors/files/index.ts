import type { ConnectorDeclaration } from '@lintel/sdk';
import { openFiles } from './connector.js';
import { FileSettings } from './settings.js';

/** CSV and NDJSON files in a folder of the operator. */
export const files: ConnectorDeclaration<unknown> = {
  key: 'files',
  title: 'Files',
  description: 'CSV and NDJSON files in the folder IMPORT_DIR of the operator; they are only read.',
  config: FileSettings,
  secrets: {},
  open: (_services, connection) => openFiles(connection),
};
