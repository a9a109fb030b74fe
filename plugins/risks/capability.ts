import { capability, type RequestContext, type UnitOfWork } from '@lintel/sdk';
import type { RiskCreate } from './register/schemas.js';

/** Creates a risk with the permissions of the context, like `POST /risks`. */
export type CreateRisk = (ctx: RequestContext, risk: RiskCreate) => Promise<{ id: string; reference: string }>;

/**
 * Checks a risk with the permissions of the context, before the transaction of the caller.
 * @returns a function that creates it in that transaction
 */
export type PrepareRisk = (
  ctx: RequestContext,
  risk: RiskCreate,
) => Promise<(uow: UnitOfWork) => Promise<{ id: string; reference: string }>>;

/** Other modules import this file, and name it under `uses`. */
export const RISKS_CREATE = capability<CreateRisk>('risks.create@1');
export const RISKS_PREPARE = capability<PrepareRisk>('risks.prepare@1');
