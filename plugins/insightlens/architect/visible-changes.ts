import type { RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import type { Proposal } from './definition.js';
import type { ChangeSet } from './schemas.js';

const ATTRIBUTE = 'attributes.';

/** Of the card types that the caller sees, the keys of their cost attributes. */
async function costKeys(host: Host, ctx: RequestContext): Promise<Map<string, Set<string>>> {
  return await host.inventory.read(ctx, {}, ({ types }) => {
    const keys = [...types].map(([type, { fields }]): [string, Set<string>] => {
      const costs = fields.filter(({ isCost }) => isCost);
      return [type, new Set(costs.map(({ key }) => key.slice(ATTRIBUTE.length)))];
    });
    return Promise.resolve(new Map(keys));
  });
}

/**
 * A change set as its reader may see it: its author all of it, others without cards of hidden types and their relations, and without costs
 * where they do not see those of the type. What is stored, and committed, is the whole of it.
 */
export async function visibleChanges(
  host: Host,
  ctx: RequestContext,
  { asked_by, change_set }: Pick<Proposal, 'asked_by' | 'change_set'>,
): Promise<ChangeSet | null> {
  if (!change_set || change_set.cards.length === 0 || ctx.actor?.id === asked_by) return change_set;
  const costs = await costKeys(host, ctx);
  const cards = change_set.cards.filter(({ type }) => costs.has(type)).map((card) => ({ ...card, id: host.newId() }));
  const withCosts = await host.cards.withCosts(ctx, cards);
  const shown = new Set(cards.map(({ ref }) => ref));
  const isShown = ({ ref }: { ref?: string }): boolean => ref === undefined || shown.has(ref);
  return {
    cards: cards.map(({ id, attributes, ...card }) => {
      if (!attributes) return card;
      const visible = Object.entries(attributes).filter(
        ([key]) => withCosts.has(id) || !costs.get(card.type)?.has(key),
      );
      return { ...card, attributes: Object.fromEntries(visible) };
    }),
    relations: change_set.relations.filter(({ source, target }) => isShown(source) && isShown(target)),
  };
}

/** Whether a change set has parts that the caller does not see: cards of hidden types, or costs. */
export async function hasHidden(host: Host, ctx: RequestContext, changes: ChangeSet | null): Promise<boolean> {
  if (!changes || changes.cards.length === 0) return false;
  const costs = await costKeys(host, ctx);
  const cards = changes.cards.map((card) => ({ ...card, id: host.newId() }));
  const withCosts = await host.cards.withCosts(ctx, cards);
  return cards.some(({ id, type, attributes = {} }) => {
    const keys = costs.get(type);
    return !keys || (!withCosts.has(id) && Object.keys(attributes).some((key) => keys.has(key)));
  });
}
