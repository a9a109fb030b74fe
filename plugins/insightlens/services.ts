import type { Host } from './basics.js';
import { DuplicateService } from './duplicates/service.js';
import { FindingService } from './findings/service.js';
import { RunEngine } from './runs/engine.js';
import { RunService } from './runs/service.js';
import { SupplierService } from './suppliers/service.js';

export interface InsightLensServices {
  host: Host;
  runs: RunService;
  engine: RunEngine;
  findings: FindingService;
  duplicates: DuplicateService;
  suppliers: SupplierService;
}

export function insightLensServices(host: Host): InsightLensServices {
  return {
    host,
    runs: new RunService(host),
    engine: new RunEngine(host),
    findings: new FindingService(host),
    duplicates: new DuplicateService(host),
    suppliers: new SupplierService(host),
  };
}
