import type { Host } from './basics.js';
import { connections, type Connections } from './connections/resource.js';
import { ConnectionService } from './connections/service.js';
import { IdentityService } from './identities/service.js';
import { PreviewService } from './mappings/preview.js';
import { mappings, type Mappings } from './mappings/resource.js';
import { RecordService } from './records/service.js';
import { RunEngine } from './runs/engine.js';
import { RunReports } from './runs/reports.js';
import { Schedules } from './runs/schedule.js';
import { RunService } from './runs/service.js';
import { TemplateService } from './templates/service.js';

export interface CmdbSyncServices {
  host: Host;
  connections: Connections;
  calls: ConnectionService;
  mappings: Mappings;
  previews: PreviewService;
  templates: TemplateService;
  runs: RunService;
  reports: RunReports;
  records: RecordService;
  schedules: Schedules;
  engine: RunEngine;
  identities: IdentityService;
}

export function cmdbSyncServices(host: Host): CmdbSyncServices {
  const ofMappings = mappings.service(host);
  const runs = new RunService(host);
  return {
    host,
    connections: connections.service(host),
    calls: new ConnectionService(host),
    mappings: ofMappings,
    previews: new PreviewService(host),
    templates: new TemplateService(host, ofMappings),
    runs,
    reports: new RunReports(host),
    records: new RecordService(host, runs),
    schedules: new Schedules(host),
    engine: new RunEngine(host),
    identities: new IdentityService(host),
  };
}
