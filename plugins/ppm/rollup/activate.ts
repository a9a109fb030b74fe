import type { ModuleActivation } from '@lintel/sdk';
import type { PpmServices } from '../services.js';
import type { Settings } from '../settings.js';
import { ROLL_UP_ALL, ROLL_UP_OVERDUE } from './jobs.js';
import { ROLL_UP } from './queue.js';

/** Starts what writes roll-ups to cards. */
export function activateRollUps(module: ModuleActivation<PpmServices, Settings>): void {
  const { rollUps } = module.services;
  // A card that is being written when its node is killed is written by another one within seconds.
  module.job(ROLL_UP, { handler: (job) => rollUps.one(job), leaseMs: 3_000 });
  module.job(ROLL_UP_OVERDUE, { handler: (job) => rollUps.overdue(job), timeoutMs: 300_000 });
  module.cron({ job: ROLL_UP_OVERDUE, expression: '* * * * *' });
  module.job(ROLL_UP_ALL, { handler: (job) => rollUps.all(job), timeoutMs: 600_000 });
  module.cron({ job: ROLL_UP_ALL, expression: '20 3 * * *' });
  module.subscribe({
    name: 'roll_ups',
    pattern: ['card.restored', 'module.enabled', 'module.updated', 'settings.updated'],
    handler: (event, { ctx }) => rollUps.heard(event, ctx),
  });
}
