import type { Host } from './basics.js';
import { FindingService } from './findings/service.js';
import { RunEngine } from './runs/engine.js';
import { RunService } from './runs/service.js';

export interface InsightLensServices {
  host: Host;
  runs: RunService;
  engine: RunEngine;
  findings: FindingService;
}

export function insightLensServices(host: Host): InsightLensServices {
  return { host, runs: new RunService(host), engine: new RunEngine(host), findings: new FindingService(host) };
}
