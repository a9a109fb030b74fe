export { CronTable, type CronJob } from './cron.js';
export type { JobDefinition, JobEnd, JobRun } from './definition.js';
export { JobRunner, type EnqueueOptions } from './runner.js';
export { queueOnce, type OnceOptions } from './once-repository.js';
export { ScheduleService } from './schedule-service.js';
export { JobService } from './service.js';
