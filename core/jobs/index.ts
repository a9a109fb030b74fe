export { CronTable, type CronJob } from './cron.js';
export { registerCoreJobs } from './core-jobs.js';
export { JobRunner, type EnqueueOptions, type JobDefinition, type JobRun } from './runner.js';
export { JobService } from './service.js';
