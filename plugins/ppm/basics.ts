import type { CardRef, ModuleServices, RequestContext } from '@lintel/sdk';
import type { Settings } from './settings.js';

export type Host = ModuleServices<Settings>;
type Cards = Pick<Host, 'cards' | 'problem'>;

/** The card type whose cards have plans. */
export const INITIATIVE_TYPE = 'Initiative';

/** The time of the database in the resolution of the API. */
export const NOW = "date_trunc('milliseconds', clock_timestamp())";

/** Limits of the plan of one initiative. */
export const MAX_WBS = 10_000;
export const MAX_TASKS = 20_000;
export const MAX_DEPENDENCIES = 20_000;
export const MAX_DEPTH = 20;

/** The card of an initiative. @throws not_found if it does not exist, is hidden from the caller, or is no initiative */
export async function requireInitiative(host: Cards, ctx: RequestContext, cardId: string): Promise<CardRef> {
  const card = await host.cards.get(ctx, cardId);
  if (card.type !== INITIATIVE_TYPE) throw host.problem('not_found');
  return card;
}

/** The same for a write. @throws not_found, invalid_state if the card is archived */
export async function requireActiveInitiative(host: Cards, ctx: RequestContext, cardId: string): Promise<CardRef> {
  const card = await requireInitiative(host, ctx, cardId);
  if (card.status !== 'ACTIVE')
    throw host.problem('invalid_state', {
      detail: 'The initiative is archived: its plan cannot be changed.',
      state: card.status,
      allowed: [],
    });
  return card;
}

/** Those of these ids that are initiatives visible to the caller, in lower case; for references of resources. */
export async function initiativesAmong(
  host: Pick<ModuleServices, 'cards'>,
  ctx: RequestContext,
  ids: readonly string[],
): Promise<Set<string>> {
  const found = await host.cards.find(ctx, ids);
  return new Set([...found.values()].filter(({ type }) => type === INITIATIVE_TYPE).map(({ id }) => id));
}
