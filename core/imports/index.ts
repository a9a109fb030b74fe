export { Applying } from './applying.js';
export { registerImportJobs } from './jobs.js';
export { ImportService } from './service.js';
export { Staging } from './staging.js';
