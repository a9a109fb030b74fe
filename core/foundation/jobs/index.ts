export { CronTable, type CronJob } from './cron.js';
export type { JobDefinition, JobRun } from './definition.js';
export { JobRunner, type EnqueueOptions } from './runner.js';
export { queueOnce, type OnceOptions } from './once-repository.js';
export { JobService } from './service.js';
