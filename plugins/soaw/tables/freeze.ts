import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { RequestContext, UnitOfWork } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { findDraft, storeFrozen } from '../documents/repository.js';
import { addLogo } from '../files/logo-repository.js';
import { currentLogo, sha256 } from '../files/logo.js';
import { showForAll } from './shown.js';

/**
 * Computes the live tables of a draft for all readers, before the transaction that requests signatures.
 * @returns a function that stores them in it; it throws a conflict if the draft has been changed since
 */
export async function freeze(
  host: Host,
  _ctx: RequestContext,
  id: string,
): Promise<(uow: UnitOfWork) => Promise<void>> {
  const draft = await findDraft(host.db, id);
  const shown = draft?.status === 'draft' ? await showForAll(host, draft.sections) : undefined;
  const logo = shown ? await currentLogo(host) : null;
  return async (uow) => {
    // Called for a draft only: one that was not one before has become one in between.
    if (!shown || !isDeepStrictEqual(await findDraft(uow, id), draft))
      throw host.problem('conflict', { detail: 'The document was changed at the same time; try again.' });
    const hash = logo && sha256(logo.bytes);
    if (logo && hash) await addLogo(uow, hash, logo);
    const nonce = randomBytes(16).toString('hex');
    await storeFrozen(uow, id, { ...shown, cards: draft!.cards, nonce, logo: hash });
  };
}
