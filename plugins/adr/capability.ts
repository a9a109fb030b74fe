import { capability, type RequestContext, type UnitOfWork } from '@lintel/sdk';
import type { AdrCreate, AdrView } from './schemas.js';

/** Creates a draft decision with the permissions of the context. */
export interface AdrCreator {
  /** @throws forbidden, validation_failed */
  create(ctx: RequestContext, adr: AdrCreate): Promise<Pick<AdrView, 'id' | 'number' | 'version'>>;
  /**
   * Checks the decision, before the transaction of the caller.
   * @returns a function that creates it in that transaction
   * @throws forbidden, validation_failed
   */
  prepare(
    ctx: RequestContext,
    adr: AdrCreate,
  ): Promise<(uow: UnitOfWork) => Promise<Pick<AdrView, 'id' | 'number' | 'version'>>>;
}

/** Other modules import this file, and name it under `uses`. */
export const ADR_CREATE = capability<AdrCreator>('adr.create@1');
