import { capability, type RequestContext, type UnitOfWork } from '@lintel/sdk';
import type { AdrCreate, AdrView } from './schemas.js';

/** Creates a draft decision with the permissions of the context. */
export interface AdrCreator {
  /** @throws forbidden, validation_failed */
  create(ctx: RequestContext, adr: AdrCreate): Promise<Pick<AdrView, 'id' | 'number' | 'version'>>;
  /**
   * Checks the decision, before the transaction of the caller.
   * @returns a function that creates it in that transaction; `created` are further cards that it concerns, which that transaction has
   *   created with the permissions of the context: together at most 200
   * @throws forbidden, validation_failed
   */
  prepare(
    ctx: RequestContext,
    adr: AdrCreate,
  ): Promise<(uow: UnitOfWork, created?: readonly string[]) => Promise<Pick<AdrView, 'id' | 'number' | 'version'>>>;
}

/** A decision of a card; one that concerns several cards is listed once for each. */
export interface CardDecision {
  id: string;
  number: string;
  title: string;
  status: string;
  card_id: string;
}

/**
 * The decisions that concern those of the cards that the caller may see, by number; of each the revision in force, or else the latest.
 * @param cardIds at most 2,000
 * @param limit maximum number of results
 * @returns undefined without `adr.view`
 */
export type DecisionsOfCards = (
  ctx: RequestContext,
  cardIds: readonly string[],
  limit: number,
) => Promise<CardDecision[] | undefined>;

/** Other modules import this file, and name it under `uses`. */
export const ADR_CREATE = capability<AdrCreator>('adr.create@1');
export const ADR_OF_CARDS = capability<DecisionsOfCards>('adr.of_cards@1');
