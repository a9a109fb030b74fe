import type { RequestContext } from '@lintel/sdk';

/** Is told what the units of work of a request have written. */
export interface EventBudget {
  /** @param bytes of the events of a committed unit of work */
  wrote(bytes: number): Promise<void>;
}

/** A symbol, because contexts that are made of another one have its members, and modules do not know this one. */
const BUDGET = Symbol('event budget');
type Budgeted = RequestContext & { [BUDGET]?: EventBudget };

/** The context with a budget that all units of work with it, or with a context made of it, are charged to. */
export const withEventBudget = (ctx: RequestContext, budget: EventBudget): RequestContext =>
  ({ ...ctx, [BUDGET]: budget }) as Budgeted;

/** The budget of a context; undefined where bytes of events are not counted. */
export const eventBudgetOf = (ctx: RequestContext): EventBudget | undefined => (ctx as Budgeted)[BUDGET];
