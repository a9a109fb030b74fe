import type { ModuleServices } from '@lintel/sdk';
import type { Host } from './basics.js';
import { budgets, type Budgets } from './costs/budgets.js';
import { costs, type Costs } from './costs/costs.js';
import { InitiativeService } from './initiatives/service.js';
import { WorkingDays } from './reports/working-days.js';
import { RiskPromotion } from './risks/promotion.js';
import { risks, type PlanRisks } from './risks/resource.js';
import { RollUpJobs } from './rollup/jobs.js';

export interface PpmServices {
  host: Host;
  budgets: Budgets;
  costs: Costs;
  risks: PlanRisks;
  promotion: RiskPromotion;
  initiatives: InitiativeService;
  rollUps: RollUpJobs;
  workingDays: WorkingDays;
}

export function ppmServices(host: Host): PpmServices {
  const plain = host as unknown as ModuleServices;
  const planRisks = risks.service(plain);
  return {
    host,
    budgets: budgets.service(plain),
    costs: costs.service(plain),
    risks: planRisks,
    promotion: new RiskPromotion(host, planRisks),
    initiatives: new InitiativeService(host),
    rollUps: new RollUpJobs(host),
    workingDays: new WorkingDays(host),
  };
}
