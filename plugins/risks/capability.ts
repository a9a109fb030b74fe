import { capability, type RequestContext } from '@lintel/sdk';
import type { RiskCreate } from './register/schemas.js';

/** Creates a risk with the permissions of the context, like `POST /risks`. */
export type CreateRisk = (ctx: RequestContext, risk: RiskCreate) => Promise<{ id: string; reference: string }>;

/** Other modules import this file, and name it under `uses`. */
export const RISKS_CREATE = capability<CreateRisk>('risks.create@1');
