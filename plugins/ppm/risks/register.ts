import { capability, type RequestContext, type UnitOfWork } from '@lintel/sdk';

/** Values of a risk of the register, as far as they are set here. */
export interface RegisterRisk {
  title: string;
  category: string;
  description: string | null;
  initial_probability: string;
  initial_impact: string;
  owner_id: string | null;
  cards: { card_id: string; role: string }[];
}

/**
 * Checks a risk with the permissions of the context, before the transaction.
 * @returns a function that creates it in a transaction
 */
export type PrepareRisk = (
  ctx: RequestContext,
  risk: RegisterRisk,
) => Promise<(uow: UnitOfWork) => Promise<{ id: string; reference: string }>>;

/** Provided by the module of risks. */
export const RISKS_PREPARE = capability<PrepareRisk>('risks.prepare@1');
