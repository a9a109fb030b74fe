import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { RequestContext, UnitOfWork } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { findDraft, findLinks, storeFrozen } from '../documents/repository.js';
import type { StoredSection } from '../sections/schema.js';
import { dependsOnRelations } from './fields.js';
import { showNow } from './shown.js';

/**
 * Requires that the caller sees all relations, if the rows of a table depend on them: they are frozen with all rights, and would tell
 * the caller about relations with hidden cards. @throws forbidden
 */
async function requireRelations(host: Host, ctx: RequestContext, sections: readonly StoredSection[]): Promise<void> {
  if (!sections.some(({ tables }) => tables.some(dependsOnRelations))) return;
  const seen = await host.inventory.read(ctx, {}, async ({ relatedTypes }) => Promise.resolve(relatedTypes.length));
  const system = host.systemContext('soaw');
  const all = await host.inventory.read(system, {}, async ({ types }) => Promise.resolve(types.size));
  if (seen < all)
    throw host.problem('forbidden', {
      detail: 'Tables of the document depend on relations, and not all of them are visible to you.',
      required_permission: 'relations.view',
    });
}

/**
 * Computes the live tables of a draft with all rights, before the transaction that requests signatures.
 * @throws forbidden if their rows would tell the caller about hidden relations
 * @returns a function that stores them in it; it throws a conflict if the draft has been changed since
 */
export async function freeze(host: Host, ctx: RequestContext, id: string): Promise<(uow: UnitOfWork) => Promise<void>> {
  const draft = await findDraft(host.db, id);
  const isDraft = draft?.status === 'draft';
  if (isDraft) await requireRelations(host, ctx, draft.sections);
  const cards = isDraft ? await findLinks(host.db, id) : [];
  const shown = isDraft ? await showNow(host, host.systemContext('soaw'), draft.sections) : undefined;
  return async (uow) => {
    // Called for a draft only: one that was not one before has become one in between.
    if (!shown || !isDeepStrictEqual(await findDraft(uow, id), draft))
      throw host.problem('conflict', { detail: 'The document was changed at the same time; try again.' });
    await storeFrozen(uow, id, { ...shown, cards, nonce: randomBytes(16).toString('hex') });
  };
}
