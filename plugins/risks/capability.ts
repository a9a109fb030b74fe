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

/** A risk of a card; one that concerns several cards is listed once for each. */
export interface CardRisk {
  id: string;
  reference: string;
  title: string;
  status: string;
  /** The residual level, or the initial one; null if it is not rated. */
  level: string | null;
  card_id: string;
}

/**
 * The risks of those of the cards that the caller may see, by reference.
 * @param cardIds at most 2,000
 * @param limit maximum number of results
 * @returns undefined without `risks.view`
 */
export type RisksOfCards = (
  ctx: RequestContext,
  cardIds: readonly string[],
  limit: number,
) => Promise<CardRisk[] | undefined>;

/** Other modules import this file, and name it under `uses`. */
export const RISKS_CREATE = capability<CreateRisk>('risks.create@1');
export const RISKS_PREPARE = capability<PrepareRisk>('risks.prepare@1');
export const RISKS_OF_CARDS = capability<RisksOfCards>('risks.of_cards@1');
