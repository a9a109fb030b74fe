export { Applying } from './apply/applying.js';
export { ImportFormats } from './formats.js';
export { registerImportJobs } from './jobs.js';
export { ImportRetention } from './retention.js';
export { ImportService } from './service.js';
export { Staging } from './preview/staging.js';
export { RowVisibilities } from './preview/row-visibility.js';
