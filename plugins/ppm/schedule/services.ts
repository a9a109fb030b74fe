import type { ModuleServices } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { BaselineComparison } from '../baselines/compare.js';
import { BaselineReader } from '../baselines/reader.js';
import { baselines, type Baselines } from '../baselines/resource.js';
import { costs } from '../costs/costs.js';
import { EarnedValueService } from '../earned-value/service.js';
import { PlanExport } from '../exchange/export.js';
import { PlanFiles } from '../exchange/files.js';
import { PlanImport } from '../exchange/import.js';
import { GanttService } from '../gantt/service.js';
import { LoadService } from '../load/service.js';
import { lockingHost } from '../plan/locking.js';
import { tasks } from '../tasks/resource.js';
import { Plans } from './plan.js';
import { ScheduleService } from './service.js';

/** Services that compute from the schedules of plans. */
export interface ScheduleServices {
  plans: Plans;
  schedule: ScheduleService;
  gantt: GanttService;
  earnedValue: EarnedValueService;
  baselines: Baselines;
  comparison: BaselineComparison;
  load: LoadService;
  files: PlanFiles;
  exports: PlanExport;
  imports: PlanImport;
}

/** Creates the services; starts nothing. */
export function scheduleServices(host: Host): ScheduleServices {
  const plans = new Plans(host);
  const reader = new BaselineReader(host);
  const files = new PlanFiles(host);
  const plain = host as unknown as ModuleServices;
  return {
    plans,
    schedule: new ScheduleService(host, plans),
    gantt: new GanttService(host, plans, reader),
    earnedValue: new EarnedValueService(host, plans, reader),
    baselines: baselines.service(lockingHost(host)),
    comparison: new BaselineComparison(host, plans, reader),
    load: new LoadService(host),
    files,
    exports: new PlanExport(host, plans),
    imports: new PlanImport(host, plans, files, tasks.service(plain), costs.service(plain)),
  };
}
