import { resource, Type, Uuid, type ResourceService } from '@lintel/sdk';
import { initiativesAmong, type Host } from '../basics.js';
import { CARD_MANAGE, MANAGE, VIEW } from '../permissions.js';
import { Plans } from '../schedule/plan.js';
import { freeze } from './freeze.js';
import { countBaselines, insertItems } from './repository.js';

/** Baselines of one plan. */
export const MAX_BASELINES = 50;

/** A plan as it was scheduled at one time: its items cannot be changed. The routes lock the plan, see `lockPlans`. */
export const baselines = resource({
  kind: 'ppm_baseline',
  table: 'ppm_baselines',
  tag: 'ppm',
  operation: 'PpmBaseline',
  label: 'a baseline of a plan',
  labels: 'baselines of a plan',
  permissions: { view: VIEW, manage: MANAGE },
  card: { field: 'card_id', permission: CARD_MANAGE },
  fixed: ['card_id'],
  fields: {
    card_id: Uuid({ description: 'The initiative.' }),
    name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  },
  assigned: { items_count: Type.Integer({ minimum: 0, description: 'Items of the plan when it was frozen.' }) },
  references: { card_id: initiativesAmong },
  sorts: {},
  defaultSort: 'created_at',
  defaultDir: 'desc',
  example: { card_id: '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b', name: 'Approved plan' },
  async prepare({ host, uow, ctx, id, before, next }) {
    const own = host as unknown as Host;
    if (before) return {};
    if ((await countBaselines(uow, next.card_id)) >= MAX_BASELINES)
      throw host.invalid({ field: '', reason: `a plan has at most ${MAX_BASELINES} baselines` });
    const plans = new Plans(own);
    const items = await freeze(await plans.scheduled(ctx, await plans.load(next.card_id, uow)));
    await insertItems(uow, id, items);
    return { items_count: items.length };
  },
});
export type Baselines = ReturnType<typeof baselines.service>;
export type AnyBaselines = ResourceService;
