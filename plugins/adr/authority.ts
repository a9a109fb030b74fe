import type { ModuleServices, RequestContext } from '@lintel/sdk';
import { cardsOf } from './content-repository.js';
import { CARD_MANAGE, MANAGE } from './permissions.js';
import type { Settings } from './settings.js';

type Host = ModuleServices<Settings>;

const refused = (host: Host) =>
  host.problem('forbidden', {
    detail: `The permission ${MANAGE} is required.`,
    required_permission: MANAGE,
    or_card_permission: CARD_MANAGE,
  });

/** The cards whose decisions the caller may write by a stakeholder role; undefined where the caller may write all. */
async function writable(host: Host, ctx: RequestContext, cardIds: readonly string[]): Promise<Set<string> | undefined> {
  return ctx.permissions.has(MANAGE) ? undefined : await host.cards.mayAmong(ctx, cardIds, MANAGE, CARD_MANAGE);
}

/**
 * Requires that the caller may write a decision: any, or one linked to a card with the stakeholder permission. @throws
 * not_found, forbidden
 */
export async function mayWrite(host: Host, ctx: RequestContext, id: string): Promise<void> {
  if (ctx.permissions.has(MANAGE)) return;
  const cards = await cardsOf(host.db, id);
  if (!cards) throw host.problem('not_found');
  if ((await writable(host, ctx, cards))?.size === 0) throw refused(host);
}

/**
 * Requires that the caller may add or remove links between a decision and these cards: with a stakeholder permission
 * only for the cards on which it is held.
 * @throws forbidden
 */
export async function mayLink(host: Host, ctx: RequestContext, cardIds: readonly string[]): Promise<void> {
  const allowed = await writable(host, ctx, cardIds);
  if (allowed && cardIds.some((id) => !allowed.has(id))) throw refused(host);
}

/** Requires that the caller may create a decision about these cards. @throws forbidden */
export async function mayBegin(host: Host, ctx: RequestContext, cardIds: readonly string[]): Promise<void> {
  if (cardIds.length === 0 && !ctx.permissions.has(MANAGE)) throw refused(host);
  await mayLink(host, ctx, cardIds);
}
