import type { Host } from './basics.js';
import { RecordService } from './records/service.js';
import { RunReports } from './runs/reports.js';
import { RunEngine } from './runs/engine.js';
import { Schedules } from './runs/schedule.js';
import { RunService } from './runs/service.js';

export interface CmdbSyncServices {
  host: Host;
  runs: RunService;
  reports: RunReports;
  records: RecordService;
  schedules: Schedules;
  engine: RunEngine;
}

export function cmdbSyncServices(host: Host): CmdbSyncServices {
  const runs = new RunService(host);
  return {
    host,
    runs,
    reports: new RunReports(host),
    records: new RecordService(host, runs),
    schedules: new Schedules(host),
    engine: new RunEngine(host, undefined),
  };
}
