export { Applying } from './applying.js';
export { ImportFormats } from './formats.js';
export { registerImportJobs } from './jobs.js';
export { ImportRetention } from './retention.js';
export { ImportService } from './service.js';
export { Staging } from './staging.js';
export { RowSights } from './row-sight.js';
