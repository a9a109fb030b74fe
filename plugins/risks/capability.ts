import { capability, type RequestContext } from '@lintel/sdk';
import type { RiskCreate } from './register/schemas.js';

/** Enters a risk, with the rights of the context; as `POST /risks` does. */
export type CreateRisk = (ctx: RequestContext, risk: RiskCreate) => Promise<{ id: string; reference: string }>;

export const RISKS_CREATE = capability<CreateRisk>('risks.create@1');
