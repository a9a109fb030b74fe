import { capability, type RequestContext, type UnitOfWork } from '@lintel/sdk';

/** Values of a risk of the register, as far as they are set here. */
export interface RegisterRisk {
  title: string;
  category: string;
  description: string | null;
  initial_probability: string;
  initial_impact: string;
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

/** A draft decision, as far as its parts are set here. */
export interface DraftDecision {
  title: string;
  context: string;
  card_ids: string[];
}

/** Creates draft decisions with the permissions of the context. */
export interface DecisionCreator {
  prepare(
    ctx: RequestContext,
    decision: DraftDecision,
  ): Promise<(uow: UnitOfWork) => Promise<{ id: string; number: string }>>;
}

/** Provided by the module of architecture decisions. */
export const ADR_CREATE = capability<DecisionCreator>('adr.create@1');
