import type { ModuleServices, RequestContext } from '@lintel/sdk';
import { CARD_MANAGE, MANAGE } from './permissions.js';
import { cardsOf } from './repository.js';
import type { Settings } from './settings.js';

type Host = ModuleServices<Settings>;

const refused = (host: Host) =>
  host.problem('forbidden', {
    detail: `The permission ${MANAGE} is required.`,
    required_permission: MANAGE,
    or_card_permission: CARD_MANAGE,
  });

/** Those of these cards whose diagrams the caller may write by a stakeholder role; undefined where the caller may write all. */
async function writable(host: Host, ctx: RequestContext, cardIds: readonly string[]): Promise<Set<string> | undefined> {
  return ctx.permissions.has(MANAGE) ? undefined : await host.cards.mayAmong(ctx, cardIds, MANAGE, CARD_MANAGE);
}

/**
 * Requires that the caller may write a diagram: any, or one with a card with the stakeholder permission.
 * @returns the cards of the diagram on which the right is based, which must be the same where it is locked; undefined for any
 * @throws not_found, forbidden
 */
export async function mayWrite(host: Host, ctx: RequestContext, id: string): Promise<string[] | undefined> {
  if (ctx.permissions.has(MANAGE)) return undefined;
  const cards = await cardsOf(host.db, id);
  if (!cards) throw host.problem('not_found');
  if ((await writable(host, ctx, cards.card_ids))?.size === 0) throw refused(host);
  return cards.card_ids;
}

/** Requires that the caller may delete a diagram: any, or one whose cards all have the stakeholder permission. As `mayWrite`. */
export async function mayRemove(host: Host, ctx: RequestContext, id: string): Promise<string[] | undefined> {
  if (ctx.permissions.has(MANAGE)) return undefined;
  const cards = await cardsOf(host.db, id);
  if (!cards) throw host.problem('not_found');
  const allowed = await writable(host, ctx, cards.card_ids);
  if (allowed && (cards.card_ids.length === 0 || cards.card_ids.some((card) => !allowed.has(card))))
    throw refused(host);
  return cards.card_ids;
}

/**
 * Requires that the caller may link these cards with a diagram, or remove the links: with a stakeholder permission only cards on
 * which it is held.
 * @throws forbidden
 */
export async function mayLink(host: Host, ctx: RequestContext, cardIds: readonly string[]): Promise<void> {
  const allowed = await writable(host, ctx, cardIds);
  if (allowed && cardIds.some((card) => !allowed.has(card))) throw refused(host);
}

/**
 * Requires that the caller may create a diagram: with a stakeholder permission one with such a card.
 * @param linked cards that are linked, which all need the permission
 * @param shown cards of its shapes
 * @throws forbidden
 */
export async function mayBegin(
  host: Host,
  ctx: RequestContext,
  linked: readonly string[],
  shown: readonly string[],
): Promise<void> {
  const allowed = await writable(host, ctx, [...linked, ...shown]);
  if (allowed && (allowed.size === 0 || linked.some((card) => !allowed.has(card)))) throw refused(host);
}
