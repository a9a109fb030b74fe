import { Strict, Type, Uuid, type ModuleManifest } from '@lintel/sdk';
import { baselines } from './baselines/resource.js';
import { budgets } from './costs/budgets.js';
import { costs } from './costs/costs.js';
import { dependencies } from './dependencies/resource.js';
import { holidays } from './plan/holidays.js';
import { risks } from './risks/resource.js';
import { VIEW } from './permissions.js';
import { statusReports } from './status-reports/resource.js';
import { comments } from './tasks/comments.js';
import { tasks } from './tasks/resource.js';
import { wbs } from './wbs/resource.js';

const Change = Type.Object({ field: Type.String(), old: Type.Unknown(), new: Type.Unknown() });

export const EVENTS: NonNullable<ModuleManifest['events']> = [
  { kind: 'ppm', permission: VIEW, cards: ['card_id'] },
  {
    kind: 'ppm_plan',
    permission: VIEW,
    cards: ['card_id'],
    types: {
      'ppm_plan.updated': Strict({
        card_id: Uuid(),
        version: Type.Integer({ minimum: 1 }),
        changes: Type.Array(Change),
      }),
      'ppm_plan.recounted': Strict({ card_id: Uuid(), items: Type.Integer({ minimum: 1 }) }),
    },
  },
  holidays.events,
  wbs.events,
  dependencies.events,
  tasks.events,
  comments.events,
  statusReports.events,
  budgets.events,
  costs.events,
  risks.events,
  baselines.events,
];
