import type { ModuleServices } from '@lintel/sdk';
import type { Host } from './basics.js';
import { budgets, type Budgets } from './costs/budgets.js';
import { costs, type Costs } from './costs/costs.js';
import { dependencies, type Dependencies } from './dependencies/resource.js';
import { InitiativeService } from './initiatives/service.js';
import { Calendars } from './plan/calendars.js';
import { holidays, type Holidays } from './plan/holidays.js';
import { lockingHost } from './plan/locking.js';
import { Recounts } from './plan/recount.js';
import { PlanService } from './plan/service.js';
import { WorkingDays } from './reports/working-days.js';
import { RiskPromotion } from './risks/promotion.js';
import { risks, type PlanRisks } from './risks/resource.js';
import { RollUpJobs } from './rollup/jobs.js';
import { scheduleServices, type ScheduleServices } from './schedule/services.js';
import { statusReports, type StatusReports } from './status-reports/resource.js';
import { comments, type Comments } from './tasks/comments.js';
import { TaskMoves } from './tasks/moves.js';
import { tasks, type Tasks } from './tasks/resource.js';
import { WbsMoves } from './wbs/moves.js';
import { WbsService } from './wbs/service.js';

export interface PpmServices {
  host: Host;
  calendars: Calendars;
  plans: PlanService;
  recounts: Recounts;
  holidays: Holidays;
  wbs: WbsService;
  moves: WbsMoves;
  dependencies: Dependencies;
  tasks: Tasks;
  taskMoves: TaskMoves;
  comments: Comments;
  statusReports: StatusReports;
  budgets: Budgets;
  costs: Costs;
  risks: PlanRisks;
  promotion: RiskPromotion;
  initiatives: InitiativeService;
  rollUps: RollUpJobs;
  workingDays: WorkingDays;
  schedules: ScheduleServices;
}

export function ppmServices(host: Host): PpmServices {
  const plain = host as unknown as ModuleServices;
  const locking = lockingHost(host);
  const calendars = new Calendars(host);
  const recounts = new Recounts(host, calendars);
  const ofTasks = tasks.service(locking);
  const ofDependencies = dependencies.service(locking);
  const ofCosts = costs.service(locking);
  const wbs = new WbsService(host, ofDependencies, ofTasks, ofCosts);
  const planRisks = risks.service(plain);
  return {
    host,
    calendars,
    plans: new PlanService(host, calendars, recounts),
    recounts,
    holidays: holidays.service(plain),
    wbs,
    moves: new WbsMoves(host, wbs),
    dependencies: ofDependencies,
    tasks: ofTasks,
    taskMoves: new TaskMoves(host, ofTasks),
    comments: comments.service(locking),
    statusReports: statusReports.service(locking),
    budgets: budgets.service(locking),
    costs: ofCosts,
    risks: planRisks,
    promotion: new RiskPromotion(host, planRisks),
    initiatives: new InitiativeService(host),
    rollUps: new RollUpJobs(host),
    workingDays: new WorkingDays(calendars),
    schedules: scheduleServices(host),
  };
}
