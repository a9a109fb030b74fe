import type { CardRef, RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { namedCards, type Advice, type Design, type Outcome, type Proposal } from './definition.js';
import type { ProposalSummary, ProposalView } from './schemas.js';
import type { Listed } from './repository.js';
import { versionsOf } from './landscape-repository.js';
import { visibleChanges } from './visible-changes.js';

/** Facts that rest on relations. */
const OF_RELATIONS = new Set(['relations', 'supports_capability']);

export const summaryOf = ({ created_at, finished_at, ...row }: Listed): ProposalSummary => ({
  ...row,
  created_at: created_at.toISOString(),
  finished_at: finished_at?.toISOString() ?? null,
});

const seesRelations = (ctx: RequestContext, cards: ReadonlyMap<string, CardRef>): boolean =>
  [...cards.values()].every(({ type }) => ctx.permissions.has('relations.view', type));

const visibleAdvice = (advice: Advice, cards: ReadonlyMap<string, CardRef>): NonNullable<ProposalView['advice']> => ({
  ...advice,
  citations: advice.citations.flatMap(({ ref, card_id }) => {
    const card = cards.get(card_id);
    return card ? [{ ref, card_id, name: card.name, type: card.type }] : [];
  }),
});

/** A design without the facts that this reader may not see: costs and relations are those that its author saw. */
async function visibleDesign(
  host: Host,
  ctx: RequestContext,
  design: Design,
  cards: ReadonlyMap<string, CardRef>,
  withRelations: boolean,
): Promise<NonNullable<ProposalView['design']>> {
  const withCosts = await host.cards.withCosts(ctx, [...cards.values()]);
  const sees = ({ code, card_id }: Design['options'][number]['reasons'][number]): boolean => {
    if (card_id === undefined) return true;
    if (code === 'costs') return withCosts.has(card_id);
    return !OF_RELATIONS.has(code) || ctx.permissions.has('relations.view', cards.get(card_id)?.type);
  };
  const { capabilities, cards: matches, options, gaps, dependencies } = design;
  return {
    capabilities,
    cards: matches,
    options: options.map((option) => ({ ...option, reasons: option.reasons.filter(sees) })),
    gaps: withRelations ? gaps : { ...gaps, capability_ids: [] },
    dependencies: withRelations ? dependencies : null,
  };
}

/** What a commit has created, without cards that are hidden from this reader. */
async function visibleOutcome(host: Host, ctx: RequestContext, outcome: Outcome): Promise<Outcome> {
  const hidden = await host.cards.hidden(
    ctx,
    outcome.cards.map(({ id }) => id),
  );
  const { initiative_id: initiative, cards } = outcome;
  return {
    ...outcome,
    initiative_id: initiative !== null && hidden.has(initiative) ? null : initiative,
    cards: cards.filter(({ id }) => !hidden.has(id)),
  };
}

/** Whether cards were changed since the proposal was made: of one that can be committed, and of cards whose version is known. */
async function changesOf(
  host: Host,
  ctx: RequestContext,
  { state, design }: Proposal,
): Promise<(card: CardRef) => boolean> {
  const before = state === 'ready' ? (design?.versions ?? {}) : {};
  const now = await host.inventory.read(ctx, {}, (inventory) => versionsOf(inventory, Object.keys(before)));
  return ({ id }) => before[id] !== undefined && now[id] !== before[id];
}

/** A proposal as its reader may see it. */
export async function viewOf(host: Host, ctx: RequestContext, proposal: Proposal): Promise<ProposalView> {
  const { design, advice, change_set, job_id: _job, ...row } = proposal;
  const { model, error, outcome, committed_by, committed_at, ...listed } = row;
  const cards = await host.cards.find(ctx, namedCards(design, change_set));
  const withRelations = seesRelations(ctx, cards);
  const isChanged = await changesOf(host, ctx, proposal);
  return {
    ...summaryOf(listed),
    design: design && (await visibleDesign(host, ctx, design, cards, withRelations)),
    named_cards: [...cards.values()].map((card) => ({ ...card, is_changed: isChanged(card) })),
    // The model was told which options rest on relations.
    advice: withRelations ? advice && visibleAdvice(advice, cards) : null,
    model,
    change_set: await visibleChanges(host, ctx, proposal),
    option_id: design?.chosen ?? null,
    error,
    outcome: outcome && {
      ...(await visibleOutcome(host, ctx, outcome)),
      ...(!withRelations && { relation_ids: [] }),
    },
    committed_by,
    committed_at: committed_at?.toISOString() ?? null,
  };
}
